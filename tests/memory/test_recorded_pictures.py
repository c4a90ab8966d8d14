"""What an image model said is given back in a replay, without the model."""

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from heliograph.errors import ReplayMiss
from heliograph.types import EvidenceId, Scored
from memory.recorded_pictures import RecordedPictureScores
from memory.trace import ReplayRecorder, TraceRecorder, load_trace

IMAGES = (EvidenceId("w:A@1#s0/i1"), EvidenceId("w:A@1#s0/i2"))
SHOWN = (Scored(IMAGES[1], 0.9), Scored(IMAGES[0], 0.1))
QUESTION = "Which drawing shows a circle?"


class TickingClock:
    """A clock that is a second later at each reading."""

    def __init__(self) -> None:
        self._readings = itertools.count(1000)

    def now(self) -> float:
        return float(next(self._readings))


class Once:
    """Picture scores that can be asked once."""

    def __init__(self, *answers: tuple[Scored[EvidenceId], ...]) -> None:
        self._answers = iter(answers)

    async def shown(self, question: str, images: Sequence[EvidenceId]) -> tuple[Scored[EvidenceId], ...]:
        return next(self._answers)


async def test_scores_are_recorded_and_come_from_the_record_in_a_replay(tmp_path: Path) -> None:
    live = RecordedPictureScores(Once(SHOWN), TraceRecorder(tmp_path, "run-1", TickingClock()))
    assert await live.shown(QUESTION, IMAGES) == SHOWN
    (event,) = load_trace(tmp_path)
    assert (event.kind, event.name) == ("RERANKER", "shown")
    assert event.input == {"question": QUESTION, "images": list(IMAGES)}
    replayed = RecordedPictureScores(Once(), ReplayRecorder(tmp_path))
    assert await replayed.shown(QUESTION, IMAGES) == SHOWN
    with pytest.raises(ReplayMiss):
        await replayed.shown("Which drawing shows a square?", IMAGES)
