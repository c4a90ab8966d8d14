"""Late interaction over evidence: what a question's words find in a piece, token by token (HELIOS, equation 4).

The edge retriever that ships was trained on rows and passages of Wikipedia; here it judges all that a question finds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from heliograph.protocols import EvidenceReranker
from heliograph.types import Evidence, EvidenceId, Observation, TableSegment
from indexers.edges.home_tokens import HomeTokens
from indexers.edges.linearize import linearize
from indexers.fusion import SCORE_DIGITS, ranked, risen
from indexers.render import windows

LOOKED_AT = 0.35
"""Score from which on a piece is compared token by token: half of what is found has it, and leaving the others out
changed no measure (decision record 023)."""
UNRELATED, SURE = 0.25, 0.75
"""Mean similarity of a question's tokens to those of a piece that says nothing of it, and of one that says all."""
WEIGHT = 0.9
"""How far late interaction is believed: a piece that is surely meant keeps a tenth of what it lacked to 1."""


class TokenSimilarity(Protocol):
    """How much of a question's words pieces say, absolutely: a pair always scores the same."""

    async def similar(self, question: str, pieces: Sequence[Evidence]) -> tuple[float, ...]:
        """Return, in the order given, the mean over the question's tokens of the cosine to the closest, in [-1, 1]."""


class PieceTokens:
    """TokenSimilarity by the token vectors of a home folder; a long piece counts by its best window."""

    def __init__(self, tokens: HomeTokens) -> None:
        self._tokens = tokens

    async def similar(self, question: str, pieces: Sequence[Evidence]) -> tuple[float, ...]:
        """Return the similarity of each piece; what has no vectors yet gets them.

        Raises:
            ModelMissing: there is no model.
            StoreDamaged | StoreFull | StoreError: the vectors cannot be read or kept.
        """
        every = [lines_of(piece) for piece in pieces]
        flat = [line for lines in every for line in lines]
        maxima = await (await self._tokens.open()).nodes.maxima(question, flat)
        means = dict(zip(flat, maxima.mean(axis=1).tolist(), strict=True))
        return tuple(round(max(means[line] for line in lines), SCORE_DIGITS) for lines in every)


class LateInteractionReranker:
    """Raise what another reranker has scored by late interaction; nothing falls, and a pair always scores the same.

    A piece that scores s misses (1 - WEIGHT · p) of what it missed to 1 before, where p is its similarity between
    UNRELATED (0) and SURE (1). Pieces below LOOKED_AT keep their scores and cost nothing.
    """

    def __init__(self, reranker: EvidenceReranker, tokens: TokenSimilarity) -> None:
        self._reranker, self._tokens = reranker, tokens

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """Return one observation a piece, best first, ties to the smaller id."""
        seen = await self._reranker.rerank(question, evidence, known, round)
        pieces = {piece.id: piece for piece in evidence}
        looked_at = [one.evidence for one in seen if one.score >= LOOKED_AT]
        if not looked_at:
            return seen
        found = await self._tokens.similar(question, [pieces[name] for name in looked_at])
        similar = dict(zip(looked_at, found, strict=True))
        return ranked(_raised(one, similar) for one in seen)


def lines_of(piece: Evidence) -> tuple[str, ...]:
    """Return a piece as the lines that are encoded: a row as the retriever was trained on it, others by windows."""
    return (linearize(piece),) if isinstance(piece, TableSegment) else windows(piece)


def _raised(seen: Observation, similar: Mapping[EvidenceId, float]) -> Observation:
    if seen.evidence not in similar:
        return seen
    meant = min(1.0, max(0.0, (similar[seen.evidence] - UNRELATED) / (SURE - UNRELATED)))
    return replace(seen, score=risen(seen.score, WEIGHT * meant))
