"""A run: every call counted and recorded, within its budget, and a dead server not asked for ever."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest

from agent.llm import ChatServers, Circuit, RunModels, build_llm
from agent.meter import Meter, Spending
from heliograph.config import Endpoint
from heliograph.errors import (
    ModelBudgetSpent,
    ModelMalformed,
    ModelTimeout,
    ModelUnreachable,
    ReplayMiss,
)
from heliograph.protocols import Recorder
from heliograph.types import Prompt
from memory.trace import ReplayRecorder, TraceRecorder, load_trace, ordered_bytes
from tests.agent.capitals import PARIS, PROMPT, City, Make
from tests.fakes import FakeClock, FakeRecorder
from tests.servers.openai_server import Call, Hang, Outcome, Say, Status, openai_server, unused_address


async def test_every_reply_is_counted_those_of_the_proof_too(make: Make, meter: Meter) -> None:
    with openai_server(PARIS) as told:
        await make(told).ask(PROMPT, City)
    asked = len(told.calls) + len(told.proofs)
    assert meter.calls == asked == 3
    assert meter.take()[0] == Spending(llm_calls=3, prompt_tokens=23, cached_tokens=9, completion_tokens=9)


async def test_a_budget_of_calls_is_never_passed_even_side_by_side(servers: ChatServers, meter: Meter) -> None:
    with openai_server(PARIS, delay=0.02) as told:
        models = RunModels(servers, FakeRecorder(), meter, max_calls=5)
        llm = models.llm(Endpoint(base_url=told.url, model="test-model"), "answer")
        asked = await asyncio.gather(*(llm.ask(PROMPT, City) for _ in range(6)), return_exceptions=True)
    assert [type(each) for each in asked] == [City] * 3 + [ModelBudgetSpent] * 3
    assert meter.calls == 5


async def test_a_budget_of_tokens_is_never_passed(servers: ChatServers, meter: Meter) -> None:
    with openai_server(PARIS) as told:
        models = RunModels(servers, FakeRecorder(), meter, max_tokens=1500)
        llm = models.llm(Endpoint(base_url=told.url, model="test-model"), "answer")
        for _ in range(200):
            try:
                await llm.ask(PROMPT, City)
            except ModelBudgetSpent as err:
                assert "of 1500 tokens" in str(err)
                break
    assert 0 < len(told.calls) < 200
    assert meter.tokens <= 1500


async def test_a_role_stops_asking_a_server_that_went_silent(make: Make) -> None:
    with openai_server([PARIS, Hang()]) as told:
        llm = make(told, seconds=1.0)
        await llm.ask(PROMPT, City)
        for _ in range(6):
            with pytest.raises(ModelTimeout):
                await llm.ask(PROMPT, City)
    assert len(told.calls) == 4


async def test_failures_that_are_not_in_a_row_do_not_stop_a_role(make: Make) -> None:
    with openai_server([Status(401), Status(401), PARIS, Status(401), Status(401), PARIS]) as told:
        llm = make(told)
        for _ in range(2):
            for _ in range(2):
                with pytest.raises(ModelUnreachable):
                    await llm.ask(PROMPT, City)
            await llm.ask(PROMPT, City)
    assert len(told.calls) == 6


def test_an_open_circuit_stays_open() -> None:
    circuit = Circuit(failures=1)
    circuit.fail(ModelTimeout("silent"))
    circuit.succeed()
    with pytest.raises(ModelTimeout, match="not asked again in this run after 1 failures: silent"):
        circuit.check()


async def test_a_server_that_is_down_at_the_start_is_asked_for_one_proof(make: Make) -> None:
    with openai_server(PARIS, at_start=Hang()) as told:
        llm = make(told, seconds=0.3)
        asked = await asyncio.gather(*(llm.ask(PROMPT, City) for _ in range(5)), return_exceptions=True)
        with pytest.raises(ModelTimeout):
            await llm.choose(PROMPT, ("yes", "no"))
    assert [type(each) for each in asked] == [ModelTimeout] * 5
    assert len(told.proofs) == 2


async def test_preparing_a_run_without_a_server_says_so_before_anything_is_done(
    servers: ChatServers, meter: Meter
) -> None:
    models = RunModels(servers, FakeRecorder(), meter)
    llm = models.llm(Endpoint(base_url=unused_address(), model="test-model"), "answer")
    with pytest.raises(ModelUnreachable):
        await models.prepare()
    with pytest.raises(ModelUnreachable):
        await llm.ask(PROMPT, City)


class Ticking(FakeClock):
    """A clock that moves."""

    def now(self) -> float:
        self.time += 0.25
        return self.time


async def program(recorder: Recorder, url: str, servers: ChatServers) -> tuple[list[object], Meter]:
    """Ask ten times side by side: the last is past the budget, and what comes of the others is up to the server."""
    meter = Meter()
    models = RunModels(servers, recorder, meter, max_calls=15)
    endpoint = Endpoint(base_url=url, model="test-model", seconds=1.5)
    answer, judge = models.llm(endpoint, "answer"), models.llm(endpoint, "judge")
    asks: list[Awaitable[object]] = [
        answer.ask(Prompt("p", "s", (f"part {place}", "x" * 3000)), City) for place in range(8)
    ]
    asks += [judge.choose(PROMPT, ("yes", "no")), answer.ask(PROMPT, City)]
    await models.prepare()
    return list(await asyncio.gather(*asks, return_exceptions=True)), meter


def reply_by_part(call: Call) -> Outcome:
    """Answer by the number in the prompt; what is asked for again comes late, when calls that failed count no more."""
    if "logprobs" in call.body:
        return Say("yes", first={"yes": 0.7, "no": 0.3})
    outcomes: tuple[Outcome, ...] = (PARIS, Say("nothing", after=0.5), Hang(), Status(401))
    return outcomes[int(call.user[len("part ")]) % 4]


async def test_a_replay_needs_no_server_and_counts_the_same(tmp_path: Path, servers: ChatServers) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", Ticking())
    with openai_server(reply_by_part, keeps=()) as told:
        asked, spent = await program(recorder, told.url, servers)
    recorder.close()
    kinds = [City, ModelMalformed, ModelTimeout, ModelUnreachable] * 2 + [tuple, ModelBudgetSpent]
    assert [type(each) for each in asked] == kinds
    replayed = ReplayRecorder(tmp_path)
    again, spent_again = await program(replayed, unused_address(), servers)
    assert list(map(repr, again)) == list(map(repr, asked))
    assert (spent_again.calls, spent_again.tokens, spent_again.take()) == (spent.calls, spent.tokens, spent.take())
    assert ordered_bytes(replayed.events) == ordered_bytes(load_trace(tmp_path))


async def test_a_prompt_that_changed_is_a_replay_miss(tmp_path: Path, servers: ChatServers) -> None:
    recorder = TraceRecorder(tmp_path, "run-1", Ticking())
    with openai_server(PARIS) as told:
        endpoint = Endpoint(base_url=told.url, model="test-model")
        await build_llm(endpoint, "answer", recorder, Meter(), servers).ask(PROMPT, City)
    recorder.close()
    llm = build_llm(endpoint, "answer", ReplayRecorder(tmp_path), Meter(), servers)
    with pytest.raises(ReplayMiss, match="LLM chat"):
        await llm.ask(Prompt("capital", "You know rivers.", PROMPT.parts), City)
