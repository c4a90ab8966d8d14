"""Asking every question once: what has a result already is not asked again."""

from collections.abc import Sequence
from dataclasses import replace

from eval.ott.questions import OttQuestion
from eval.ott.readers import RankingReader
from eval.ott.results import QuestionResult
from eval.ott.results_log import ResultsLog
from eval.ott.retriever import Retriever
from eval.ott.scoring import Scorer, reading
from indexers.pace import Pace, Say


async def run(
    questions: Sequence[OttQuestion],
    retriever: Retriever,
    scorer: Scorer,
    log: ResultsLog,
    say: Say,
    reader: RankingReader | None = None,
) -> int:
    """Ask the questions that have no result yet, one after another so that their seconds compare.

    Returns:
        How many of them could not be done in full; what was not done is said at once.
    """
    todo = [question for question in questions if question.id not in log.results]
    if len(todo) < len(questions):
        say(f"{len(questions) - len(todo):,} of {len(questions):,} questions have their results already")
    pace, incomplete = Pace("questions", len(todo), say), 0
    for number, question in enumerate(todo, start=1):
        found = await retriever.retrieve(question.question)
        measured = scorer.retrieval(question, found.ranking)
        result = QuestionResult(question.id, found.ranking, measured, found.seconds, scores=found.scores)
        result, unread = await _read(question, result, reader) if reader else (result, ())
        for note in (*found.notes, *unread):
            say(f"{question.id}: {note}")
        incomplete += bool(found.notes or unread)
        log.append(result)
        pace.done(number)
    return incomplete


async def _read(
    question: OttQuestion, result: QuestionResult, reader: RankingReader
) -> tuple[QuestionResult, tuple[str, ...]]:
    """Add the reader's answer to a result, its measures and seconds; and return what could not be done."""
    read = await reader.read(question.question, result.ranking, result.scores)
    metrics = {**result.metrics, **reading(question, read.answer)}
    seconds = {**result.seconds, "read": read.seconds, "read_cpu": read.cpu_seconds}
    return replace(result, metrics=metrics, seconds=seconds, answer=read.answer), read.notes
