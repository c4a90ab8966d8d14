"""Rerankers by a model: absolute scores that later rounds never change, and pages chosen by number."""

import re
from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.language.document_reranker import LanguageDocumentReranker
from agent.language.evidence_reranker import LanguageEvidenceReranker
from agent.language.replies import Grade, Grades, PageChoice
from heliograph.errors import ModelTimeout
from heliograph.protocols import DocumentReranker
from heliograph.types import (
    Evidence,
    EvidenceId,
    Hit,
    Observation,
    PageKey,
    Place,
    Query,
    SearchResult,
    TextEvidence,
)
from tests.fakes import FakeReranker, FakeScorer
from tests.fakes_language import ScriptedLLM


def piece(name: str) -> TextEvidence:
    place = Place(PageKey(f"w:{name}@1"), name, "s0")
    return TextEvidence(EvidenceId(f"w:{name}@1#s0/p1"), place, "paragraph", f"{name} it is.")


A, B, C = map(piece, "ABC")
SCORES = {A.id: 0.8, B.id: 0.6, C.id: 0.4}


def graded(**grades: int) -> Grades:
    return Grades(grades=[Grade(piece=handle, grade=grade) for handle, grade in grades.items()])


async def test_a_graded_piece_joins_embedding_and_grade_and_the_rest_score_as_if_of_no_use():
    llm = ScriptedLLM([graded(E1=0, E2=3)])
    seen = await LanguageEvidenceReranker(llm, FakeScorer(SCORES), graded=2).rerank("q?", (C, A, B), (), 1)
    assert seen == (
        Observation(B.id, "text", 0.8, 1),
        Observation(A.id, "text", 0.4, 1),
        Observation(C.id, "text", 0.2, 1),
    )


async def test_pieces_are_graded_in_one_list_after_instructions_and_question():
    llm = ScriptedLLM([graded(E1=1, E2=1)])
    await LanguageEvidenceReranker(llm, FakeScorer(SCORES)).rerank("q?", (A, B), (), 1)
    (prompt,) = llm.prompts
    shown = [line for line in prompt.parts[1].splitlines() if line.startswith("[E")]
    assert (prompt.parts[0], shown) == ("Question: q?", ["[E1] (text) A :: A it is.", "[E2] (text) B :: B it is."])
    assert prompt.parts[2] == "Grade: E1, E2"


async def test_the_first_grade_of_a_pair_stays_and_no_pair_is_graded_twice():
    llm = ScriptedLLM([graded(E1=3), graded(E1=1, E2=2), graded(E1=0)])
    reranker = LanguageEvidenceReranker(llm, FakeScorer(SCORES), graded=1)
    first = await reranker.rerank("q?", (A, C), (), 1)
    second = await reranker.rerank("q?", (A, B, C), (), 2)
    third = await reranker.rerank("other?", (A,), (), 2)
    assert {seen.evidence: seen.score for seen in first} == {A.id: 0.9, C.id: 0.2}
    assert {seen.evidence: seen.score for seen in second} == {A.id: 0.9, B.id: 0.466667, C.id: 0.2}
    assert [seen.score for seen in third] == [0.4]
    assert [prompt.parts[0] for prompt in llm.prompts] == ["Question: q?"] * 2 + ["Question: other?"]


@given(st.permutations([A, B, C]), st.permutations([A, B, C]), st.lists(st.integers(0, 3), min_size=3, max_size=3))
async def test_a_direct_score_does_not_depend_on_the_order_of_rounds(one, other, grades):
    """The model grades by what a piece is, whatever list it stands in."""
    by_title = dict(zip("ABC", grades, strict=True))

    class Grading(ScriptedLLM):
        async def ask(self, prompt, reply):
            lines = re.findall(r"^\[(E\d+)\] \(text\) (\w)", prompt.parts[1], re.MULTILINE)
            return graded(**{handle: by_title[title] for handle, title in lines})

    async def scores(order) -> dict[EvidenceId, float]:
        reranker = LanguageEvidenceReranker(Grading(), FakeScorer(SCORES))
        rounds = [await reranker.rerank("q?", (piece,), (), number) for number, piece in enumerate(order, start=1)]
        return {seen.evidence: seen.score for observed in rounds for seen in observed}

    assert await scores(one) == await scores(other)


class Hopping:
    """A scorer that reaches C by way of A."""

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        return (Observation(C.id, "text", 0.6, round, via=A.id if known else None),)


async def test_a_second_hop_is_shown_with_the_piece_it_comes_from_which_is_not_graded():
    llm = ScriptedLLM([graded(E1=3, E2=3)])
    reranker = LanguageEvidenceReranker(llm, Hopping())
    assert await reranker.rerank("q?", (C,), (A,), 2) == (Observation(C.id, "text", 0.8, 2, via=A.id),)
    assert "[E1] (text) A :: A it is.\n[E2] (text) C :: C it is." in llm.prompts[0].parts[1]
    assert llm.prompts[0].parts[2] == "Grade: E2"


async def test_grades_are_bounded_and_what_is_passed_over_or_not_issued_has_none():
    llm = ScriptedLLM([graded(E1=7, E9=3)])
    seen = await LanguageEvidenceReranker(llm, FakeScorer(SCORES)).rerank("q?", (A, B), (), 1)
    assert [each.score for each in seen] == [0.9, 0.3]


async def test_a_failure_is_raised_and_nothing_is_remembered_of_it():
    llm = ScriptedLLM([ModelTimeout("late"), graded(E1=3, E2=3)])
    reranker = LanguageEvidenceReranker(llm, FakeScorer(SCORES))
    with pytest.raises(ModelTimeout):
        await reranker.rerank("q?", (A, B), (), 1)
    assert [seen.score for seen in await reranker.rerank("q?", (A, B), (), 2)] == [0.9, 0.8]


RESULTS = (SearchResult(Query("x"), tuple(Hit(name, rank) for rank, name in enumerate("ABCDE", start=1)), 5),)


class Twin(FakeReranker):
    """The order in which pages were found, ranked from 1."""

    async def rerank(
        self, question: str, results: Sequence[SearchResult], read: Collection[tuple[str, str]], limit: int
    ) -> tuple[Hit, ...]:
        hits = await super().rerank(question, results, read, limit)
        return tuple(Hit(hit.title, rank, hit.wiki) for rank, hit in enumerate(hits, start=1))


async def order(llm: ScriptedLLM, limit: int, first: DocumentReranker | None = None) -> str:
    hits = await LanguageDocumentReranker(llm, first or Twin()).rerank("q?", RESULTS, {("", "A")}, limit)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    return "".join(hit.title for hit in hits)


async def test_pages_are_chosen_by_number_and_the_others_are_refused():
    llm = ScriptedLLM([PageChoice(pages=[3, 3, 99, 0, 1, -1])])
    assert await order(llm, 3) == "DB"
    assert llm.prompts[0].parts[1].splitlines()[1:] == [
        "<titles>",
        "[D1] B",
        "[D2] C",
        "[D3] D",
        "[D4] E",
        "</titles>",
    ]


async def test_where_no_page_is_named_the_order_of_the_twin_stands():
    assert await order(ScriptedLLM([PageChoice(pages=[99])]), 2) == "BC"


async def test_where_all_pages_may_be_read_or_none_the_model_is_not_asked():
    llm = ScriptedLLM()
    assert [await order(llm, limit) for limit in (4, 9, 0)] == ["BCDE", "BCDE", ""]
    assert llm.prompts == []
