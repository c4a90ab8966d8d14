"""From evidence to the plan of an answer: a table computes it, a reader takes it, or nothing is claimed."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from agent.extractive.asked import asks_for_things, asks_whether, topic_of
from agent.extractive.context import points_back, runs_of_answer
from agent.extractive.hops import hops_of
from agent.extractive.table_values import SURELY, TOLD, TableValue, agree, repeated_rival, table_value
from agent.extractive.units import Run, Unit, all_units, share_of, units_of, unread_units
from agent.selection import first_leaves
from heliograph.protocols import AnswerReader, Embedder
from heliograph.text.names import capitalised, names_in
from heliograph.text.words import QUESTION_WORDS, akin_to_any, content_stems, coverage, stem, stems, words
from heliograph.types import (
    Evidence,
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

WHOLE = 0.1
"""Probability from which a table that a source made for the question is computed on: it may lack rows."""
TRUST, QUOTED, LEAST_NONE = (-1.52, -0.37, 0.3), (-1.26, -0.43, 0.23), 8.0
"""Logistic regressions of "the reader's first answer is right" and of "what it quotes holds an answer": constant, log
odds of the reader that what the answer stands in does not answer, no lower than -LEAST_NONE, and those of its
probability; fitted on the demo's development sets and on other people's questions over whole articles
(`python -m bench.evidence_choice`)."""
NEAREST = 0.1
"""Probability of holding an answer from which a passage is named in an abstention."""
MIN_QUOTED_SHARE, SHOWN = 0.5, 0.28
"""Share of a question that a quote has to say which no reader has read; how surely a picture must show what is asked
for."""
MOST_TOLD = 12
"""Sentences that are told of a broad question."""
SURVEYED = 0.5
"""Share of a broad question's words that these must say together."""
_FIGURE = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Plan:
    """What an answer is made of: a computed value, or runs that hold it; of neither nothing is claimed.

    Attributes:
        question: with the capitals that the evidence gives its words.
        confidence: how probable it is, in [0, 1], that the value or the `answer` is right, or that the runs hold one;
            without a reader the share of the question that they say.
        answer: the reader's words in the first run, where these by themselves are probably right.
        missing: words of the question that the sentence which says most of it does not say.
        uncomputed: whether arithmetic alone answers and no table allows it, or two disagree; a quoted row would then
            pass for the answer, as any row would for what is the largest.
        nearest: what comes nearest to an answer, where nothing is claimed.
    """

    question: str
    confidence: float
    computed: Computed | None = None
    runs: tuple[Run, ...] = ()
    answer: ReadAnswer | None = None
    missing: tuple[str, ...] = ()
    uncomputed: bool = False
    nearest: Run | None = None

    @property
    def has_answer(self) -> bool:
        """Whether anything is claimed."""
        return self.computed is not None or bool(self.runs)


class Composer:
    """Plan an extractive answer; the same question and evidence always give the same plan.

    With `leaves`, it is made of the first so many leaves: what ranks behind them misleads more often than it helps; a
    `reader` sees all of the evidence. With `tables`, what these allow to be calculated answers before anything is read.
    With `pictures`, a picture is taken for the answer by what it shows. Without a reader the sentence is quoted that
    says most words of the question.
    """

    def __init__(
        self,
        embedder: Embedder,
        pictures: PictureScores | None = None,
        leaves: int | None = None,
        reader: AnswerReader | None = None,
        tables: TableReader | None = None,
    ) -> None:
        self._embedder = embedder
        self._pictures = pictures
        self._leaves = leaves
        self._reader = reader
        self._tables = tables

    async def plan(self, question: str, evidence: Sequence[Scored[Evidence]], table: Hit | None = None) -> Plan:
        """Find the best answer that the evidence allows.

        A picture that is asked for comes first, and what a table surely gives over several rows; then what a reader
        takes from the evidence and what a table probably gives, by how probable each is. If a source says that the rows
        of a `table` answer the question, and the question asks nothing further of them, such as a count, all rows are
        the answer.
        """
        first = first_leaves(evidence, self._leaves) if self._leaves is not None else evidence
        pieces = [scored.item for scored in first]
        texts = [piece.text for piece in pieces if isinstance(piece, TextEvidence)]
        said = await asyncio.to_thread(capitalised, question, texts)
        if pictured := _pictured(said, pieces) or await self._shown(said, pieces):
            return pictured
        if to_show(question) and depiction_of(question) and not self._pictures:
            return Plan(said, 0.0, missing=tuple(_content(to_show(said))))
        tabled, value = await self._tabled(said, question, first, table)
        over_rows = tabled.over_rows >= LIKELY
        if value and (value.is_sure or (over_rows and value.may_be_told)):
            return _plan_of(said, value)
        closest = await asyncio.to_thread(_most_said, said, first)
        plan = Plan(said, 0.0, missing=_unsaid(said, closest), nearest=_about_the_same(said, closest))
        hops = await asyncio.to_thread(hops_of, question, evidence) if self._reader else ()
        answers = await self._reader.read(question, evidence, hops) if self._reader and evidence else ()
        if not answers:
            if value and value.is_told():
                return _plan_of(said, value)
            plan = plan if self._reader is None else replace(plan, nearest=None)
            return replace(plan, uncomputed=True, nearest=None) if over_rows else _as_said(plan)
        asked = frozenset(content_stems(said))
        runs = await asyncio.to_thread(runs_of_answer, answers[0], evidence, asked, hops)
        return _read(plan, answers, runs, tabled, value)

    async def survey(self, question: str, evidence: Sequence[Scored[Evidence]]) -> tuple[Unit, ...]:
        """Return the sentences that tell most about a broad question, the best first; none where they say too little.

        Sentences that point back are left out, since each of them is to be read by itself.
        """
        topic = topic_of(question) or question
        asked = frozenset(content_stems(topic))
        pieces = [scored.item for scored in evidence if isinstance(scored.item, TextEvidence)]
        units = await asyncio.to_thread(all_units, question, pieces)
        shares = await asyncio.to_thread(lambda: [share_of(asked, unit) for unit in units])
        telling = [n for n, unit in enumerate(units) if shares[n] > 0 and not points_back(unit.quote)]
        if not telling:
            return ()
        asking, *vectors = await self._embedder.embed([topic, *(units[n].said for n in telling)])
        worth = {n: float(np.dot(asking, vector)) + shares[n] for n, vector in zip(telling, vectors, strict=True)}
        best = tuple(units[n] for n in sorted(telling, key=lambda n: -worth[n])[:MOST_TOLD])
        together = frozenset(each for unit in best for each in stems(unit.said))
        return best if coverage(dict.fromkeys(asked, 1.0), together) >= SURVEYED else ()

    async def _tabled(
        self, said: str, question: str, evidence: Sequence[Scored[Evidence]], table: Hit | None
    ) -> tuple[TableAnswers, TableValue | None]:
        """Return what the tables of the evidence give, and the value of them that may be told."""
        tables = [scored.item for scored in evidence if isinstance(scored.item, TableEvidence)]
        fits = {scored.item.id: scored.score for scored in evidence}
        if table and table.answers < WHOLE:
            tables = [each for each in tables if not _is_of(each, table)]
        tabled = await self._tables.answers(question, tables, fits) if self._tables else TableAnswers()
        computed = tabled.best
        if table and asks_for_things(said):
            answering = (
                all_rows(each, table.answers)
                for each in tables
                if _is_of(each, table) and (tabled.over_rows < LIKELY or len(each.rows) == 1)
            )
            computed = max(filter(None, (computed, *answering)), key=lambda each: each.confidence, default=None)
        return tabled, table_value(computed, tabled, whether=asks_whether(said))

    async def _shown(self, question: str, evidence: Sequence[Evidence]) -> Plan | None:
        """Ask the image model for the picture that the question asks for by what it shows; None where none does surely.

        The others are less probable to show it, and pictures that differ in one detail differ in little. Names and
        figures have to be said in words: no picture tells who stands in it.
        """
        images = {piece.id: piece for piece in evidence if isinstance(piece, ImageEvidence)}
        depiction = depiction_of(question)
        if self._pictures is None or not images or depiction is None:
            return None
        best = next(iter(await self._pictures.shown(question, list(images))), None)
        units = units_of(images[best.item]) if best and best.score >= SHOWN else ()
        strict = {*names_in(depiction.text), *_FIGURE.findall(depiction.text)}
        if best is None or not units or not set(stems(" ".join(strict))) <= set(stems(units[0].said)):
            return None
        return Plan(question, best.score, runs=(Run(units[:1]),))


def _pictured(question: str, evidence: Sequence[Evidence]) -> Plan | None:
    """Plan the picture that a question asks to be shown, where its words say all of that; None where none does."""
    wanted = frozenset(content_stems(to_show(question)))
    captions = (units_of(piece) for piece in evidence if isinstance(piece, ImageEvidence)) if wanted else ()
    found = (unit for units in captions for unit in units if share_of(wanted, unit) == 1)
    unit = next(found, None)
    return Plan(question, 1.0, runs=(Run((unit,)),)) if unit else None


def _plan_of(question: str, value: TableValue, answers: Sequence[ReadAnswer] | None = None) -> Plan:
    return Plan(question, value.probability(answers), value.computed)


def _most_said(question: str, evidence: Sequence[Scored[Evidence]]) -> Unit | None:
    """Return the sentence, row or caption that says most words of a question; ties go to the better-ranked piece.

    Rows that are looked at because they are named were not found: they come last.
    """
    asked, scores = frozenset(content_stems(question)), {scored.item.id: scored.score for scored in evidence}

    def order(unit: Unit) -> tuple[float, float, EvidenceId, int]:
        found = scores.get(unit.evidence.id, -1.0)
        return -share_of(asked, unit), -found, unit.evidence.id, unit.number

    return min(all_units(question, [scored.item for scored in evidence]), key=order, default=None)


def _about_the_same(question: str, unit: Unit | None) -> Run | None:
    run = Run((unit,)) if unit and share_of(frozenset(content_stems(question)), unit) else None
    return run if run and _says_names(question, run) else None


def _as_said(plan: Plan) -> Plan:
    """Quote what says most of a question where no reader has read, if that is enough."""
    if plan.nearest is None:
        return plan
    share = share_of(frozenset(content_stems(plan.question)), plan.nearest.units[0])
    return replace(plan, confidence=share, runs=(plan.nearest,), nearest=None) if share >= MIN_QUOTED_SHARE else plan


def _read(
    plan: Plan,
    answers: Sequence[ReadAnswer],
    runs: tuple[Run, ...],
    tabled: TableAnswers,
    value: TableValue | None,
) -> Plan:
    """Let the reader answer beside what tables probably give.

    Where tables disagree, the value that it repeats is taken. Where several rows are asked for, its answer stands in
    place of a quoted row only if a table gives the same.
    """
    whether = asks_whether(plan.question)
    value = value if value and value.may_be_told else None
    by_reader = _by_reader(plan, answers[0], runs, whether=whether)
    rival = None if value else repeated_rival(tabled, answers, whether=whether)
    value = rival if rival and rival.is_told(answers) else value
    if tabled.over_rows >= LIKELY:
        if value and value.is_told(answers):
            return _plan_of(plan.question, value, answers)
        agreed = by_reader.answer is not None and agree(tabled.results, [by_reader.answer])
        if _is_of_rows(by_reader.runs or (by_reader.nearest,)) and not agreed:
            return replace(plan, uncomputed=True, nearest=None)
    return _reconciled(value, answers, by_reader) if value else by_reader


def _by_reader(plan: Plan, first: ReadAnswer, runs: tuple[Run, ...], *, whether: bool) -> Plan:
    """Let a reader answer in its first answer's words, where these are probably right, or quote what holds them.

    No words answer what asks for yes or no, and a reader says the wrong one too often.
    """
    if not runs:
        return replace(plan, nearest=None)
    sure, held = trust(first), logistic(QUOTED, *trust_features(first))
    if sure >= TOLD and not whether and first.kind not in ("yes", "no"):
        return replace(plan, confidence=sure, runs=runs, answer=first, nearest=None)
    if held >= TOLD:
        return replace(plan, confidence=held, runs=runs, nearest=None)
    near = held >= NEAREST and _says_names(plan.question, runs[0])
    return replace(plan, confidence=held, nearest=runs[0] if near else None)


def _says_names(question: str, run: Run) -> bool:
    """Tell whether every name and figure of a question is said: else a passage is about something else."""
    said = run.stems
    return all(akin_to_any(each, said) for each in stems(" ".join((*names_in(question), *_FIGURE.findall(question)))))


def _is_of(piece: TableEvidence, hit: Hit) -> bool:
    page = page_name(piece.place.page)
    return (page.wiki, page.title) == hit.page


def _reconciled(value: TableValue, answers: Sequence[ReadAnswer], read: Plan) -> Plan:
    """Choose between what a table gives, where it may be told, and what a reader takes.

    A reader takes one cell; where the table gives those of several rows and this is one of them, they answer. Of a sure
    parse and another answer the more probable one is told; of an unsure one and another cell of that table neither.
    """
    computed, answer = value.computed, read.answer
    probable = _plan_of(read.question, value, answers) if value.is_told(answers) else None
    if answer is None:
        return probable or read
    same = agree([computed], [answer])
    if same and probable and len(computed.winners) > 1:
        return probable
    if same or computed.confidence >= SURELY:
        return max(filter(None, (probable, read)), key=lambda each: each.confidence)
    if not answer.evidence.startswith(f"{computed.computation.table}/"):
        return read
    return Plan(read.question, 0.0, missing=read.missing, uncomputed=True)


def trust(answer: ReadAnswer) -> float:
    """Return how probably an answer is right."""
    return logistic(TRUST, *trust_features(answer))


def trust_features(answer: ReadAnswer) -> tuple[float, float]:
    """Return what TRUST and QUOTED weigh."""
    return max(-LEAST_NONE, log_odds(answer.none)), log_odds(answer.confidence)


def notes_of(question: str, evidence: Sequence[Scored[Evidence]]) -> tuple[str, ...]:
    """Say what an extractive answer leaves out of account because it would take too long."""
    pieces = [scored.item for scored in evidence]
    notes = left_out(question, [piece for piece in pieces if isinstance(piece, TableEvidence)])
    if unread := unread_units(pieces):
        notes += (f"{unread:,} sentences and rows of the evidence were left unread, those that rank last",)
    return notes


def _is_of_rows(runs: Sequence[Run | None]) -> bool:
    """Tell whether rows are all that an answer has: no single one answers what is asked over several."""
    return all(run is None or isinstance(run.evidence, TableSegment) for run in runs)


def _content(question: str) -> dict[str, str]:
    """Return the words of a question that carry meaning, each once, with their stems."""
    return {word: stem(word) for word in words(question) if word.casefold() not in QUESTION_WORDS}


def _unsaid(question: str, unit: Unit | None) -> tuple[str, ...]:
    """Return the words of a question that a unit does not say."""
    said = frozenset(stems(unit.said)) if unit else frozenset()
    return tuple(word for word, each in _content(question).items() if not akin_to_any(each, said))
