"""Late interaction over evidence as it is recorded: a replay loads no model and compares no vectors."""

from collections.abc import Sequence

from heliograph.protocols import Recorder
from heliograph.types import Evidence
from indexers.late_interaction import TokenSimilarity

Similarities = tuple[float, ...]


class RecordedTokenSimilarity:
    """A TokenSimilarity whose every result is recorded."""

    def __init__(self, similarity: TokenSimilarity, recorder: Recorder) -> None:
        self._similarity = similarity
        self._recorder = recorder

    async def similar(self, question: str, pieces: Sequence[Evidence]) -> Similarities:
        """Compare the pieces, or give back what was found."""
        given = {"question": question, "pieces": tuple(piece.id for piece in pieces)}
        return await self._recorder.effect(
            "RERANKER", "similar", given, Similarities, lambda: self._similarity.similar(question, pieces)
        )
