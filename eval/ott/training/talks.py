"""Conversations that were composed for a rewriter, each with what its last question leaves to the turns before it.

A line has the turns, questions and answers in their order and a question at the end; `base` says whether that question
stands alone (`none`), is completed itself (`last`), or asks the one before it again (`previous`); `replace` are words
of the completed one that give way to `with`, words of the others; nothing gives way where `replace` is empty.
"""

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.chat.follow_ups import completed
from eval.lines import read_placed_lines
from eval.ott.training.composed import is_held_out
from eval.ott.training.stages import Curriculum, WindowTraining, hashed, train_in_stages
from heliograph.errors import UsageError
from indexers.models.follow_ups import FollowUp, FollowUpKind
from indexers.models.training.follow_ups import FollowUpExample, load_rewriter
from indexers.models.training.loop import Trained
from indexers.models.training.schedule import Schedule

HELD_OUT = 12
"""One conversation in so many is for development."""
KINDS: dict[str, FollowUpKind] = {"none": "alone", "last": "last", "previous": "previous"}
CHANGED, WHOLE, PLAIN, SHORTENED = 0.15, 0.2, 0.25, 0.3
"""Shares of an epoch: conversations that go on with the first question of another one, and with their own last one
when it was completed; last questions in lower case without marks; and conversations without their first turn, where
nothing of it is meant."""
_POINTS_BACK = re.compile(r"\b(?:its?|they|them|their|hes?|him|his|shes?|hers?|there|th[ao]se|th[ai]s|ones?)\b", re.I)


class Talk(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(strict=True, extra="forbid")

    turns: tuple[str, ...] = Field(strict=False, min_length=3)
    base: Literal["none", "last", "previous"]
    replace: str = ""
    said: str = Field(default="", alias="with")


def read_talks(path: Path) -> tuple[FollowUpExample, ...]:
    """Read conversations, in the order of the file.

    Raises:
        UsageError: the file cannot be read, or a line marks words that do not stand where they should.
    """
    found = []
    for place, talk in read_placed_lines(path, Talk):
        *before, question = talk.turns
        if len(before) % 2 or (example := _example(talk, question, before)) is None:
            raise UsageError(f"{place}: its words do not stand in its turns; mend the line, or take it out")
        found.append(example)
    return tuple(found)


def _example(talk: Talk, question: str, before: Sequence[str]) -> FollowUpExample | None:
    kind, exchanges = KINDS[talk.base], tuple(zip(before[::2], before[1::2], strict=True))
    if kind == "alone":
        return FollowUpExample(question, exchanges, kind)
    base = question if kind == "last" else before[-2]
    places = [found.span() for found in _standing(talk.replace, base)] if talk.replace else []
    if not any(True for text in (before if kind == "last" else [question]) for _ in _standing(talk.said, text)):
        return None
    if talk.replace and not places:
        return None
    # of words that stand there twice the first point back, and the last are what is asked anew
    replaced = (places[0] if kind == "last" else places[-1]) if places else None
    return FollowUpExample(question, exchanges, kind, replaced, talk.said)


def _standing(words: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text) if words else iter(())


@dataclass(frozen=True)
class TalkLists:
    """What a rewriter learns from: each epoch every conversation once, a little differently."""

    talks: Sequence[FollowUpExample]

    @cached_property
    def digest(self) -> str:
        """Tell these lists from others."""
        return hashlib.sha256("\n".join(map(repr, self.talks)).encode()).hexdigest()

    def epoch(self, number: int, seed: int) -> list[FollowUpExample]:
        """Return the examples of one epoch in their order; every epoch has as many."""
        chance = random.Random(f"{seed}/{number}")
        found = [_seen(each, chance) for each in self.talks]
        for place in chance.sample(range(len(self.talks)), int(CHANGED * len(self.talks))):
            other = self.talks[place - chance.randrange(1, len(self.talks))]
            found.append(FollowUpExample(other.exchanges[0][0], self.talks[place].exchanges, "alone"))
        for each, told in chance.sample(self._whole, min(int(WHOLE * len(self.talks)), len(self._whole))):
            found.append(FollowUpExample(told, each.exchanges, "alone"))
        chance.shuffle(found)
        return found

    @cached_property
    def _whole(self) -> list[tuple[FollowUpExample, str]]:
        """Conversations whose last question says everything once it is completed, and that question."""
        told = [(each, _completed(each)) for each in self.talks if each.kind != "alone"]
        return [(each, said) for each, said in told if not _POINTS_BACK.search(said)]


def _completed(talk: FollowUpExample) -> str:
    return completed(talk.question, talk.exchanges[-1][0], FollowUp(talk.kind, 1.0, talk.replaced, talk.said))


def _seen(talk: FollowUpExample, chance: random.Random) -> FollowUpExample:
    if len(talk.exchanges) > 1 and chance.random() < SHORTENED:
        later = talk.exchanges[1:]
        if talk.kind != "last" or any(True for texts in later for text in texts for _ in _standing(talk.said, text)):
            talk = replace(talk, exchanges=later)
    if chance.random() < PLAIN and talk.kind != "previous":
        talk = replace(talk, question=talk.question.lower().rstrip("?!. "))
    return talk


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriterTraining(WindowTraining):
    """One training of a rewriter."""

    kind, measured = "rewriter", "completed"
    second_stage = Schedule(epochs=10, batch=32, learning_rate=3e-4, warmup=0.1, at_once=32)
    first_stage = None

    talks: Path

    def options(self) -> Iterator[str]:
        """Yield the option of its file."""
        yield from self.files("talks")


def train_rewriter(training: RewriterTraining) -> Trained:
    """Train a rewriter on what the command line names, as `train_in_stages` does.

    Raises:
        UsageError: conversations cannot be used, or `out` holds another training.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    return train_in_stages(training, lambda: _curriculum(training))


def _curriculum(training: RewriterTraining) -> Curriculum[FollowUpExample]:
    talks = read_talks(training.talks)
    learned = [each for each in talks if not is_development(each)]
    held_out = [each for each in talks if is_development(each)]
    if not learned or not held_out:
        raise UsageError(f"{training.talks} has too few conversations; one in {HELD_OUT} is held out")
    told = (
        f"{len(learned)} conversations; {len(held_out)} held out, one in {HELD_OUT} by sha256 of their first question"
    )
    source = f"Conversations: {hashed(training.talks)}, composed in the wordings of people (docs/training.md)."
    return Curriculum(load_rewriter, None, TalkLists(learned), told, held_out, (source,))


def is_development(talk: FollowUpExample) -> bool:
    """Whether a conversation is held out, by the sha256 of its first question."""
    return is_held_out(talk.exchanges[0][0], HELD_OUT)
