"""A trained semantic parser: which calculation over a table a question asks for.

One encoder reads the question, what the table is about, its columns, and the conditions that the question may set
(`Paid … no`). What is asked is filled in as slots: the operation and the place in an order are read off the first
token, which column is told and which one orders off the first token of each column, and off the first tokens of the
conditions that one mention in the question may mean which of them it sets, and how, or that it sets none. Rows are not
read, so a table may have any number of them.

After Hwang et al. 2019 (SQLova: slots over a question with its headers) and Herzig et al. 2020 (TAPAS: an operation and
a selection in one pass). Runs on ONNX Runtime, without PyTorch.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from heliograph.types import CONDITION_OPERATORS, TABLE_OPERATIONS, Slots, TableQuestion
from indexers.models.reader import Floats, Piece, Window, WindowModel, Windows, shipped_or_named

PLACES = 5
"""Places in an order that are told apart, from the first."""
SELECTED, ORDERED = len(TABLE_OPERATIONS) + PLACES, len(TABLE_OPERATIONS) + PLACES + 1
OUT = ORDERED + 1
SLOTS = OUT + 1 + len(CONDITION_OPERATORS)
"""Columns of the model's output: of the first token what is asked and the place, of a column's whether it is told and
whether it orders, of a condition's that it is not set and its operators."""
QUESTION_TOKENS, ABOUT_TOKENS, COLUMN_TOKENS, CONDITION_TOKENS = 64, 32, 18, 15
ROOM = 384
"""Tokens of a window; conditions that find no room are left out, the last first."""
SHIPPED_PARSER = Path(__file__).parent / "shipped" / "parser"
"""The parser that comes with Heliograph; its card stands in the folder."""
KEPT, DIGITS = 200, 4
"""Parses that are kept for the next round, and decimals of their logarithms."""


@dataclass(frozen=True, slots=True)
class SlotWindow:
    """A window, and the places of the first tokens of its columns and, by mention, of its conditions."""

    window: Window
    columns: tuple[int, ...]
    mentions: tuple[tuple[int, ...], ...]


def slot_window(windows: Windows, given: TableQuestion) -> SlotWindow:
    """Return the window of a question with a table; columns beyond its room are left out, too."""
    ids = list(windows.need(given.question, QUESTION_TOKENS))
    start, between = len(ids), ids[-1]
    ids += (*windows.tokens(Piece(given.about)).ids[:ABOUT_TOKENS], between)
    columns = _appended(ids, windows, given.columns, COLUMN_TOKENS)
    ids.append(between)
    mentions: list[tuple[int, ...]] = []
    for texts in given.conditions:
        if not (places := _appended(ids, windows, texts, CONDITION_TOKENS)):
            break
        mentions.append(places)
    ids.append(between)
    return SlotWindow(Window(tuple(ids), (start,), ()), columns, tuple(mentions))


def _appended(ids: list[int], windows: Windows, texts: Sequence[str], most: int) -> tuple[int, ...]:
    """Append texts as long as there is room for them and a token more; return the places of their first tokens."""
    places: list[int] = []
    for text in texts:
        tokens = windows.tokens(Piece(text)).ids[:most]
        if len(ids) + len(tokens) + 2 > ROOM:
            break
        places.append(len(ids))
        ids += tokens
    return tuple(places)


def slots_of(logits: Floats, packed: SlotWindow) -> Slots:
    """Return what the logits of a window say."""
    first, columns = logits[0], logits[list(packed.columns)]
    return Slots(
        _shares(first[: len(TABLE_OPERATIONS)]),
        _shares(first[len(TABLE_OPERATIONS) : SELECTED]),
        _shares(columns[:, SELECTED]),
        _shares(columns[:, ORDERED]),
        tuple(_shares(np.append(np.float32(0), operator_scores(logits, places))) for places in packed.mentions),
    )


def operator_scores(logits: Any, places: Sequence[int]) -> Any:
    """Return what speaks for each operator of each condition of a mention; that none is set has a score of nought.

    Args:
        logits: of a window, an array or a tensor.
        places: the first tokens of the conditions.
    """
    rows = logits[list(places), OUT:]
    return (rows[:, 1:] - rows[:, :1]).reshape(-1)


class SemanticParser:
    """Fill slots with a model of `heliograph train parser`, in its form without PyTorch.

    Nothing is loaded before the first question.

    Args:
        folder: holds `model.onnx` and `tokenizer.json`.
        threads: tables read at a time; None is one a processor.

    Raises:
        ModelMissing: a file is missing or no model of this kind, here or at the first question.
    """

    def __init__(self, folder: Path, *, threads: int | None = None) -> None:
        self._model = WindowModel("parser", folder, SLOTS, threads=threads, room=ROOM)
        self._known: dict[TableQuestion, Slots] = {}
        self.name = self._model.name

    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        """Return the slots of questions with their tables; what was parsed lately is not parsed again."""
        found = {each: self._known[each] for each in given if each in self._known}
        if new := [each for each in dict.fromkeys(given) if each not in found]:
            found |= dict(zip(new, await asyncio.to_thread(self.parsed, new), strict=True))
        for each, slots in found.items():
            self._known.pop(each, None)
            self._known[each] = slots
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return tuple(found[each] for each in given)

    def parsed(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        """Return the slots of questions with their tables; blocks."""
        packed = [slot_window(self._model.windows, each) for each in given]
        logits = self._model.logits([each.window for each in packed])
        return tuple(slots_of(*each) for each in zip(logits, packed, strict=True))


def _shares(logits: Floats) -> tuple[float, ...]:
    """Return log-probabilities, to DIGITS decimals."""
    if not len(logits):
        return ()
    high = logits - logits.max()
    return tuple(np.round((high - np.log(np.exp(high).sum())).astype(float), DIGITS).tolist())


def question_parser(name: str) -> SemanticParser:
    """Return the parser that ships, or the one of a folder.

    Raises:
        ModelMissing: it is not there.
    """
    setting, without = "HELIOGRAPH_TABLE_PARSER", "nothing is computed over tables"
    return shipped_or_named(SemanticParser, name, SHIPPED_PARSER, setting, without)
