"""What the record of an answer takes from the state of its rounds."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.asking import ask
from agent.services import Limits
from heliograph.types import (
    Brief,
    Document,
    Draft,
    DraftClaim,
    Evidence,
    EvidenceId,
    Indexed,
    Quote,
    Scored,
    Usage,
    VectorUse,
    Verdict,
)
from tests.fakes import FakeAnswerer, FakeIndex, FakeReflector, FakeScorer, key_of, make_page, make_services

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
