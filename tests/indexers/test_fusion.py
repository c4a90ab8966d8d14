"""Absolute scores in one text space, second hops, and the final choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import (
    Cell,
    Evidence,
    EvidenceId,
    Link,
    Observation,
    PageKey,
    Place,
    TableSegment,
    TextEvidence,
)
from indexers.fusion import EmbeddingReranker, Hop, hops
from indexers.lexical import question_coverage
from indexers.render import render

QUESTION = "Which probe landed on the largest moon of Saturn?"


def paragraph(title: str, text: str, links: tuple[str, ...] = (), number: int = 1) -> TextEvidence:
    key = PageKey(f"demo:{title.replace(' ', '%20')}@1")
    links_out = tuple(Link(target, target) for target in links)
    return TextEvidence(EvidenceId(f"{key}#s0/p{number}"), Place(key, title, "s0"), "paragraph", text, links_out)


def row(title: str, values: tuple[str, ...], links: tuple[str, ...] = ()) -> TableSegment:
    key = PageKey(f"demo:{title}@1")
    table = EvidenceId(f"{key}#s1/t1")
    cells = (Cell(values[0], tuple(Link(target, target) for target in links)), *map(Cell, values[1:]))
    header = ("Moon", "Diameter")[: len(cells)]
    return TableSegment(EvidenceId(f"{table}/r1"), Place(key, title, "s1"), table, 1, "Moons", header, cells)


SATURN = row("Saturn", ("Titan, the largest moon of Saturn", "5149 km"), links=("Titan (moon)",))
TITAN = paragraph("Titan (moon)", "The probe Huygens landed there in 2005.")
FLOUR = paragraph("Flour", "Two cups of it make a cake.")


async def scores(embedder, question: str, evidence: list[Evidence], known: list[Evidence]) -> dict[str, float]:
    found = await EmbeddingReranker(embedder, seeds=0).rerank(question, evidence, known, 1)
    return {seen.evidence: seen.score for seen in found}


async def test_a_score_mixes_the_cosine_with_the_share_of_the_questions_words(word_embedder):
    (seen,) = await EmbeddingReranker(word_embedder(), lexical_weight=0.25).rerank(QUESTION, [TITAN], [], 2)
    text = render(TITAN)
    cosine = float(word_embedder().vector(text) @ word_embedder().vector(QUESTION))
    expected = 0.75 * cosine + 0.25 * question_coverage(QUESTION, text)
    assert seen == Observation(TITAN.id, "text", seen.score, 2, None)
    assert seen.score == pytest.approx(expected, abs=2e-6)


async def test_what_a_known_piece_links_to_is_scored_as_a_second_hop(words):
    found = await EmbeddingReranker(words).rerank(QUESTION, [FLOUR, TITAN], [SATURN], 2)
    alone = await scores(words, QUESTION, [FLOUR, TITAN], [])
    assert [seen.evidence for seen in found] == [TITAN.id, FLOUR.id]
    assert [seen.via for seen in found] == [SATURN.id, None]
    assert found[0].score > alone[TITAN.id]
    assert found[1].score == alone[FLOUR.id]


async def test_a_second_hop_is_the_question_with_the_known_row_against_the_piece(word_embedder):
    (seen,) = await EmbeddingReranker(word_embedder(), lexical_weight=0).rerank("Whose?", [TITAN], [SATURN], 2)
    expanded = word_embedder().vector(f"Whose? {render(SATURN)}")
    assert seen.score == pytest.approx(float(expanded @ word_embedder().vector(render(TITAN))), abs=2e-6)


async def test_a_known_passage_leads_to_the_row_that_links_to_it(words):
    (seen,) = await EmbeddingReranker(words).rerank("Where did the probe Huygens land?", [SATURN], [TITAN], 2)
    assert seen.via == TITAN.id


async def test_the_best_pieces_of_the_call_are_seeds_too_unless_that_is_switched_off(words):
    question = "Which is the largest moon of Saturn, in km?"
    hopped = await EmbeddingReranker(words, seeds=1).rerank(question, [SATURN, TITAN], [], 1)
    alone = await EmbeddingReranker(words, seeds=0).rerank(question, [SATURN, TITAN], [], 1)
    assert [(seen.evidence, seen.via) for seen in hopped] == [(SATURN.id, None), (TITAN.id, SATURN.id)]
    assert [(seen.evidence, seen.via) for seen in alone] == [(SATURN.id, None), (TITAN.id, None)]


def test_a_link_joins_whatever_its_direction_case_and_underscores_and_never_within_a_page():
    linking = paragraph("Saturn", "…", links=("titan_(moon)", "Saturn", "Nowhere"))
    beside = paragraph("Saturn", "Rings.", number=2)
    pieces = [TITAN, FLOUR, linking, beside]
    assert hops("", [linking, linking, FLOUR], pieces) == (Hop(linking, (TITAN.id,)),)
    assert hops("", [TITAN], pieces) == (Hop(TITAN, (linking.id,)),)


def test_a_name_joins_the_row_that_it_heads_to_what_says_it_unless_the_question_says_it_too():
    named = row("Jupiter", ("Himalia", "170 km"))
    said = paragraph("Jupiter", "Himalia was found in 1904.")
    assert hops("Which moon is it?", [named], [named, said, FLOUR]) == (Hop(named, (said.id,)),)
    assert hops("Which moon is it?", [said], [named, said, FLOUR]) == (Hop(said, (named.id,)),)
    assert hops("Who found Himalia?", [named], [named, said, FLOUR]) == ()


async def test_nothing_to_score_gives_nothing(words):
    assert await EmbeddingReranker(words).rerank(QUESTION, [], [SATURN], 1) == ()


PIECES = st.sampled_from(
    [SATURN, TITAN, FLOUR, paragraph("Moon", "It is a moon of Earth."), row("Jupiter", ("Io", "3643 km"), ("Io",))]
)


@given(evidence=st.lists(PIECES, max_size=5), others=st.lists(PIECES, max_size=5))
async def test_a_score_does_not_depend_on_what_else_is_scored(word_embedder, evidence, others):
    model = word_embedder()
    together = await scores(model, QUESTION, [*evidence, *others], [])
    alone = await scores(model, QUESTION, evidence, [])
    assert {name: together[name] for name in alone} == alone
    assert all(-1 <= score <= 1 for score in together.values())


@given(evidence=st.lists(PIECES, max_size=5), known=st.lists(PIECES, max_size=3), more=st.lists(PIECES, max_size=3))
async def test_knowing_more_never_lowers_a_score(word_embedder, evidence, known, more):
    model = word_embedder()
    before = await scores(model, QUESTION, evidence, known)
    after = await scores(model, QUESTION, evidence, [*known, *more])
    assert all(after[name] >= score for name, score in before.items())
