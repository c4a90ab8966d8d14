"""Examples made from the corpus alone, no question having been seen: of them the needs that a reader learns first.

A cell asked for by its column and the name of its row; a sentence of a linked passage with its answer taken out and its
subject said as the row has it; a cell of a row that the passage describes. Wordings vary and words are dropped, since
what is wanted is the matching, not the template. Some needs have their answer in no candidate.

After Lewis et al. 2019 (cloze questions for reading without labels) and Ram et al. 2021 (pretraining for spans).
"""

import hashlib
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, Generic, overload

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.nodes import edge_candidate
from eval.ott.training.marks import marked, stands_in
from heliograph.text.dates import MONTHS
from indexers.models.training.examples import Kind_co
from indexers.models.training.reading import ReadingExample

ROOM = 112
"""Tokens of a window: of a row two or three cells are enough to learn from, and short ones are twice as many."""
CELLS, CLOZES, BRIDGES = 0.25, 0.55, 0.12
"""Shares of a row's cell, of a passage's sentence, and of a cell by what its passage says; the rest asks for a name."""
UNANSWERED = 0.08
"""Share of examples that keep only candidates without the answer."""
WRONG = 1
"""Candidates of the same table without the answer that an example has beside."""
TRIES = 40

NAMES_OF_MONTHS = "|".join(month.capitalize() for month in MONTHS)
DATE = re.compile(
    rf"\b(?:\d{{1,2}} )?(?:{NAMES_OF_MONTHS})(?: \d{{1,2}} ?,)?(?: \d{{4}})?\b|\b(?:1[4-9]\d\d|20[0-2]\d)\b"
)
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
NAME = re.compile(r"\b[A-Z][\w.'’-]+(?: (?:(?:of|the|de|and|von|van|del|la) )?[A-Z0-9][\w.'’-]*)*")
_SENTENCE = re.compile(r"(?<=[\w)\]'\"]) ?\. (?=[A-Z\"'])")
_IS_A = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the) ([^.;,()]{3,80})")
_BEHIND_THE_NOUN = re.compile(r" (?:of|in|from|that|which|who|on|at|by|with|for|and|to|\w+ed|born|held|known|near)\b")
_BORN = re.compile(r"\( ?(?:born|[^()]{0,40}\b\d{4}\b[^()]{0,12}[-–])|\( ?born\b")
BRACKETS = re.compile(r"\s*\([^)]*\)")


class Pretraining(ABC, Generic[Kind_co]):
    """Examples drawn over all rows with a passage but those of some tables, `count` an epoch.

    Args:
        corpus: where they are drawn.
        without: ids of tables whose rows are left out.
        count: examples of an epoch.
    """

    made: ClassVar[str]
    """What the examples are called."""
    salt: ClassVar[str] = ""
    """What tells digests of a kind from those of another."""

    def __init__(self, corpus: OttCorpus, without: Collection[str], count: int) -> None:
        self.corpus, self.count = corpus, count
        self._kept_out = {row for table in without for row in corpus.rows_of(table)}
        self.digest = hashlib.sha256(f"{self.salt}{len(corpus.edges)} {sorted(without)} {count}".encode()).hexdigest()
        self.told = f"{count} {self.made} made of the corpus, without the rows of {len(without)} tables"

    def epoch(self, number: int, seed: int) -> "Drawn[Kind_co]":
        """Return the examples of one epoch, each drawn when it is asked for."""
        return Drawn(self, f"{seed} {number}")

    def drawn(self, draw: random.Random) -> Kind_co:
        """Draw one example."""
        while True:
            row, passage = map(int, self.corpus.edges[draw.randrange(len(self.corpus.edges))])
            if passage == NO_PASSAGE or row in self._kept_out:
                continue
            example = self.example(draw, row, passage)
            if example is not None:
                return example

    @abstractmethod
    def example(self, draw: random.Random, row: int, passage: int) -> Kind_co | None:
        """Make an example of a row and a passage that it links; None where what is drawn cannot be made of them."""

    def row(self, row: int, passage: int) -> tuple[Sequence[str], Sequence[str], int]:
        """Return a row's header and cells, and the column that links the passage."""
        column = next((column for column, linked in self.corpus.links_of(row) if linked == passage), 0)
        return self.corpus.table_of(row).header, self.corpus.cells(row), column


class Drawn(Sequence[Kind_co]):
    """The examples of one epoch; those of a place are the same whenever they are asked for."""

    def __init__(self, source: Pretraining[Kind_co], seed: str) -> None:
        self._source, self._seed = source, seed

    def __len__(self) -> int:
        return self._source.count

    @overload
    def __getitem__(self, place: int) -> Kind_co: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Kind_co]: ...
    def __getitem__(self, place: int | slice) -> Kind_co | Sequence[Kind_co]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        return self._source.drawn(random.Random(f"{self._seed} {place}"))


def columns_told(header: Sequence[str], cells: Sequence[str], without: int | None, longest: int) -> list[int]:
    """Return the columns with a name whose cell has fewer than `longest` characters, and some, `without` one."""
    return [at for at, cell in enumerate(cells) if at != without and header[at] and 0 < len(cell) < longest]


def spans(text: str, passed_over: Callable[[re.Match[str]], bool]) -> list[tuple[int, int]]:
    """Return where dates, numbers and names stand that do not overlap; some names are passed over."""
    found: list[tuple[int, int]] = []
    for shape in (DATE, NUMBER, NAME):
        for match in shape.finditer(text):
            start, end = match.span()
            overlaps = any(start < high and low < end for low, high in found)
            if not overlaps and not (shape is NAME and passed_over(match)):
                found.append((start, end))
    return found


@dataclass(frozen=True, slots=True)
class Asked:
    """A need, its answer and where that stands: in a cell, or somewhere in the passage."""

    need: str
    answer: str
    column: int | None


class NeedPretraining(Pretraining[ReadingExample]):
    """Needs for a reader, each with a candidate that answers and one that does not."""

    made = "needs"

    def example(self, draw: random.Random, row: int, passage: int) -> ReadingExample | None:
        """Make a need of a cell or of a sentence of the passage."""
        asked = self._asked(draw, row, passage)
        if asked is None or stands_in(asked.answer, asked.need):
            return None
        return self._beside_others(draw, row, passage, asked)

    def _asked(self, draw: random.Random, row: int, passage: int) -> Asked | None:
        share = draw.random()
        if share < CELLS:
            return self._cell(draw, row, passage)
        sentence, said = self._clue(draw, passage)
        if not sentence:
            return None
        if share < CELLS + CLOZES:
            return self._cloze(draw, row, passage, sentence)
        if share < CELLS + CLOZES + BRIDGES:
            return self._bridge(draw, row, passage, said)
        return self._name(draw, row, passage, said)

    def _beside_others(self, draw: random.Random, row: int, passage: int, asked: Asked) -> ReadingExample | None:
        right = edge_candidate(self.corpus, row, passage)
        marks = marked(asked.answer, right, 0, cell=asked.column, passage=asked.column is None)
        others = self.corpus.edges_of(self.corpus.rows_of(self.corpus.table_of(row).id))
        wrong = []
        for _ in range(TRIES):
            other = draw.choice(others)
            candidate = edge_candidate(self.corpus, *other)
            if other[0] != row and not any(stands_in(asked.answer, piece.text) for piece in candidate.pieces):
                wrong.append(candidate)
            if len(wrong) == WRONG:
                break
        if not marks or len(wrong) < WRONG:
            return None
        if draw.random() < UNANSWERED:
            return ReadingExample(asked.need, tuple(wrong), (), "none", tuple(range(len(wrong))), ROOM)
        return ReadingExample(asked.need, (right, *wrong), tuple(marks), room=ROOM)

    def _cell(self, draw: random.Random, row: int, passage: int) -> Asked | None:
        header, cells, name = self.row(row, passage)
        columns = columns_told(header, cells, name, 60)
        if not columns:
            return None
        column = draw.choice(columns)
        who = cells[name] if draw.random() < 0.6 else self._described(draw, row, name, column)
        asked, what = header[column].lower(), self._question_word(draw, cells[column])
        form = draw.choice((
            f"{what} is the {asked} of {who}", f"{what} {asked} does {who} have", f"{who} {asked}",
            f"{what} was the {asked} for {who}", f"{asked} of {who}", f"{what} {asked} is {who}",
        ))  # fmt: skip
        return Asked(form + self._somewhere(draw, row), cells[column], column)

    def _cloze(self, draw: random.Random, row: int, passage: int, sentence: str) -> Asked | None:
        found = self._answers(sentence, self.corpus.passages.titles[passage])
        if not found:
            return None
        start, end = draw.choice(found)
        _, _, name = self.row(row, passage)
        answer, behind = sentence[start:end], sentence[end:].split()
        what, taken = self._asking_for(draw, sentence, start, end)
        near = [*sentence[:start].split()[-draw.choice((5, 9, 16)) :], *behind[taken:][: draw.choice((3, 8, 12))]]
        clue = _thinned(draw, self._without_subject(" ".join(near), passage))
        who = self._described(draw, row, None, None)
        if stands_in(answer, who):
            who = f"the {self.row(row, passage)[0][name].lower()}"
        form = draw.choice(
            (f"{what} {clue} {who}", f"{what} {who} {clue}", f"{who} {clue} {what}", f"{clue} {who} {what}")
        )
        return Asked(form, answer, None) if len(form.split()) < 45 else None

    def _bridge(self, draw: random.Random, row: int, passage: int, said: str) -> Asked | None:
        header, cells, name = self.row(row, passage)
        columns = columns_told(header, cells, name, 60)
        if not columns:
            return None
        column = draw.choice(columns)
        what, asked = self._question_word(draw, cells[column]), header[column].lower()
        kind = draw.choice((header[name].lower() or "one", self._noun(passage) or "one"))
        form = draw.choice((f"{what} is the {asked} of the {kind} {said}", f"{what} {asked} the {kind} {said}"))
        return Asked(form + self._somewhere(draw, row), cells[column], column)

    def _name(self, draw: random.Random, row: int, passage: int, said: str) -> Asked | None:
        header, cells, name = self.row(row, passage)
        others = columns_told(header, cells, name, 40)
        if not 0 < len(cells[name]) < 60:
            return None
        kind = draw.choice((header[name].lower() or "one", self._noun(passage) or "one"))
        with_ = draw.choice(others) if others and draw.random() < 0.7 else None
        cell = "" if with_ is None else f" with {header[with_].lower()} {cells[with_]}"
        what = draw.choice(("which", "what", "name the", "what is the"))
        return Asked(f"{what} {kind}{cell} {said}" + self._somewhere(draw, row), cells[name], name)

    def _described(self, draw: random.Random, row: int, name: int | None, asked: int | None) -> str:
        """Say which row is meant by some of its cells, without the one that is asked for."""
        header, cells = self.corpus.table_of(row).header, self.corpus.cells(row)
        usable = columns_told(header, cells, asked, 50)
        if not usable:
            return self.corpus.table_of(row).title
        head = usable[0] if name is None or name not in usable else name
        parts = [f"the {header[head].lower()}" + (f" {cells[head]}" if draw.random() < 0.35 else "")]
        for at in draw.sample(usable, min(len(usable), draw.choice((1, 1, 2)))):
            parts.append(
                draw.choice(
                    (
                        f"with {header[at].lower()} {cells[at]}",
                        f"of {cells[at]}",
                        f"whose {header[at].lower()} is {cells[at]}",
                    )
                )
            )
        return " ".join(parts) + self._somewhere(draw, row)

    def _somewhere(self, draw: random.Random, row: int) -> str:
        table = self.corpus.table_of(row)
        named = draw.choice((table.title, table.title, f"{table.title} {table.section_title}".strip()))
        return f" {draw.choice(('in', 'of', 'from', 'at the'))} {named}" if draw.random() < 0.5 else ""

    def _clue(self, draw: random.Random, passage: int) -> tuple[str, str]:
        """Return a sentence of the passage, and a part of it that does not name its subject."""
        found = [each for each in sentences(self.corpus.passages.texts[passage])[:4] if len(each.split()) > 5]
        if not found:
            return "", ""
        sentence = draw.choice(found)
        words = self._without_subject(sentence, passage).split()
        start = draw.randrange(max(1, len(words) - 8))
        return sentence, _thinned(draw, " ".join(words[start : start + draw.choice((6, 9, 13))]))

    def _answers(self, sentence: str, title: str) -> list[tuple[int, int]]:
        """Return the dates, numbers and names of a sentence that are not of its page's title."""
        own = set(title.lower().split())
        return spans(sentence, lambda name: name.start() == 0 or bool(own & set(name.group().lower().split())))

    def _asking_for(self, draw: random.Random, sentence: str, start: int, end: int) -> tuple[str, int]:
        """Return question words for an answer, and how many of the words behind it they take up."""
        answer, before = sentence[start:end], sentence[:start].split()[-1:]
        behind = sentence[end:].split()
        if DATE.fullmatch(answer):
            return draw.choice(("when", "what year", "in what year", "what date")), 0
        if NUMBER.fullmatch(answer):
            taken = 1 if behind and behind[0].isalpha() else 0
            return f"how many {' '.join(behind[:taken])}".strip(), taken
        if before and before[0] in ("in", "at", "near", "from"):
            return draw.choice(("where", "what place", "which", "where")), 0
        return self._question_word(draw, answer), 0

    def _question_word(self, draw: random.Random, answer: str) -> str:
        if DATE.fullmatch(answer.strip()):
            return draw.choice(("when", "what", "which"))
        page = self._pages.get(answer)
        if page is not None and _BORN.search(self.corpus.passages.texts[page][:160]):
            return draw.choice(("who", "who", "which person"))
        noun = "" if page is None else self._noun(page)
        return (
            draw.choice((f"which {noun}", f"what {noun}", "what"))
            if noun
            else draw.choice(("what", "what", "which", "who"))
        )

    def _noun(self, passage: int) -> str:
        """Return what a page's first words say that its subject is: "footballer", "city"; empty where they do not."""
        match = _IS_A.search(self.corpus.passages.texts[passage][:300])
        words = _BEHIND_THE_NOUN.split(match.group(1))[0].split() if match else []
        return words[-1].lower() if words and words[-1].isalpha() else ""

    def _without_subject(self, text: str, passage: int) -> str:
        title = BRACKETS.sub("", self.corpus.passages.titles[passage])
        return " ".join(BRACKETS.sub("", text.replace(title, " ")).split())

    @cached_property
    def _pages(self) -> dict[str, int]:
        return {BRACKETS.sub("", title): at for at, title in enumerate(self.corpus.passages.titles) if len(title) > 3}


def _thinned(draw: random.Random, text: str) -> str:
    """Drop a share of the words."""
    share = draw.choice((0.0, 0.15, 0.3, 0.4))
    return " ".join(word for word in text.split() if draw.random() >= share) or text


@lru_cache(5000)
def sentences(text: str) -> tuple[str, ...]:
    return tuple(_SENTENCE.split(text[:900]))
