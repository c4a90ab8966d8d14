"""What the record of an answer takes from the state of its rounds."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.asking import ask
from agent.record import NO_REPORT
from agent.services import Limits
from heliograph.types import (
    Brief,
    Document,
    Draft,
    DraftBlock,
    DraftClaim,
    Evidence,
    EvidenceId,
    Form,
    FormChoice,
    Indexed,
    Need,
    NeedVerdict,
    Plan,
    Query,
    Quote,
    Scored,
    Usage,
    VectorUse,
    Verdict,
)
from tests.fakes import (
    FakeAnswerer,
    FakeIndex,
    FakePlanner,
    FakeReflector,
    FakeScorer,
    key_of,
    make_page,
    make_services,
)

GREEK = (make_page("Alpha", "Alpha is the first letter."), make_page("Beta", "Beta is the second letter."))


class TellingIndex(FakeIndex):
    """An index that tells, page by page, what it is given to tell of vectors."""

    def __init__(self, told: Sequence[VectorUse | None]) -> None:
        super().__init__()
        self.told = list(told)

    async def add(self, documents: Sequence[Document]) -> Indexed:
        return replace(await super().add(documents), vectors=self.told.pop(0))


@pytest.mark.parametrize(
    ("told", "vectors"),
    [
        ((VectorUse(needed=3, asked=3), VectorUse(needed=2, asked=0)), VectorUse(needed=5, asked=3)),
        ((VectorUse(needed=3, asked=3), None), None),
        ((None, None), None),
    ],
)
async def test_vectors_are_those_of_all_rounds_or_of_none(
    told: tuple[VectorUse | None, ...], vectors: VectorUse | None
) -> None:
    reflector = FakeReflector([Verdict(False, missing=("the rest",)), Verdict(True)])
    services = make_services(GREEK, {"a": ["Alpha"], "b": ["Beta"]}, index=TellingIndex(told), reflector=reflector)
    answer = await ask("Which letters are first and second?", services)
    assert len(answer.rounds) == 2
    assert answer.usage == Usage(embedded=2, pages_read=answer.usage.pages_read, vectors=vectors)


async def test_an_answer_that_read_nothing_needed_no_vectors() -> None:
    answer = await ask("Which letter is last?", make_services((), {}, index=TellingIndex(())))
    assert (answer.abstained, answer.usage.vectors) == (True, None)


async def test_a_report_names_open_needs_of_which_no_part_tells() -> None:
    needs = (
        Need("Which letters are first?"),
        Need("first letter", "plan"),
        Need("second letter", "plan"),
        Need("name of the first letter", "reflection", 1),
        Need("a page between", "bridge"),
        Need("last letter", "plan"),
        Need("third letter", "plan"),
    )

    class Reporting(FakeAnswerer):
        async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
            claim = DraftClaim(
                "Alpha is the first letter.", (Quote(evidence[0].item.id, "Alpha is the first letter."),)
            )
            parts = (DraftBlock("paragraph", (0,), need=0), DraftBlock("paragraph", (0,), need=1))
            return Draft((claim,), blocks=parts, not_found=("last letter (the language model failed at this part)",))

    class Planning(FakePlanner):
        async def plan(self, question: str, form: FormChoice) -> Plan:
            return Plan("long" if form == "auto" else form, needs, (Query("a"),))

    met = tuple(NeedVerdict(place, place == 6) for place in range(7))

    async def not_found(form: Form) -> tuple[str, ...]:
        services = make_services(
            GREEK,
            {"a": ["Alpha"]},
            planner=Planning(),
            form=form,
            reflector=FakeReflector([Verdict(False, needs=met)]),
            answerer=Reporting(),
            limits=Limits(rounds=1),
        )
        return (await ask(needs[0].text, services)).not_found

    failed = "last letter (the language model failed at this part)"
    assert await not_found("report") == (failed, "second letter")
    assert await not_found("long") == (failed,)


async def test_what_is_cited_is_part_of_the_evidence_a_row_at_the_score_of_its_table() -> None:
    table = "<p>Lights.</p><table><tr><th>Light<th>Lit<tr><td>Holm<td>1889<tr><td>Skerry<td>1902</table>"
    page = make_page("Lights", html=table)
    row = EvidenceId(f"{key_of('Lights')}#s0/t1/r2")

    class CitingARow(FakeAnswerer):
        async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
            return Draft((DraftClaim("Skerry was lit in 1902.", (Quote(row, "1902"),)),))

    services = make_services(
        (page,),
        {"a": ["Lights"]},
        answerer=CitingARow(),
        evidence_reranker=FakeScorer({EvidenceId(f"{key_of('Lights')}#s0/t1/r1"): 0.9}),
        reflector=FakeReflector([Verdict(True)]),
        limits=Limits(evidence_k=1),
    )
    answer = await ask("When was Skerry lit?", services)
    assert [(seen.evidence, seen.score) for seen in answer.evidence] == [(f"{row[:-1]}1", 0.9), (row, 0.5)]


@pytest.mark.parametrize(
    ("wanted", "planned", "notes"),
    [("report", "long", (f"{NO_REPORT}long",)), ("report", "report", ()), ("auto", "long", ()), ("long", "long", ())],
)
async def test_a_report_that_no_model_planned_is_said_to_be_missing(
    wanted: FormChoice, planned: Form, notes: tuple[str, ...]
) -> None:
    class Planning(FakePlanner):
        async def plan(self, question: str, form: FormChoice) -> Plan:
            return Plan(planned, (Need(question),), (Query("a"),))

    services = make_services(GREEK, {"a": ["Alpha"]}, planner=Planning(), form=wanted, limits=Limits(rounds=1))
    assert (await ask("Which letter is first?", services)).notes == notes
