"""What chat front ends ask a model for on the side: a title, tags, follow-ups. Nobody's research is wanted for these.

Open WebUI asks them as one message of the user that begins with a task and ends with the conversation between tags;
other front ends have copied its form. The JSON key that the message wants says which errand it is. An emoji, shown in
its voice calls, is asked for without a heading, with the words that were spoken in a fence.
"""

import json
import re
from typing import Literal, get_args

ErrandKey = Literal["title", "tags", "follow_ups", "queries", "text", "prompt", "emoji"]

_TASK = re.compile(r"\s*#{2,4}\s*task\b", re.IGNORECASE)
_HISTORY = re.compile(r"<chat_history>(.*?)</chat_history>", re.DOTALL | re.IGNORECASE)
_WANTED = re.compile(r'\{\s*"(?P<key>\w+)"\s*:')
_FIRST = re.compile(
    r"^\s*USER:\s*(?P<words>.+?)\s*(?=^\s*(?:ASSISTANT|USER):|\Z)", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
_SPOKEN = re.compile(r"\s*your task is\b[^\n]*\bemoji\b.*\n\s*message:\s*```.*```\s*\Z", re.DOTALL | re.IGNORECASE)
TITLE_WORDS = 8


def errand_of(message: str) -> ErrandKey | None:
    """Return what a message wants on the side; None of a question."""
    if _SPOKEN.match(message):
        return "emoji"
    if not _TASK.match(message) or not _HISTORY.search(message):
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
    history = _HISTORY.search(message)
    first = _FIRST.search(history[1]) if history else None
    words = (first["words"] if first else "").split()
    short = " ".join(words[:TITLE_WORDS])
    return (f"{short}…" if len(words) > TITLE_WORDS else short) or "Questions"
