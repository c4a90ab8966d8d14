"""Questions over small tables that were composed for a parser, each with the plan that answers it.

A line of tables holds a title, a sentence, a header and rows; a line of questions names its table and says what is
asked, of which column, by which one, and under which conditions. What is learned from are the slots that these are
(indexers/models/semantic_parser.py).
"""

import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from eval.lines import read_placed_lines
from eval.ott.corpus import OttCorpus, OttTable
from eval.ott.graph import OttGraph
from eval.ott.training.composed import is_held_out
from eval.ott.training.marks import marked, stands_in
from eval.ott.training.reader_lists import LACKING, ROOM, WRONG
from heliograph.errors import UsageError
from heliograph.text.dates import MONTHS
from heliograph.text.words import content_stems
from heliograph.types import (
    CONDITION_OPERATORS,
    RANKING,
    Cell,
    ConditionOperator,
    EvidenceId,
    PageKey,
    Place,
    TableEvidence,
    TableOperation,
)
from indexers.models.evidence_reader import piece_of_row
from indexers.models.reader import Candidate
from indexers.models.training.parsing import ParsingExample
from indexers.models.training.reading import ReadingExample
from indexers.parser import segments
from tools.arithmetic.columns import Column
from tools.arithmetic.plans import CandidateCondition, Mention, Where, by_mention, candidate_conditions, table_question
from tools.arithmetic.resolution import bound_of
from tools.arithmetic.sheet import Sheet, sheet_of

NAMES: frozenset[TableOperation] = RANKING | {"find"}
"""What is asked that tells the names of rows where no column is said."""


HELD_OUT = 12
"""One table in twelve is for development."""
LOOKED_UP, NOT_SAID = 3000, 1000
"""Questions that an epoch of a reader draws: of one cell, and of what no cell says."""

PlannedCondition = tuple[str, ConditionOperator, str]
"""The name of a column, how its cell has to stand to a value, and that."""


class PlannedTable(BaseModel):
    """A table of the file; `beside` is the id of another one that stands on the same page and answers other things."""

    model_config = ConfigDict(strict=True, extra="forbid")

    id: str
    title: str
    beside: str = ""
    text: str = ""
    header: tuple[str, ...] = Field(strict=False)
    rows: tuple[tuple[str, ...], ...] = Field(strict=False)


class PlannedQuestion(BaseModel):
    """A question of the file with its plan; `answer` is what the plan gives, parts joined by " + "."""

    model_config = ConfigDict(strict=True, extra="forbid")

    table: str
    question: str = Field(min_length=3, max_length=400)
    do: TableOperation
    of: str = ""
    by: str = ""
    where: tuple[PlannedCondition, ...] = Field(default=(), strict=False)
    place: int = Field(default=1, ge=1, le=5)
    answer: str = ""


def evidence_of(planned: PlannedTable) -> TableEvidence:
    """Return a table as retrieval gives it."""
    key = PageKey(f"planned:{planned.beside or planned.id}@1")
    rows = tuple(tuple(Cell(text) for text in row) for row in planned.rows)
    place = Place(key, planned.title, "s1", ())
    number = 2 if planned.beside else 1
    return TableEvidence(EvidenceId(f"{key}#s1/t{number}"), place, "table", planned.text, planned.header, rows)


def read_planned(tables: Path, questions: Path) -> tuple[tuple[TableEvidence, PlannedQuestion], ...]:
    """Read questions with their tables, in the order of the file.

    Raises:
        UsageError: a file cannot be read, or a line names a table or a column that there is not, or a table beside
            which another stands already.
    """
    known, alone = dict[str, TableEvidence](), set[str]()
    for place, planned in read_placed_lines(tables, PlannedTable):
        if any(len(row) != len(planned.header) for row in planned.rows):
            raise UsageError(f"{place}: a row has not as many cells as the header; mend the line, or take it out")
        if planned.beside and planned.beside not in alone:
            raise UsageError(f"{place}: no earlier table {planned.beside} stands alone on its page; mend `beside`")
        if planned.beside:
            alone.remove(planned.beside)
        else:
            alone.add(planned.id)
        known[planned.id] = evidence_of(planned)
    return _asked(questions, known.get)


def read_planned_of_corpus(
    questions: Path, corpus: OttCorpus, kept_out: Collection[str] = ()
) -> tuple[tuple[TableEvidence, PlannedQuestion], ...]:
    """Read questions over tables of the corpus, which they name by its ids, in the order of the file.

    Raises:
        UsageError: the file cannot be read, or a line names a table or a column that there is not, or a table that is
            `kept_out`.
    """
    graph = OttGraph(corpus)

    @cache
    def table(name: str) -> TableEvidence | None:
        rows = () if name in kept_out else corpus.rows_of(name)
        return graph.whole(corpus.table_of(rows[0])) if rows else None

    return _asked(questions, table)


def siblings_of(
    tables: Iterable[TableEvidence], corpus: OttCorpus, kept_out: Collection[str] = ()
) -> Mapping[EvidenceId, tuple[TableEvidence, ...]]:
    """Return the other tables of the corpus that stand on the page of each, but for those `kept_out`."""
    graph, by_title = OttGraph(corpus), defaultdict[str, list[OttTable]](list)
    for each in corpus.tables:
        if each.id not in kept_out and each.rows:
            by_title[each.title].append(each)
    pages = {table.id: [graph.whole(each) for each in by_title[table.place.title]] for table in tables}
    return {id: others for id, page in pages.items() if (others := tuple(each for each in page if each.id != id))}


def _asked(
    questions: Path, table_of: Callable[[str], TableEvidence | None]
) -> tuple[tuple[TableEvidence, PlannedQuestion], ...]:
    found = []
    for place, line in read_placed_lines(questions, PlannedQuestion):
        table = table_of(line.table)
        named = {line.of, line.by, *(column for column, _, _ in line.where)} - {""}
        if table is None or not named <= set(table.header):
            raise UsageError(f"{place}: no such table, or no such column of it; mend the line, or take it out")
        found.append((table, line))
    return tuple(found)


def is_development(table: TableEvidence) -> bool:
    """Whether a table is held out, by the sha256 of its title."""
    return is_held_out(table.place.title, HELD_OUT)


class RowLists:
    """What a reader learns of rows: examples of questions that one cell answers, and of some that none does.

    Beside its own row a question is shown `wrong` others of the table that do not say the answer, those first that say
    most of its words, and half of the time its own row without the column that is asked for. Every epoch draws others.
    """

    def __init__(self, planned: Sequence[tuple[TableEvidence, PlannedQuestion]], wrong: int = WRONG) -> None:
        self._wrong = wrong
        self._looked_up = [
            (table, line, row) for table, line in planned if (row := looked_up_row(table, line)) is not None
        ]
        self._not_said = [(table, line) for table, line in planned if line.do == "none"]

    def __len__(self) -> int:
        return min(LOOKED_UP, len(self._looked_up)) + min(NOT_SAID, len(self._not_said))

    @cached_property
    def digest(self) -> str:
        """Tell these lists from others."""
        said = (self._wrong, LOOKED_UP, NOT_SAID, *self._looked_up, *self._not_said)
        return hashlib.sha256("\0".join(map(str, said)).encode()).hexdigest()

    def epoch(self, number: int, seed: int) -> list[ReadingExample]:
        """Return the examples of one epoch in their order."""
        chance = random.Random(f"{seed}/{number}")
        looked_up = chance.sample(self._looked_up, min(LOOKED_UP, len(self._looked_up)))
        not_said = chance.sample(self._not_said, min(NOT_SAID, len(self._not_said)))
        found = [self._cell(*each, chance) for each in looked_up] + [self._none(*each) for each in not_said]
        chance.shuffle(found)
        return found

    def _cell(self, table: TableEvidence, line: PlannedQuestion, row: int, chance: random.Random) -> ReadingExample:
        asked, columns = table.header.index(line.of), list(range(len(table.header)))
        if chance.random() < SHUFFLED:
            chance.shuffle(columns)
        shown = of_columns(_titled(table, chance), columns)
        rows, place = _rows(shown), columns.index(asked)
        others = [rows[other] for other in _saying_most(table, line.question) if other != row]
        wrong = [each for each in others if not stands_in(line.answer, each.first.text)][: self._wrong]
        lacking = _rows(of_columns(shown, [other for other in range(len(columns)) if other != place]))[row]
        if chance.random() < LACKING and not stands_in(line.answer, lacking.first.text):
            wrong.append(lacking)
        marks = marked(line.answer, rows[row], 0, cell=place)
        return ReadingExample(line.question, (rows[row], *wrong), tuple(marks), room=ROOM)

    def _none(self, table: TableEvidence, line: PlannedQuestion) -> ReadingExample:
        rows = _rows(table)
        shown = tuple(rows[row] for row in _saying_most(table, line.question)[: 1 + self._wrong])
        return ReadingExample(line.question, shown, (), "none", tuple(range(len(shown))), ROOM)


def looked_up_row(table: TableEvidence, line: PlannedQuestion) -> int | None:
    """Return the row whose cell answers a question that nothing but names of rows lead to; None where it is not one."""
    if line.do != "find" or not line.of or any(relation != "is" for _, relation, _ in line.where):
        return None
    where = [(table.header.index(column), value.casefold()) for column, _, value in line.where]
    rows = [n for n, row in enumerate(table.rows) if all(row[at].text.casefold() == value for at, value in where)]
    asked = table.header.index(line.of)
    alone = len(rows) == 1 and table.rows[rows[0]][asked].text.casefold() == line.answer.casefold()
    return rows[0] if alone and stands_in(line.answer, line.answer) else None


def _rows(table: TableEvidence) -> list[Candidate]:
    """Return the rows of a table as a reader sees them."""
    return [Candidate(piece_of_row(row)) for row in segments(table)]


def _saying_most(table: TableEvidence, question: str) -> list[int]:
    """Return the rows of a table, those first that say most of the words of a question."""
    asked = set(content_stems(question))
    said = [len(asked.intersection(content_stems(" ".join(cell.text for cell in row)))) for row in table.rows]
    return sorted(range(len(said)), key=lambda row: -said[row])


@dataclass(frozen=True)
class ParserLists:
    """What a parser learns from: each epoch a `share` of the questions over composed tables and all over real ones.

    A table is seen a little differently each time.

    Columns that the plan does not need may be gone, and stand in another order; a share SWAPPED of the values that a
    question says is changed for others of their columns, and of its limits for others like them. Beside it a share
    LOST of the questions has lost a column that it needs, and a share STRANGE is asked of another table, one of
    those that say most of its words as a search would find: nothing is asked of these. Nor is of another table of its
    page (BESIDE, of a corpus SIBLING), and of a table where it names what a question over a text is about (PLANTED).
    """

    planned: Sequence[tuple[TableEvidence, PlannedQuestion]]
    strange: Sequence[tuple[str, TableEvidence]] = ()
    """Questions with tables that do not answer them."""
    of_texts: Sequence[tuple[str, str]] = ()
    """Questions that texts answer, with the name in it of what they are about; empty where they say none."""
    real: Sequence[tuple[TableEvidence, PlannedQuestion]] = ()
    """Those over tables of a corpus."""
    siblings: Mapping[EvidenceId, Sequence[TableEvidence]] = field(default_factory=dict)
    """The other tables of their pages."""
    share: float = 1.0

    @cached_property
    def digest(self) -> str:
        """Tell these lists from others."""
        planned = "\n".join(f"{line.model_dump_json()}\0{table}" for table, line in (*self.planned, *self.real))
        strange = "\n".join(f"{question}\0{table.id}" for question, table in self.strange)
        of_texts = "\n".join(map("\0".join, self.of_texts))
        beside = "\n".join(f"{id}\0{other.id}" for id, others in self.siblings.items() for other in others)
        return hashlib.sha256(f"{planned}\0{strange}\0{of_texts}\0{self.share}\0{beside}".encode()).hexdigest()

    def epoch(self, number: int, seed: int) -> list[ParsingExample]:
        """Return the examples of one epoch in their order."""
        chance = random.Random(f"{seed}/{number}")
        asked = (*chance.sample(list(self.planned), round(self.share * len(self.planned))), *self.real)
        found = [each for table, line in asked for each in self._seen(table, line, chance)]
        drawn = chance.sample(list(self.strange), min(len(self.strange), int(len(asked) * STRANGERS)))
        found += [nothing for question, table in drawn if (nothing := _nothing(question, table))]
        texts = chance.sample(list(self.of_texts), min(len(self.of_texts), int(len(asked) * PLANTED)))
        found += [nothing for question, name in texts if (nothing := self._planted(question, name, chance))]
        chance.shuffle(found)
        return found

    def _planted(self, question: str, name: str, chance: random.Random) -> ParsingExample | None:
        """Ask a question of a table that says its words, one row of which has the name that it asks about."""
        saying = self._saying(question)
        return _nothing(question, named(chance.choice(saying), name, chance)) if saying else None

    def _seen(self, table: TableEvidence, line: PlannedQuestion, chance: random.Random) -> Iterator[ParsingExample]:
        needed = needed_columns(table, line)
        others = [index for index in range(len(table.header)) if index not in needed]
        kept = [*needed, *(index for index in others if chance.random() > DROPPED)]
        if chance.random() < SHUFFLED:
            chance.shuffle(kept)
        else:
            kept.sort()
        shown = _titled(of_columns(table, kept), chance)
        if example := example_of(shown, swapped(shown, line, chance)):
            yield example
        told = [index for index in needed if index != _label(table)]
        if line.do != "none" and told and len(table.header) > 2 and chance.random() < LOST:
            lost = chance.choice(told)
            rest = of_columns(table, [index for index in range(len(table.header)) if index != lost])
            if nothing := _nothing(line.question, rest):
                yield nothing
        beside = self._other(table, chance)
        if beside and (nothing := _nothing(line.question, beside)):
            yield nothing
        if chance.random() < STRANGE:
            saying = [other for other in self._saying(line.question) if other.place.title != table.place.title]
            if saying and (nothing := _nothing(line.question, chance.choice(saying))):
                yield nothing

    def _other(self, table: TableEvidence, chance: random.Random) -> TableEvidence | None:
        """Draw another table of a page; None where it has none, or none is drawn."""
        composed, real = self._beside.get(table.id, ()), self.siblings.get(table.id, ())
        drawn = chance.random() < (BESIDE if composed else SIBLING)
        return chance.choice(composed or real) if drawn and (composed or real) else None

    @cached_property
    def _beside(self) -> Mapping[EvidenceId, tuple[TableEvidence, ...]]:
        """Return the other table of a page, for the composed tables of pages that have two."""
        pages: dict[PageKey, dict[EvidenceId, TableEvidence]] = defaultdict(dict)
        for table, _ in self.planned:
            pages[table.place.page][table.id] = table
        pairs = (tuple(tables.values()) for tables in pages.values() if len(tables) == 2)
        return {one.id: (other,) for pair in pairs for one, other in (pair, pair[::-1])}

    @cached_property
    def _tables_by_stem(self) -> dict[str, list[TableEvidence]]:
        found: dict[str, list[TableEvidence]] = defaultdict(list)
        for table in {table.id: table for table, _ in (*self.planned, *self.real)}.values():
            texts = (
                table.place.title,
                table.caption,
                *table.header,
                *(cell.text for row in table.rows for cell in row),
            )
            for each in set(content_stems(" ".join(texts))):
                found[each].append(table)
        return found

    def _saying(self, question: str) -> list[TableEvidence]:
        """Return the ALIKE tables that say most of a question, rare words counting more."""
        shares, known = defaultdict[EvidenceId, float](float), dict[EvidenceId, TableEvidence]()
        for each in dict.fromkeys(content_stems(question)):
            for table in self._tables_by_stem.get(each, ()):
                shares[table.id] += 1 / len(self._tables_by_stem[each])
                known[table.id] = table
        return [known[id] for id in sorted(shares, key=lambda id: (-shares[id], id))[:ALIKE]]


DROPPED, SHUFFLED, SWAPPED, LOST, STRANGE, STRANGERS, PLANTED, UNTITLED = 0.15, 0.3, 0.5, 0.15, 0.15, 0.1, 0.12, 0.2
BESIDE, SIBLING = 0.7, 0.35
ALIKE = 8
SWAPPABLE = 2
"""Other cells that a column must have: `yes` and `no` mean something of the question."""
_NUMBER = re.compile(r"\d+")


def swapped(table: TableEvidence, line: PlannedQuestion, chance: random.Random) -> PlannedQuestion:
    """Return a question of the same plan about other values, as far as it says its own as the cells have them."""
    question, where = line.question, list(line.where)
    for place, (column, relation, value) in enumerate(where):
        other = _another(table, column, relation, value, chance)
        said = re.split(rf"(?i)(?<![\w.,:])({re.escape(value)})(?![\w:]|[.,]\d)", question)
        once = len(said) == 3 and sum(value == each for _, _, each in where) == 1
        if once and other and other.casefold() not in question.casefold() and chance.random() < SWAPPED:
            before, own, after = said
            question = f"{before}{other.casefold() if own.islower() else other}{after}"
            where[place] = (column, relation, other)
    return line.model_copy(update={"question": question, "where": tuple(where)})


def _another(table: TableEvidence, column: str, relation: ConditionOperator, value: str, chance: random.Random) -> str:
    """Return another cell of a column, or a limit of as many digits; empty where there is none."""
    index = table.header.index(column)
    if relation in ("is", "not"):
        cells = {row[index].text for row in table.rows} - {value}
        return chance.choice(sorted(cells)) if len(cells) >= SWAPPABLE else ""
    if relation != "has" and _NUMBER.fullmatch(value):
        low = 10 ** (len(value) - 1)
        around = range(int(value) - 20, int(value) + 21) if len(value) == 4 else range(low, 10 * low)
        return str(chance.choice(around))
    return ""


def named(table: TableEvidence, name: str, chance: random.Random) -> TableEvidence:
    """Return a table with one of its rows under another name; as it is where that is empty or it has no rows."""
    if not name or not table.rows:
        return table
    changed, label = chance.randrange(len(table.rows)), _label(table)
    row = tuple(replace(cell, text=name) if at == label else cell for at, cell in enumerate(table.rows[changed]))
    return replace(table, rows=(*table.rows[:changed], row, *table.rows[changed + 1 :]))


def _titled(table: TableEvidence, chance: random.Random) -> TableEvidence:
    return replace(table, caption="") if chance.random() < UNTITLED else table


def _label(table: TableEvidence) -> int:
    sheet = sheet_of(table)
    return sheet.label if sheet else 0


def needed_columns(table: TableEvidence, line: PlannedQuestion) -> list[int]:
    """Return the columns that a plan needs."""
    named = [line.of, line.by, *(column for column, _, _ in line.where)]
    needed = {table.header.index(name) for name in named if name}
    return sorted(needed | {_label(table)})


def of_columns(table: TableEvidence, columns: Sequence[int]) -> TableEvidence:
    """Return a table with some of its columns."""
    rows = tuple(tuple(row[index] for index in columns) for row in table.rows)
    return replace(table, header=tuple(table.header[index] for index in columns), rows=rows)


def example_of(table: TableEvidence, line: PlannedQuestion) -> ParsingExample | None:
    """Return the slots of a question; None where the table is none that is computed on.

    A condition that nothing in the question points at is among those that may be set all the same.
    """
    sheet = sheet_of(table)
    if sheet is None:
        return None
    possible = _possible(line, sheet)
    right = dict(conditions_of(line, sheet, possible))
    mentions = by_mention(dict.fromkeys((*possible, *right)))
    selected = table.header.index(line.of) if line.of else sheet.label if line.do in NAMES else None
    ordering = table.header.index(line.by) if line.by else None
    given, numbers = table_question(line.question, sheet, mentions), tuple(_right(each, right) for each in mentions)
    return ParsingExample(given, line.do, selected, ordering, line.place, numbers)


def _right(mention: Mention, right: Mapping[CandidateCondition, ConditionOperator]) -> int:
    """Return the number of what a mention sets, as in `Slots.mentions`; the first, where a plan sets several."""
    for place, each in enumerate(mention):
        if each in right:
            return 1 + place * len(CONDITION_OPERATORS) + CONDITION_OPERATORS.index(right[each])
    return 0


def conditions_of(line: PlannedQuestion, sheet: Sheet, possible: Sequence[CandidateCondition] | None = None) -> Where:
    """Return the conditions of a plan: those that its question may set, and others where nothing points at them."""
    if possible is None:
        possible = _possible(line, sheet)
    return tuple((_meant(each, possible, sheet) or _new(each, sheet), each[1]) for each in line.where)


def _possible(line: PlannedQuestion, sheet: Sheet) -> list[CandidateCondition]:
    return [each for mention in candidate_conditions(line.question, sheet) for each in mention]


def _meant(
    planned: PlannedCondition, possible: Sequence[CandidateCondition], sheet: Sheet
) -> CandidateCondition | None:
    """Return which of the possible conditions a planned one is, at best one with just its value."""
    name, relation, value = planned
    index = sheet.table.header.index(name)
    found = [
        each for each in possible if each.column == index and same(each.value, value, sheet.columns[index], relation)
    ]
    return min(found, key=lambda each: each.value.casefold() != value.casefold(), default=None)


def _new(planned: PlannedCondition, sheet: Sheet) -> CandidateCondition:
    return CandidateCondition(sheet.table.header.index(planned[0]), planned[2])


def same(found: str, wanted: str, column: Column, relation: ConditionOperator) -> bool:
    """Say whether a value that was found is the one that is meant."""
    one, two = (" ".join(text.split()).casefold() for text in (found, wanted))
    if one == two or (relation == "has" and (two in one or one in two)):
        return True
    if column.kind == "text":
        return False
    left, right = bound_of(_monthly(found), column), bound_of(_monthly(wanted), column)
    return left is not None and right is not None and (left.low, left.high) == (right.low, right.high)


def _monthly(text: str) -> str:
    """Write `2024-03` as a month that is read."""
    found = re.fullmatch(r"(\d{4})-(\d\d)", text)
    return f"{MONTHS[int(found[2]) - 1]} {found[1]}" if found and 1 <= int(found[2]) <= 12 else text


def _nothing(question: str, table: TableEvidence) -> ParsingExample | None:
    line = PlannedQuestion(table="", question=question, do="none")
    return example_of(table, line)
