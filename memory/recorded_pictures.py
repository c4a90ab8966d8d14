"""What an image model says of pictures, recorded: a replay loads no model."""

from collections.abc import Sequence

from heliograph.protocols import Recorder
from heliograph.types import EvidenceId, Scored
from indexers.depiction import PictureScores


class RecordedPictureScores:
    """Picture scores of which each is recorded."""

    def __init__(self, scores: PictureScores, recorder: Recorder) -> None:
        self._scores = scores
        self._recorder = recorder

    async def shown(self, question: str, images: Sequence[EvidenceId]) -> tuple[Scored[EvidenceId], ...]:
        """Judge the pictures, or give back what was judged."""
        given = {"question": question, "images": tuple(images)}
        found = tuple[Scored[EvidenceId], ...]
        return await self._recorder.effect(
            "RERANKER", "shown", given, found, lambda: self._scores.shown(question, images)
        )
