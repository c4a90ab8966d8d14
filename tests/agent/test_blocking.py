"""Heliograph without `await`."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from inspect import signature
from pathlib import Path

import pytest

import heliograph.sync
from heliograph import Heliograph
from heliograph.errors import InvalidQuestion
from heliograph.types import Answered, Begun
from indexers.lock import WriterLock
from memory.trace import find_run, read_answer

QUESTION = "Who designed Skerry Head Light?"
LEFT_OUT = {"stand_alone"}


def methods(of: type) -> dict[str, str]:
    public = {name: getattr(of, name) for name in dir(of) if not name.startswith("_")}
    return {
        name: str(signature(found).replace(return_annotation="")) for name, found in public.items() if callable(found)
    }


def test_it_has_the_methods_of_the_other_with_the_same_parameters() -> None:
    awaited, blocking = methods(Heliograph), methods(heliograph.sync.Heliograph)
    assert blocking.keys() == (awaited.keys() - LEFT_OUT) | {"done"}
    assert {name: blocking[name] for name in awaited.keys() - LEFT_OUT} == {
        name: awaited[name] for name in awaited.keys() - LEFT_OUT
    }


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'heliograph.sync' has no attribute 'Telegraph'$"):
        _ = heliograph.sync.Telegraph


def test_it_asks_streams_retrieves_and_replays(archive: Path) -> None:
    with heliograph.sync.Heliograph(sources=[f"zim:{archive}"]) as opened:
        answer = opened.ask(QUESTION)
        events = list(opened.stream(QUESTION))
        assert isinstance(events[-1], Answered)
        assert events[-1].answer.answer == answer.answer
        assert opened.retrieve(QUESTION)[0].id == answer.evidence[0].evidence
        assert opened.replay(answer.run) == answer
        assert opened.resume(answer.run) == answer
        with pytest.raises(InvalidQuestion):
            opened.ask(" ")


async def test_it_works_where_a_loop_runs_already(archive: Path) -> None:
    assert asyncio.get_running_loop().is_running()
    with heliograph.sync.Heliograph(sources=[f"zim:{archive}"]) as opened:
        assert opened.ask(QUESTION).citations


def test_several_threads_may_ask_it(archive: Path) -> None:
    with heliograph.sync.Heliograph(sources=[f"zim:{archive}"]) as opened, ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(opened.ask, [QUESTION, "When was Holm Light first lit?", QUESTION]))
    assert [answer.question for answer in answers] == [QUESTION, "When was Holm Light first lit?", QUESTION]
    assert answers[0].answer == answers[2].answer != answers[1].answer


def test_leaving_the_loop_stops_the_run_and_closing_frees_the_home(archive: Path, home: Path) -> None:
    opened = heliograph.sync.Heliograph(sources=[f"zim:{archive}"])
    for event in opened.stream(QUESTION):
        assert isinstance(event, Begun)
        break
    assert read_answer(find_run(home, "last")) is None
    opened.close()
    lock = WriterLock(home)
    lock.acquire()
    lock.release()
    assert opened.ask(QUESTION).citations
    opened.close()
