"""An answer that a reader took from the evidence is said first, with the words that say it behind it."""

import pytest

from agent.citations.verifier import ExtractiveClaimVerifier
from agent.extractive.answerer import ExtractiveAnswerer
from agent.extractive.composer import READ, Composer, trust
from agent.extractive.reflector import ExtractiveReflector
from heliograph.types import Evidence, Need, ReadAnswer, Scored, TextEvidence
from tests.agent.test_composer import evidence
from tests.fakes import brief
from tests.fakes_models import FakeAligner, FakeEmbedder
from tests.indexers.test_evidence_reader import LEAD, ROW

QUESTION = "Who built Holm Light?"
TEXT = "Holm Light stands on Holm. It was designed by the engineer Ada Brandt. Its lamp burns oil."


class Reading:
    """Gives one answer, and remembers what it was given."""

    def __init__(self, *answers: ReadAnswer) -> None:
        self.answers = answers
        self.given: list[Scored[Evidence]] = []

    async def read(self, question: str, evidence) -> tuple[ReadAnswer, ...]:
        self.given = list(evidence)
        return self.answers


def answer_in(piece: TextEvidence, words: str, confidence: float = 0.95) -> ReadAnswer:
    start = piece.text.index(words)
    return ReadAnswer(words, confidence, piece.id, "span", start, start + len(words))


async def drafted(reader: Reading, pieces):
    composer = Composer(FakeEmbedder(), FakeAligner(), reader=reader)
    return await ExtractiveAnswerer(composer).answer(brief(QUESTION), pieces)


async def test_the_answer_stands_in_front_of_the_sentence_that_says_it() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(Reading(answer_in(pieces[0].item, "Ada Brandt")), pieces)
    first = draft.claims[0]
    assert first.text.startswith("Ada Brandt — ")
    assert "It was designed by the engineer Ada Brandt." in [quote.text for quote in first.quotes]
    known = {scored.item.id: scored.item for scored in pieces}
    judged = ExtractiveClaimVerifier(QUESTION).check(first, known)
    assert judged.claim.verdict == "quoted"


async def test_another_name_in_front_of_a_sentence_is_not_quoted() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(Reading(answer_in(pieces[0].item, "Ada Brandt")), pieces)
    wrong = draft.claims[0]
    wrong = type(wrong)(wrong.text.replace("Ada Brandt — ", "Ole Lund — "), wrong.quotes)
    judged = ExtractiveClaimVerifier(QUESTION).check(wrong, {scored.item.id: scored.item for scored in pieces})
    assert judged.claim.verdict not in ("quoted", "supported")


async def test_a_row_that_led_to_a_passage_is_quoted_behind_it() -> None:
    pieces = (Scored(ROW, 0.5), Scored(LEAD, 0.4))
    start = LEAD.text.index("Ada")
    answer = ReadAnswer("Ada Brandt", 0.95, LEAD.id, "span", start, start + 10, beside=ROW.id)
    draft = await drafted(Reading(answer), pieces)
    assert draft.claims[0].text.startswith("Ada Brandt — ")
    assert [claim.quotes[0].evidence for claim in draft.claims] == [LEAD.id, ROW.id] or len(draft.claims) == 1


@pytest.mark.parametrize("sure", [0.0, 0.2])
async def test_a_reader_that_is_not_sure_leaves_the_plan_as_it_is(sure: float) -> None:
    pieces = evidence(TEXT)
    reader = Reading(answer_in(pieces[0].item, "oil", sure))
    plan = await Composer(FakeEmbedder(), FakeAligner(), reader=reader).plan(QUESTION, pieces)
    assert plan.answer is None
    assert plan == await Composer(FakeEmbedder(), FakeAligner()).plan(QUESTION, pieces)


async def test_the_reader_is_told_which_piece_the_plan_would_quote() -> None:
    pieces = (*evidence(TEXT), *evidence("Dust.", "Dust."))
    reader = Reading()
    plan = await Composer(FakeEmbedder(), FakeAligner(), reader=reader).plan(QUESTION, pieces)
    quoted = {run.evidence.id for run in plan.runs}
    assert {each.item.id for each in reader.given if each.score > 0.5} == quoted


def test_trust_rises_with_both() -> None:
    assert trust(0.9, 0.9) > trust(0.9, 0.1) > trust(0.1, 0.1)
    assert trust(0.1, 0.9) > trust(0.1, 0.1)
    assert trust(1.0, 1.0) > READ > trust(0.0, 0.0)


async def test_a_reader_does_not_make_a_round_more_of_what_its_quotes_cover() -> None:
    pieces = evidence("Holm Light was built by Ada Brandt.")
    plain, reading = (
        ExtractiveReflector(Composer(FakeEmbedder(), FakeAligner(), reader=reader))
        for reader in (None, Reading(answer_in(pieces[0].item, "Ada Brandt", 0.6)))
    )
    needs = (Need(QUESTION),)
    verdicts = [await each.reflect(needs, pieces, (), ()) for each in (plain, reading)]
    assert [each.sufficient for each in verdicts] == [True, True]


async def test_yes_and_no_are_not_said_by_the_reader() -> None:
    pieces = evidence("Holm Light was built by Ada Brandt.")
    reader = Reading(ReadAnswer("no", 0.99, pieces[0].item.id, "no"))
    plan = await Composer(FakeEmbedder(), FakeAligner(), reader=reader).plan(QUESTION, pieces)
    assert plan == await Composer(FakeEmbedder(), FakeAligner()).plan(QUESTION, pieces)
