"""What chat front ends ask a model for on the side: a title, tags, follow-ups. Nobody's research is wanted for these.

Open WebUI asks them as one message of the user that begins with a task and ends with the conversation between tags;
other front ends have copied its form. The JSON key that the message wants says which errand it is. An emoji, shown in
its voice calls, is asked for without a heading, with the words that were spoken in a fence.

Messages come from anybody and are looked at in the event loop: every expression here takes time by the length of a
message alone, whatever stands in it.
"""

import json
import re
from collections.abc import Iterable
from typing import Literal, get_args

from web.openai_requests import MOST_CHARACTERS

ErrandKey = Literal["title", "tags", "follow_ups", "queries", "text", "prompt", "emoji"]

_TASK = re.compile(r"\s*#{2,4}\s*task\b", re.IGNORECASE)
_OPENING = re.compile("<chat_history>", re.IGNORECASE)
_CLOSING = re.compile("</chat_history>", re.IGNORECASE)
_WANTED = re.compile(r'\{\s*"(?P<key>\w+)"\s*:')
_MOOD = re.compile(r"your task is\b[^\n]*\bemoji\b", re.IGNORECASE)
_SPOKEN = re.compile(r"^[^\S\n]*message:\s*```", re.IGNORECASE | re.MULTILINE)
_FENCE = "```"
TITLE_WORDS = 8


def errand_of(message: str) -> ErrandKey | None:
    """Return what a message wants on the side; None of a question."""
    if len(message) > MOST_CHARACTERS:
        return None
    if _is_spoken(message.strip()):
        return "emoji"
    if not _TASK.match(message) or _history(message) is None:
        return None
    keys = [match["key"] for match in _WANTED.finditer(message)]
    wanted = next((key for key in get_args(ErrandKey) if key in keys), None)
    if wanted is None and "emoji" in message[:300].casefold():
        return "emoji"
    return wanted


def errand_reply(errand: ErrandKey, message: str) -> str:
    """Return the reply: a title is made of the first question; of all else there is none, since nothing is guessed."""
    if errand == "emoji":
        return "🔎"
    if errand == "prompt":
        return ""  # what was typed is drawn then
    if errand == "title":
        return json.dumps({"title": _title(message)}, ensure_ascii=False)
    return json.dumps({errand: "" if errand == "text" else []})


def _title(message: str) -> str:
    words = _first_words((_history(message) or "").split("\n"))
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
    """Return what stands between the first tags; None where there are none."""
    opening = _OPENING.search(message)
    closing = _CLOSING.search(message, opening.end()) if opening else None
    return message[opening.end() : closing.start()] if opening and closing else None


def _is_spoken(message: str) -> bool:
    mood = _MOOD.match(message)
    spoken = _SPOKEN.search(message, mood.end()) if mood else None
    return spoken is not None and message.endswith(_FENCE) and spoken.end() + len(_FENCE) <= len(message)
