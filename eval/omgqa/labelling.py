"""`heliograph eval omgqa label`: from a folder of answers and a person's name to the cases that they decide."""

from contextlib import ExitStack
from pathlib import Path
from typing import get_args

from eval.omgqa.elsewhere import A_COPY
from eval.omgqa.evaluating import kept_judgements
from eval.omgqa.folder import EvaluationFolder, read_answers_of, read_questions_of
from eval.omgqa.judged import UnitKind
from eval.omgqa.judging.alignment import Spoken, spoken, task_name
from eval.omgqa.judging.answers import answer_cases, answered_of
from eval.omgqa.judging.building import JudgeKind
from eval.omgqa.judging.cases import Case, Task
from eval.omgqa.judging.people import Labelling, case_labelling, relevancy_labelling
from eval.omgqa.judging.words import Asked, Said, open_words, read_words
from eval.omgqa.pooling import pool
from eval.omgqa.records import AUTHORS
from eval.omgqa.shelf import kept_evidence
from heliograph.errors import UsageError

MACHINES = frozenset((AUTHORS, *get_args(JudgeKind)))
"""Names that no person labels under, whatever a folder holds."""


def open_labelling(
    folder: EvaluationFolder, judge: str, task: Task, stack: ExitStack, first: int | None = None
) -> Labelling:
    """Open the cases of a task that a person has not decided; relevancy is kept in the pool, all else as words.

    Raises:
        UsageError: the folder has no such case, a file of it cannot be read, or the name is not a person's.
        StoreLocked: another process writes there.
        StoreFull | StoreError: words cannot be kept.
    """
    if not judge.strip() or not judge.isprintable():
        raise UsageError(f"{judge!r} is no name; name who labels with --judge")
    questions = read_questions_of(folder)
    if task == "relevancy":
        runs, find = read_answers_of(folder, questions), kept_evidence(_shown_in(folder))
        found = {each.pair for kind in get_args(UnitKind) for each in pool(runs, kind)}
        labelling = relevancy_labelling(folder.pool, judge, questions.values(), found, find, stack, first)
        _refuse_machine(folder, judge)
        return labelling
    cases = cases_of(folder, task)
    log = stack.enter_context(open_words(folder.words, A_COPY))
    _refuse_machine(folder, judge)
    return case_labelling(log, judge, cases, first)


def cases_of(folder: EvaluationFolder, task: Task) -> list[Case]:
    """Return all cases of a task of answers, as judges decide them.

    Raises:
        UsageError: there are none, or the evidence that they show was not kept yet.
    """
    questions = read_questions_of(folder)
    runs = read_answers_of(folder, questions)
    find = kept_evidence(_shown_in(folder))
    answers = answered_of(runs, questions, find)
    cases = [case for each in answers for case in answer_cases(each) if case.task == task]
    if not cases:
        raise UsageError(
            f"{folder.path} has no case of {task_name(task)}: none of its answers cites anything; "
            "ask other systems or questions: heliograph eval omgqa run"
        )
    return cases


def spoken_in(folder: EvaluationFolder) -> Spoken:
    """Return the words of all judges of a folder.

    Raises:
        UsageError: the folder is none of an evaluation, or a file of it cannot be read.
    """
    return spoken(kept_judgements(folder, read_questions_of(folder)), _words_in(folder))


def _shown_in(folder: EvaluationFolder) -> Path:
    if not folder.evidence.exists():
        raise UsageError(
            f"{folder.path} has nothing to show yet; heliograph eval omgqa judge {folder.path} comes first"
        )
    return folder.evidence


def _words_in(folder: EvaluationFolder) -> dict[Asked, Said]:
    return read_words(folder.words) if folder.words.exists() else {}


def _refuse_machine(folder: EvaluationFolder, judge: str) -> None:
    """Refuse the name of a judge that was told what to do, as people are not, and names that no person has."""
    prompts = {each.prompt for each in kept_judgements(folder, read_questions_of(folder)) if each.judge == judge}
    prompts |= {asked.prompt for asked in _words_in(folder) if asked.judge == judge}
    if judge in MACHINES or any(prompts):
        raise UsageError(f"the words of {judge!r} are not a person's; label under another --judge")
