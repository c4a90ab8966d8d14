"""Answer a question by a calculation over one table, or not at all.

Every reading of the question over every table (`tools.arithmetic.choosing`) has one score, by how much of the question
it explains. The best one answers, unless another scores nearly as well and says something else.
"""

from collections.abc import Sequence

from heliograph.errors import CalculationError
from heliograph.types import TableEvidence
from tools.arithmetic.aggregation import split_questions
from tools.arithmetic.calculations import calculate
from tools.arithmetic.choosing import Reader, Reading
from tools.arithmetic.grounds import NONE
from tools.arithmetic.likeness import Meanings, wordings
from tools.arithmetic.request import LONGEST_QUESTION, Request, read_request
from tools.arithmetic.result import Computed, InDoubt
from tools.arithmetic.sheet import sheet_of
from tools.arithmetic.telling import answer_of, tell

NEAR = 0.93
"""Share of the best score from which a reading that says something else is a rival."""
CERTAIN = 0.42
"""Score from which a reading stands by itself, and readings that disagree leave a question open; tuned on the demo's
sets and on the development half of the small tables."""
LEAST = 0.25
"""Score below which nothing is returned."""
MOST_COMPARED = 1_000_000
"""Cells times words that one question may take: a few seconds."""
TYPED = 15
"""What reading one cell into its column takes, in words that it is held against."""
MOST_READ = 8
"""Readings that are calculated, best first."""


def compute(question: str, tables: Sequence[TableEvidence]) -> Computed | None:
    """Compute the answer from the table that fits best; None where none fits or two that fit as well disagree."""
    found = weigh(question, tables)
    return found if isinstance(found, Computed) else None


def weigh(question: str, tables: Sequence[TableEvidence], meanings: Meanings = NONE) -> Computed | InDoubt | None:
    """Compute the answer that fits best, or tell which results are in each other's way.

    InDoubt without results: the cell that is asked for is empty.
    """
    request = read_request(question)
    if request is None:
        return None
    read = [reading for reading in readings_of(request, tables, meanings) if reading.score >= LEAST][:MOST_READ]
    certain = bool(read) and read[0].score >= CERTAIN and read[0].sure
    if read and read[0].open:
        return InDoubt(()) if certain else None
    found = [result for reading in read if not reading.open and (result := result_of(reading))]
    if not found:
        return InDoubt(()) if certain else None
    if found[0].confidence < NEAR * read[0].score:
        return InDoubt(()) if certain else None
    best = found[0]
    disagreeing = tuple(
        other for other in found[1:] if other.confidence >= NEAR * best.confidence and _disagree(best, other)
    )
    if disagreeing:
        return InDoubt((best, *disagreeing)) if certain else None
    return best


def readings_of(request: Request, tables: Sequence[TableEvidence], meanings: Meanings = NONE) -> list[Reading]:
    """Return every reading over every table that can be read in time, the best first."""
    sheets = [sheet for table in _affordable(request, tables) if (sheet := sheet_of(table))]
    found = [reading for sheet in sheets for reading in Reader(request, sheet, meanings).readings()]
    return sorted(found, key=lambda reading: (-reading.score, reading.calculation.table))


def words_of(question: str, tables: Sequence[TableEvidence]) -> tuple[str, ...]:
    """Return the texts whose vectors help `weigh` to tell what is said in other words."""
    request = read_request(question)
    if request is None:
        return ()
    return wordings(request, [sheet for table in _affordable(request, tables) if (sheet := sheet_of(table))])


def result_of(reading: Reading) -> Computed | None:
    """Calculate a reading; None where the cells allow no certain result."""
    try:
        found = calculate(reading.calculation, [reading.sheet.table])
    except CalculationError:
        return None
    if reading.calculation.operation == "filter" and not found.rows:
        return None
    numbers = {reading.sheet.id(row): row for row in reading.sheet.rows}
    rows, winners = (tuple(numbers[row] for row in ids if row in numbers) for ids in (found.rows, found.winners))
    told = winners or rows
    names = tuple(dict.fromkeys(reading.sheet.name(row) for row in told))
    answer = answer_of(reading, winners) if winners else found.value
    sentence = tell(reading, found, rows, winners)
    ids = tuple(reading.sheet.id(row) for row in told) if len(told) < len(reading.sheet.rows) else ()
    return Computed(found.computation, sentence, names, ids, reading.score, answer, reading.unexplained)


def left_out(question: str, tables: Sequence[TableEvidence]) -> tuple[str, ...]:
    """Say what `compute` leaves out of account: a question, or tables, that would take it too long."""
    first, _ = split_questions(question)
    if len(first) > LONGEST_QUESTION:
        return (f"nothing was computed: the question has more than {LONGEST_QUESTION:,} characters",)
    request = read_request(question)
    read = {table.id for table in _affordable(request, tables)} if request else set()
    names = dict.fromkeys(table.id for table in tables if request and table.id not in read)
    return tuple(f"{name} is too long to be computed on" for name in names)


def _affordable(request: Request, tables: Sequence[TableEvidence]) -> tuple[TableEvidence, ...]:
    """Return the tables, each once, of which all cells can be held against all words in MOST_COMPARED steps.

    Steps are counted and no clock is asked, so that a replay leaves out the same tables.
    """
    left, read = MOST_COMPARED, []
    for table in {table.id: table for table in tables}.values():
        steps = (TYPED + len(request.tokens)) * len(table.rows) * len(table.header)
        if steps <= left:
            left -= steps
            read.append(table)
    return tuple(read)


def _disagree(best: Computed, other: Computed) -> bool:
    """Say whether two results say different things."""
    counted = "count" in (best.computation.operation, other.computation.operation)
    return best.answer != other.answer or (counted and best.computation.rows != other.computation.rows)
