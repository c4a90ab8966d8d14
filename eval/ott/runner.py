"""Asking every question once: what has a result already is not asked again."""

from collections.abc import Sequence

from eval.ott.questions import OttQuestion
from eval.ott.results import QuestionResult
from eval.ott.results_log import ResultsLog
from eval.ott.retriever import Retriever
from eval.ott.scoring import Scorer
from indexers.pace import Pace, Say


async def run(questions: Sequence[OttQuestion], retriever: Retriever, scorer: Scorer, log: ResultsLog, say: Say) -> int:
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
        for note in found.notes:
            say(f"{question.id}: {note}")
        incomplete += bool(found.notes)
        measured = scorer.retrieval(question, found.ranking)
        log.append(QuestionResult(question.id, found.ranking, measured, found.seconds))
        pace.done(number)
    return incomplete
