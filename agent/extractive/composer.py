"""From evidence to the plan of an answer: compute where arithmetic decides, else quote what covers the question."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.extractive.asked import topic_of
from agent.extractive.composition import Composition, compose
from agent.extractive.context import points_back, runs_of_answer, with_context
from agent.extractive.coverage import (
    SAID,
    Match,
    Run,
    answers,
    covered_share,
    match_units,
    share,
    together,
    unsaid_names,
    unsaid_words,
)
from agent.extractive.focus import LIGHT_WEIGHT, MOST_WORDS, Focus, FocusWord, focus_of
from agent.extractive.hops import called_names
from agent.extractive.units import all_units, is_named, units_of, unread_units
from agent.selection import first_leaves
from heliograph.protocols import AnswerReader, Embedder, WordAligner
from heliograph.text.words import stems
from heliograph.types import (
    Evidence,
    EvidenceId,
    ImageEvidence,
    ReadAnswer,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from indexers.depiction import PictureScores, depiction_of, to_show
from indexers.render import render
from tools.arithmetic import (
    Computed,
    InDoubt,
    TableAnswers,
    TableReader,
    asks_aggregation,
    left_out,
    speaks_of_order,
    split_questions,
    weigh,
)

CERTAIN = 0.6
"""Confidence of a computed answer from which it stands by itself; tuned on the demo's first question set."""
ANSWERABLE = 0.28
"""Confidence below which nothing is claimed; tuned on the demo's development sets."""
SURELY, PROBABLY, OVER_ROWS = 0.6, 0.2, 0.5
"""Probability from which what a parser makes of a table answers; from which it does where rules compute nothing and no
text says all of the question; and that a question is one over rows, from which no single row answers it."""
FITTING = 0.5
"""What the score of a piece gains for the reader where words and kind of the question fit it best."""
TRUST = (-1.82, 0.54, 2.45)
"""Logistic regression of "the reader's first answer is right": constant, log odds of its probability, confidence of the
plan. Fitted on the demo's development sets."""
ANSWERS = 0.45
"""Share of the question that the quotes of a reader's answer must say; what says less is beside the point."""
READ = 0.5
"""Probability of being right from which the words of a reader are the answer."""
MOST_TOLD = 12
"""Sentences that are told of a broad question."""
SURVEYED = 0.5
"""Share of a broad question's words that these must cover together."""
LEAST = 1e-6
"""The least probability that log odds are taken of."""
HELD = 0.5
"""From how well a unit can hold the answer it may be taken for one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an answer can be made of: a computed value, runs that cover the question, and what nothing says.

    `confidence` is in [0, 1]; a plan without material has confidence 0. `uncomputed` tells that the question can be
    answered by arithmetic alone and that no table allowed it, or that two disagree; a quoted row would then pass for
    the answer, as any row would for what is the largest. Where a reader gave the `answer`, confidence is trust in it,
    `covered` is what confidence the quotes had before it, and `said` the share of the question that its own quotes say.
    """

    focus: Focus
    confidence: float
    computed: Computed | None = None
    runs: tuple[Run, ...] = ()
    missing: tuple[FocusWord, ...] = ()
    uncomputed: bool = False
    bridges: tuple[str, ...] = ()
    answer: ReadAnswer | None = None
    covered: float = 0.0
    said: float = 0.0


@dataclass(frozen=True, slots=True)
class _Tabled:
    """What tables make of a question: the plan where they decide it; else the first hop, what answers where no text
    says more, and how probable it is that the question is one over rows.
    """

    plan: Plan | None
    hop: Computed | None = None
    probable: Computed | None = None
    over_rows: float = 0.0


class Composer:
    """Plan an extractive answer; the same question and evidence always give the same plan.

    With `leaves`, it is made of the first so many leaves: what ranks behind them misleads more often than it helps.

    With `pictures`, what an image shows counts as said of it where the question asks for a picture by what it shows.
    With a `reader`, which sees all of the evidence, its words are the answer where it is sure enough of them. With
    `tables`, a trained parser reads questions over tables before rules do.
    """

    def __init__(
        self,
        embedder: Embedder,
        aligner: WordAligner,
        pictures: PictureScores | None = None,
        leaves: int | None = None,
        reader: AnswerReader | None = None,
        tables: TableReader | None = None,
    ) -> None:
        self._embedder = embedder
        self._aligner = aligner
        self._pictures = pictures
        self._leaves = leaves
        self._reader = reader
        self._tables = tables

    async def plan(self, question: str, evidence: Sequence[Scored[Evidence]]) -> Plan:
        """Find the best answer that the evidence allows.

        A computed item from which the question goes on ("the largest moon of Neptune was found by whom?") joins the
        question as a name, so that what is quoted speaks of it.
        """
        every = evidence
        if self._leaves is not None:
            evidence = first_leaves(evidence, self._leaves)
        pieces = [scored.item for scored in evidence]
        if pictured := await self._pictured(question, pieces):
            return pictured
        tabled = await self._by_tables(question, pieces)
        if tabled.plan:
            return tabled.plan
        hop, probable = tabled.hop, tabled.probable
        focus = focus_of(_going_on(question, hop.names) if hop else question)
        shown = await self._shown(focus, pieces)
        units = await asyncio.to_thread(all_units, question, pieces)
        matches = await match_units(focus, units, self._embedder, self._aligner, shown)
        composition = await asyncio.to_thread(compose, focus, matches)
        if hop is None and probable and not (composition and _is_told(focus, composition)):
            return Plan(focus, probable.confidence, probable)
        if composition is None:
            return Plan(focus, 0.0, missing=focus.words)
        ordered = speaks_of_order(question) and _is_any_row(question, composition)
        if hop is None and (ordered or (tabled.over_rows >= OVER_ROWS and _is_of_rows(composition))):
            return Plan(focus, 0.0, uncomputed=True)
        runs = tuple(with_context(run, matches) for run in composition.runs)
        missing = unsaid_words(focus, composition.covers)
        bridges = await asyncio.to_thread(called_names, focus, matches)
        plan = Plan(focus, confidence(focus, composition), hop, runs, missing, bridges=bridges)
        return plan if hop else await self._read(question, every, plan, matches)

    async def _by_tables(self, question: str, pieces: Sequence[Evidence]) -> "_Tabled":
        """Let the parser read the tables, where there is one, and then the rules."""
        tables = [piece for piece in pieces if isinstance(piece, TableEvidence)]
        found = await self._tables.weigh(question, tables) if self._tables else TableAnswers()
        parsed = found.best
        probable = parsed if parsed and parsed.confidence >= PROBABLY else None
        if probable and probable.confidence >= SURELY:
            return _Tabled(_computed(question, probable))
        weighed = await asyncio.to_thread(weigh, question, tables)
        hop = weighed if isinstance(weighed, Computed) and weighed.confidence >= CERTAIN else None
        if hop and not hop.continues:
            return _Tabled(_computed(question, hop))
        if hop is None and (isinstance(weighed, InDoubt) or asks_aggregation(question)):
            nothing = Plan(focus_of(question), 0.0, uncomputed=True)
            return _Tabled(_computed(question, probable) if probable else nothing)
        return _Tabled(None, hop, probable, found.over_rows)

    async def survey(self, question: str, evidence: Sequence[Scored[Evidence]]) -> tuple[Match, ...]:
        """Return the sentences that tell most about a broad question, the best first; none where they cover too little.

        Sentences that point back are left out, since each of them is to be read by itself.
        """
        focus = focus_of(topic_of(question) or question)
        pieces = [scored.item for scored in evidence if isinstance(scored.item, TextEvidence)]
        units = await asyncio.to_thread(all_units, question, pieces)
        matches = await match_units(focus, units, self._embedder, self._aligner)
        telling = [
            match for match in matches if max(match.covers, default=0) >= SAID and not points_back(match.unit.quote)
        ]
        telling.sort(key=lambda match: -match.cosine - covered_share(focus, match.covers))
        best = tuple(telling[:MOST_TOLD])
        return best if best and covered_share(focus, together([match.covers for match in best])) >= SURVEYED else ()

    async def _read(
        self, question: str, evidence: Sequence[Scored[Evidence]], plan: Plan, matches: Sequence[Match]
    ) -> Plan:
        """Let the reader answer, and quote what says it; where it is not sure enough the plan's own quotes stand.

        It looks first where the quotes of the plan stand. Where the plan has too little to claim anything, the question
        is mostly one that the evidence does not answer, and a reader takes something for the answer all the same.
        """
        if plan.confidence < ANSWERABLE:
            return plan
        spoken = await asyncio.to_thread(spoken_in, [each.item for each in evidence])
        if answers(plan.focus, matches, plan.runs, spoken) == 0:
            return replace(plan, confidence=0.0)
        if self._reader is None:
            return plan
        quoted = {run.evidence.id for run in plan.runs}
        read = await self._reader.read(
            question, [Scored(each.item, each.score + FITTING * (each.item.id in quoted)) for each in evidence]
        )
        if not read or read[0].kind in ("yes", "no"):
            return plan  # it has read too few of them: it said "No" before a sentence that says yes
        sure, runs = trust(read[0].confidence, plan.confidence), runs_of_answer(read[0], evidence, plan.runs)
        said = answers(plan.focus, matches, runs, spoken)
        if sure < READ or said < ANSWERS:
            return plan
        return replace(plan, confidence=sure, runs=runs, answer=read[0], covered=plan.confidence, said=said)

    async def _pictured(self, question: str, evidence: Sequence[Evidence]) -> Plan | None:
        """Plan the picture that a question asks to be shown, where one says all of that; None where it asks for none.

        Where the question speaks of a picture and none fits, nothing else is shown instead, unless a model sees more.
        """
        wanted = to_show(question)
        if not wanted:
            return None
        focus = focus_of(wanted)
        units = [unit for piece in evidence if isinstance(piece, ImageEvidence) for unit in units_of(piece)]
        matches = await match_units(focus, units, self._embedder, self._aligner)
        said = [match for match in matches if not unsaid_words(focus, match.covers)]
        composition = compose(focus, said)
        if composition is not None:
            return Plan(focus, confidence(focus, composition), runs=composition.runs)
        return Plan(focus, 0.0, missing=focus.words) if depiction_of(question) and not self._pictures else None

    async def _shown(self, focus: Focus, evidence: Sequence[Evidence]) -> Mapping[EvidenceId, float]:
        """Ask the image model for the picture that the question asks for by what it shows: the most probable one.

        The others are less probable to show it, and pictures that differ in one detail differ in little.
        """
        images = [piece.id for piece in evidence if isinstance(piece, ImageEvidence)]
        if self._pictures is None or not images or depiction_of(focus.question) is None:
            return {}
        best = (await self._pictures.shown(focus.question, images))[:1]
        return {one.item: one.score for one in best}


def trust(read: float, covered: float) -> float:
    """Return how probable it is that an answer is right, by the reader and by what its quotes cover; all in [0, 1]."""
    odds = math.log(max(read, LEAST) / max(1 - read, LEAST))
    constant, by_reader, by_cover = TRUST
    return 1 / (1 + math.exp(-(constant + by_reader * odds + by_cover * covered)))


def spoken_in(evidence: Sequence[Evidence]) -> frozenset[str]:
    """Return the stems of all words of the evidence."""
    return frozenset(found for piece in evidence for found in stems(render(piece)))


def notes_of(question: str, evidence: Sequence[Scored[Evidence]]) -> tuple[str, ...]:
    """Say what an extractive answer leaves out of account because it would take too long."""
    pieces = [scored.item for scored in evidence]
    notes = left_out(question, [piece for piece in pieces if isinstance(piece, TableEvidence)])
    if unread := unread_units(pieces):
        notes += (f"{unread:,} sentences and rows of the evidence were left unread, those that rank last",)
    if len(focus_of(question).words) == MOST_WORDS:
        notes += (f"only the first {MOST_WORDS} words of the question were weighed",)
    return notes


def _computed(question: str, found: Computed) -> Plan:
    return Plan(focus_of(question), found.confidence, found)


def _is_told(focus: Focus, composition: Composition) -> bool:
    """Tell whether a text says every word of the question; it answers better than a table that says a part of them."""
    by_text = any(isinstance(run.evidence, TextEvidence) for run in composition.runs)
    return by_text and not unsaid_words(focus, composition.covers) and confidence(focus, composition) > 0


def _is_of_rows(composition: Composition) -> bool:
    """Tell whether rows are all that an answer has."""
    return all(isinstance(run.evidence, TableSegment) for run in composition.runs)


def _is_any_row(question: str, composition: Composition) -> bool:
    """Tell whether an answer is one row by itself that the question does not name."""
    first, *others = (run.evidence for run in composition.runs)
    return not others and isinstance(first, TableSegment) and not is_named(first, frozenset(stems(question)))


def _going_on(question: str, names: Sequence[str]) -> str:
    """Return what is left to ask about items that are found: the second question where there is one."""
    first, second = split_questions(question)
    return f"{(second or first).rstrip(' ?.')}, {' and '.join(names)}?"


def confidence(focus: Focus, composition: Composition) -> float:
    """Return the share of the question that is said of the answer; names weigh little, since they must be said anyway.

    It is 0 where a name or figure of the question is not, or the sort of thing that is asked for, and where nothing can
    hold the kind of answer.
    """
    unsaid = unsaid_words(focus, composition.reach)
    sort = focus.asked.sort and any(word.stem in focus.asked.noun for word in unsaid)
    if composition.holds < HELD or sort or unsaid_names(focus, composition.reach):
        return 0.0
    weights = [LIGHT_WEIGHT if word.strict else word.weight for word in focus.words]
    return share(weights, composition.reach)
