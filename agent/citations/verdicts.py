"""The order of verdicts, and which of them an answer may stand on."""

from heliograph.types import ClaimVerdict

BEST_FIRST: tuple[ClaimVerdict, ...] = ("computed", "quoted", "supported", "partial", "unchecked", "unsupported")
KEPT: frozenset[ClaimVerdict] = frozenset({"quoted", "supported", "computed"})
"""Verdicts of claims that are answers; partial is not one of them."""


def worst(*verdicts: ClaimVerdict) -> ClaimVerdict:
    """Return the worst of several verdicts; of none, that nothing is supported."""
    return max(verdicts, key=BEST_FIRST.index, default="unsupported")
