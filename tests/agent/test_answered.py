"""An answer that a reader took from the evidence is said first, in a sentence or by itself, what says it behind it."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.verifier import ExtractiveClaimVerifier
from agent.extractive.answerer import LONGEST_PASSAGE, ExtractiveAnswerer
from agent.extractive.composer import Composer, trust
from agent.extractive.reflector import ExtractivePlanner, ExtractiveReflector
from agent.extractive.table_values import BY_SOURCE, TOLD, agree
from eval.ott.readers import short_answer
from heliograph.types import (
    Computation,
    DraftClaim,
    Evidence,
    EvidenceHop,
    EvidenceId,
    Hit,
    Need,
    Quote,
    ReadAnswer,
    Scored,
    TableOperation,
    TableSegment,
    TextEvidence,
)
from indexers.parser import page_name, segments
from tests.agent.test_composer import SHELVES, evidence, tables
from tests.fakes import brief
from tests.fakes_models import FakeEmbedder
from tests.indexers.test_evidence_reader import LEAD, ROW
from tests.tools.made_up import table
from tests.tools.slots import Plan, SaidSlots
from tools.arithmetic import Computed, TableReader

QUESTION = "Who built Holm Light?"
TEXT = "Holm Light stands on Holm. It was built by the engineer Ada Brandt. Its lamp burns oil."


class Reading:
    """Gives one answer, and remembers what it was given."""

    def __init__(self, *answers: ReadAnswer) -> None:
        self.answers = answers
        self.given: list[Scored[Evidence]] = []
        self.hops: list[Scored[EvidenceHop]] = []

    async def read(self, question: str, evidence, hops=()) -> tuple[ReadAnswer, ...]:
        self.given, self.hops = list(evidence), list(hops)
        return self.answers


def answer_in(piece: TextEvidence, words: str, confidence: float = 0.99) -> ReadAnswer:
    start = piece.text.index(words)
    return ReadAnswer(words, confidence, piece.id, "span", start, start + len(words), none=1 - confidence)


async def drafted(reader: Reading, pieces, question: str = QUESTION):
    composer = Composer(FakeEmbedder(), reader=reader)
    return await ExtractiveAnswerer(composer).answer(brief(question), pieces)


def verdict_of(claim: DraftClaim, pieces) -> str:
    known = {scored.item.id: scored.item for scored in pieces}
    return ExtractiveClaimVerifier(QUESTION).check(claim, known).claim.verdict


@pytest.mark.parametrize(("none", "named"), [(0.6, True), (0.99, False)])
async def test_what_comes_nearest_is_named_where_nothing_is_claimed(none: float, named: bool) -> None:
    pieces = evidence(TEXT)
    unsure = replace(answer_in(pieces[0].item, "burns oil", 0.05), none=none)
    draft = await drafted(Reading(unsure), pieces, "Who painted the keeper's dog?")
    assert draft.claims == ()
    passage = "Holm Light stands on Holm. It was built by the engineer Ada Brandt. Its lamp burns oil"
    closest = f". The closest passage, in P0: “{passage}”"
    why = "no passage that was read speaks of “painted, keeper's, dog” together with the rest of the question"
    assert draft.reason == why + (closest if named else "")


async def test_nothing_is_named_that_is_about_something_else() -> None:
    pieces = evidence(TEXT)
    unsure = replace(answer_in(pieces[0].item, "burns oil", 0.05), none=0.6)
    draft = await drafted(Reading(unsure), pieces, "How many painted the dog of Varn Light?")
    why = "no passage that was read speaks of “painted, dog, Varn” together with the rest of the question"
    assert draft.reason == why


async def test_the_closest_passage_is_what_would_have_been_quoted_and_is_cut() -> None:
    pieces = evidence("Holm Light was built of granite by Ada Brandt" + " and of stone" * 35 + ".")
    doubted = replace(answer_in(pieces[0].item, "granite", 0.05), none=0.6)
    draft = await drafted(Reading(doubted), pieces)
    passage = draft.reason.partition("“")[2].removesuffix("”")
    assert (draft.claims, passage[:45]) == ((), "Holm Light was built of granite by Ada Brandt")
    assert 350 < len(passage) <= LONGEST_PASSAGE


async def test_no_passage_is_named_where_arithmetic_alone_answers() -> None:
    question = "books of Gannet"
    slots = SaidSlots({question: Plan("sum", "Books", where={"Shelf Gannet": "is"})})
    row = next(piece.item for piece in tables(SHELVES) if isinstance(piece.item, TableSegment))
    reader = Reading(ReadAnswer("412", 0.05, row.id, "cell", cell=2, none=0.3))
    composer = Composer(FakeEmbedder(), reader=reader, tables=TableReader(slots))
    assert (await composer.plan(question, tables(SHELVES))).nearest is None


async def test_a_sentence_states_the_answer_and_the_one_that_says_it_stands_behind() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(Reading(answer_in(pieces[0].item, "Ada Brandt")), pieces)
    quote = "It was built by the engineer Ada Brandt."
    assert [claim.text for claim in draft.claims] == ["Ada Brandt built Holm Light.", quote]
    assert [claim.quotes[0].text for claim in draft.claims] == [quote, quote]
    assert [verdict_of(claim, pieces) for claim in draft.claims] == ["quoted", "quoted"]


async def test_of_words_of_two_sentences_the_first_ones_are_the_answer() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(Reading(answer_in(pieces[0].item, "Ada Brandt. Its lamp")), pieces)
    assert draft.claims[0].text == "Ada Brandt built Holm Light."


async def test_no_words_are_said_first_where_yes_or_no_is_asked_for() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(
        Reading(answer_in(pieces[0].item, "the engineer Ada Brandt")), pieces, "Is Holm Light on Holm?"
    )
    assert draft.claims[0].text == "P0: Holm Light stands on Holm."


async def test_another_name_in_the_sentence_is_not_quoted() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(Reading(answer_in(pieces[0].item, "Ada Brandt")), pieces)
    wrong = DraftClaim("Ole Lund built Holm Light.", draft.claims[0].quotes)
    assert verdict_of(wrong, pieces) not in ("quoted", "supported")


async def test_no_sentence_gives_an_act_to_somebody_else_of_the_same_sentence() -> None:
    question = "Who founded Holm Light?"
    text = "The lamps were named after Ole Lund, who kept four of them, and Ada Brandt, founder of Holm Light."
    pieces = evidence(text)
    quotes = (Quote(pieces[0].item.id, text),)
    wrong, right = (DraftClaim(f"{name} founded Holm Light.", quotes) for name in ("Ole Lund", "Ada Brandt"))
    check = ExtractiveClaimVerifier(question).check
    cited = {pieces[0].item.id: pieces[0].item}
    assert check(wrong, cited).claim.verdict != "quoted"
    assert check(right, cited).claim.verdict == "quoted"


async def test_no_sentence_states_what_its_source_says_of_another_act() -> None:
    pieces = evidence("Holm Mill was saved by a baker: she bought it in 1972 for a crown.")
    draft = await drafted(Reading(answer_in(pieces[0].item, "1972")), pieces, "When was Holm Mill built?")
    assert [claim.text[:7] for claim in draft.claims[:1]] != ["Holm Mi"]
    told = DraftClaim("Holm Mill was built in 1972.", (Quote(pieces[0].item.id, pieces[0].item.text),))
    checked = ExtractiveClaimVerifier("When was Holm Mill built?").check(told, {pieces[0].item.id: pieces[0].item})
    assert checked.claim.verdict != "quoted"


async def test_the_cell_of_a_row_has_its_unit_and_stands_marked_in_its_table() -> None:
    isles = table("Isles", "", "Isle | Area (km²) | Harbour", "Storholm | 41 | Vik", "Gull Rock | 3 | none")
    (row, _) = segments(isles)
    answer = ReadAnswer("41", 0.99, row.id, "cell", cell=1, none=0.01)
    draft = await drafted(Reading(answer), (Scored(row, 0.9),), "What is the area of Storholm?")
    assert [claim.text for claim in draft.claims] == ["The area of Storholm is 41 km²."]
    (_, drawn) = draft.blocks
    assert (drawn.kind, drawn.header) == ("table", row.header)
    assert [(cell.text, cell.marked) for cell in drawn.rows[0]] == [("Storholm", False), ("41", True), ("Vik", False)]


async def test_a_cell_that_no_sentence_states_stands_by_itself_above_its_row() -> None:
    isles = table("Isles", "", "Isle | Area (km²) | Harbour", "Storholm | 41 | Vik", "Gull Rock | 3 | none")
    (row, _) = segments(isles)
    answer = ReadAnswer("Storholm", 0.99, row.id, "cell", cell=0, none=0.01)
    pieces = (Scored(row, 0.9),)
    draft = await drafted(Reading(answer), pieces, "Name the isle with the harbour Vik and 41 km².")
    assert [claim.text for claim in draft.claims] == ["Storholm."]
    (_, drawn) = draft.blocks
    assert [block.kind for block in draft.blocks] == ["paragraph", "table"]
    assert verdict_of(draft.claims[0], pieces) == "quoted"
    assert {cell.quote for cell in drawn.rows[0]} == {*draft.claims[0].quotes}


async def test_a_cell_that_ends_in_a_full_stop_gets_no_other() -> None:
    towns = table("Towns", "", "Town | Mayor", "Holm D.C. | Ada Brandt", "Vik | Ole Lund")
    (row, _) = segments(towns)
    answer = ReadAnswer("Holm D.C.", 0.99, row.id, "cell", cell=0, none=0.01)
    draft = await drafted(Reading(answer), (Scored(row, 0.9),), "Name the town of Ada Brandt.")
    assert [claim.text for claim in draft.claims] == ["Holm D.C."]


async def test_what_nothing_in_the_evidence_speaks_of_is_not_found() -> None:
    draft = await drafted(Reading(), evidence("The railway was built in 1866."), "When was the lighthouse built?")
    assert (draft.claims, "lighthouse" in draft.reason) == ((), True)


async def test_a_broad_question_is_told_in_sentences_by_page_and_section() -> None:
    pieces = evidence("Holm Light burns oil. It is old. Ferries pass.", "Oil of Holm Light comes by ship.")
    question = "Tell me about Holm Light."
    plan = await ExtractivePlanner().plan(question, "auto")
    composer = Composer(FakeEmbedder())
    draft = await ExtractiveAnswerer(composer).answer(brief(question, form=plan.form), pieces)
    told = {claim.text for claim in draft.claims}
    assert told == {"Holm Light burns oil.", "Oil of Holm Light comes by ship."}
    assert [block.kind for block in draft.blocks] == ["heading", "paragraph"] * 2


async def test_the_answer_stands_in_front_of_the_sentence_that_says_it() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(Reading(answer_in(pieces[0].item, "Ada Brandt", 0.95)), pieces)
    first = draft.claims[0]
    assert first.text.startswith("Ada Brandt — ")
    assert "It was built by the engineer Ada Brandt." in [quote.text for quote in first.quotes]
    assert verdict_of(first, pieces) == "quoted"


async def test_another_name_in_front_of_a_sentence_is_not_quoted() -> None:
    pieces = evidence(TEXT)
    draft = await drafted(Reading(answer_in(pieces[0].item, "Ada Brandt", 0.95)), pieces)
    wrong = draft.claims[0]
    wrong = type(wrong)(wrong.text.replace("Ada Brandt — ", "Ole Lund — "), wrong.quotes)
    assert verdict_of(wrong, pieces) not in ("quoted", "supported")


async def test_a_row_that_led_to_a_passage_is_quoted_behind_it() -> None:
    pieces = (Scored(ROW, 0.5), Scored(LEAD, 0.4))
    start = LEAD.text.index("Ada")
    answer = ReadAnswer("Ada Brandt", 0.99, LEAD.id, "span", start, start + 10, beside=ROW.id, none=0.01)
    draft = await drafted(Reading(answer), pieces)
    assert draft.claims[0].text == "Ada Brandt built Holm Light."
    assert {claim.quotes[0].evidence for claim in draft.claims} <= {LEAD.id, ROW.id}


async def test_no_row_is_quoted_where_a_reader_finds_no_answer_in_it() -> None:
    reader = Reading()
    draft = await drafted(reader, tables(SHELVES), "Which shelf is the oldest?")
    assert draft.claims == () and reader.given
    row = next(piece.item for piece in reader.given if isinstance(piece.item, TableSegment))
    found = Reading(ReadAnswer(row.cells[0].text, 0.9, row.id, "cell", cell=0, none=0.01))
    assert (await drafted(found, tables(SHELVES), "Which shelf is the oldest?")).claims


async def test_of_a_row_that_a_reader_finds_and_the_rows_that_a_table_probably_gives_all_are_told() -> None:
    question = "Which shelves of the Harbour library are open?"
    plan = Plan("find", "Shelf", where={"Open yes": "is"}, sure=math.log(0.45))
    books = table("Harbour library", "", "Shelf | Open", "Gannet | yes", "Heron | yes", "Tern | no")
    row = next(piece.item for piece in tables(books) if isinstance(piece.item, TableSegment))
    reader = Reading(ReadAnswer("Gannet", 0.99, row.id, "cell", cell=0, none=0.01))
    slots = TableReader(SaidSlots({question: plan}))
    composer = Composer(FakeEmbedder(), reader=reader, tables=slots)
    assert short_answer(await composer.plan(question, tables(books))) == "Gannet and Heron"


@pytest.mark.parametrize(
    ("question", "kind", "sure", "said"),
    [
        ("who keeps the books of gannet", "none", 0.9, "Ada Brandt and Ole Lund"),
        ("who keeps the books of gannet", "none", 0.2, ""),
        ("who keeps the books of gannet", "count", 0.9, ""),  # how many they are is asked of a table
        ("does Ada keep the books of gannet", "none", 0.9, ""),
    ],
)
async def test_all_rows_of_a_table_are_told_that_a_source_found_for_the_question(
    question: str, kind: TableOperation, sure: float, said: str
) -> None:
    found = table("Keepers of Gannet", "", "person | keeps", "Ada Brandt | Gannet", "Ole Lund | Gannet")
    tabled = TableReader(SaidSlots({question: Plan(kind, "person", sure=math.log(0.99))}))
    composer = Composer(FakeEmbedder(), tables=tabled)
    page = page_name(found.place.page)
    plan = await composer.plan(question, tables(found), Hit(page.title, 1, page.wiki, sure))
    assert (plan.computed.answer if plan.computed else "") == said
    alone = replace(found, rows=found.rows[:1])  # the one that an order left
    first = await composer.plan(question, tables(alone), Hit(page.title, 1, page.wiki, sure))
    assert (first.computed.answer if first.computed else "") == (
        "Ada Brandt" if sure > BY_SOURCE and question.startswith("who") else ""
    )
    other = await composer.plan(question, tables(found), Hit("Gannet", 1, page.wiki, sure))
    assert other.computed is None


@pytest.mark.parametrize(("none", "told"), [(0.02, True), (0.9, False)])
async def test_what_holds_an_answer_is_quoted_where_no_words_of_it_are_sure_enough(none: float, told: bool) -> None:
    pieces = evidence("Holm Light was built of granite. Ada Brandt came to Holm.")
    found = replace(answer_in(pieces[0].item, "granite", 0.3), none=none)
    plan = await Composer(FakeEmbedder(), reader=Reading(found)).plan(QUESTION, pieces)
    assert (plan.answer, plan.has_answer) == (None, told)
    assert bool((await drafted(Reading(found), pieces)).claims) is told


BOOKS = table("Harbour library", "", "Shelf | Books | Loans", "Gannet | 412 | 230", "Heron | 230 | 99")
ASKED = "How many books does Gannet of the Harbour library hold?"
SAID = "The shelf Gannet of the Harbour library holds 400 books."


@pytest.mark.parametrize(
    ("row", "column", "sure", "found", "said"),
    [
        (0, None, 0.95, "400", "400"),  # what a table probably gives gives way to a reader
        (1, 2, 0.999, "230", ""),  # of two cells of one row neither is said
        (1, 2, 0.2, "230", ""),  # nor is one that a table is not sure of and no answer of the reader says
        (1, 1, 0.9, "412", "412"),
        (2, 1, 0.999, "230", ""),  # nor one of another row of it
        (0, None, 0.01, "400", ""),
        (1, 1, 0.01, "412", "412"),
    ],
)
async def test_of_a_probable_value_and_what_a_reader_found_one_is_said(
    row: int, column: int | None, sure: float, found: str, said: str
) -> None:
    assert await _said(row, column, sure, found, math.log(0.45)) == said


async def test_of_tables_that_rival_each_other_the_reader_bears_out_one() -> None:
    other = table("Other library", "", "Shelf | Books | Loans", "Gannet | 500 | 1", "Heron | 2 | 3")
    slots = SaidSlots({ASKED: Plan("find", "Books", where={"Shelf Gannet": "is"}, sure=math.log(0.9))})
    pieces = (Scored(BOOKS, 0.5), Scored(other, 0.5), *(Scored(row, 0.5) for row in segments(other)))
    for found, said in (("500", "500"), ("2", "")):
        read = ReadAnswer(found, 0.5, pieces[2].item.id, "cell", cell=1, none=0.5)
        composer = Composer(FakeEmbedder(), reader=Reading(read), tables=TableReader(slots))
        plan = await composer.plan(ASKED, pieces)
        assert (plan.computed.answer if plan.computed else "") == said


@pytest.mark.parametrize(
    ("value", "said", "same"),
    [
        ("161,000 km", "161,000", True),
        ("1,400", "400", False),
        ("0.5", "5", False),
        ("9 July 1979", "1979", True),
        ("9 July 1979", "9 July 1989", False),
        ("Spain", "the Kingdom of Spain", True),
        ("Spain", "Spaniards", False),
    ],
)
def test_a_value_and_an_answer_are_the_same_by_their_figures_or_their_words(value: str, said: str, same: bool) -> None:
    computed = Computed(Computation("find", "", "", (), value), value, value, (), (), 0.5)
    assert agree([computed], [ReadAnswer(said, 0.5, BOOKS.id)]) is same


async def test_of_a_sure_cell_and_what_a_reader_finds_elsewhere_the_more_probable_is_said() -> None:
    assert await _said(0, None, 0.95, "400", math.log(0.97)) == "412"
    assert await _said(0, None, 0.999, "400", math.log(0.9)) == "400"


async def _said(row: int, column: int | None, sure: float, found: str, table_sure: float) -> str:
    pieces = (Scored(BOOKS, 0.5), *(Scored(row, 0.5) for row in segments(BOOKS)), *evidence(SAID))
    none = 1 - sure
    read = ReadAnswer(found, sure, pieces[row].item.id, "cell", cell=column, none=none) if column else None
    reader = Reading(read or replace(answer_in(pieces[-1].item, found, sure), none=none))
    slots = SaidSlots({ASKED: Plan("find", "Books", where={"Shelf Gannet": "is"}, sure=table_sure)})
    composer = Composer(FakeEmbedder(), reader=reader, tables=TableReader(slots))
    return short_answer(await composer.plan(ASKED, pieces))


SHARES = st.floats(0, 1)


@given(SHARES, SHARES, SHARES)
def test_trust_rises_with_what_speaks_for_an_answer(sure: float, none: float, more: float) -> None:
    answer = ReadAnswer("oil", sure, EvidenceId("t:A@1#s0/p1"), none=none)
    assert trust(replace(answer, confidence=max(sure, more))) >= trust(answer)
    assert trust(replace(answer, none=min(none, more))) >= trust(answer)
    assert trust(replace(answer, confidence=1.0, none=0.0)) > TOLD > trust(replace(answer, confidence=0.0, none=1.0))


@pytest.mark.parametrize(("sure", "sufficient"), [(0.999, True), (0.9, False)])
async def test_a_round_ends_with_an_answer_that_is_sure_enough(sure: float, sufficient: bool) -> None:
    pieces = evidence("Holm Light was built by Ada Brandt.")
    reader = Reading(answer_in(pieces[0].item, "Ada Brandt", sure))
    reflector = ExtractiveReflector(Composer(FakeEmbedder(), reader=reader))
    verdict = await reflector.reflect((Need(QUESTION),), pieces, (), (), ())
    assert verdict.sufficient is sufficient


@pytest.mark.parametrize(("question", "kind"), [(QUESTION, "no"), ("Was Holm Light built by Ada Brandt?", "span")])
async def test_yes_and_no_are_not_said_but_what_says_most_of_the_question_is_quoted(question: str, kind: str) -> None:
    pieces = evidence("Dust lies on it. Holm Light was built by Ada Brandt.")
    start = pieces[0].item.text.index("Ada")
    reader = Reading(ReadAnswer("Ada Brandt", 0.99, pieces[0].item.id, kind, start, start + 10, none=0.001))  # type: ignore[arg-type]
    plan = await Composer(FakeEmbedder(), reader=reader).plan(question, pieces)
    assert (plan.answer, [run.quote for run in plan.runs]) == (None, ["Holm Light was built by Ada Brandt."])
