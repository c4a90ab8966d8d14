"""What learns to read follow-ups: an encoder with a head of kinds and pointers (indexers/models/follow_ups.py)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from indexers.models.follow_ups import (
    COLUMNS,
    FOLLOW_UP_KINDS,
    Exchange,
    FollowUp,
    FollowUpKind,
    FollowUpReader,
    Role,
    Stretch,
    TalkWindow,
    columns_of,
    follow_up_of,
    talk_window,
)
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import Candidate
from indexers.models.training.development import Say, int8_loss
from indexers.models.training.window_student import WindowStudent, load_parts

REWRITER_HEAD = "rewriter.safetensors"
"""The weights of the head, which tell a rewriter's folder from an encoder's."""
MEASURED_AT_ONCE = 64
LOST = "Development questions, in float: {whole}; in int8: {small}; both complete {same:.0f} % alike."


@dataclass(frozen=True, slots=True)
class FollowUpExample:
    """A question after exchanges, and what is right of it, as in `FollowUp`; `said` stands in one of the texts."""

    question: str
    exchanges: tuple[Exchange, ...]
    kind: FollowUpKind
    replaced: tuple[int, int] | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Completed:
    """Shares of development questions: completed rightly in all, and known for what they are."""

    whole: float
    kind: float
    examples: int

    @property
    def value(self) -> float:
        """The one by which weights are chosen."""
        return self.whole

    def __str__(self) -> str:
        return f"completed {self.whole:.3f}, kind {self.kind:.3f} of {self.examples}"


class FollowUpStudent(WindowStudent):
    """An encoder with a head whose columns are kinds and pointers."""

    beside, does, farthest = REWRITER_HEAD, "completes", 0.3
    frozen_layers = 1

    def loss(self, batch: Sequence[FollowUpExample]) -> Any:
        """Return the mean over a batch of the sum of the cross entropies of kind and pointers."""
        talks, total = [self._talk(each) for each in batch], 0.0
        found = self.window_logits([each.window for each in talks])
        for example, talk, logits in zip(batch, talks, found, strict=True):
            total = total + _loss(example, talk, logits)
        return total / len(batch)

    def measure(self, development: Sequence[FollowUpExample], say: Say) -> Completed:
        """Compare what is most probable of each question with what is right."""
        say(f"reading {len(development)} development questions")
        return completed(self.read(development), development)

    def int8_loss(self, folder: Path, development: Sequence[FollowUpExample]) -> str:
        """Read questions with it and with its form in a folder, and say what that loses."""
        exported = FollowUpReader(folder)
        small = [exported.read(each.question, each.exchanges) for each in development]
        return int8_loss(
            LOST,
            [_plain(each) for each in self.read(development)],
            [_plain(each) for each in small],
            partial(_completed, examples=development),
        )

    def apart(self, folder: Path, need: str, candidates: Sequence[Candidate]) -> float:
        """Return the difference of the probability of what is likelier from that of the int8 form."""
        exchanges = tuple((piece.text, "") for candidate in candidates for piece in candidate.pieces)
        theirs = FollowUpReader(folder).read(need, exchanges)
        (ours,) = self.read([FollowUpExample(need, exchanges, "alone")])
        return abs(ours.probability - theirs.probability)

    def read(self, examples: Sequence[FollowUpExample]) -> list[FollowUp]:
        """Return what the float form says, without gradients."""
        found: list[FollowUp] = []
        with loaded_torch().no_grad():
            for start in range(0, len(examples), MEASURED_AT_ONCE):
                talks = [self._talk(each) for each in examples[start : start + MEASURED_AT_ONCE]]
                logits = self.window_logits([each.window for each in talks])
                found += [
                    follow_up_of(each.float().cpu().numpy(), talk) for each, talk in zip(logits, talks, strict=True)
                ]
        return found

    def _talk(self, example: FollowUpExample) -> TalkWindow:
        return talk_window(self.windows, example.question, example.exchanges)


FilledFollowUp = tuple[FollowUpKind, tuple[int, int] | None, str]


def _plain(found: FollowUp) -> FilledFollowUp:
    return found.kind, found.replaced, found.said


def completed(found: Sequence[FollowUp], examples: Sequence[FollowUpExample]) -> Completed:
    """Compare follow-ups with what is right."""
    return _completed([_plain(each) for each in found], examples)


def _completed(found: Sequence[FilledFollowUp], examples: Sequence[FollowUpExample]) -> Completed:
    right = [(each.kind, each.replaced, each.said) for each in examples]
    whole = [one == two for one, two in zip(found, right, strict=True)]
    kinds = [one[0] == two[0] for one, two in zip(found, right, strict=True)]
    return Completed(float(np.mean(whole)), float(np.mean(kinds)), len(examples))


def load_rewriter(start: str, seed: int = 0) -> FollowUpStudent:
    """Load a rewriter by its folder, or begin one from a text encoder of BERT's kind, with a head drawn by `seed`.

    Raises:
        ModelMissing: there is no such encoder, or it has no tokenizer of its own.
    """
    return FollowUpStudent(*load_parts("rewriter", start, REWRITER_HEAD, COLUMNS, seed))


def places_of(example: FollowUpExample, talk: TalkWindow) -> tuple[tuple[int, int], ...]:
    """Return the places of first and last token of what is said, wherever it stands in a window."""
    said = re.compile(rf"(?<!\w){re.escape(example.said)}(?!\w)")
    texts = talk.texts_of(example.kind, "said")
    stretches = (Stretch(text, *found.span()) for text in texts for found in said.finditer(talk.texts[text]))
    return tuple(place for each in stretches if (place := talk.tokens_at(each)))


def _loss(example: FollowUpExample, talk: TalkWindow, logits: Any) -> Any:
    torch = loaded_torch()
    kinds = torch.log_softmax(logits[0, : len(FOLLOW_UP_KINDS)], 0)
    loss = -kinds[FOLLOW_UP_KINDS.index(example.kind)]
    if example.kind == "alone":
        return loss
    rights: dict[Role, tuple[tuple[int, int], ...]] = {
        "replaced": _replaced(example, talk),
        "said": places_of(example, talk),
    }
    for role, right in rights.items():
        allowed = _allowed(example.kind, role, talk)
        if found := [place for place in right if {*place} <= {*allowed}]:
            starts, ends = (torch.log_softmax(logits[allowed, column], 0) for column in columns_of(example.kind, role))
            both = [starts[allowed.index(first)] + ends[allowed.index(last)] for first, last in found]
            loss = loss - torch.logsumexp(torch.stack(both), 0)  # both ends at one of the places
    return loss


def _replaced(example: FollowUpExample, talk: TalkWindow) -> tuple[tuple[int, int], ...]:
    if example.replaced is None:
        return ((0, 0),)
    (text,) = talk.texts_of(example.kind, "replaced")
    place = talk.tokens_at(Stretch(text, *example.replaced))
    return (place,) if place else ()


def _allowed(kind: FollowUpKind, role: Role, talk: TalkWindow) -> list[int]:
    """Return the places at which a pointer may point: the first token where nothing need be replaced."""
    found = [
        talk.starts[text] + place for text in talk.texts_of(kind, role) if text < len(talk.texts)
        for place in range(len(talk.pieces[text].ids))
    ]  # fmt: skip
    return [0, *found] if role == "replaced" else found
