"""Questions that a front end has wrapped into instructions of its own.

Open WebUI puts what it found in files or on the web before a question, lists attached files there, and asks for one
answer out of several with the question in quotes. Answers here rest on the evidence of a run alone: what is researched
is the question. As in `web.errands`, every expression takes time by the length of a message alone.
"""

import re

TASK = re.compile(r"\s*#{2,4}\s*task\b", re.IGNORECASE)
"""How Open WebUI's instructions begin."""
_LANDMARK = re.compile(
    r"^[^\S\n]*(?P<files><context>)|(?P<talk><chat_history>)|^#{2,4} (?P<compacted>messages being compacted:)",
    re.IGNORECASE | re.MULTILINE,
)
_SEVERAL = re.compile(
    r"\s*you have been provided with a set of responses from various models to the latest user query: \"", re.IGNORECASE
)
_SEVERAL_TASK = '"\n\nYour task is to synthesize'
_CONTEXT_END = re.compile(r"^[^\S\n]*</context>[^\S\n]*\n", re.IGNORECASE | re.MULTILINE)
_QUERY = re.compile(r"<user_query>(?P<asked>.*)</user_query>", re.IGNORECASE | re.DOTALL)
"""Around the question in the template that Open WebUI had at first, which who changed it still has."""
_ATTACHED = re.compile(r"\s*<attached_files>\n(?:<file [^\n]*/>\n)+</attached_files>\s*")


def landmark(message: str) -> re.Match[str] | None:
    """Return where instructions end and what others wrote begins; its `lastgroup` says what that is."""
    return _LANDMARK.search(message)


def question_in(message: str) -> str:
    """Return the question that stands in instructions of Open WebUI; the whole of any other message."""
    asked = _after_context(message) or _of_several(message) or message
    attached = _ATTACHED.match(asked)
    return asked[attached.end() :] if attached else asked


def _after_context(message: str) -> str:
    found = landmark(message) if TASK.match(message) else None
    if found is None or found.lastgroup != "files":
        return ""
    *context, rest = _CONTEXT_END.split(message)
    query = _QUERY.fullmatch(rest.strip())
    return (query["asked"] if query else rest).strip() if context else ""


def _of_several(message: str) -> str:
    head = _SEVERAL.match(message)
    end = message.find(_SEVERAL_TASK, head.end()) if head else -1
    return message[head.end() : end].strip() if head and end >= 0 else ""
