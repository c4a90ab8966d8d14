"""What a reasoning model thought aloud, taken out of what it said."""

import re

_TAG = re.compile(r"<(?P<close>/?)think(?:ing)?>", re.IGNORECASE)


def without_thinking(text: str) -> str:
    """Remove closed thoughts, what stands before an end without a beginning, and what follows a beginning without end.

    A chat template that opens the thought itself leaves the second kind, a reply that was cut off the third. Thoughts
    that a server keeps apart (`reasoning_content`) never come here.
    """
    said: list[str] = []
    place, thinks = 0, False
    for tag in _TAG.finditer(text):
        if tag["close"]:
            said, place, thinks = said if thinks else [], tag.end(), False
        elif not thinks:
            said.append(text[place : tag.start()])
            thinks = True
    return "".join(said if thinks else [*said, text[place:]]).strip()
