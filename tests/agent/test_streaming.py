"""A run as typed events: what a listener is told of each step."""

from pathlib import Path

import pytest

from agent.running import Hearing
from agent.streaming import stream_run
from heliograph.errors import SearchUnavailable
from heliograph.types import Answer, Begun, EvidenceFound, Observation, StreamEvent
from memory.trace import TraceRecorder
from tests.fakes import FakeClock, paragraph

RUN = "run-1"
SEEN = (
    Observation(paragraph("Alpha"), "text", 0.5, 1),
    Observation(paragraph("Beta"), "text", 0.25, 1),
    Observation(paragraph("Alpha"), "text", 0.125, 1, need=1),
    Observation(paragraph("Beta"), "text", 0.75, 1, need=1),
)


async def test_a_piece_that_was_scored_against_several_needs_is_told_once_with_its_best_score(tmp_path: Path) -> None:
    async def run(hearing: Hearing) -> Answer:
        with TraceRecorder(tmp_path / "runs" / RUN, RUN, FakeClock(), listener=hearing.listener) as recorder:
            hearing.began(RUN)
            async with recorder.span("RERANKER", "rerank_evidence", {"round": 1}) as span:
                span.result({"observations": SEEN})
            raise SearchUnavailable("that is all")

    told: list[StreamEvent] = []
    with pytest.raises(SearchUnavailable, match="that is all"):
        async for event in stream_run(tmp_path, run):
            told.append(event)
    assert told == [Begun(RUN), EvidenceFound(1, (SEEN[3], SEEN[0]))]
