"""What covers a question, as invariants: shares stay shares, more material never hurts, order never matters."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.composer import confidence
from agent.extractive.composition import Composition, compose
from agent.extractive.coverage import Match, match_units, unsaid_names, unsaid_words
from agent.extractive.focus import focus_of
from agent.extractive.units import units_of
from heliograph.types import EvidenceId, Place, Scored, TextEvidence
from tests.fakes import key_of
from tests.fakes_models import FakeAligner, FakeEmbedder

FOCUS = focus_of("Which engineer built the tower of Holm Light in 1889?")
WORDS = [
    "engineer",
    "built",
    "tower",
    "Holm",
    "Light",
    "1889",
    "ferry",
    "dust",
    "Ada Brandt",
    "the tower of Holm Light",
]

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(lambda words: f"It was {' '.join(words)}.")
paragraphs = st.lists(st.lists(sentences, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


def pieces(texts: Sequence[str]) -> list[Scored]:
    """Make a paragraph of each text, each on a page of its own."""
    return [
        Scored(
            TextEvidence(
                EvidenceId(f"{key_of(f'Page {n}')}#s0/p1"),
                Place(key_of(f"Page {n}"), f"Page {n}", "s0"),
                "paragraph",
                text,
            ),
            0.5,
        )
        for n, text in enumerate(texts)
    ]


async def matches_of(evidence: Sequence[Scored]) -> tuple[Match, ...]:
    units = [unit for scored in evidence for unit in units_of(scored.item)]
    return await match_units(FOCUS, units, FakeEmbedder(), FakeAligner())


async def composed(evidence: Sequence[Scored]) -> Composition:
    composition = compose(FOCUS, await matches_of(evidence))
    assert composition is not None
    return composition


@given(paragraphs)
async def test_coverage_and_confidence_are_shares(texts: list[str]) -> None:
    composition = await composed(pieces(texts))
    assert 0 <= composition.coverage <= 1
    assert all(0 <= cover <= 1 for cover in composition.covers)
    assert len(composition.covers) == len(FOCUS.words)
    assert 0 <= confidence(FOCUS, composition) <= 1
    assert all(0 <= reach <= cover for reach, cover in zip(composition.reach, composition.covers, strict=True))
    assert set(unsaid_names(FOCUS, composition.covers)) <= set(unsaid_words(FOCUS, composition.covers))


@given(paragraphs, sentences)
async def test_more_evidence_never_lowers_the_best_worth(texts: list[str], more: str) -> None:
    fewer = pieces([*texts, more])[:-1]
    assert (await composed(pieces([*texts, more]))).worth >= (await composed(fewer)).worth


@given(paragraphs, st.randoms(use_true_random=False))
async def test_the_order_of_the_evidence_does_not_matter(texts: list[str], random) -> None:
    evidence = pieces(texts)
    shuffled = list(evidence)
    random.shuffle(shuffled)
    assert await composed(shuffled) == await composed(evidence)


async def test_a_sentence_that_says_everything_covers_everything() -> None:
    said = "Ada Brandt was the engineer who built the tower of Holm Light in 1889."
    composition = await composed(pieces(["It was dust.", said]))
    assert composition.coverage == 1.0
    assert [run.quote for run in composition.runs] == [said]


async def test_nothing_to_quote_is_no_composition() -> None:
    assert compose(FOCUS, ()) is None
    assert await match_units(FOCUS, (), FakeEmbedder(), FakeAligner()) == ()


async def test_a_question_without_content_words_is_not_covered() -> None:
    focus = focus_of("Which of them is it?")
    (unit,) = units_of(pieces(["It is this one."])[0].item)
    composition = compose(focus, await match_units(focus, [unit], FakeEmbedder(), FakeAligner()))
    assert composition is not None
    assert (composition.coverage, confidence(focus, composition)) == (0.0, 0.0)


async def test_a_name_that_is_said_only_after_the_figure_is_out_of_reach() -> None:
    focus = focus_of("How deep is Holm Well?")
    near = "The pit of Varn is 12 m deep. Holm Well is old."
    units = units_of(pieces([near])[0].item)
    composition = compose(focus, await match_units(focus, units, FakeEmbedder(), FakeAligner()))
    assert composition is not None
    assert confidence(focus, composition) == 0.0


async def test_a_figure_of_a_sentence_that_goes_on_is_in_reach() -> None:
    focus = focus_of("How deep is Holm Well?")
    units = units_of(pieces(["Holm Well is old. It is 12 m deep."])[0].item)
    composition = compose(focus, await match_units(focus, units, FakeEmbedder(), FakeAligner()))
    assert composition is not None
    assert confidence(focus, composition) == 1.0
