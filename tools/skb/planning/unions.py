"""Plans of several types of answers as one, where a query joins what it asks for: "which planets or moons …"."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from heliograph.types import Requirement
from tools.skb.planning.conditions import PathCondition
from tools.skb.planning.model import Floats, ScoredPlan
from tools.skb.planning.plans import Plan, SetCondition


def united(plans: Sequence[Plan], types: Sequence[str], weights: Floats) -> list[Plan]:
    """Return plans with those that set the same conditions for some of several types as one, as probable as its best.

    What comes first in an order stays as it is: the first of each type are not the first of both.
    """
    alike = defaultdict[Hashable, dict[str, Plan]](dict)
    for each in plans:
        if each.type in types and not each.order:
            alike[_conditions(each)].setdefault(each.type, each)
    several = [[own[type] for type in types if type in own] for own in alike.values() if len(own) > 1]
    gone = {id(each) for own in several for each in own}
    return [*(each for each in plans if id(each) not in gone), *(_union(own, weights) for own in several)]


def _conditions(plan: Plan) -> Hashable:
    """Return what a plan sets and passes over, but for the type of its answers."""
    return frozenset(_set(each, plan.header) for each in plan.conditions), frozenset(plan.unused)


def _set(one: SetCondition, header: Sequence[str]) -> Hashable:
    condition = one.condition
    if not isinstance(condition, PathCondition):
        return header[condition.column], condition.value, condition.words, one.operator
    *before, last = condition.requirement.hops or (None,)
    to_answer = last and (last.relation, last.direction)
    return condition.mention, condition.requirement.start, tuple(before), to_answer, one.operator


def _union(plans: Sequence[Plan], weights: Floats) -> Plan:
    best = max(plans, key=lambda each: float(each.scored.features @ weights))
    types = tuple(each.type for each in plans)
    name = " or ".join(types)
    entities = np.concatenate([each.scored.entities for each in plans])
    order = np.argsort(entities)
    texts = np.concatenate([each.scored.texts for each in plans])[order]
    return replace(
        best,
        type=name,
        united=types,
        conditions=tuple(_to(each, name) for each in best.conditions),
        scored=ScoredPlan(best.scored.features, entities[order], texts),
    )


def _to(one: SetCondition, type: str) -> SetCondition:
    """Return a condition whose path leads to a type of answers, by its name."""
    condition = one.condition
    if not isinstance(condition, PathCondition) or not condition.requirement.hops:
        return one
    *before, last = condition.requirement.hops
    to_type = Requirement(condition.requirement.start, (*before, replace(last, type=type)))
    return SetCondition(replace(condition, requirement=to_type), one.operator)
