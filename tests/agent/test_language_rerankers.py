"""Rerankers by a model: absolute scores that later rounds never change, and pages chosen by number."""

from collections.abc import Collection, Sequence

import pytest

from agent.language.document_reranker import LanguageDocumentReranker
from agent.language.evidence_reranker import LanguageEvidenceReranker
from agent.language.replies import PageChoice
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


async def test_a_judged_piece_joins_embedding_and_judgement_and_the_rest_score_as_if_refused():
    llm = ScriptedLLM(chances=[0.1, 0.9])
    seen = await LanguageEvidenceReranker(llm, FakeScorer(SCORES), shown=2).rerank("q?", (C, A, B), (), 1)
    assert seen == (
        Observation(B.id, "text", 0.75, 1),
        Observation(A.id, "text", 0.45, 1),
        Observation(C.id, "text", 0.2, 1),
    )


async def test_each_piece_is_judged_by_itself_after_instructions_and_question():
    llm = ScriptedLLM(chances=[0.5])
    await LanguageEvidenceReranker(llm, FakeScorer(SCORES)).rerank("q?", (A, B), (), 1)
    assert [prompt.parts[0] for prompt in llm.prompts] == ["Question: q?"] * 2
    shown = [[line for line in prompt.parts[1].splitlines() if line.startswith("[E")] for prompt in llm.prompts]
    assert shown == [["[E1] (text) A :: A it is."], ["[E1] (text) B :: B it is."]]


async def test_a_pair_keeps_its_score_whatever_later_rounds_bring():
    llm = ScriptedLLM(chances=[0.9, 0.2, 0.1])
    reranker = LanguageEvidenceReranker(llm, FakeScorer(SCORES), shown=1)
    first = await reranker.rerank("q?", (A, C), (), 1)
    second = await reranker.rerank("q?", (A, B, C), (), 2)
    assert {seen.evidence: seen.score for seen in first} == {A.id: 0.85, C.id: 0.2}
    assert {seen.evidence: seen.score for seen in second} == {A.id: 0.85, B.id: 0.4, C.id: 0.2}
    assert llm.chosen == 2


class Hopping:
    """A scorer that reaches C by way of A."""

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        return (Observation(C.id, "text", 0.6, round, via=A.id if known else None),)


async def test_a_second_hop_is_judged_with_the_piece_it_comes_from_and_is_a_pair_of_its_own():
    llm = ScriptedLLM(chances=[0.0, 1.0])
    reranker = LanguageEvidenceReranker(llm, Hopping())
    assert await reranker.rerank("q?", (C,), (), 1) == (Observation(C.id, "text", 0.3, 1),)
    assert await reranker.rerank("q?", (C,), (A,), 2) == (Observation(C.id, "text", 0.8, 2, via=A.id),)
    assert "[E1] (text) A :: A it is.\n[E2] (text) C :: C it is." in llm.prompts[1].parts[1]


async def test_a_failure_is_raised_after_all_calls_and_nothing_is_remembered_of_it():
    llm = ScriptedLLM(chances=[ModelTimeout("late"), 0.5, 0.5, 0.9])
    reranker = LanguageEvidenceReranker(llm, FakeScorer(SCORES))
    with pytest.raises(ModelTimeout):
        await reranker.rerank("q?", (A, B), (), 1)
    assert llm.chosen == 2
    assert [seen.score for seen in await reranker.rerank("q?", (A, B), (), 2)] == [0.75, 0.65]


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


async def test_pages_are_chosen_by_number_and_the_twin_fills_the_rest():
    llm = ScriptedLLM([PageChoice(pages=[3, 3, 99, 0, -1])])
    assert await order(llm, 3) == "DBC"
    assert llm.prompts[0].parts[1].splitlines()[1:] == [
        "<titles>",
        "[D1] B",
        "[D2] C",
        "[D3] D",
        "[D4] E",
        "</titles>",
    ]


async def test_where_all_pages_may_be_read_or_none_the_model_is_not_asked():
    llm = ScriptedLLM()
    assert [await order(llm, limit) for limit in (4, 9, 0)] == ["BCDE", "BCDE", ""]
    assert llm.prompts == []
