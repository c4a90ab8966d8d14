"""What a question asks for, as far as words of grammar tell: yes or no, things, or all that is to be told."""

import re

_ASKING = re.compile(r"\b(?:who|whom|whose|when|where|why|how|which|what)\b", re.I)
_WHETHER = re.compile(
    r"(?:^|[.!,;] )\W*(?:and |but |so |or )?"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)(?:n['’]t)? [^.!;]*$",
    re.I,
)
_EITHER = re.compile(r"\bor\b", re.I)
_OF_FIGURES = re.compile(
    r"(?:how|when|(?:which|what) (?:\w+ )?(?:years?|dates?|days?|months?|decades?|centur(?:y|ies)))\b", re.I
)
_BROAD = re.compile(
    r"\b(?:(?:give|write|make|want|need) (?:me |us )?an? (?:\w+ )?(?:overview|summary|report)(?: (?:of|on|about))?"
    r"|(?:tell|teach) (?:me|us) (?:all |more |everything )?about|describe|summari[sz]e)\b",
    re.IGNORECASE,
)
"""What asks for more than one answer; what is left of the question then is what to tell about."""


def topic_of(question: str) -> str:
    """Return what a broad question is to be told about; "" where it asks for one answer."""
    topic, count = _BROAD.subn(" ", question)
    return topic if count else ""


def asks_whether(question: str) -> bool:
    """Tell whether a question asks for yes or no, and not which of two it is."""
    return not _ASKING.search(question) and bool(_WHETHER.search(question)) and not _EITHER.search(question)


def asks_for_things(question: str) -> bool:
    """Tell whether a question may ask for things by their names: not for yes or no, and not by "how" or a time.

    The first word that asks decides: "Which islands were inhabited when the tower was lit?" asks for islands.
    """
    asking = _ASKING.search(question)
    return not asks_whether(question) and not (asking and _OF_FIGURES.match(question, asking.start()))
