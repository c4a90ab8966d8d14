"""Where a model fails its twin does the task; the meter counts it and the answer says it."""

import pytest

from agent.language.falling_back import (
    Attempts,
    FallingBackAnswerer,
    FallingBackDocumentReranker,
    FallingBackEvidenceReranker,
    FallingBackIndex,
    FallingBackPlanner,
    FallingBackReflector,
    FallingBackVerifier,
    failure_notes,
)
from agent.meter import Meter, total
from heliograph.errors import ModelBudgetSpent, ModelMalformed, ModelTimeout, StoreFull
from heliograph.types import Brief, Draft, DraftClaim, EvidenceId, ModelFailure, Need, Quote, Refusal, Verdict
from tests.fakes import (
    FakeAnswerer,
    FakeIndex,
    FakePlanner,
    FakeReflector,
    FakeReranker,
    FakeScorer,
    FakeVerifier,
)

BRIEF = Brief("short", (Need("q?"),))


def failing(error: Exception):
    """Make an object whose every method raises."""

    class Failing:
        asked = 0

        def __getattr__(self, name: str):
            async def method(*args: object) -> None:
                self.asked += 1
                raise error

            return method

    return Failing()


async def make(attempts: Attempts, error: Exception) -> str:
    async def first() -> str:
        raise error

    async def second() -> str:
        return "twin"

    return await attempts.make("answer", first, second)


@pytest.mark.parametrize("error", [ModelTimeout("late"), ModelMalformed("no JSON"), ModelBudgetSpent("spent")])
async def test_each_task_falls_to_its_twin_and_is_counted(error):
    meter = Meter()
    attempts, broken = Attempts(meter, patience=9), failing(error)
    claim = DraftClaim("x", (Quote(EvidenceId("e"), "x"),))
    results = [
        await FallingBackPlanner(broken, FakePlanner(), attempts).plan("q?", "auto"),
        await FallingBackDocumentReranker(broken, FakeReranker(), attempts).rerank("q?", (), (), 3),
        await FallingBackEvidenceReranker(broken, FakeScorer(), attempts).rerank("q?", (), (), 1),
        await FallingBackIndex(broken, FakeIndex(), attempts).retrieve("q?", "text", 3, ()),
        await FallingBackReflector(broken, FakeReflector([Verdict(True)]), attempts).reflect(
            (Need("q?"),), (), (), (), ()
        ),
        await FallingBackAnswerer(broken, FakeAnswerer(), attempts).answer(BRIEF, ()),
        await FallingBackAnswerer(broken, Quoting(), attempts).repair([Refusal(claim, "why")], ()),
        (await FallingBackVerifier(broken, FakeVerifier(), attempts).verify([claim], {}))[0].claim.verdict,
    ]
    assert results == [
        await FakePlanner().plan("q?", "auto"),
        (),
        (),
        (),
        Verdict(True),
        Draft((), "nothing was found"),
        (None,),
        "supported",
    ]
    kind = type(error).__name__
    assert total(meter.take()).failures == (
        ModelFailure("rewrite", kind),
        ModelFailure("rerank", kind, 3),
        ModelFailure("reflect", kind),
        ModelFailure("answer", kind, 2),
        ModelFailure("judge", kind),
    )


async def test_a_silent_model_is_asked_no_more_than_twice_and_every_task_it_misses_counts():
    meter, silent = Meter(), failing(ModelTimeout("late"))
    attempts = Attempts(meter)
    for _ in range(4):
        await FallingBackReflector(silent, FakeReflector(), attempts).reflect((Need("q?"),), (), (), (), ())
    assert silent.asked == 2
    assert total(meter.take()).failures == (ModelFailure("reflect", "ModelTimeout", 4),)


async def test_a_model_that_writes_nonsense_is_asked_again():
    attempts = Attempts(Meter())
    assert [await make(attempts, ModelMalformed("x")) for _ in range(4)] == ["twin"] * 4
    assert total(attempts.meter.take()).failures == (ModelFailure("answer", "ModelMalformed", 4),)


async def test_other_errors_are_no_reason_to_fall_back():
    with pytest.raises(StoreFull):
        await make(Attempts(Meter()), StoreFull("full"))


class Quoting(FakeAnswerer):
    """A twin that has a quote to put in a claim's place."""

    async def repair(self, refused, evidence):
        return tuple(DraftClaim("A quote.", each.claim.quotes) for each in refused)


async def test_neither_model_nor_twin_tells_a_foreign_address():
    class Linking(FakeAnswerer):
        async def answer(self, brief, evidence):
            return Draft((DraftClaim("See http://x.example/a now.", (Quote(EvidenceId("e"), "x"),)),))

        async def repair(self, refused, evidence):
            return (DraftClaim("See http://x.example/a now.", ()), DraftClaim("See it now.", ()))

    answerer = FallingBackAnswerer(Linking(), Linking(), Attempts(Meter()))
    assert (await answerer.answer(BRIEF, ())).claims == ()
    refused = [Refusal(DraftClaim("x", ()), "why")] * 2
    assert await answerer.repair(refused, ()) == (None, DraftClaim("See it now.", ()))


def test_a_note_names_the_task_the_errors_and_what_was_done_instead():
    failures = (
        ModelFailure("reflect", "ModelTimeout", 2),
        ModelFailure("judge", "ModelBudgetSpent"),
        ModelFailure("reflect", "ModelMalformed"),
    )
    assert failure_notes(failures) == (
        "the language model failed at reflection (ModelTimeout 2 times, ModelMalformed); there further rounds "
        "were decided by how probable an answer was",
        "the language model failed at checking claims (ModelBudgetSpent); there claims were checked by their words",
    )
    assert failure_notes(()) == ()
