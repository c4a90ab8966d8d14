"""From evidence to the plan of an answer: compute where arithmetic decides, else quote what covers the question."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.extractive.asked import topic_of
from agent.extractive.composition import Composition, compose
from agent.extractive.context import points_back, runs_of_answer, with_context
from agent.extractive.coverage import (
    SAID,
    Match,
    Run,
    covered_share,
    covers_of,
    match_units,
    together,
    unsaid_names,
    unsaid_words,
)
from agent.extractive.focus import MOST_WORDS, Focus, FocusWord, focus_of
from agent.extractive.hops import called_names
from agent.extractive.table_values import SURELY, TOLD, TableValue, agree, repeated_rival, table_value
from agent.extractive.units import all_units, units_of, unread_units
from agent.selection import first_leaves
from heliograph.protocols import AnswerReader, Embedder, WordAligner
from heliograph.text.names import capitalised
from heliograph.types import (
    Evidence,
    EvidenceHop,
    EvidenceId,
    Hit,
    ImageEvidence,
    ReadAnswer,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from indexers.depiction import PictureScores, depiction_of, to_show
from indexers.models.answer_choice import log_odds, logistic
from indexers.parser import page_name
from tools.arithmetic import LIKELY, Computed, TableAnswers, TableReader, all_rows, left_out

ANSWERABLE = 0.28
"""Share of the question below which quotes that no reader has read are not claimed; tuned on the demo's development
sets."""
WHOLE = 0.1
"""Probability from which a table that a source made for the question is computed on: it may lack rows."""
TRUST, LEAST_NONE = (-1.8, -0.42, 0.53), 8.0
"""Logistic regression of "the reader's first answer is right": constant, log odds of the reader that what the answer
stands in does not answer, no lower than -LEAST_NONE, and those of its probability."""
QUOTED = (-0.62, -0.35)
"""The same of "the quotes of the plan hold the answer"; the log odds are the least of what the reader found in them.
TRUST is fitted on the demo's development sets (`python -m bench.evidence_choice`), QUOTED also on other people's
questions, whose quotes it had been far too sure of (decision record 070)."""
ANSWERS = 0.3
"""Share of the question that the quotes of a reader's answer say, which is told from TOLD, names included."""
UNSAID = 0.7
"""How probable an answer must be whose quotes do not say that much, or leave a name out: of 120 questions of the
demo's development sets, 46 of which got no answer, five are answered so and all of them rightly."""
MOST_TOLD = 12
"""Sentences that are told of a broad question."""
NEAREST = 0.15
"""Probability of holding an answer from which a passage is named in an abstention (decision record 070)."""
SURVEYED = 0.5
"""Share of a broad question's words that these must cover together."""
HELD = 0.5
"""From how well a unit can hold the answer it may be taken for one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an answer can be made of: a computed value, runs that cover the question, and what nothing says.

    `confidence` is in [0, 1]; a plan without material has confidence 0. `uncomputed` tells that the question can be
    answered by arithmetic alone and that no table allowed it, or that two disagree; a quoted row would then pass for
    the answer, as any row would for what is the largest.

    Confidence is the share of the question that the quotes say. Where a reader `has_read` the evidence it is how
    probable it is that its `answer` is right, or that the quotes hold one, and `covered` is that share; `said` is the
    share of the question that the quotes of its answer say. Where nothing is claimed, `nearest` is what is quoted all
    the same: the quotes, or what the reader's first answer stands in.
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
    nearest: Run | None = None

    def hop(self, evidence: Sequence[Scored[Evidence]]) -> Scored[EvidenceHop] | None:
        """Return its two runs as what is read together, scored as the second is, 0 where that is no evidence yet."""
        if len(self.runs) < 2:
            return None
        start, end = self.runs
        score = next((each.score for each in evidence if each.item.id == end.evidence.id), 0.0)
        return Scored(EvidenceHop(start.evidence, end.evidence, start.quotes, end.quotes), score)

    @property
    def has_read(self) -> bool:
        """Whether a reader has judged the quotes; it does so only where they cover a part of the question."""
        return self.covered > 0

    @property
    def has_answer(self) -> bool:
        """Whether anything is claimed."""
        return self.answer is not None or self.confidence >= (TOLD if self.has_read else ANSWERABLE)


class Composer:
    """Plan an extractive answer; the same question and evidence always give the same plan.

    With `leaves`, it is made of the first so many leaves: what ranks behind them misleads more often than it helps.

    With `pictures`, what an image shows counts as said of it where the question asks for a picture by what it shows.
    With a `reader`, which sees all of the evidence, its words are the answer where it is sure enough of them. With
    `tables`, what these allow to be calculated answers before anything is quoted.
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

    async def plan(self, question: str, evidence: Sequence[Scored[Evidence]], table: Hit | None = None) -> Plan:
        """Find the best answer that the evidence allows.

        What a table surely gives over several rows comes first; then what a reader takes from the evidence and what a
        table probably gives, by how probable each is; and last the quotes that cover most of the question. If a source
        says that the rows of a `table` answer the question, and the question asks nothing further of them, such as a
        count, all rows are the answer.
        """
        every = evidence
        if self._leaves is not None:
            evidence = first_leaves(evidence, self._leaves)
        pieces = [scored.item for scored in evidence]
        if pictured := await self._pictured(question, pieces):
            return pictured
        tables = [piece for piece in pieces if isinstance(piece, TableEvidence)]
        fits = {scored.item.id: scored.score for scored in evidence}
        if table and table.answers < WHOLE:
            tables = [each for each in tables if not _is_of(each, table)]
        tabled = await self._tables.answers(question, tables, fits) if self._tables else TableAnswers()
        texts = [piece.text for piece in pieces if isinstance(piece, TextEvidence)]
        computed, focus = tabled.best, focus_of(await asyncio.to_thread(capitalised, question, texts))
        if table and focus.asked.kind == "open" and not focus.asked.whether:
            answering = (
                all_rows(each, table.answers)
                for each in tables
                if _is_of(each, table) and (tabled.over_rows < LIKELY or len(each.rows) == 1)
            )
            computed = max(filter(None, (computed, *answering)), key=lambda each: each.confidence, default=None)
        value = table_value(computed, tabled, whether=focus.asked.whether)
        if value and value.is_sure:
            return _plan_of(focus, value)
        shown = await self._shown(focus, pieces)
        units = await asyncio.to_thread(all_units, question, pieces)
        matches = await match_units(focus, units, self._embedder, self._aligner, shown)
        composition = await asyncio.to_thread(compose, focus, matches)
        plan = await asyncio.to_thread(_quoting, focus, matches, composition)
        over_rows = tabled.over_rows >= LIKELY
        told = value if value and value.may_be_told else None
        if over_rows and (told or not plan.runs):
            return _plan_of(focus, told) if told else plan
        if self._reader is None or not every or _is_shown(plan, shown):
            if value and value.is_told():
                return _plan_of(focus, value)
            return Plan(focus, 0.0, uncomputed=True) if over_rows and _is_of_rows(plan.runs) else plan
        hop = plan.hop(every)
        answers = await self._reader.read(question, every, [hop] if hop else [])
        read = _beside_tables(every, plan, matches, tabled, told, answers)
        return read if read.has_answer or read.uncomputed else replace(read, nearest=_nearest(read, answers, every, matches))

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
        telling.sort(key=lambda match: -match.cosine - covered_share(match.covers))
        best = tuple(telling[:MOST_TOLD])
        return best if best and covered_share(together([match.covers for match in best])) >= SURVEYED else ()

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


def _plan_of(focus: Focus, value: TableValue, answers: Sequence[ReadAnswer] | None = None) -> Plan:
    return Plan(focus, value.probability(answers), value.computed)


def _quoting(focus: Focus, matches: Sequence[Match], composition: Composition | None) -> Plan:
    """Return what quotes alone say of a question; nothing where none say anything."""
    if composition is None:
        return Plan(focus, 0.0, missing=focus.words)
    runs = tuple(with_context(run, matches) for run in composition.runs)
    missing = unsaid_words(focus, composition.covers)
    return Plan(focus, confidence(focus, composition), None, runs, missing, bridges=called_names(focus, matches))


def _beside_tables(
    evidence: Sequence[Scored[Evidence]],
    plan: Plan,
    matches: Sequence[Match],
    tabled: TableAnswers,
    value: TableValue | None,
    answers: Sequence[ReadAnswer],
) -> Plan:
    """Let the reader answer beside what tables probably give.

    Where tables disagree, the value that it repeats is taken. Where several rows are asked for, its answer stands
    in place of a quoted row only if a table gives the same.
    """
    by_reader = _read_plan(plan, answers, evidence, matches, alone=not value)
    rival = None if value else repeated_rival(tabled, answers, whether=plan.focus.asked.whether)
    value = rival if rival and rival.is_told(answers) else value
    if tabled.over_rows >= LIKELY and value and value.is_told(answers):
        return _plan_of(plan.focus, value, answers)
    if tabled.over_rows >= LIKELY and _is_of_rows(plan.runs):
        agreed = by_reader.answer is not None and agree(tabled.results, [by_reader.answer])
        return by_reader if agreed else Plan(plan.focus, 0.0, uncomputed=True)
    return _reconciled(value, answers, by_reader) if value else by_reader


def _nearest(
    plan: Plan, answers: Sequence[ReadAnswer], evidence: Sequence[Scored[Evidence]], matches: Sequence[Match]
) -> Run | None:
    """Return what most probably holds an answer: the quotes, or what the reader's first answer stands in.

    What does not say every name of the question is about something else.
    """
    runs: tuple[Run, ...] = ()
    if plan.has_read and plan.confidence >= NEAREST:
        runs = plan.runs[:1]
    elif answers and logistic(QUOTED, log_odds(answers[0].none)) >= NEAREST:
        runs = runs_of_answer(answers[0], evidence, ())[:1]
    return runs[0] if runs and not unsaid_names(plan.focus, covers_of(plan.focus, matches, runs)) else None


def _read_plan(
    plan: Plan,
    answers: Sequence[ReadAnswer],
    evidence: Sequence[Scored[Evidence]],
    matches: Sequence[Match],
    *,
    alone: bool,
) -> Plan:
    """Let a reader answer, and quote what says it; where it is not sure enough the plan's own quotes stand.

    It looks first where these quotes stand, and what it finds there tells whether they hold an answer. A row by
    itself is none where yes or no, or a figure, is asked for. What says little of the question counts only where
    nothing else answers: the quotes do not, and no table does (`alone`).
    """
    asked = plan.focus.asked
    if plan.confidence >= ANSWERABLE:
        none = min((each.none for each in answers if is_quoted(each, plan.runs)), default=1.0)
        told = not (_is_of_rows(plan.runs) and (asked.whether or asked.kind in ("quantity", "count")))
        held = logistic(QUOTED, log_odds(none)) if told else 0.0
        plan = replace(plan, confidence=held, covered=plan.confidence)
        alone = alone and not plan.has_answer
    if not answers or answers[0].kind in ("yes", "no") or asked.whether:
        return plan  # no words answer what asks for yes or no, and a reader says the wrong one too often
    sure, runs = trust(answers[0]), runs_of_answer(answers[0], evidence, plan.runs)
    covers = covers_of(plan.focus, matches, runs)
    said = said_share(plan.focus, covers)
    is_said = said >= ANSWERS and not unsaid_names(plan.focus, covers)
    if sure < (TOLD if is_said else UNSAID) or not (is_said or alone):
        return plan
    return replace(plan, confidence=sure, runs=runs, answer=answers[0], said=said)


def _is_of(piece: TableEvidence, hit: Hit) -> bool:
    page = page_name(piece.place.page)
    return (page.wiki, page.title) == hit.page


def _reconciled(value: TableValue, answers: Sequence[ReadAnswer], read: Plan) -> Plan:
    """Choose between what a table gives, where it may be told, and what a reader takes.

    A reader takes one cell; where the table gives those of several rows and this is one of them, they answer. Of a sure
    parse and another answer the more probable one is told; of an unsure one and another cell of that table neither.
    """
    computed, answer = value.computed, read.answer
    probable = _plan_of(read.focus, value, answers) if value.is_told(answers) else None
    if answer is None:
        return probable or read
    same = agree([computed], [answer])
    if same and probable and len(computed.winners) > 1:
        return probable
    if same or computed.confidence >= SURELY:
        return max(filter(None, (probable, read)), key=lambda each: each.confidence)
    if not answer.evidence.startswith(f"{computed.computation.table}/"):
        return read
    return Plan(read.focus, 0.0, missing=read.missing, bridges=read.bridges, uncomputed=True)


def is_quoted(answer: ReadAnswer, runs: Sequence[Run]) -> bool:
    """Tell whether quotes hold the words of an answer; yes and no stand where what speaks for them is quoted."""
    quotes = [run.quote for run in runs if run.evidence.id == answer.evidence]
    return any(answer.kind in ("yes", "no") or answer.text in quote for quote in quotes)


def trust(answer: ReadAnswer) -> float:
    """Return how probably an answer is right."""
    return logistic(TRUST, *trust_features(answer))


def trust_features(answer: ReadAnswer) -> tuple[float, float]:
    """Return what TRUST weighs."""
    return max(-LEAST_NONE, log_odds(answer.none)), log_odds(answer.confidence)


def notes_of(question: str, evidence: Sequence[Scored[Evidence]]) -> tuple[str, ...]:
    """Say what an extractive answer leaves out of account because it would take too long."""
    pieces = [scored.item for scored in evidence]
    notes = left_out(question, [piece for piece in pieces if isinstance(piece, TableEvidence)])
    if unread := unread_units(pieces):
        notes += (f"{unread:,} sentences and rows of the evidence were left unread, those that rank last",)
    if len(focus_of(question).words) == MOST_WORDS:
        notes += (f"only the first {MOST_WORDS} words of the question were weighed",)
    return notes


def _is_shown(plan: Plan, shown: Mapping[EvidenceId, float]) -> bool:
    """Tell whether the image model chose what is quoted: no reader finds in a caption what a picture shows."""
    return any(run.evidence.id in shown for run in plan.runs)


def _is_of_rows(runs: Sequence[Run]) -> bool:
    """Tell whether rows are all that an answer has: no single one answers what is asked over several."""
    return all(isinstance(run.evidence, TableSegment) for run in runs)


def confidence(focus: Focus, composition: Composition) -> float:
    """Return the share of the question that is said of the answer.

    It is 0 where a name or figure of the question is not, and where nothing can hold the kind of answer.
    """
    refused = composition.holds < HELD or unsaid_names(focus, composition.reach)
    return 0.0 if refused else said_share(focus, composition.reach)


def said_share(focus: Focus, covers: Sequence[float]) -> float:
    """Return the share of the question, but for its names, that is said; names must be. It is 1 of names alone."""
    others = [cover for word, cover in zip(focus.words, covers, strict=True) if not word.strict]
    return covered_share(others) if others else float(bool(focus.words))
