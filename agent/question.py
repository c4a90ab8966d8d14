"""The question as it may enter: text of sensible length, on one line."""

import unicodedata

from heliograph.errors import InvalidQuestion

MAX_CHARACTERS = 4_000
"""OMG-QA's questions have 37 words (Table 8); longer input is a document, not a question."""

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn"}
JOINERS = {"\u200c", "\u200d"}


def valid_question(question: str) -> str:
    """Return the question with its white space normalised.

    Raises:
        InvalidQuestion: empty, too long, or with control characters; the message says which and where.
    """
    if len(question) > MAX_CHARACTERS:
        raise InvalidQuestion(
            f"the question has {len(question):,} characters and {MAX_CHARACTERS:,} are accepted; "
            "ask one question at a time (heliograph ask --batch takes one a line)"
        )
    text = " ".join(question.split())
    if not any(character.isalnum() for character in text):
        raise InvalidQuestion('the question is empty; write one, such as "Which moon of Saturn is the largest?"')
    for place, character in enumerate(text, start=1):
        if unicodedata.category(character) in INVISIBLE and character not in JOINERS:
            raise InvalidQuestion(
                f"the question has the control character U+{ord(character):04X} at place {place}; remove it"
            )
    return text
