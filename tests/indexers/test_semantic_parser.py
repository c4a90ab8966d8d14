"""What a parser sees of a question with a table, and what its logits say."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ModelMissing
from heliograph.types import CONDITION_OPERATORS, TABLE_OPERATIONS, Slots, TableQuestion
from indexers.models.reader import SHIPPED_READER, Windows
from indexers.models.semantic_parser import (
    KEPT,
    OUT,
    ROOM,
    SLOTS,
    SemanticParser,
    question_parser,
    slot_window,
    slots_of,
)

ASKED_OF_IT = TableQuestion(
    "which is quicker",
    "Ferries",
    ("| Island (name: Hallö)", "| Crossing"),
    (("& Island Hallö", "& Route Hallö"), ("- Bikes no",)),
)


def windows() -> Windows:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(SHIPPED_READER / "tokenizer.json"))
    tokenizer.no_truncation()
    return Windows(tokenizer)


def test_columns_and_conditions_are_read_off_their_marks() -> None:
    seen, cut = slot_window(windows(), ASKED_OF_IT), windows()
    tokens = [cut._tokenizer.id_to_token(id) for id in seen.window.ids]
    assert [tokens[place] for place in seen.columns] == ["|", "|"]
    assert [[tokens[place] for place in places] for places in seen.mentions] == [["&", "&"], ["-"]]
    assert tokens[:5] == ["[CLS]", "which", "is", "quicker", "[SEP]"]


@given(st.integers(0, 80), st.integers(0, 80), st.integers(1, 30))
def test_what_finds_no_room_is_left_out_the_last_first(columns: int, conditions: int, words: int) -> None:
    given = TableQuestion("q", "t", ("| " + "boat " * words,) * columns, (("& " + "boat " * words,),) * conditions)
    seen = slot_window(WINDOWS, given)
    assert len(seen.window.ids) <= ROOM
    assert len(seen.columns) <= columns
    assert len(seen.mentions) <= conditions
    assert all(place < ROOM for places in (seen.columns, *seen.mentions) for place in places)


WINDOWS = windows()


def test_slots_are_logarithms_of_shares() -> None:
    seen = slot_window(WINDOWS, ASKED_OF_IT)
    drawn = np.random.default_rng(0).normal(size=(len(seen.window.ids), SLOTS)).astype(np.float32)
    slots = slots_of(drawn, seen)
    assert (len(slots.operation), len(slots.selected), len(slots.ordering), len(slots.mentions)) == (
        len(TABLE_OPERATIONS),
        2,
        2,
        2,
    )
    for shares in (slots.operation, slots.place, slots.selected, slots.ordering, *slots.mentions):
        assert sum(map(math.exp, shares)) == pytest.approx(1, abs=1e-3)


def test_of_what_one_mention_may_mean_at_most_one_condition_is_set() -> None:
    seen = slot_window(WINDOWS, ASKED_OF_IT)
    (first, second), _ = seen.mentions
    logits = np.zeros((len(seen.window.ids), SLOTS), dtype=np.float32)
    logits[first, OUT + 1], logits[second, OUT + 1] = 3, 4
    row = slots_of(logits, seen).mentions[0]
    assert len(row) == 1 + 2 * len(CONDITION_OPERATORS)
    assert int(np.argmax(row)) == 1 + len(CONDITION_OPERATORS)
    logits[[first, second], OUT] = 9
    assert int(np.argmax(slots_of(logits, seen).mentions[0])) == 0


class Counted(SemanticParser):
    """Counts what it parses, and says of each question how long it is."""

    def __init__(self) -> None:
        super().__init__(SHIPPED_READER)
        self.counted = 0

    def parsed(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        self.counted += len(given)
        return tuple(Slots((float(len(each.question)),), (), (), (), ()) for each in given)


async def test_a_question_is_parsed_once_and_in_its_place() -> None:
    parser, other = Counted(), TableQuestion("how many bikes", "Ferries", ("| Bikes",), ())
    alone = await parser.parse([ASKED_OF_IT])
    both = await parser.parse([other, ASKED_OF_IT, other])
    assert both == (both[0], alone[0], both[0])
    assert both[0].operation == (len("how many bikes"),)
    assert (parser.counted, await parser.parse([])) == (2, ())


async def test_what_was_parsed_long_ago_is_forgotten() -> None:
    parser = Counted()
    many = [TableQuestion(str(number), "", (), ()) for number in range(KEPT + 5)]
    assert len(await parser.parse(many)) == KEPT + 5
    await parser.parse(many[-KEPT:])
    assert parser.counted == KEPT + 5
    await parser.parse(many[:1])
    assert parser.counted == KEPT + 6


def test_a_folder_without_a_parser_is_said_with_the_setting() -> None:
    with pytest.raises(ModelMissing, match="HELIOGRAPH_TABLE_PARSER"):
        question_parser("/no/such/parser")
