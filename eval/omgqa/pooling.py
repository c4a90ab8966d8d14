"""Pools: what any system retrieved or cited for a question, to be judged once (OMG-QA, section 4.1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from eval.omgqa.judged import Unit, UnitKind, units
from eval.omgqa.judging.answers import Find
from eval.omgqa.judging.cases import Case
from eval.omgqa.records import OmgQuestion, Pair
from eval.omgqa.runs import OmgRun


@dataclass(frozen=True, slots=True)
class Pooled:
    """A piece of evidence of a question's pool, and the systems that found it, in the order of the grid."""

    question: str
    unit: Unit
    systems: tuple[str, ...]

    @property
    def pair(self) -> Pair:
        """What is to be judged."""
        return Pair(self.question, self.unit)


def pool(runs: Iterable[OmgRun], kind: UnitKind, depth: int | None = None) -> tuple[Pooled, ...]:
    """Return the union of the first `depth` units of every run, and of all that is cited.

    Questions come in the order of the runs; of each, what several systems rank high comes first, so that a judge who
    stops early has seen the best of all. Systems with equal rankings stand for one order.
    """
    by_question: dict[str, list[OmgRun]] = {}
    for run in runs:
        by_question.setdefault(run.question, []).append(run)
    return tuple(each for question, its in by_question.items() for each in _pool(question, its, kind, depth))


def relevancy_case(question: OmgQuestion, unit: Unit, find: Find) -> Case:
    """Return what a judge of relevancy is asked of a pooled piece.

    Raises:
        HeliographError: the piece cannot be looked up.
    """
    return Case("relevancy", question.question, evidence=(find(unit),), accepted=question.answers)


def _pool(question: str, runs: list[OmgRun], kind: UnitKind, depth: int | None) -> Iterable[Pooled]:
    found: dict[Unit, dict[str, None]] = {}
    rankings = [(run.system, units((*run.retrieved[:depth], *run.cited), kind)) for run in runs]
    for rank in zip_longest(*(ranking for _, ranking in rankings)):
        for (system, _), unit in zip(rankings, rank, strict=True):
            if unit is not None:
                found.setdefault(unit, {})[system] = None
    return (Pooled(question, unit, tuple(systems)) for unit, systems in found.items())
