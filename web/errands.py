"""What chat front ends ask a model for on the side: a title, tags, follow-ups. Nobody's research is wanted for these.

Open WebUI asks them as one message of the user that begins with a task and ends with the conversation between tags;
other front ends have copied its form. The JSON key that the message wants says which errand it is: it stands before
the conversation or after it, since what stands within was said by people. An emoji, shown in its voice calls, is asked
for without a heading, with the words that were spoken in a fence. Three more come where somebody has switched them on,
each in words of its own: what to remember of the user, what to keep of a long conversation, which tool to call.

Messages come from anybody and are looked at in the event loop: every expression here takes time by the length of a
message alone, whatever stands in it.
"""

import json
import re
from collections.abc import Iterable
from typing import Literal, get_args

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
TITLE_WORDS = 8


def errand_of(message: str, instructions: str = "") -> ErrandKey | None:
    """Return what a message wants on the side, given what the system says; None of a question."""
    if len(message) > MOST_CHARACTERS:
        return None
    if "Available Tools:" in instructions and '"tool_calls": []' in instructions:
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
    if first is None or first["kind"].casefold() == "<context>":
        return None
    if first["kind"].casefold() != "<chat_history>":
        return "summary"
    if _history(message) is None:
        return None
    before, after = message[: first.start()], _CLOSING.split(message)[-1]
    wanted = _wanted(before) or _wanted(after) or _wanted(message)
    return "emoji" if wanted is None and "emoji" in before[:300].casefold() else wanted


def _wanted(instructions: str) -> WantedKey | None:
    keys = {match["key"] for match in _WANTED.finditer(instructions)}
    return next((key for key in get_args(WantedKey) if key in keys), None)


def _title(message: str) -> str:
    """Return how the first question begins; where nobody is named, the last question stands there alone."""
    history = _history(message) or ""
    named = _SPEAKER.search(history)
    words = _first_words(history.split("\n")) if named else history.split(maxsplit=TITLE_WORDS + 1)[: TITLE_WORDS + 1]
    short = " ".join(words[:TITLE_WORDS])
    return (f"{short}…" if len(words) > TITLE_WORDS else short) or "Questions"


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


def _history(message: str) -> str | None:
    """Return what stands between the first tags that hold anything; None where there are none."""
    held = None
    opening = _OPENING.search(message)
    while opening and (closing := _CLOSING.search(message, opening.end())):
        held = message[opening.end() : closing.start()]
        if held.strip():
            break
        opening = _OPENING.search(message, closing.end())
    return held


def _is_spoken(message: str) -> bool:
    mood = _MOOD.match(message)
    spoken = _SPOKEN.search(message, mood.end()) if mood else None
    return spoken is not None and message.endswith(_FENCE) and spoken.end() + len(_FENCE) <= len(message)
