"""Claims made from the corpus alone: what a checker learns first.

    supported      a sentence of a passage, or a row told as one, or both joined
    contradicted   the same with a date, number or name exchanged for another of the passage or table, with two names
                   that change places, with a word turned into its opposite, or with a negation put in
    partial        the same beside a passage that lacks one of its values, joined with a sentence of another page, or
                   made the only or the first of its kind
    unrelated      the same beside the passage without that sentence, or beside another row and its passage

Wordings vary in all four alike, since what is wanted is the matching of values and not of words.

After Kryscinski et al. 2020 (claims made by changing sentences of their source).
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from eval.ott.corpus import NO_PASSAGE
from eval.ott.nodes import edge_candidate
from eval.ott.training.claim_wordings import exchanged_places, negated, opposed, overclaimed, reworded
from eval.ott.training.marks import stands_in
from eval.ott.training.pretraining import BRACKETS, DATE, NAME, NUMBER, Pretraining, columns_told, sentences, spans
from indexers.models.checker import Relation
from indexers.models.reader import Candidate, passage_piece
from indexers.models.training.checking import CheckingExample

ROOM = 144
"""Tokens of a window: short ones are twice as many."""
SHARES: dict[Relation, float] = {"supported": 0.32, "contradicted": 0.36, "partial": 0.18, "unrelated": 0.14}
ROWS, JOINED = 0.25, 0.2
"""Shares of claims that tell a row, and that tell a row and a sentence; the others tell a sentence."""
ALONE = 0.35
"""How often a claim of a row, or of a sentence, is shown the row, or the passage, alone."""
BARE = 0.15
"""How often a passage lacks a value that the claim does not say: what is left out must not tell the relation."""
FURTHER = 6
"""Edges of the same table whose values a claim's may be exchanged for."""

_ENDS = ("", ".", ";", ":", '"', "(")


@dataclass(frozen=True, slots=True)
class Told:
    """A claim that is true of a row and its passage, with what it was made of; `sentence` is empty for a row alone.

    `values` are the texts in it that may be exchanged.
    """

    text: str
    row: int
    passage: int
    sentence: str
    of_row: bool
    values: tuple[str, ...]


class ClaimPretraining(Pretraining[CheckingExample]):
    """Claims for a checker, of each relation a share."""

    made, salt = "claims", "claims "

    def example(self, draw: random.Random, row: int, passage: int) -> CheckingExample | None:
        """Make a claim of one relation, in other words than the corpus has."""
        told = self._told(draw, row, passage)
        relation = draw.choices(list(SHARES), list(SHARES.values()))[0]
        example = told and self._example(draw, told, relation)
        return replace(example, text=reworded(draw, example.text), room=ROOM) if example else None

    def _told(self, draw: random.Random, row: int, passage: int) -> Told | None:
        share = draw.random()
        of_row, cells = self._row_told(draw, row, passage) if share < ROWS + JOINED else ("", ())
        if share < ROWS:
            return Told(of_row, row, passage, "", True, cells) if of_row else None
        usable = [each for each in sentences(self.corpus.passages.texts[passage])[:5] if 5 < len(each.split()) < 40]
        if not usable:
            return None
        sentence = draw.choice(usable)
        title = BRACKETS.sub("", self.corpus.passages.titles[passage])
        said = _standing_alone(sentence, title)
        values = tuple(each for each in _values(said) if each not in title and title not in each)
        if of_row:
            joined = draw.choice((f"{of_row}, and {said}", f"{said} ; {of_row}", f"{of_row} . {said}"))
            return Told(joined, row, passage, sentence, True, values + cells)
        return Told(said, row, passage, sentence, False, values)

    def _row_told(self, draw: random.Random, row: int, passage: int) -> tuple[str, tuple[str, ...]]:
        header, cells, name = self.row(row, passage)
        columns = columns_told(header, cells, name, 50)
        if not columns or not 0 < len(cells[name]) < 60:
            return "", ()
        used = draw.sample(columns, min(len(columns), draw.choice((1, 1, 2))))
        forms = (
            "the {header} of {name} is {cell}", "{name} has {cell} as its {header}", "{name} : {header} {cell}",
            "{cell} is the {header} of {name}", "with {name} the {header} was {cell}",
        )  # fmt: skip
        said = [draw.choice(forms).format(header=header[at].lower(), name=cells[name], cell=cells[at]) for at in used]
        where = f" in {self.corpus.table_of(row).title}" if draw.random() < 0.3 else ""
        return " and ".join(said) + where, tuple(cells[at] for at in used)

    def _example(self, draw: random.Random, told: Told, relation: Relation) -> CheckingExample | None:
        make: dict[Relation, Callable[[random.Random, Told], CheckingExample | None]] = {
            "supported": self._supported,
            "contradicted": self._contradicted,
            "partial": self._partial,
            "unrelated": self._unrelated,
        }
        return make[relation](draw, told)

    def _supported(self, draw: random.Random, told: Told) -> CheckingExample:
        return CheckingExample(told.text, self._shown(draw, told, self._bared(draw, told)), ("supported",))

    def _contradicted(self, draw: random.Random, told: Told) -> CheckingExample | None:
        share, changed = draw.random(), ""
        if share < 0.12:
            changed = exchanged_places(draw, told.text, told.values)
        elif share < 0.3:
            changed = opposed(draw, told.text)
        elif share < 0.35:
            changed = negated(draw, told.text)
        changed = changed or self._exchanged(draw, told)
        if not changed:
            return None
        return CheckingExample(changed, self._shown(draw, told, self._bared(draw, told)), ("contradicted",))

    def _exchanged(self, draw: random.Random, told: Told) -> str:
        """Put another value of the same shape for one of the claim's; empty where there is none."""
        if not told.values:
            return ""
        value = draw.choice(told.values)
        column = self._column(told.row, value)
        others = self._near(draw, told) if column is None else self._of_column(told.row, column)
        shape = _shape(value)
        fitting = [each for each in others if _shape(each) == shape and not stands_in(each, told.text)]
        if column is None and len(fitting) > 1 and draw.random() < 0.6:
            own = [each for each in fitting if stands_in(each, self._said(told))]  # the other value stands there too
            fitting = own or fitting
        if shape is NUMBER and (not fitting or draw.random() < 0.3) and value.isdecimal() and len(value) < 6:
            fitting = [str(max(1, int(value) + draw.choice((-3, -2, -1, 1, 2, 3, 10))))]
        fitting = [each for each in fitting if each.lower() not in value.lower() and value.lower() not in each.lower()]
        return told.text.replace(value, draw.choice(fitting), 1) if fitting else ""

    def _partial(self, draw: random.Random, told: Told) -> CheckingExample | None:
        share = draw.random()
        if share < 0.2 and (more := overclaimed(draw, told.text)):
            return CheckingExample(more, self._shown(draw, told, self._bared(draw, told)), ("partial",))
        if share < 0.5:
            other = self._other(draw, told)
            said = other and self._told(draw, *other)
            if not said or said.of_row:
                return None
            own = _as_subject(draw, said.text, self.corpus.passages.titles[said.passage])
            joined = draw.choice((f"{told.text}, and {own}", f"{told.text} . {own}", f"{own} ; {told.text}"))
            return CheckingExample(joined, self._shown(draw, told, self._text(told)), ("partial",))
        if not told.sentence or told.of_row or len(told.values) < 2:
            return None
        text = _without(self._text(told), draw.choice(told.values))
        return CheckingExample(told.text, self._shown(draw, told, text), ("partial",)) if text else None

    def _unrelated(self, draw: random.Random, told: Told) -> CheckingExample | None:
        if told.sentence and not told.of_row and draw.random() < 0.6:
            text = self._text(told).replace(told.sentence, " ")
            if len(text.split()) < 12:
                return None
            return CheckingExample(told.text, self._shown(draw, told, text), ("unrelated",))
        other = self._other(draw, told)
        if other is None or stands_in(self.corpus.passages.titles[told.passage], self.corpus.row_text(other[0])):
            return None
        return CheckingExample(told.text, edge_candidate(self.corpus, *other), ("unrelated",))

    def _shown(self, draw: random.Random, told: Told, text: str) -> Candidate:
        """Return the evidence with another text of its passage."""
        title = self.corpus.passages.titles[told.passage]
        passage, whole = passage_piece(title, text), edge_candidate(self.corpus, told.row, told.passage)
        if not told.sentence and draw.random() < ALONE:
            return Candidate(whole.first)
        if not told.of_row and draw.random() < ALONE:
            return Candidate(passage)
        return Candidate(whole.first, passage)

    def _bared(self, draw: random.Random, told: Told) -> str:
        """Return the passage, now and then without a value that the claim does not say."""
        text = self._text(told)
        if draw.random() >= BARE:
            return text
        values = [each for each in _values(text[:600]) if not stands_in(each, told.text)]
        return _without(text, draw.choice(values)) or text if values else text

    def _near(self, draw: random.Random, told: Told) -> list[str]:
        """Return values of the claim's own evidence, and of some passages of the same table."""
        edges = self.corpus.edges_of(self.corpus.rows_of(self.corpus.table_of(told.row).id))
        some = draw.sample(edges, min(len(edges), FURTHER))
        texts = [self.corpus.passages.texts[passage][:600] for _, passage in some if passage != NO_PASSAGE]
        title = self.corpus.passages.titles[told.passage]
        own = [*_values(self._text(told)), *self.corpus.cells(told.row)]
        values = [*own, *own, *(value for text in texts for value in _values(text))]
        return [each for each in values if 0 < len(each) < 50 and each not in title]

    def _of_column(self, row: int, column: int) -> list[str]:
        rows = self.corpus.rows_of(self.corpus.table_of(row).id)
        near = range(max(rows.start, row - 10), min(rows.stop, row + 11))
        return [cell for other in near if 0 < len(cell := self.corpus.cells(other)[column]) < 50]

    def _column(self, row: int, value: str) -> int | None:
        cells = self.corpus.cells(row)
        return cells.index(value) if value in cells else None

    def _other(self, draw: random.Random, told: Told) -> tuple[int, int] | None:
        """Return an edge of another row of the same table, whose passage is another one."""
        edges = self.corpus.edges_of(self.corpus.rows_of(self.corpus.table_of(told.row).id))
        row, passage = draw.choice(edges)
        return (row, passage) if row != told.row and passage not in (told.passage, NO_PASSAGE) else None

    def _text(self, told: Told) -> str:
        return self.corpus.passages.texts[told.passage]

    def _said(self, told: Told) -> str:
        return f"{self._text(told)} {' '.join(self.corpus.cells(told.row))}"


def _values(text: str) -> tuple[str, ...]:
    """Return the dates, numbers and names of a text that do not overlap."""
    found = spans(text, lambda name: text[: name.start()].rstrip()[-1:] in _ENDS)  # any word has a capital there
    return tuple(dict.fromkeys(text[start:end].strip() for start, end in sorted(found)))


def _shape(value: str) -> re.Pattern[str] | None:
    """Return what a value looks like."""
    return next((shape for shape in (DATE, NUMBER, NAME) if shape.fullmatch(value)), None)


def _standing_alone(sentence: str, title: str) -> str:
    """Name the subject where a sentence begins with a pronoun."""
    return re.sub(
        r"^(?:He|She|It|They|The \w+)(?= (?:is|was|has|had|were|are|also|\w+ed)\b)", lambda _: title, sentence
    )


def _as_subject(draw: random.Random, text: str, title: str) -> str:
    """Say a sentence of another page as if it were of the subject at hand, half of the time."""
    return text.replace(BRACKETS.sub("", title), "it", 1) if draw.random() < 0.5 else text


def _without(text: str, value: str) -> str:
    """Take a value out of a text, with the preposition before it; empty where the text does not have it."""
    bare = re.sub(rf"(?: (?:in|on|at|by|of|from|for|to|with|and))? ?(?<!\w){re.escape(value)}(?!\w)", "", text)
    return "" if bare == text or stands_in(value, bare) else bare
