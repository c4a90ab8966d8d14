"""What a reasoning model thought aloud, taken out of what it said."""

import re

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.IGNORECASE | re.DOTALL)
_CLOSE = re.compile(r".*</think(?:ing)?>", re.IGNORECASE | re.DOTALL)
_OPEN = re.compile(r"<think(?:ing)?>.*", re.IGNORECASE | re.DOTALL)


def without_thinking(text: str) -> str:
    """Remove closed thoughts, what stands before an end without a beginning, and what follows a beginning without end.

    A chat template that opens the thought itself leaves the first kind, a reply that was cut off the second. Thoughts
    that a server keeps apart (`reasoning_content`) never come here.
    """
    return _OPEN.sub("", _CLOSE.sub("", _THOUGHT.sub("", text))).strip()
