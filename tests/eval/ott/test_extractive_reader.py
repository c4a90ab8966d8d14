"""The short answer of a plan: a computed value, what a trained reader took, or the whole quote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.answerer import ExtractiveAnswerer
from agent.extractive.composer import Composer
from eval.ott.readers import ExtractiveReader
from heliograph.types import Cell, Evidence, EvidenceId, PageKey, Place, Scored, TableEvidence, TextEvidence
from indexers.parser import segments
from tests.fakes import brief
from tests.fakes_models import FakeEmbedder
from tests.tools.slots import Plan, SaidSlots
from tools.arithmetic import TableReader

COMPOSER = Composer(FakeEmbedder())
READER = ExtractiveReader(COMPOSER)
LIGHTS = TableEvidence(
    EvidenceId("w:Lights@1#s1/t1"),
    Place(PageKey("w:Lights@1"), "Lights", "s1", ("Lights of Varn",)),
    "table",
    "Lights of Varn",
    ("Light", "Island", "Height (m)", "Lit"),
    tuple(
        tuple(map(Cell, cells))
        for cells in (
            ("Holm Light", "Holm", "31", "3 May 1889"),
            ("Skerry Head", "Skerry", "44", "1871"),
            ("Gull Rock", "Lille Varn", "12", "1902"),
        )
    ),
)
WORDS = ["Holm Light", "engineer", "was built", "1889", "Ada Brandt", "lamp", "31 m", "harbour", "dust."]


def scored(*pieces: Evidence) -> tuple[Scored[Evidence], ...]:
    return tuple(Scored(piece, 0.5) for piece in pieces)


def text(words: str, title: str = "Holm Light") -> TextEvidence:
    page = PageKey(f"w:{title.replace(' ', '_')}@1")
    return TextEvidence(EvidenceId(f"{page}#s0/p1"), Place(page, title, "s0"), "paragraph", words)


async def test_without_a_trained_reader_the_answer_is_the_sentence_or_the_row_that_says_it() -> None:
    sentence = "Holm Light was built by Ada Brandt in 1889."
    assert await READER.read("Who built Holm Light?", scored(text(sentence))) == sentence
    row = "Light: Holm Light; Island: Holm; Height (m): 31; Lit: 3 May 1889"
    assert await READER.read("When was Holm Light lit?", scored(*segments(LIGHTS))) == row


@pytest.mark.parametrize(
    ("plan", "answer"),
    [
        (Plan("most", "Light", "Height (m)"), "Skerry Head"),
        (Plan("count"), "3"),
        (Plan("sum", "Height (m)"), "87 m"),
    ],
)
async def test_a_computed_answer_is_its_value(plan: Plan, answer: str) -> None:
    composer = Composer(FakeEmbedder(), tables=TableReader(SaidSlots({"asked": plan})))
    assert await ExtractiveReader(composer).read("asked", scored(LIGHTS)) == answer


async def test_what_the_answerer_does_not_answer_has_an_empty_answer() -> None:
    assert await READER.read("Who built Holm Light?", ()) == ""
    assert await READER.read("Who built the Karsk observatory?", scored(text("Holm Light has 14 bells."))) == ""


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), max_size=4))
async def test_an_answer_is_given_where_the_answerer_gives_one_and_in_its_words(paragraphs: list[str]) -> None:
    question, pieces = "Which engineer built Holm Light in 1889?", scored(*map(text, paragraphs, "ABCD"))
    draft = await ExtractiveAnswerer(COMPOSER).answer(brief(question), pieces)
    answer = await READER.read(question, pieces)
    assert bool(answer) == bool(draft.claims)
    assert not answer or any(answer in quote.text for claim in draft.claims for quote in claim.quotes)
