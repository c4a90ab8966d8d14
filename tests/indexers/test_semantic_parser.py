"""What a parser sees of a question with a table, what its logits say, and what the one that ships makes of it."""

import asyncio
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ModelMissing
from heliograph.types import Slots, TableQuestion
from indexers.models.reader import Windows
from indexers.models.semantic_parser import (
    ASKED,
    ROOM,
    SHIPPED_PARSER,
    SLOTS,
    SemanticParser,
    question_parser,
    slot_window,
    slots_of,
)
from tests.tools.made_up import table
from tools.arithmetic import TableReader

FERRIES = table(
    "Ferries from Port Anders",
    "Summer timetable",
    "Island | Crossing (min) | Fare (€) | First boat | Bikes",
    "Hallö | 35 | 9.50 | 06:40 | yes",
    "Brännö | 20 | 5.00 | 07:10 | no",
    "Ytö | 55 | 12.00 | 06:15 | yes",
    "Norrskär | 70 | 14.50 | 08:00 | no",
)
ASKED_OF_IT = TableQuestion(
    "which is quicker", "Ferries", ("| Island (name: Hallö)", "| Crossing"), ("& Island Hallö",)
)
PARSER = SemanticParser(SHIPPED_PARSER)


def windows() -> Windows:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(SHIPPED_PARSER / "tokenizer.json"))
    tokenizer.no_truncation()
    return Windows(tokenizer)


def test_columns_and_conditions_are_read_off_their_marks() -> None:
    seen, cut = slot_window(windows(), ASKED_OF_IT), windows()
    tokens = [cut._tokenizer.id_to_token(id) for id in seen.window.ids]
    assert [tokens[place] for place in seen.columns] == ["|", "|"]
    assert [tokens[place] for place in seen.conditions] == ["&"]
    assert tokens[:5] == ["[CLS]", "which", "is", "quicker", "[SEP]"]


@given(st.integers(0, 80), st.integers(0, 80), st.integers(1, 30))
def test_what_finds_no_room_is_left_out_the_last_first(columns: int, conditions: int, words: int) -> None:
    given = TableQuestion("q", "t", ("| " + "boat " * words,) * columns, ("& " + "boat " * words,) * conditions)
    seen = slot_window(WINDOWS, given)
    assert len(seen.window.ids) <= ROOM
    assert len(seen.columns) <= columns


WINDOWS = windows()


def test_slots_are_logarithms_of_shares() -> None:
    seen = slot_window(WINDOWS, ASKED_OF_IT)
    drawn = np.random.default_rng(0).normal(size=(len(seen.window.ids), SLOTS)).astype(np.float32)
    slots = slots_of(drawn, seen)
    assert (len(slots.asked), len(slots.told), len(slots.ordered), len(slots.relations)) == (len(ASKED), 2, 2, 1)
    for shares in (slots.asked, slots.place, slots.told, slots.ordered, *slots.relations):
        assert sum(map(math.exp, shares)) == pytest.approx(1, abs=1e-3)


async def test_a_question_is_parsed_once_and_alike_in_any_company() -> None:
    parser = SemanticParser(SHIPPED_PARSER)
    other = TableQuestion("how many bikes", "Ferries", ("| Bikes (yes or no: yes, no)",), ())
    alone = await parser.parse([ASKED_OF_IT])
    both = await parser.parse([other, ASKED_OF_IT, other])
    assert both == (both[0], alone[0], both[0])
    assert await SemanticParser(SHIPPED_PARSER).parse([ASKED_OF_IT]) == alone
    assert await parser.parse([]) == ()
    assert all(isinstance(each, Slots) for each in both)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how long does the crossing to Brännö take", "20"),
        ("which island is the furthest", "Norrskär"),
        ("what is the cheapest fare to any island?", "5.00"),
        ("how many of the islands can I take my bike to", "2"),
        ("Is Ytö dearer than Hallö?", "Yes"),
    ],
)
def test_the_parser_that_ships_reads_plain_questions(question: str, answer: str) -> None:
    best = asyncio.run(TableReader(PARSER).weigh(question, [FERRIES])).best
    assert best is not None
    assert best.answer.removesuffix(" €").removesuffix(" min") == answer


@pytest.mark.parametrize("question", ["who is the captain of the boat to Hallö", "why was Port Anders built"])
def test_what_a_table_does_not_say_is_hardly_asked_of_it(question: str) -> None:
    best = asyncio.run(TableReader(PARSER).weigh(question, [FERRIES])).best
    assert best is None or best.confidence < 0.5


def test_a_folder_without_a_parser_is_said_with_the_setting() -> None:
    with pytest.raises(ModelMissing, match="HELIOGRAPH_TABLE_READER"):
        question_parser("/no/such/parser")
