"""Calculations that a model names in its reply, carried out by code; their values stand where it put their names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from agent.citations.computations import describe
from agent.language.framing import Frame
from agent.writing.replies import (
    OPERATIONS,
    RELATIONS,
    WrittenAnswer,
    WrittenBlocks,
    WrittenCalculation,
    WrittenCalculations,
    WrittenCondition,
)
from heliograph.errors import CalculationError, ModelError
from heliograph.protocols import LLM
from heliograph.types import (
    Calculation,
    Computation,
    Condition,
    DraftClaim,
    Evidence,
    EvidenceId,
    Join,
    Operation,
    Prompt,
    Relation,
    TableEvidence,
    TableSegment,
)
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from tools.arithmetic.calculations import calculate

PLACEHOLDER = re.compile(r"\{\s*([A-Za-z]\w{0,23})\s*\}")
REASON_CHARACTERS = 400
_ALIKE = {
    "average": "mean", "avg": "mean", "total": "sum", "add": "sum", "maximum": "max", "largest": "max", "latest": "max",
    "minimum": "min", "smallest": "min", "earliest": "min", "subtract": "difference", "diff": "difference",
    "divide": "ratio", "percent": "percentage", "share": "percentage", "compare": "comparison", "number": "count",
    "=": "is", "==": "is", "equals": "is", "!=": "is_not", ">": "above", ">=": "at_least", "<": "below",
    "<=": "at_most",
}  # fmt: skip
"""Other names of operations and relations that models use."""
_OPERATION: TypeAdapter[Operation] = TypeAdapter(Operation)
_RELATION: TypeAdapter[Relation] = TypeAdapter(Relation)
_ROW_HANDLE = re.compile(r"\W*E\s*\d", re.IGNORECASE)
_KNOWN = 12
"""Names that a reason lists."""


@dataclass(frozen=True, slots=True)
class Value:
    """A calculated value as it is written, the record that its claim cites, and in words what was calculated."""

    text: str
    unit: str
    computation: Computation
    description: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A calculation that could not be carried out, and why."""

    written: WrittenCalculation
    reason: str


Outcome = Value | Failed
Outcomes = Mapping[str, Outcome]
"""What became of the calculations of one reply, by their names."""


def carried_out(reply: WrittenAnswer | WrittenBlocks, frame: Frame) -> Outcomes:
    """Carry out the calculations of one reply over the whole tables of which rows are shown.

    One that fails and that no sentence tells is left out: nothing is lost with it, and mending it costs a call.
    """
    told = set(PLACEHOLDER.findall(reply.model_dump_json(exclude={"calculations"})))
    written = {each.name.strip("{} "): each for each in reply.calculations}
    found = {name: _outcome(each, frame) for name, each in written.items()}
    return {name: outcome for name, outcome in found.items() if name in told or isinstance(outcome, Value)}


def known_values(claims: Sequence[DraftClaim], evidence: Mapping[EvidenceId, Evidence]) -> Outcomes:
    """Return the computed claims of a draft as values that a model may use: k1, k2 …"""
    computed = (claim.computation for claim in claims if claim.computation is not None)
    values = (Value(each.value, "", each, describe(each, evidence)) for each in computed)
    return {f"k{place}": value for place, value in enumerate(values, start=1)}


async def mended(replies: Sequence[Outcomes], frame: Frame, llm: LLM, question: str) -> tuple[Outcomes, ...]:
    """Ask once more for all calculations that failed, of all replies in one call; what fails again stays failed.

    A model that cannot be asked again has them stay failed, too: the text is there, and worth more than a value in it.
    """
    failed = [
        (reply, name, outcome)
        for reply, outcomes in enumerate(replies)
        for name, outcome in outcomes.items()
        if isinstance(outcome, Failed)
    ]
    if not failed:
        return tuple(replies)
    lines = "\n".join(f"{number}. {_told(each)}" for number, (_, _, each) in enumerate(failed, start=1))
    told = render_prompt("failed_calculations", failed=lines)
    system = render_prompt("mend_calculations", calculating=render_prompt("calculating"))
    try:
        reply = await llm.ask(Prompt("mend_calculations", system, (question, frame.text, told)), WrittenCalculations)
    except ModelError:
        return tuple(replies)
    again = {each.name.strip("{} "): _outcome(each, frame) for each in reply.calculations}
    return tuple(
        {
            name: again.get(f"{number}", outcome) if (number := _number(failed, place, name)) else outcome
            for name, outcome in outcomes.items()
        }
        for place, outcomes in enumerate(replies)
    )


def with_values(text: str, outcomes: Outcomes) -> tuple[str, tuple[Outcome | str, ...]]:
    """Put values where their names stand in a sentence; a unit that follows its value is not said twice.

    Returns:
        The sentence, and what became of each name in it: a value, a failure, or the name where nothing has it.
    """
    names = tuple(dict.fromkeys(PLACEHOLDER.findall(text)))
    for name in names:
        if isinstance(value := outcomes.get(name), Value):
            unit = rf"(?:\s*{re.escape(value.unit)}(?!\w))?" if value.unit else ""
            said = value.text.replace("\\", "\\\\")
            text = re.sub(rf"\{{\s*{name}\s*\}}{unit}", said, text)
    return text, tuple(outcomes.get(name, name) for name in names)


def _outcome(written: WrittenCalculation, frame: Frame) -> Outcome:
    try:
        found = calculate(_calculation(written, frame), frame.tables)
    except CalculationError as err:
        named = any(name in str(err) for name in err.known)
        known = f" (there are: {', '.join(err.known[:_KNOWN])})" if err.known and not named else ""
        return Failed(written, _with_handles(f"{err}{known}", frame))
    return Value(found.value, found.unit, found.computation, found.description)


def _calculation(written: WrittenCalculation, frame: Frame) -> Calculation:
    """Return a calculation with evidence ids for handles.

    Raises:
        CalculationError: no such operation, relation or table.
    """
    join = next((Join(_table(each.table, frame), each.column, each.other) for each in written.join), None)
    return Calculation(
        operation=_operation(written.operation),
        table=_table(written.table, frame),
        column=written.column,
        rows=_rows(written.rows, frame),
        where=_conditions(written.where),
        among=_conditions(written.among),
        other=written.other,
        time=written.time,
        relation=_relation(written.relation),
        value=written.value,
        position=written.position,
        descending=written.descending,
        join=join,
    )


def _operation(name: str) -> Operation:
    try:
        return _OPERATION.validate_python(_canonical(name))
    except ValidationError as err:
        raise CalculationError(f"no operation is called {name!r}", OPERATIONS) from err


def _relation(name: str) -> Relation:
    try:
        return _RELATION.validate_python(_canonical(name))
    except ValidationError as err:
        raise CalculationError(f"no relation is called {name!r}", RELATIONS) from err


def _canonical(name: str) -> str:
    folded = name.strip().casefold().replace(" ", "_")
    return _ALIKE.get(folded, folded)


def _table(handle: str, frame: Frame) -> EvidenceId:
    piece = frame.piece(handle)
    if isinstance(piece, TableEvidence):
        return piece.id
    if isinstance(piece, TableSegment) and any(table.id == piece.table for table in frame.tables):
        return piece.table
    known = tuple(name for name, each in frame.handles.items() if isinstance(each, TableEvidence))
    raise CalculationError(f"{handle!r} is no table", known)


def _rows(rows: Sequence[str], frame: Frame) -> tuple[str, ...]:
    """Return rows by their ids, or by the words of a cell; a table among them, or `all`, stands for every row."""
    named: list[str] = []
    for row in rows:
        piece = frame.piece(row) if _ROW_HANDLE.match(row) else None
        if isinstance(piece, TableEvidence) or row.strip().casefold() == "all":
            return ()
        named.append(piece.id if isinstance(piece, TableSegment) else row)
    return tuple(dict.fromkeys(named))


def _conditions(conditions: Sequence[WrittenCondition]) -> tuple[Condition, ...]:
    return tuple(Condition(each.column, _relation(each.relation), each.value) for each in conditions if each.column)


def _told(failed: Failed) -> str:
    """Return what was named, in words: brackets of JSON would be spelled as those of page text are."""
    written = failed.written
    where = (f"where {each.column} {each.relation} {each.value}" for each in (*written.where, *written.among))
    parts = (
        f"operation {written.operation}",
        f"table {written.table}",
        f"column {written.column}" if written.column else "",
        f"rows {', '.join(written.rows)}" if written.rows else "",
        *where,
    )
    return f"{harmless('; '.join(filter(None, parts)))} — {failed.reason}"


def _with_handles(reason: str, frame: Frame) -> str:
    """Return a reason in words that a model knows: handles for ids, the longer of two that begin alike first."""
    for handle, piece in sorted(frame.handles.items(), key=lambda each: -len(each[1].id)):
        reason = reason.replace(piece.id, handle)
    return clipped(harmless(reason), REASON_CHARACTERS)


def _number(failed: Sequence[tuple[int, str, Failed]], reply: int, name: str) -> int:
    """Return the number under which a calculation was asked for again; 0 where it was not."""
    places = ((place, each) for place, each in enumerate(failed, start=1))
    return next((place for place, (of, called, _) in places if (of, called) == (reply, name)), 0)
