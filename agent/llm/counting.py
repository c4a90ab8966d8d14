"""How many tokens a text takes, by rules alone: never too few for what people write, and the same in every run.

A server could be asked, but counting decides what a prompt holds: it has to come out the same in a replay, whatever
the order of replies, and before any server is known to answer. Decision record 013 has the measurements.
"""

import re

from heliograph.types import ChatRequest, Prompt

MESSAGE_TOKENS = 64
"""What a chat template writes around a system and a user message."""
PICTURE_TOKENS = 1600
"""What a vision model takes for one picture of about a megapixel."""

_FRAME = 2
_SPACED_LETTERS = re.compile(r" (?=[A-Za-z])")
_BLANKS = re.compile(r"\s+", re.ASCII)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_UNUSUAL = re.compile(r"[^aeiouy]*|.*[^aeiouy]{5}.*|.{24,}", re.IGNORECASE)


def count_tokens(text: str) -> int:
    """Count high: a digit, a sign and a byte beyond ASCII are a token each, five letters of a word are two.

    Letters that make no word (no vowel, five consonants together) are a token each, too; to all, a twentieth is added.
    """
    words = _WORD.findall(text)
    letters = sum(map(len, words))
    blanks = _BLANKS.findall(_SPACED_LETTERS.sub("", text))
    solid = len(text.encode("utf8", "replace")) - letters - sum(map(len, _BLANKS.findall(text)))
    return _FRAME + -(-21 * (sum(map(_word_tokens, words)) + len(blanks) + solid) // 20)


def count_prompt(prompt: Prompt) -> int:
    """Count a prompt with its pictures and what is written around it."""
    texts = sum(map(count_tokens, (prompt.system, *prompt.parts)))
    return MESSAGE_TOKENS + texts + PICTURE_TOKENS * len(prompt.pictures)


def count_request(request: ChatRequest) -> int:
    """Count the most that a call may take, its reply included."""
    return count_prompt(request.prompt) + request.max_tokens


def _word_tokens(word: str) -> int:
    if _UNUSUAL.fullmatch(word):
        return len(word)
    return 1 if len(word) <= 3 else -(-2 * len(word) // 5)
