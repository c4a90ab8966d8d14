"""Articles that were written for a reader, and questions over their paragraphs in the wordings of people.

HybridQA's questions are asked of rows and first paragraphs, and mostly in their words. Here paragraphs stand under the
titles of their sections, and questions say little of their words; a fifth asks for what the article does not say.
"""

import hashlib
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

import bm25s  # type: ignore[import-untyped]  # the library has no types
from pydantic import BaseModel, ConfigDict, Field

from eval.lines import read_placed_lines
from eval.ott.training.composed import is_held_out
from eval.ott.training.marks import stands_in, without_answer
from eval.ott.training.reader_lists import LACKING, ROOM, WIDE, WRONG, example_of
from heliograph.errors import UsageError
from indexers.models.reader import Candidate, Choice, Piece, passage_piece
from indexers.models.training.reading import ReadingExample

HELD_OUT = 12
"""One article in twelve is for development."""
BESIDE, NEAREST = 2, 12
"""Paragraphs without the answer that are of the same article, and those of others from which the rest is drawn."""
PAIRED, NEEDLESS = 0.3, 0.1
"""Shares of the wrong paragraphs that stand behind another one, and of the right ones that do though they need none: a
pair is no answer by itself."""


class WrittenArticle(BaseModel):
    """An article of the file; each paragraph has its path, from the title down, and its text."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    id: str
    title: str
    paragraphs: tuple[tuple[tuple[str, ...], str], ...] = Field(strict=False)


class WrittenQuestion(BaseModel):
    """A question of the file, of a paragraph by its number.

    The paragraph `by`, of `by_article` or of the same article, names the thing that a `two` question asks about; `none`
    asks for what no paragraph of the article says.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    question: str = Field(min_length=3, max_length=400)
    kind: Literal["text", "none", "two", "yes_no"]
    article: str
    paragraph: int = Field(ge=0)
    answer: str = ""
    by: int | None = Field(default=None, ge=0)
    by_article: str | None = None


@dataclass(frozen=True, slots=True)
class PlacedQuestion:
    """A question with the paragraph that it is of, by number among all, and the one that leads there."""

    line: WrittenQuestion
    paragraph: int
    by: int | None = None

    @property
    def choice(self) -> Choice | None:
        """What is answered where no span is."""
        match self.line.kind:
            case "none":
                return "none"
            case "yes_no":
                return "yes" if self.line.answer == "yes" else "no"
            case "text" | "two":
                return None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of an article, as a reader sees it."""

    article: str
    piece: Piece


def read_written(articles: Path, questions: Path) -> tuple[tuple[Paragraph, ...], tuple[PlacedQuestion, ...]]:
    """Read the paragraphs of all articles, and questions over them.

    Raises:
        UsageError: a file cannot be read, or a line names an unknown paragraph, or an answer that does not fit.
    """
    paragraphs, first = list[Paragraph](), dict[str, range]()
    for _, article in read_placed_lines(articles, WrittenArticle):
        first[article.id] = range(len(paragraphs), len(paragraphs) + len(article.paragraphs))
        paragraphs += [
            Paragraph(article.id, passage_piece(" ; ".join(path), text)) for path, text in article.paragraphs
        ]
    found = []
    for place, line in read_placed_lines(questions, WrittenQuestion):
        try:
            paragraph = first[line.article][line.paragraph]
            by = None if line.by is None else first[line.by_article or line.article][line.by]
        except (KeyError, IndexError) as err:
            raise UsageError(f"{place}: no such article, or no such paragraph of it; mend the line") from err
        if not _fits(line, paragraphs[paragraph]):
            raise UsageError(f"{place}: the answer {line.answer!r} does not fit kind and paragraph; mend the line")
        if (line.kind == "two") != (by is not None):
            raise UsageError(f"{place}: a question of kind 'two', and no other, says which paragraph leads to its own")
        found.append(PlacedQuestion(line, paragraph, by))
    return tuple(paragraphs), tuple(found)


def _fits(line: WrittenQuestion, paragraph: Paragraph) -> bool:
    match line.kind:
        case "none":
            return not line.answer
        case "yes_no":
            return line.answer in ("yes", "no")
        case "text" | "two":
            return stands_in(line.answer, paragraph.piece.text)


class WrittenLists:
    """Examples of the questions of one half, the held-out one or the other, each with `wrong` paragraphs.

    These are of the same article and of others that BM25 finds, all of the same half; half of the time the own
    paragraph is there once more without the answer. What leads to the answer of a `two` question leads to a wrong
    paragraph, too, and to its own leads a wrong one; so all pairs that a search proposes are compared. Either of a
    pair may stand first. Every epoch draws others, all that take two paragraphs and a `share` of those that one
    answers, or none.
    """

    def __init__(
        self,
        paragraphs: Sequence[Paragraph],
        questions: Sequence[PlacedQuestion],
        wrong: int = WRONG,
        share: float = 1.0,
        *,
        held_out: bool = False,
    ) -> None:
        own = {n: each for n, each in enumerate(paragraphs) if is_held_out(each.article, HELD_OUT) == held_out}
        self._paragraphs, self._wrong, self._share = own, wrong, share
        self._questions = [each for each in questions if each.paragraph in own and (each.by is None or each.by in own)]

    def __len__(self) -> int:
        return len(self._drawn(random.Random(0)))

    @cached_property
    def digest(self) -> str:
        """Tell these lists from others."""
        how = (self._wrong, self._share, PAIRED, NEEDLESS)
        said = "\0".join(map(str, (*how, *self._paragraphs.values(), *self._questions)))
        return hashlib.sha256(said.encode()).hexdigest()

    def epoch(self, number: int, seed: int) -> tuple[ReadingExample, ...]:
        """Return an example of each question, in an order of this epoch's own."""
        draw = random.Random(f"{seed} {number}")
        return tuple(self._example(each, draw) for each in self._drawn(draw))

    def development(self) -> tuple[ReadingExample, ...]:
        """Return questions that a span answers, each with its right candidate before the nearest ones without it."""
        return tuple(
            self._answered(each, [self._right(each), *self._nearest(each)[: self._wrong]])
            for each in self._drawn(random.Random(0))
            if each.choice is None
        )

    def _drawn(self, draw: random.Random) -> list[PlacedQuestion]:
        """Return what is asked, in an order of its own."""
        two, others = ([each for each in self._questions if (each.by is None) == alone] for alone in (False, True))
        drawn = [*two, *draw.sample(others, round(self._share * len(others)))]
        return draw.sample(drawn, len(drawn))

    def _example(self, asked: PlacedQuestion, draw: random.Random) -> ReadingExample:
        right, near = self._right(asked), self._nearest(asked)
        own = self._beside(asked)
        wrong = draw.sample(own, min(BESIDE, self._wrong, len(own)))
        wrong += draw.sample(near, min(len(near), self._wrong - len(wrong)))
        others = [*own, *near]
        if asked.by is not None:
            wrong = self._misled(asked, wrong, draw)
        else:
            wrong = [_behind(each, others, draw) if draw.random() < PAIRED else each for each in wrong]
        if asked.choice is not None:
            chosen = range(1 + len(wrong)) if asked.choice == "none" else range(1)
            shown = tuple(_turned(each, draw) for each in (right, *wrong))
            return ReadingExample(asked.line.question, shown, (), asked.choice, tuple(chosen), ROOM)
        if draw.random() < LACKING and (lacking := without_answer(asked.line.answer, right)):
            wrong.append(lacking)
        if asked.by is None and draw.random() < NEEDLESS:
            right = _behind(right, others, draw)
        return self._answered(asked, [_turned(each, draw) for each in (right, *wrong)])

    def _answered(self, asked: PlacedQuestion, candidates: Sequence[Candidate]) -> ReadingExample:
        """Return an example whose first candidate answers; two paragraphs need a wide window."""
        example = example_of(asked.line.question, asked.line.answer, candidates, right=1)
        return example if candidates[0].second is None else replace(example, room=WIDE)

    def _misled(self, asked: PlacedQuestion, wrong: Sequence[Candidate], draw: random.Random) -> list[Candidate]:
        """Return wrong paragraphs behind the one that leads to the answer, or before the answer's; that one alone."""
        leads, ends = self._right(asked).pieces
        return [
            each
            if each.first == leads
            else Candidate(each.first, ends)
            if draw.random() < PAIRED
            else Candidate(leads, each.first)
            for each in wrong
        ]

    def _right(self, asked: PlacedQuestion) -> Candidate:
        piece = self._paragraphs[asked.paragraph].piece
        return Candidate(piece) if asked.by is None else Candidate(self._paragraphs[asked.by].piece, piece)

    def _beside(self, asked: PlacedQuestion) -> list[Candidate]:
        """Return the other paragraphs of the article, and the one that leads to it by itself."""
        numbers = self._of_article[self._paragraphs[asked.paragraph].article]
        led = [] if asked.by is None or asked.by in numbers else [asked.by]
        return self._unanswering(asked, sorted([*numbers, *led]))

    def _nearest(self, asked: PlacedQuestion) -> list[Candidate]:
        of = self._paragraphs[asked.paragraph].article
        return self._unanswering(asked, [n for n in self._ranked[asked] if self._paragraphs[n].article != of])

    def _unanswering(self, asked: PlacedQuestion, numbers: Sequence[int]) -> list[Candidate]:
        pieces = (self._paragraphs[number].piece for number in numbers if number != asked.paragraph)
        return [Candidate(piece) for piece in pieces if asked.choice or not stands_in(asked.line.answer, piece.text)]

    @cached_property
    def _of_article(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for number, each in self._paragraphs.items():
            found[each.article].append(number)
        return found

    @cached_property
    def _ranked(self) -> Mapping[PlacedQuestion, Sequence[int]]:
        numbers, asked = list(self._paragraphs), [each.line.question for each in self._questions]
        texts = [self._paragraphs[number].piece.text for number in numbers]
        ranker, of = bm25s.BM25(), partial(bm25s.tokenize, show_progress=False)
        ranker.index(of(texts), show_progress=False)
        found, _ = ranker.retrieve(of(asked), k=min(NEAREST, len(texts)), show_progress=False)
        ranked = ([numbers[place] for place in places] for places in found.tolist())
        return dict(zip(self._questions, ranked, strict=True))


def _behind(candidate: Candidate, others: Sequence[Candidate], draw: random.Random) -> Candidate:
    """Return a paragraph behind another one; by itself where there is none."""
    before = [each.first for each in others if each.first != candidate.first]
    return Candidate(draw.choice(before), candidate.first) if before else candidate


def _turned(candidate: Candidate, draw: random.Random) -> Candidate:
    """Return a pair in either order."""
    if candidate.second is None or draw.random() < 1 / 2:
        return candidate
    return Candidate(candidate.second, candidate.first)
