"""What chat front ends ask a model for on the side: a title, tags, follow-ups. Nobody's research is wanted for these.

Open WebUI asks them as one message of the user that begins with a task and ends with the conversation between tags;
other front ends have copied its form. The JSON key that the message wants says which errand it is: it stands before
the conversation or after it, never within, since that was said by people. An emoji, shown in its voice calls, is asked
for without a heading, with the words that were spoken in a fence. Three more come where somebody has switched them on,
each in words of its own: what to remember of the user, what to keep of a long conversation, which tool to call.

Messages come from anybody and are looked at in the event loop: every expression here takes time by the length of a
message alone, whatever stands in it.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from memory.conversations import TITLE_CHARACTERS
from web.openai_requests import MOST_CHARACTERS
from web.wrapped_questions import TASK, landmark

WantedKey = Literal["title", "tags", "follow_ups", "queries", "text", "prompt"]
ErrandKey = Literal[WantedKey, "emoji", "operations", "summary", "tool_calls"]

_OPENING = re.compile("<chat_history>", re.IGNORECASE)
_CLOSING = re.compile("</chat_history>", re.IGNORECASE)
_WANTED = re.compile(r'"(?P<key>\w+)"\s*:')
_MOOD = re.compile(r"your task is\b[^\n]*\bemoji\b", re.IGNORECASE)
_SPOKEN = re.compile(r"^[^\S\n]*message:\s*```", re.IGNORECASE | re.MULTILINE)
_REVIEW = re.compile(r"review the completed conversation turn\b[^\n]*\bmemory\b", re.IGNORECASE)
_SPEAKER = re.compile(r"^[^\S\n]*(?:user|assistant):", re.IGNORECASE | re.MULTILINE)
_FENCE = "```"
_TOLD_TO_CHOOSE = ("Available Tools:", '"tool_calls": []')
_TO_CHOOSE_FOR = ("Query:", "History:")
TITLE_WORDS = 8


@dataclass(frozen=True, slots=True)
class _Task:
    """A conversation, and what a template says before and after it."""

    before: str
    talk: str
    after: str


def errand_of(message: str, instructions: str = "") -> ErrandKey | None:
    """Return what a message wants on the side, given what the system says; None of a question."""
    if len(message) > MOST_CHARACTERS:
        return None
    if message.lstrip().startswith(_TO_CHOOSE_FOR) and all(words in instructions for words in _TOLD_TO_CHOOSE):
        return "tool_calls"
    if _is_spoken(message.strip()):
        return "emoji"
    if _REVIEW.match(message.lstrip()) and '"operations":' in message:
        return "operations"
    return _task_of(message) if TASK.match(message) else None


def errand_reply(errand: ErrandKey, message: str) -> str:
    """Return the reply: a title is made of the first question; of all else there is none, since nothing is guessed."""
    if errand == "emoji":
        return "🔎"
    if errand in ("prompt", "summary"):
        return ""  # what was typed is drawn then, and what was said is kept in extracts
    if errand == "title":
        return json.dumps({"title": _title(message)}, ensure_ascii=False)
    return json.dumps({errand: "" if errand == "text" else []})


def _task_of(message: str) -> ErrandKey | None:
    first = landmark(message)
    if first is None or first.lastgroup == "files":
        return None
    if first.lastgroup == "compacted":
        return None if _in_files(message, first.start()) else "summary"
    task = _taken_apart(message)
    if task is None or _in_files(message, len(task.before)):
        return None
    wanted = _wanted(task.before) or _wanted(task.after)
    return "emoji" if wanted is None and "emoji" in task.before[:300].casefold() else wanted


def _in_files(message: str, place: int) -> bool:
    """Return whether a place is within a context, which may begin and end within a line."""
    _, opened, since = message[:place].casefold().rpartition("<context>")
    return bool(opened) and "</context>" not in since and "</context>" in message[place:].casefold()


def _wanted(instructions: str) -> WantedKey | None:
    keys = {match["key"] for match in _WANTED.finditer(instructions)}
    return next((key for key in get_args(WantedKey) if key in keys), None)


def _title(message: str) -> str:
    """Return how the first question begins; where nobody is named, the last question stands there alone."""
    task = _taken_apart(message)
    history = task.talk if task else ""
    named = _SPEAKER.search(history)
    words = _first_words(history.split("\n")) if named else history.split(maxsplit=TITLE_WORDS + 1)[: TITLE_WORDS + 1]
    short = " ".join(words[:TITLE_WORDS])
    if len(words) > TITLE_WORDS or len(short) > TITLE_CHARACTERS:  # where words have no blanks between, one is all
        short = short[: TITLE_CHARACTERS - 1].rstrip() + "…"
    return short or "Questions"


def _first_words(lines: Iterable[str]) -> list[str]:
    """Return how the first question begins that has words: those of a title, and one more where there is one."""
    words: list[str] = []
    asks = False
    for line in lines:
        speaker, colon, said = line.partition(":")
        if not colon or speaker.lstrip().casefold() not in ("user", "assistant"):
            said = line
        elif words:
            break
        else:
            asks = speaker.lstrip().casefold() == "user"
        if asks:
            words += said.split(maxsplit=TITLE_WORDS + 1)[: TITLE_WORDS + 1]
        if len(words) > TITLE_WORDS:
            break
    return words[: TITLE_WORDS + 1]


def _taken_apart(message: str) -> _Task | None:
    """Return a task by the first tags that hold anything, for instructions name them too; None where there are none."""
    begin = end = 0
    for begin, end in _held(message):
        if message[begin:end].strip():
            break
    return _Task(message[:begin], message[begin:end], _CLOSING.split(message)[-1]) if end else None


def _held(message: str) -> Iterator[tuple[int, int]]:
    """Yield where that begins and ends which stands between tags."""
    opening = _OPENING.search(message)
    while opening and (closing := _CLOSING.search(message, opening.end())):
        yield opening.end(), closing.start()
        opening = _OPENING.search(message, closing.end())


def _is_spoken(message: str) -> bool:
    mood = _MOOD.match(message)
    spoken = _SPOKEN.search(message, mood.end()) if mood else None
    return spoken is not None and message.endswith(_FENCE) and spoken.end() + len(_FENCE) <= len(message)
