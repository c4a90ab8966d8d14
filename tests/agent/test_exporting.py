"""A collector beside runs: its failures are told to no run, and what waits is sent at the end."""

import logging
from pathlib import Path

import pytest

from agent.exporting import Exporting
from agent.running import Hearing
from app import Root
from heliograph.config import load_settings
from heliograph.types import Answered
from memory.trace import Event
from tests.servers.collector import collector
from tests.servers.openai_server import unused_address


def heard(run: str) -> Event:
    return Event(run, "1", None, "TOOL", "read_page", 0.0, 1.0, {}, {}, None, {})


def test_a_dead_collector_is_logged_once_and_no_run_hears_of_it(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    exporting = Exporting(load_settings({"otlp_endpoint": unused_address()}))
    with caplog.at_level(logging.WARNING, "heliograph.traces"):
        for run in ("run-1", "run-2"):
            exporting.listener(Hearing(progress=told.append))(heard(run))
            exporting.close()
    (record,) = caplog.records
    assert "does not take OTLP over HTTP; the run goes on" in record.getMessage()
    assert told == []


async def test_a_server_that_ends_sends_the_last_spans_of_every_preset(
    archive: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collector() as told:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", told.url)
        staff = Root().staff(None, None, {"sources": (f"zim:{archive}",), "memory": "off"})
        researchers = list(staff.researchers.values())[:2]
        for researcher in researchers:
            async for event in researcher.stream("Who designed Skerry Head Light?"):
                last = event
            assert isinstance(last, Answered)
        staff.close()
        assert [span.name for span in told.spans].count("ask") == len(researchers) == 2
