"""What a server was proved to keep to is known to the next run, for a day and until it is not so."""

import json
from pathlib import Path

import pytest

from agent.llm import ChatServers, RunModels, StructuredModel
from agent.llm.building import CAPABILITIES
from agent.llm.probe import SECONDS
from agent.meter import Meter
from heliograph.config import Endpoint
from heliograph.errors import ModelUnreachable
from heliograph.protocols import Recorder
from memory.trace import ReplayRecorder, SystemClock, TraceRecorder
from tests.agent.capitals import PARIS, PROMPT, City
from tests.fakes import FakeClock, FakeRecorder
from tests.servers.openai_server import Say, openai_server


async def prepared(
    url: str, home: Path, servers: ChatServers, recorder: Recorder, meter: Meter | None = None
) -> StructuredModel:
    models = RunModels(servers, recorder, meter or Meter(), home=home)
    llm = models.llm(Endpoint(base_url=url, model="test-model"), "answer")
    await models.prepare()
    return llm


async def test_the_second_run_proves_nothing_and_a_day_later_the_next_does(
    tmp_path: Path, servers: ChatServers
) -> None:
    with openai_server(PARIS) as told:
        counts = []
        for time in (1000.0, 1001.0, 1000.0 + SECONDS):
            meter = Meter()
            llm = await prepared(told.url, tmp_path, servers, FakeRecorder(FakeClock(time)), meter)
            assert await llm.ask(PROMPT, City) == City(name="Paris", inhabitants=2_100_000)
            counts.append((len(told.proofs), meter.calls))
    assert counts == [(2, 3), (2, 1), (4, 3)]


async def test_a_reply_that_does_not_keep_to_it_has_the_next_run_prove_again(
    tmp_path: Path, servers: ChatServers
) -> None:
    """The server was started anew meanwhile, and ignores what it kept to."""
    with openai_server([Say("no JSON"), Say(PARIS)], keeps=()) as told:
        name = f"{told.url} test-model auto"
        known = {"schemas": "json_schema", "choices": "json_schema", "proved": 999.0}
        (tmp_path / CAPABILITIES).write_text(json.dumps({name: known}))
        llm = await prepared(told.url, tmp_path, servers, FakeRecorder())
        assert (await llm.ask(PROMPT, City)).name == "Paris"
        assert (len(told.proofs), json.loads((tmp_path / CAPABILITIES).read_text())) == (0, {})
        await prepared(told.url, tmp_path, servers, FakeRecorder())
        assert json.loads((tmp_path / CAPABILITIES).read_text())[name]["schemas"] == "none"


async def test_a_server_that_is_known_and_gone_is_told_before_anything_is_done(
    tmp_path: Path, servers: ChatServers
) -> None:
    with openai_server(PARIS) as told:
        await prepared(told.url, tmp_path, servers, FakeRecorder())
    with pytest.raises(ModelUnreachable, match="cannot be reached"):
        await prepared(told.url, tmp_path, servers, FakeRecorder())


@pytest.mark.parametrize("content", ["", "[]", "{", '{"x": 1}', "[" * 100_000])
async def test_a_damaged_file_holds_nothing(tmp_path: Path, servers: ChatServers, content: str) -> None:
    (tmp_path / CAPABILITIES).write_text(content)
    with openai_server(PARIS) as told:
        await prepared(told.url, tmp_path, servers, FakeRecorder())
        assert len(told.proofs) == 2
        assert told.url in json.dumps(json.loads((tmp_path / CAPABILITIES).read_text()))


async def test_a_replay_does_as_the_run_did_and_touches_no_file(tmp_path: Path, servers: ChatServers) -> None:
    with openai_server(PARIS) as told:
        for name in ("first", "second"):
            with TraceRecorder(tmp_path / name, name, SystemClock()) as recorder:
                llm = await prepared(told.url, tmp_path, servers, recorder)
                await llm.ask(PROMPT, City)
        url = told.url
    (tmp_path / CAPABILITIES).unlink()
    for name in ("first", "second"):
        llm = await prepared(url, tmp_path, servers, ReplayRecorder(tmp_path / name))
        assert await llm.ask(PROMPT, City) == City(name="Paris", inhabitants=2_100_000)
    assert not (tmp_path / CAPABILITIES).exists()
