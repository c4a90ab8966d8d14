"""Many questions at one desk: places, turns, listeners, and stopping at any moment."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ServerFull, UnknownName
from heliograph.types.streaming import Progressed
from web.desk import Desk, Job, Work
from web.happenings import Failed, Happening, Queued, Stopped


def saying(*words: str, gate: asyncio.Event | None = None) -> Work:
    async def work() -> AsyncGenerator[Happening, None]:
        for word in words:
            yield Progressed(word)
        if gate is not None:
            await gate.wait()

    return work


async def heard(job: Job, after: int = 0) -> list[Happening]:
    return [happening async for _, happening in job.events(after)]


async def test_everyone_hears_all_that_happened_and_may_go_on_behind_any_of_it() -> None:
    desk = Desk(1, 5, 60)
    job = desk.accept("a", "q", saying("one", "two", "three"))
    assert await heard(job) == [Progressed("one"), Progressed("two"), Progressed("three")]
    assert await heard(job, 2) == [Progressed("three")]
    assert desk.accepted == 0


async def test_no_more_run_than_may_and_the_one_too_many_is_refused() -> None:
    desk, gate = Desk(2, 5, 60), asyncio.Event()
    jobs = [desk.accept("a", str(number), saying("begun", gate=gate)) for number in range(5)]
    with pytest.raises(ServerFull, match="5 questions are being answered or wait, 2 at a time"):
        desk.accept("a", "one too many", saying())
    await asyncio.sleep(0.01)
    assert [Progressed("begun") in job.happened for job in jobs] == [True, True, False, False, False]
    assert [job.happened for job in jobs[2:]] == [[Queued(0)], [Queued(1)], [Queued(2)]]
    gate.set()
    assert [(await heard(job))[-1] for job in jobs] == [Progressed("begun")] * 5
    assert jobs[4].happened[:3] == [Queued(2), Queued(1), Queued(0)]
    assert desk.accept("a", "and again", saying()).happened == []


async def test_a_job_is_its_owners_alone() -> None:
    desk = Desk(1, 5, 60)
    job = desk.accept("a", "q", saying())
    assert desk.job(job.id, "a") is job
    for name, owner in ((job.id, "b"), ("another", "a")):
        with pytest.raises(UnknownName):
            desk.job(name, owner)
    assert desk.jobs("b") == ()


async def test_what_is_stopped_gives_its_turn_to_the_next_and_its_work_is_ended() -> None:
    desk, ended, begun = Desk(1, 5, 60), asyncio.Event(), asyncio.Event()

    async def work() -> AsyncGenerator[Happening, None]:
        try:
            begun.set()
            await asyncio.Event().wait()
            yield Progressed("never")
        finally:
            ended.set()

    first, second = desk.accept("a", "q", work), desk.accept("a", "r", saying("mine"))
    await begun.wait()
    desk.stop(first)
    assert await heard(first) == [Stopped()]
    assert ended.is_set()
    assert await heard(second) == [Queued(0), Progressed("mine")]


async def test_a_job_that_nobody_listens_to_is_stopped() -> None:
    desk = Desk(1, 5, 0.02)
    assert await _ended(desk.accept("a", "q", saying("one", gate=asyncio.Event()))) == [Progressed("one"), Stopped()]


async def test_a_job_that_somebody_listens_to_goes_on() -> None:
    desk, gate = Desk(1, 5, 0.02), asyncio.Event()
    job = desk.accept("a", "q", saying("one", gate=gate))
    listening = asyncio.create_task(heard(job))
    await asyncio.sleep(0.1)
    assert not job.ended
    gate.set()
    assert await listening == [Progressed("one")]


async def test_an_error_that_nobody_foresaw_is_told_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> AsyncGenerator[Happening, None]:
        yield Progressed("one")
        raise RuntimeError("a secret")

    desk = Desk(1, 5, 60)
    last = (await heard(desk.accept("a", "q", work)))[-1]
    assert isinstance(last, Failed)
    assert (last.code, "secret" in last.message) == ("internal", False)
    assert "a secret" in caplog.text
    assert desk.accepted == 0


async def test_closing_stops_all() -> None:
    desk = Desk(1, 5, 60)
    jobs = [desk.accept("a", "q", saying(gate=asyncio.Event())) for _ in range(3)]
    await desk.close()
    assert [job.happened[-1] for job in jobs] == [Stopped(by_server=True)] * 3
    assert desk.accepted == 0


@given(st.lists(st.sampled_from(["accept", "stop", "free", "wait"]), max_size=40), st.integers(1, 3), st.data())
async def test_whatever_is_stopped_and_ended_turns_are_neither_lost_nor_doubled(
    steps: list[str], running: int, data: st.DataObject
) -> None:
    desk, gates, jobs, at_work = Desk(running, 6, 60), dict[int, asyncio.Event](), list[Job](), set[int]()

    def work(number: int) -> Work:
        async def works() -> AsyncGenerator[Happening, None]:
            at_work.add(number)
            try:
                assert len(at_work) <= running
                await gates[number].wait()
                yield Progressed(str(number))
            finally:
                at_work.discard(number)

        return works

    for step in steps:
        if step == "accept" and desk.accepted < 6:
            gates[len(jobs)] = asyncio.Event()
            jobs.append(desk.accept("a", "q", work(len(jobs))))
        elif jobs and step == "stop":
            desk.stop(data.draw(st.sampled_from(jobs)))
        elif jobs and step == "free":
            gates[data.draw(st.integers(0, len(jobs) - 1))].set()
        else:
            await asyncio.sleep(0)
    for gate in gates.values():
        gate.set()
    for number, job in enumerate(jobs):
        assert (await heard(job))[-1] in (Progressed(str(number)), Stopped())
    assert (desk.accepted, at_work) == (0, set())
    assert (await heard(desk.accept("a", "q", saying("last"))))[-1] == Progressed("last")
    await desk.close()


async def _ended(job: Job) -> list[Happening]:
    while not job.ended:
        await asyncio.sleep(0.005)
    return job.happened
