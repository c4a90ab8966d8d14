"""What late interaction found is given back in a replay, without the model."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from heliograph.errors import ReplayMiss
from heliograph.types import Evidence, EvidenceId, PageKey, Place, TextEvidence
from memory.recorded_similarity import RecordedTokenSimilarity
from memory.trace import ReplayRecorder, TraceRecorder, load_trace
from tests.memory.test_replay import TickingClock

QUESTION = "Which probe landed on Titan?"
PLACE = Place(PageKey("w:Titan@1"), "Titan", "s0")
PIECES = tuple(
    TextEvidence(EvidenceId(f"w:Titan@1#s0/p{number}"), PLACE, "paragraph", text)
    for number, text in enumerate(("Huygens landed.", "It rained."), start=1)
)
SIMILAR = (0.75, 0.25)


class Once:
    """Token similarities that can be asked once."""

    def __init__(self, *found: tuple[float, ...]) -> None:
        self._found = iter(found)

    async def similar(self, question: str, pieces: Sequence[Evidence]) -> tuple[float, ...]:
        return next(self._found)


async def test_similarities_are_recorded_and_come_from_the_record_in_a_replay(tmp_path: Path) -> None:
    live = RecordedTokenSimilarity(Once(SIMILAR), TraceRecorder(tmp_path, "run-1", TickingClock()))
    assert await live.similar(QUESTION, PIECES) == SIMILAR
    (event,) = load_trace(tmp_path)
    assert (event.kind, event.name) == ("RERANKER", "similar")
    assert event.input == {"question": QUESTION, "pieces": [piece.id for piece in PIECES]}
    replayed = RecordedTokenSimilarity(Once(), ReplayRecorder(tmp_path))
    assert await replayed.similar(QUESTION, PIECES) == SIMILAR
    with pytest.raises(ReplayMiss):
        await replayed.similar(QUESTION, PIECES[:1])
