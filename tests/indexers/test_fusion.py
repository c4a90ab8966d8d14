"""Absolute scores in one text space, second hops, and the final choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import (
    MODALITIES,
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
from indexers.fusion import FLOOR, EmbeddingReranker, Hop, hops, ranked, select
from indexers.lexical import coverage
from indexers.parser import leaf_of
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
    expected = 0.75 * cosine + 0.25 * coverage(QUESTION, text)
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


OBSERVATIONS = st.lists(
    st.builds(
        Observation,
        evidence=st.sampled_from([EvidenceId(f"demo:A@1#s0/p{number}") for number in range(12)]),
        modality=st.just("text"),
        score=st.integers(-10, 10).map(lambda tenths: tenths / 10),
        round=st.integers(1, 3),
    ).flatmap(
        lambda seen: st.just(Observation(seen.evidence, MODALITIES[int(seen.evidence[-1]) % 3], seen.score, seen.round))
    ),
    max_size=30,
)
MANY = 200
"""More leaves than any choice here has."""
QUOTAS_DRAWN = st.fixed_dictionaries({}, optional={modality: st.integers(0, 6) for modality in MODALITIES})


@given(seen=OBSERVATIONS, k=st.integers(0, 12), quotas=QUOTAS_DRAWN)
def test_the_choice_is_the_best_k_with_every_quota_honoured(seen, k, quotas):
    chosen = select(seen, k, MANY, quotas)
    best = {one.evidence: one for one in reversed(ranked(seen))}
    assert len(chosen) == min(k, len(best))
    assert chosen == ranked(best[one.evidence] for one in chosen)
    assert len({one.evidence for one in chosen}) == len(chosen)
    fitting = sum(quotas.values()) <= k
    for modality in MODALITIES:
        eligible = [one for one in best.values() if one.modality == modality and one.score > FLOOR]
        got = [one for one in chosen if one.modality == modality]
        assert not fitting or len(got) >= min(quotas.get(modality, 0), len(eligible))


@given(seen=OBSERVATIONS, k=st.integers(0, 12), quotas=QUOTAS_DRAWN)
def test_within_a_modality_nothing_better_is_left_out(seen, k, quotas):
    chosen = select(seen, k, MANY, quotas)
    left = [one for one in ranked(seen) if one.evidence not in {other.evidence for other in chosen}]
    for one in left:
        assert all(other.score >= one.score for other in chosen if other.modality == one.modality)


@given(seen=OBSERVATIONS, k=st.integers(0, 12), leaves=st.integers(1, 12), data=st.data())
def test_the_order_of_sightings_does_not_matter(seen, k, leaves, data):
    assert select(data.draw(st.permutations(seen)), k, leaves) == select(seen, k, leaves)


def test_an_image_takes_its_place_before_the_worst_text():
    texts = [Observation(EvidenceId(f"t{number}"), "text", 0.9 - number / 100, 1) for number in range(30)]
    image = Observation(EvidenceId("i"), "image", FLOOR + 0.05, 1)
    faint = Observation(EvidenceId("f"), "image", FLOOR, 1)
    assert select([*texts, image], 20, MANY) == (*texts[:19], image)
    assert select([*texts, faint], 20, MANY) == tuple(texts[:20])


ROWS = st.lists(
    st.builds(
        Observation,
        evidence=st.builds(
            lambda table, row: EvidenceId(f"demo:A@1#s0/t{table}/r{row}"), st.integers(1, 6), st.integers(0, 3)
        ),
        modality=st.just("table"),
        score=st.integers(-10, 10).map(lambda tenths: tenths / 10),
        round=st.integers(1, 3),
    ),
    max_size=30,
)


@given(seen=ROWS, k=st.integers(0, 24), leaves=st.integers(1, 6))
def test_no_more_leaves_than_asked_for_and_those_with_the_best_pieces(seen, k, leaves):
    chosen = select(seen, k, leaves, {})
    taken = {leaf_of(one.evidence) for one in chosen}
    assert len(taken) <= leaves
    everything = select(seen, MANY, MANY, {})
    best = list(dict.fromkeys(leaf_of(one.evidence) for one in everything))[:leaves]
    assert chosen == tuple(one for one in everything if leaf_of(one.evidence) in best)[:k]


@given(earlier=ROWS, later=ROWS, leaves=st.integers(1, 6))
def test_a_leaf_leaves_the_choice_only_for_leaves_that_are_better(earlier, later, leaves):
    def best(seen):
        chosen = {}
        for one in select(seen, MANY, leaves, {}):
            chosen.setdefault(leaf_of(one.evidence), one.score)
        return chosen

    before, after = best(earlier), best([*earlier, *later])
    for leaf in before.keys() - after.keys():
        assert len(after) == leaves and all(score >= before[leaf] for score in after.values())


def test_a_quota_brings_its_leaf_although_the_others_are_full():
    texts = [Observation(EvidenceId(f"t{number}"), "text", 0.9 - number / 100, 1) for number in range(30)]
    image = Observation(EvidenceId("i"), "image", FLOOR + 0.05, 1)
    assert select([*texts, image], 20, 6, {"text": 4, "image": 1}) == (*texts[:5], image)
    assert select([*texts, image], 20, 3, {"text": 4, "image": 1}) == (*texts[:4], image)
