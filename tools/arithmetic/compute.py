"""Answer a question by arithmetic over one table, or not at all.

Every reading of the question (`tools.arithmetic.question`) is tried on every table and scored by what the table
explains of it (`tools.arithmetic.fitting`). The most certain one answers, unless another that is nearly as certain
gives another value. UNPROVED lowers a count of all rows where nothing says that the table lists everything there is,
COMPLETE one where the question says all that the caption does, SHARED one of rows that hold what is asked for beside
something else (`ESA and Russia`); the share of rows whose value could be read lowers every result.
"""

from collections.abc import Sequence
from dataclasses import replace

from heliograph.text.words import content_stems, stems
from heliograph.types import Computation, Operation, TableEvidence
from tools.arithmetic.columns import Column, row_id
from tools.arithmetic.derivation import derive, entering
from tools.arithmetic.explanation import DASHES, Fit
from tools.arithmetic.fitting import fit
from tools.arithmetic.lexicon import alike
from tools.arithmetic.measuring import added_column
from tools.arithmetic.question import Reading, lead_of, read_question, split_questions
from tools.arithmetic.ranks import computed_rank
from tools.arithmetic.result import Computed, InDoubt
from tools.arithmetic.rewording import LONGEST_QUESTION
from tools.arithmetic.scope import lists_all
from tools.arithmetic.view import View, is_item, names_items, view_of
from tools.arithmetic.wording import tell_count, tell_total
from tools.arithmetic.yes_no import decide

UNPROVED, COMPLETE = 0.6, 0.8
SHARED = 0.6
NEAR = 0.9
"""Share of the best confidence from which another value is a rival."""
WHOLE = 0.9
"""Confidence from which a table explains all of a question, which then need not say what the table is about."""
LEAST = 0.25
"""Confidence below which nothing is returned."""
MOST_COMPARED = 1_000_000
"""Cells times phrases that one question may take: a few seconds."""
TYPED = 15
"""What reading one cell into its column takes, in phrases that it is held against."""
UNNAMED = 2.0
"""Doubt where a column is known by its unit only and the question calls what it holds by another word."""


def compute(question: str, tables: Sequence[TableEvidence]) -> Computed | None:
    """Compute the answer from the table that fits best; None where none fits or two that fit as well disagree."""
    found = weigh(question, tables)
    return found if isinstance(found, Computed) else None


def weigh(question: str, tables: Sequence[TableEvidence]) -> Computed | InDoubt | None:
    """Compute the answer from the table that fits best, or tell which results are in each other's way."""
    readings = read_question(question)
    known = tuple({table.id: table for table in tables}.values())
    read = _affordable(readings, known) if readings else ()
    views = [view for table in read if (view := view_of(table))]
    found = [answer for view in views for asked in readings for answer in _answers(asked, question, view)]
    found += decide(question, known)
    found = [answer for answer in found if answer.weight >= LEAST]
    found.sort(key=lambda answer: (-answer.weight, answer.continues, answer.computation.table))
    if not found:
        return None
    best = found[0]
    rivals = (other for other in found[1:] if other.weight >= NEAR * best.weight)
    disagreeing = tuple(other for other in rivals if _disagree(best, other))
    if disagreeing:
        return InDoubt((best, *disagreeing))
    return best if best.confidence >= WHOLE else replace(best, confidence=best.weight)


def left_out(question: str, tables: Sequence[TableEvidence]) -> tuple[str, ...]:
    """Say what `compute` leaves out of account: a question, or tables, that would take it too long."""
    first, _ = split_questions(question)
    if len(first) > LONGEST_QUESTION:
        return (f"nothing was computed: the question has more than {LONGEST_QUESTION:,} characters",)
    readings = read_question(question)
    read = {table.id for table in _affordable(readings, tables)}
    names = dict.fromkeys(table.id for table in tables if readings and table.id not in read)
    return tuple(f"{name} is too long to be computed on" for name in names)


def _affordable(readings: Sequence[Reading], tables: Sequence[TableEvidence]) -> tuple[TableEvidence, ...]:
    """Return the tables, each once, of which all cells can be held against all phrases in MOST_COMPARED steps.

    Steps are counted and no clock is asked, so that a replay leaves out the same tables.
    """
    phrases = TYPED + sum(len(asked.phrases) for asked in readings)
    left, read = MOST_COMPARED, []
    for table in {table.id: table for table in tables}.values():
        steps = phrases * len(table.rows) * len(table.header)
        if steps <= left:
            left -= steps
            read.append(table)
    return tuple(read)


def _disagree(best: Computed, other: Computed) -> bool:
    """Say whether two results cannot both be meant; an item and what is asked of it can."""
    if best.continues or other.continues:
        return best.names != other.names
    return best.computation.value != other.computation.value


def _answers(asked: Reading, question: str, view: View) -> list[Computed]:
    if asked.kind == "rank":
        return computed_rank(asked, question, view)
    found = fit(asked, view, question, asked.phrases)
    if found is None or found.factor == 0:
        return []
    answer = _count(asked, question, found) if asked.kind == "count" else _total(asked, found)
    return [answer] if answer else []


def _count(asked: Reading, question: str, found: Fit) -> Computed | None:
    """Count the rows left; all rows only where the question asks for what is listed."""
    view = found.view
    if not _counts_items(asked, found):
        return None
    column = view.columns[min(found.used, default=view.label)]
    derived = derive(view.table, column, found.rows, "count", 1, 1, True)
    everything = derive(view.table, column, view.rows, "count", 1, 1, True)
    if derived is None or everything is None:
        return None
    restricted = bool(found.used - {view.label} or found.picked)
    if not restricted and round(found.factor - found.confidence(set()), 6) > 0:
        return None
    certain = SHARED if found.shared else 1.0
    if (asked.idle and found.scope < 1) or (
        restricted and not (asked.listed or asked.stated) and _only_kind(asked, found)
    ):
        certain *= UNPROVED
    elif not restricted and not asked.listed:
        certain *= COMPLETE if lists_all(view, stems(question)) else UNPROVED
    named = view.named and view.serial != view.label
    names = tuple(dict.fromkeys(view.name(row) for row in found.rows)) if named else ()
    of = int(everything.figure) if restricted or len(found.rows) < len(view.rows) else 0
    sentence = tell_count(asked, view, int(derived.figure), names, of)
    computation = _recorded(asked, found, column, found.rows, derived.figure)
    winners = tuple(row_id(view.table, row) for row in found.rows) if restricted else ()
    return Computed(
        computation, sentence, names, winners, round(found.confidence(set()) * certain, 3), scope=found.scope
    )


def _counts_items(asked: Reading, found: Fit) -> bool:
    """Say whether what is to be counted are the rows: by name, or as events that the heading names."""
    view, nouns = found.view, content_stems(asked.asked)
    if nouns[:1] == ("time",):
        return not view.named and found.items
    held = [view.columns[index].kind for word in nouns if is_item(word, view) for index in _held(word, view)]
    if "number" in held or (held and view.repeating) or _counts_events(nouns, found):
        return False
    items = (word for word in nouns if is_item(word, view) and (not view.repeating or names_items(word, view)))
    return bool(found.cells & set(nouns)) or any(items)


def _counts_events(nouns: tuple[str, ...], found: Fit) -> bool:
    """Say whether the rows are events of which several concern one item, so that their number is not the items'."""
    view = found.view
    names = [view.cell(row, view.label) for row in found.rows]
    return not view.named and len(set(names)) < len(names) and not any(is_item(word, view) for word in nouns)


def _only_kind(asked: Reading, found: Fit) -> bool:
    """Say whether all that is left out are items of another kind than those counted: the craters among the features."""
    kinds = len(found.used) == 1 and not asked.comparisons and not found.excluded and not found.items
    return kinds and found.cells <= set(content_stems(asked.asked))


def _held(word: str, view: View) -> list[int]:
    return [index for index, header in enumerate(view.headers) if word in header and index != view.label]


def _total(asked: Reading, found: Fit) -> Computed | None:
    """Add up, or average, the one column that the words name best."""
    view = found.view
    column = added_column(asked, found) if found.items or found.titled else None
    if column is None:
        return None
    operation: Operation = "sum" if asked.kind == "sum" else "mean"
    rows = entering(view.table, column, found.rows)
    derived = derive(view.table, column, rows, operation, 1, 1, True)
    missing = len(set(found.rows) & set(column.missing))
    if derived is None or missing * 2 > len(found.rows) or _counted_instead(asked, found, column):
        return None
    if found.stuff and found.naming(column) <= 3:
        found.doubt(UNNAMED)
    partial = missing * 4 > len(found.rows) and len(rows) not in asked.stated and not _restricting(asked, found, column)
    certain = found.confidence({column.index}) * (1 - missing / len(found.rows) if partial else 1)
    sentence = tell_total(asked, view, column, derived.figure, len(rows), missing)
    return Computed(
        _recorded(asked, found, column, rows, derived.figure), sentence, (), (), round(certain, 3), scope=found.scope
    )


def _restricting(asked: Reading, found: Fit, column: Column) -> bool:
    """Say whether a sum is asked of those rows only that have what its column holds: a dash says that others do not."""
    absent = {found.view.cell(row, column.index) for row in set(found.rows) & set(column.missing)}
    return asked.kind == "sum" and found.naming(column) >= 3 and absent <= DASHES


def _counted_instead(asked: Reading, found: Fit, column: Column) -> bool:
    """Say whether `how many` asks for the rows and not for what a column holds: `on how many planets is the mean …`."""
    nouns = content_stems(lead_of(asked.clause)) if asked.wanted == "how many" and not found.dimensions else ()
    named = any(alike(word, other) for word in nouns for other in found.view.headers[column.index])
    return bool(nouns) and not named and any(names_items(word, found.view) for word in nouns)


def _recorded(asked: Reading, found: Fit, column: Column, rows: Sequence[int], value: str) -> Computation:
    table = found.view.table
    operation: Operation = "count" if asked.kind == "count" else "sum" if asked.kind == "sum" else "mean"
    return Computation(operation, table.id, column.name, tuple(row_id(table, row) for row in rows), value)
