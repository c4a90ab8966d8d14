"""A parser whose slots are filled by hand: what is asked of a table, by question."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heliograph.types import (
    CONDITION_OPERATORS,
    TABLE_OPERATIONS,
    ConditionOperator,
    Slots,
    TableEvidence,
    TableOperation,
    TableQuestion,
)
from tools.arithmetic import Computed, TableReader

UNLIKELY = -9.0
_KIND = re.compile(r" \((?:name|number|duration|time|date|yes or no|text): ")


@dataclass(frozen=True)
class Plan:
    """What a question asks; columns by name, conditions as a text `Column value` with their setting."""

    operation: TableOperation
    selected: str = ""
    ordering: str = ""
    place: int = 1
    where: Mapping[str, ConditionOperator] = field(default_factory=dict)
    sure: float = 0.0


class SaidSlots:
    """Fill slots by the plan of a question; a table without its columns, and any other question, is asked nothing."""

    def __init__(self, plans: Mapping[str, Plan]) -> None:
        self._plans = plans
        self.given: list[TableQuestion] = []

    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        """Return the slots of each."""
        self.given += given
        return tuple(map(self._slots, given))

    def _slots(self, given: TableQuestion) -> Slots:
        names = [_KIND.split(column)[0][2:] for column in given.columns]
        plan = self._plans.get(given.question, Plan("none"))
        if not {plan.selected, plan.ordering} <= {"", *names}:
            plan = Plan("none")
        rest = math.log(1 - math.exp(plan.sure)) if plan.sure else UNLIKELY
        return Slots(
            tuple(
                plan.sure if each == plan.operation else rest if each == "none" else UNLIKELY
                for each in TABLE_OPERATIONS
            ),
            tuple(0.0 if place == plan.place - 1 else UNLIKELY for place in range(5)),
            tuple(0.0 if name == plan.selected else UNLIKELY for name in names),
            tuple(0.0 if name == plan.ordering else UNLIKELY for name in names),
            tuple(_mention([condition[2:] for condition in mention], plan.where) for mention in given.conditions),
        )


def _mention(conditions: Sequence[str], where: Mapping[str, ConditionOperator]) -> tuple[float, ...]:
    operators = ((where.get(condition), each) for condition in conditions for each in CONDITION_OPERATORS)
    found = [0.0 if set == each else UNLIKELY for set, each in operators]
    return (UNLIKELY if 0.0 in found else 0.0, *found)


async def best_of(question: str, plan: Plan, table: TableEvidence) -> Computed | None:
    """Return what a plan gives over a table, if anything."""
    return (await TableReader(SaidSlots({question: plan})).answers(question, [table])).best


async def computed_of(question: str, plan: Plan, table: TableEvidence) -> Computed:
    """Return what a plan gives over a table, which must be something."""
    best = await best_of(question, plan, table)
    assert best is not None
    return best
