"""HITS@4K: whether a reader of 4,096 tokens would see the answer (HELIOS, section 5.1)."""

from collections.abc import Callable, Iterable, Sequence

from eval.ott.matching import matchable, says

BUDGET = 4096
"""Tokens of the linearised ranking that are looked at (Chen et al. 2020)."""

TokenEnds = Callable[[str], Sequence[int]]
"""Where each token of a text ends, in characters from the text's start, in order and without special tokens."""


def hits(pieces: Iterable[str], answers: Sequence[str], token_ends: TokenEnds, budget: int = BUDGET) -> float:
    """Return 1 where one of the answers is said within the budget; pieces are those of a linearised ranking.

    An answer is said within one piece, not across two. Of the piece that the budget cuts, whole words count; what
    stands between pieces takes no tokens.
    """
    sought = tuple(map(matchable, answers))
    for piece in pieces:
        ends = token_ends(piece)
        seen = matchable(piece if len(ends) <= budget else _cut(piece, ends[budget - 1]))
        if any(says(seen, answer) for answer in sought):
            return 1.0
        budget -= len(ends)
        if budget <= 0:
            return 0.0
    return 0.0


def _cut(text: str, end: int) -> str:
    """Cut a text, and with it what there is of a word that goes on behind the cut."""
    if not text[end : end + 1].isalnum():
        return text[:end]
    while end and text[end - 1].isalnum():
        end -= 1
    return text[:end]
