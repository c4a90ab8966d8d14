"""From evidence to the plan of an answer: compute where arithmetic decides, else quote what covers the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.arithmetic import Computed, compute
from agent.extractive.context import with_context
from agent.extractive.coverage import (
    Composition,
    Run,
    alternative,
    compose,
    match_units,
    misfit,
    unsaid_names,
    unsaid_words,
)
from agent.extractive.focus import Focus, FocusWord, focus_of
from agent.extractive.units import units_of
from heliograph.protocols import Embedder, WordAligner
from heliograph.types import Evidence, Scored, TableEvidence

CERTAIN = 0.6
"""Confidence of a computed answer from which it stands by itself; tuned on the demo's first question set."""
DOUBT = 0.5
"""What is left of the confidence when no quote can hold the kind of answer asked for, or a measure is not said."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an answer can be made of: a computed value, runs that cover the question, and what nothing says.

    `confidence` is in [0, 1]; a plan without material has confidence 0.
    """

    focus: Focus
    confidence: float
    computed: Computed | None = None
    runs: tuple[Run, ...] = ()
    missing: tuple[FocusWord, ...] = ()


class Composer:
    """Plan an extractive answer; the same question and evidence always give the same plan."""

    def __init__(self, embedder: Embedder, aligner: WordAligner) -> None:
        self._embedder = embedder
        self._aligner = aligner

    async def plan(self, question: str, evidence: Sequence[Scored[Evidence]]) -> Plan:
        """Find the best answer that the evidence allows.

        A computed item from which the question goes on ("the largest moon of Neptune was found by whom?") joins the
        question as a name, so that what is quoted speaks of it.
        """
        tables = [scored.item for scored in evidence if isinstance(scored.item, TableEvidence)]
        computed = compute(question, tables)
        if computed and computed.confidence >= CERTAIN and not computed.continues:
            return Plan(focus_of(question), computed.confidence, computed)
        hop = computed if computed and computed.confidence >= CERTAIN else None
        focus = focus_of(f"{question} {' '.join(hop.names)}" if hop else question)
        units = [unit for scored in evidence for unit in units_of(scored)]
        matches = await match_units(focus, units, self._embedder, self._aligner)
        composition = compose(focus, matches)
        if composition is None:
            return Plan(focus, 0.0, missing=focus.words)
        other = alternative(focus, matches, composition)
        runs = tuple(with_context(run, matches) for run in (*composition.runs, *((other,) if other else ())))
        missing = unsaid_words(focus, composition.covers)
        return Plan(focus, confidence(focus, composition), hop, runs, missing)


def confidence(focus: Focus, composition: Composition) -> float:
    """Return the covered share of the question; 0 when a name or figure of it is not said.

    A measure that is not said, or no quote that can hold the kind of answer, leaves DOUBT of it.
    """
    if unsaid_names(focus, composition.covers):
        return 0.0
    unmeasured = any(word.measure for word in unsaid_words(focus, composition.covers))
    unfit = all(misfit(focus, run.quote) > 0 for run in composition.runs) and focus.asks != "name"
    return composition.coverage * (DOUBT if unmeasured else 1.0) * (DOUBT if unfit else 1.0)
