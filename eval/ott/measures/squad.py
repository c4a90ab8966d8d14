"""Answers as SQuAD compares them: lower case, without punctuation and articles, blanks as one."""

import re
import string

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def answer_words(answer: str) -> tuple[str, ...]:
    """Return the words of an answer that are compared."""
    return tuple(_ARTICLE.sub(" ", answer.lower().translate(_PUNCTUATION)).split())
