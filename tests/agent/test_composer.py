"""The plan of an answer is the same for the same input, whatever the order, and never claims what nothing says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.answerer import ExtractiveAnswerer
from agent.extractive.composer import Composer
from agent.extractive.reflector import ExtractiveReflector
from heliograph.types import (
    Evidence,
    EvidenceId,
    ImageEvidence,
    Place,
    Refusal,
    Scored,
    TableEvidence,
    TextEvidence,
)
from indexers.parser import segments
from tests.fakes import brief, key_of
from tests.fakes_models import FakeEmbedder
from tests.tools.made_up import table
from tests.tools.slots import Plan, SaidSlots
from tools.arithmetic import TableReader

COMPOSER = Composer(FakeEmbedder())
QUESTION = "Which engineer built Holm Light in 1889?"
SAID = "Holm Light was built by the engineer Ada Brandt in 1889."
WORDS = ["Holm Light", "engineer", "was built", "1889", "Ada Brandt", "lamp", "harbour", "dust."]

texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), max_size=5)


def evidence(*paragraphs: str) -> tuple[Scored[Evidence], ...]:
    return tuple(
        Scored(
            TextEvidence(
                EvidenceId(f"{key_of(f'P{n}')}#s0/p1"), Place(key_of(f"P{n}"), f"P{n}", "s0"), "paragraph", text
            ),
            0.5,
        )
        for n, text in enumerate(paragraphs)
    )


@given(texts, st.randoms(use_true_random=False))
async def test_the_same_evidence_in_any_order_gives_the_same_plan(paragraphs: list[str], random) -> None:
    pieces = list(evidence(*paragraphs))
    plan = await COMPOSER.plan(QUESTION, pieces)
    assert await COMPOSER.plan(QUESTION, pieces) == plan
    random.shuffle(pieces)
    assert await COMPOSER.plan(QUESTION, pieces) == plan
    assert 0 <= plan.confidence <= 1


@given(st.text(max_size=120), texts)
async def test_every_claim_quotes_words_of_its_evidence(question: str, paragraphs: list[str]) -> None:
    pieces = evidence(*paragraphs)
    known = {scored.item.id: scored.item for scored in pieces}
    draft = await ExtractiveAnswerer(COMPOSER).answer(brief(question), pieces)
    assert bool(draft.claims) != bool(draft.reason)
    for claim in draft.claims:
        assert claim.quotes
        for quote in claim.quotes:
            piece = known[quote.evidence]
            assert isinstance(piece, TextEvidence)
            assert quote.text in piece.text
            assert quote.text in claim.text


@given(st.text(max_size=120), texts)
async def test_what_is_sufficient_can_be_answered(question: str, paragraphs: list[str]) -> None:
    pieces = evidence(*paragraphs)
    verdict = await ExtractiveReflector(COMPOSER).reflect(brief(question).needs, pieces, (), (), ())
    draft = await ExtractiveAnswerer(COMPOSER).answer(brief(question), pieces)
    assert not verdict.sufficient or draft.claims


async def test_a_sentence_that_says_all_is_sufficient_and_quoted() -> None:
    pieces = evidence("A lamp is dust.", SAID)
    verdict = await ExtractiveReflector(COMPOSER).reflect(brief(QUESTION).needs, pieces, (), (), ())
    draft = await ExtractiveAnswerer(COMPOSER).answer(brief(QUESTION), pieces)
    assert (verdict.sufficient, verdict.missing) == (True, ())
    assert [claim.quotes[0].text for claim in draft.claims] == [SAID]


async def test_what_nothing_says_is_named_as_missing_and_not_claimed() -> None:
    pieces = evidence("Holm Light has a lamp.")
    verdict = await ExtractiveReflector(COMPOSER).reflect(brief(QUESTION).needs, pieces, (), (), ())
    draft = await ExtractiveAnswerer(COMPOSER).answer(brief(QUESTION), pieces)
    assert not verdict.sufficient
    assert "1889" in verdict.missing
    assert (draft.claims, "1889" in draft.reason) == ((), True)


async def test_what_a_question_says_again_and_again_is_missing_once() -> None:
    question = f"{QUESTION[:-1]}, and once more, in 1889 and 1889 and 1889?"
    verdict = await ExtractiveReflector(COMPOSER).reflect(
        brief(question).needs, evidence("Holm Light has a lamp."), (), (), ()
    )
    assert verdict.missing.count("1889") == 1


async def test_no_evidence_is_no_answer() -> None:
    verdict = await ExtractiveReflector(COMPOSER).reflect(brief(QUESTION).needs, (), (), (), ())
    draft = await ExtractiveAnswerer(COMPOSER).answer(brief(QUESTION), ())
    assert (verdict.sufficient, draft.claims) == (False, ())
    assert draft.reason


async def test_a_repaired_claim_says_its_quotes_and_nothing_else() -> None:
    answerer = ExtractiveAnswerer(COMPOSER)
    (claim,) = (await answerer.answer(brief(QUESTION), evidence(SAID))).claims
    (repaired,) = await answerer.repair([Refusal(claim, "why")], ())
    assert repaired is not None
    assert repaired.text == " ".join(quote.text for quote in claim.quotes)
    assert await answerer.repair([Refusal(repaired, "why")], ()) == (None,)


def tables(*sources: TableEvidence) -> tuple[Scored[Evidence], ...]:
    return tuple(Scored(piece, 0.5) for source in sources for piece in (source, *segments(source)))


SHELVES = table("Harbour library", "", "Shelf | Subject | Books", "Gannet | Novels | 412", "Heron | Travel | 230")
OTHERS = table("Mill library", "", "Shelf | Subject | Books", "Oak | Novels | 90", "Elm | Travel | 120")


MOST = "Which shelf holds the most books?"
MORE = "Does Gannet have more books than Heron?"
READING = Composer(
    FakeEmbedder(),
    tables=TableReader(
        SaidSlots(
            {
                MOST: Plan("most", "Shelf", "Books"),
                MORE: Plan("more", ordering="Books", where={"Shelf Gannet": "is", "Shelf Heron": "is"}),
            }
        )
    ),
)
"""With a reader of tables that knows two questions."""


async def test_a_value_is_stated_with_its_page_where_the_question_does_not_name_it() -> None:
    draft = await ExtractiveAnswerer(READING).answer(brief(MOST), tables(SHELVES))

    assert [claim.text for claim in draft.claims] == [
        "Gannet holds the most books (greatest by Books: 412; Harbour library)."
    ]
    assert draft.claims[0].computation is not None


async def test_two_tables_that_fit_as_well_give_no_value_and_no_row_instead() -> None:
    draft = await ExtractiveAnswerer(READING).answer(brief(MOST), tables(SHELVES, OTHERS))

    assert draft.claims == ()
    assert "certainty" in draft.reason


async def test_a_comparison_begins_with_yes_or_no() -> None:
    draft = await ExtractiveAnswerer(READING).answer(brief(MORE), tables(SHELVES))

    assert [claim.text for claim in draft.claims] == ["Yes (Books: Gannet 412, Heron 230; Harbour library)."]


LAMP = ImageEvidence(
    EvidenceId(f"{key_of('Holm Light')}#s0/i1"),
    Place(key_of("Holm Light"), "Holm Light", "s0"),
    "lamp.png",
    "The lamp of Holm Light",
    "",
)


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("Show me the lamp of Holm Light.", ["The lamp of Holm Light"]),
        ("Please show me a picture of Holm Light", ["The lamp of Holm Light"]),
        ("Show me a picture of a giraffe.", []),
    ],
)
async def test_what_is_to_be_shown_is_a_picture_whose_caption_fits(question: str, quotes: list[str]) -> None:
    pieces = (*evidence("The lamp of Holm Light is a lamp."), Scored(LAMP, 0.1))
    draft = await ExtractiveAnswerer(COMPOSER).answer(brief(question), pieces)

    assert [quote.text for claim in draft.claims for quote in claim.quotes] == quotes


ROOMIEST = "which one has room for the most volumes"
UNSURE = Composer(FakeEmbedder(), tables=TableReader(SaidSlots({ROOMIEST: Plan("most", "Shelf", "Books", sure=-0.7)})))
"""With a parser that is not sure of one question."""


async def test_what_a_parser_makes_of_a_table_answers_where_no_text_does() -> None:
    draft = await ExtractiveAnswerer(UNSURE).answer(brief(ROOMIEST), tables(SHELVES))

    assert [claim.text for claim in draft.claims] == [
        "Gannet has room for the most volumes (greatest by Books: 412; Harbour library)."
    ]
    assert draft.claims[0].computation is not None


async def test_a_value_whose_sentence_does_not_pass_the_check_is_told_without_one() -> None:
    engines = table("Engines", "", "Name | Colour", "Lady Ansty | maroon", "Bittern | black")
    question = "what colour is lady ansty"
    slots = SaidSlots({question: Plan("find", "Colour", where={"Name Lady Ansty": "is"})})
    composer = Composer(FakeEmbedder(), tables=TableReader(slots))
    draft = await ExtractiveAnswerer(composer).answer(brief(question), tables(engines))

    assert [claim.text for claim in draft.claims] == ["maroon (Colour of Lady Ansty; Engines)."]


async def test_no_row_is_quoted_where_a_parser_says_that_rows_are_compared() -> None:
    question = "books of Gannet"
    slots = SaidSlots({question: Plan("sum", "Books", where={"Shelf Gannet": "is"})})
    composer = Composer(FakeEmbedder(), tables=TableReader(slots))

    assert (await COMPOSER.plan(question, tables(SHELVES))).runs
    assert (await composer.plan(question, tables(SHELVES))).uncomputed
