"""What learns to parse questions over tables: an encoder with a head of slots (indexers/models/semantic_parser.py)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from heliograph.types import ORDERING, RANKING, SELECTING, TABLE_OPERATIONS, Slots, TableOperation, TableQuestion
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import Candidate
from indexers.models.semantic_parser import (
    ORDERED,
    SELECTED,
    SLOTS,
    SemanticParser,
    SlotWindow,
    operator_scores,
    slot_window,
    slots_of,
)
from indexers.models.training.development import Say, int8_loss
from indexers.models.training.window_student import WindowStudent, load_parts

PARSER_HEAD = "parser.safetensors"
"""The weights of the head, which tell a parser's folder from an encoder's."""
MEASURED_AT_ONCE = 64
LOST = "Development questions, in float: {whole}; in int8: {small}; both fill all slots alike of {same:.0f} %."


@dataclass(frozen=True, slots=True)
class ParsingExample:
    """A question with a table and what is right of it; `selected` and `ordering` are columns, None where there is none.

    `mentions` has a number for each: what of its row in `Slots.mentions` is right.
    """

    given: TableQuestion
    operation: TableOperation
    selected: int | None
    ordering: int | None
    place: int
    mentions: tuple[int, ...]


FilledSlots = tuple[str, int | None, int | None, int, tuple[int, ...]]
"""The most probable value of each slot that counts for what is asked."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """Shares of development questions: with all slots filled rightly, and with what is asked."""

    whole: float
    asked: float
    examples: int

    @property
    def value(self) -> float:
        """The one by which weights are chosen."""
        return self.whole

    def __str__(self) -> str:
        return f"all slots {self.whole:.3f}, what is asked {self.asked:.3f} of {self.examples}"


class ParserStudent(WindowStudent):
    """An encoder with a head whose columns are the slots."""

    beside, does, farthest = PARSER_HEAD, "parses", 0.3
    frozen_layers = 1

    def loss(self, batch: Sequence[ParsingExample]) -> Any:
        """Return the mean over a batch of the sum of the cross entropies of its slots."""
        packed, total = [slot_window(self.windows, each.given) for each in batch], 0.0
        found = self.window_logits([each.window for each in packed])
        for example, seen, logits in zip(batch, packed, found, strict=True):
            total = total + _slot_loss(example, seen, logits)
        return total / len(batch)

    def measure(self, development: Sequence[ParsingExample], say: Say) -> Parsed:
        """Compare what is filled in most probably of each question with what is right."""
        say(f"parsing {len(development)} development questions")
        return parsed([filled(each) for each in self.slots(development)], development)

    def int8_loss(self, folder: Path, development: Sequence[ParsingExample]) -> str:
        """Parse questions with it and with its form in a folder, and say what that loses."""
        exported = SemanticParser(folder).parsed([each.given for each in development])
        whole, small = ([filled(each) for each in found] for found in (self.slots(development), exported))
        return int8_loss(LOST, whole, small, partial(parsed, examples=development))

    def apart(self, folder: Path, need: str, candidates: Sequence[Candidate]) -> float:
        """Return the largest difference of a probability of what is asked from that of the int8 form."""
        columns = tuple(piece.text for candidate in candidates for piece in candidate.pieces)
        given = TableQuestion(need, columns[0], columns, (columns,))
        (ours,), example = SemanticParser(folder).parsed([given]), ParsingExample(given, "none", None, None, 1, ())
        (theirs,) = self.slots([example])
        return float(np.abs(np.exp(ours.operation) - np.exp(theirs.operation)).max())

    def slots(self, examples: Sequence[ParsingExample]) -> list[Slots]:
        """Return what the float form gives, without gradients."""
        found: list[Slots] = []
        with loaded_torch().no_grad():
            for start in range(0, len(examples), MEASURED_AT_ONCE):
                packed = [slot_window(self.windows, each.given) for each in examples[start : start + MEASURED_AT_ONCE]]
                logits = self.window_logits([each.window for each in packed])
                found += [slots_of(each.float().cpu().numpy(), seen) for each, seen in zip(logits, packed, strict=True)]
        return found


def filled(slots: Slots) -> FilledSlots:
    """Return the most probable value of the slots that count."""
    operation = TABLE_OPERATIONS[int(np.argmax(slots.operation))]
    return of_count(
        operation,
        int(np.argmax(slots.selected)),
        int(np.argmax(slots.ordering)),
        int(np.argmax(slots.place)) + 1,
        tuple(int(np.argmax(each)) for each in slots.mentions),
    )


def of_count(
    operation: TableOperation, selected: int | None, ordering: int | None, place: int, mentions: tuple[int, ...]
) -> FilledSlots:
    """Leave out the slots that do not count for what is asked."""
    if operation == "none":
        return operation, None, None, 1, ()
    return (
        operation,
        selected if operation in SELECTING else None,
        ordering if operation in ORDERING else None,
        place if operation in RANKING else 1,
        mentions,
    )


def parsed(found: Sequence[FilledSlots], examples: Sequence[ParsingExample]) -> Parsed:
    """Compare what is filled in with what is right; conditions that found no room count as left out."""
    right = [of_count(each.operation, each.selected, each.ordering, each.place, each.mentions) for each in examples]
    whole = [one[:4] == two[:4] and _padded(one[4], two[4]) == two[4] for one, two in zip(found, right, strict=True)]
    asked = [one[0] == two[0] for one, two in zip(found, right, strict=True)]
    return Parsed(float(np.mean(whole)), float(np.mean(asked)), len(examples))


def load_parser(start: str, seed: int = 0) -> ParserStudent:
    """Load a parser by its folder, or begin one from a text encoder of BERT's kind, with a head drawn by `seed`.

    Raises:
        ModelMissing: there is no such encoder, or it has no tokenizer of its own.
    """
    return ParserStudent(*load_parts("parser", start, PARSER_HEAD, SLOTS, seed))


def _slot_loss(example: ParsingExample, seen: SlotWindow, logits: Any) -> Any:
    torch = loaded_torch()

    def missed(row: Any, right: int) -> Any:
        return torch.logsumexp(row, 0) - row[right]

    loss = missed(logits[0, : len(TABLE_OPERATIONS)], TABLE_OPERATIONS.index(example.operation))
    if example.operation == "none":
        return loss
    if example.operation in RANKING:
        loss = loss + missed(logits[0, len(TABLE_OPERATIONS) : SELECTED], example.place - 1)
    for slot, right in ((SELECTED, example.selected), (ORDERED, example.ordering)):
        if right is not None and right < len(seen.columns):
            loss = loss + missed(logits[list(seen.columns), slot], right)
    for places, right in zip(seen.mentions, example.mentions, strict=False):
        scores = operator_scores(logits, places)
        if right <= len(scores):
            loss = loss + missed(torch.cat((scores.new_zeros(1), scores)), right)
    return loss


def _padded(found: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return found + (0,) * (len(right) - len(found))
