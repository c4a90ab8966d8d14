"""How far judges are aligned (OMG-QA, section 4.3 and Table 7): each two of them, on each task that both decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

from eval.omgqa.judging.agreement import Agreement, agreement_of
from eval.omgqa.judging.cases import Task
from eval.omgqa.judging.words import Asked, Said, told_last
from eval.omgqa.records import Judgement, Pair
from heliograph.errors import UsageError

TASKS: tuple[Task, ...] = get_args(Task)
"""In the order of Table 7; support, which it does not have, comes last."""

CaseName = Pair | str
"""Of relevancy the pair; of all else the sha256 of the case."""
Spoken = Mapping[Task, Mapping[str, Mapping[CaseName, bool]]]
"""Words by task, judge and case."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two judges on the cases of a task that both decided; `disputed` are those on which they differ."""

    task: Task
    first: str
    second: str
    agreement: Agreement
    disputed: tuple[CaseName, ...]


def spoken(pool: Iterable[Judgement], said: Mapping[Asked, Said]) -> Spoken:
    """Return the words of all judges, each under its last instructions: on relevancy those of the pool.

    In a pool, `judge` writes what a judge says now before what it said when it was told something else.
    """
    found: dict[Task, dict[str, dict[CaseName, bool]]] = {task: {} for task in TASKS}
    told: dict[str, str] = {}
    for each in pool:
        if each.prompt == told.setdefault(each.judge, each.prompt):
            found["relevancy"].setdefault(each.judge, {})[each.pair] = each.relevant
    for judge in sorted({asked.judge for asked in said}):
        for case, word in told_last(said, judge).items():
            if word.task != "relevancy":
                found[word.task].setdefault(judge, {})[case] = word.word.yes
    return found


def alignments(words: Spoken) -> tuple[Alignment, ...]:
    """Compare each two judges on each task, where they have cases in common."""
    every = (
        aligned(words, task, first, second) for task in TASKS for first, second in combinations(sorted(words[task]), 2)
    )
    return tuple(each for each in every if each.agreement.cases)


def aligned(words: Spoken, task: Task, first: str, second: str) -> Alignment:
    """Compare two judges on the cases of a task that both decided, none where one of them decided none."""
    ours, theirs = words[task].get(first, {}), words[task].get(second, {})
    both = [case for case in ours if case in theirs]
    agreement = agreement_of((ours[case], theirs[case]) for case in both)
    return Alignment(task, first, second, agreement, tuple(case for case in both if ours[case] != theirs[case]))


def alignments_of_two(words: Spoken, first: str, second: str, task: Task | None = None) -> tuple[Alignment, ...]:
    """Compare two judges on a task, or on each that both decided.

    Raises:
        UsageError: one of them has no word, or they have no task in common.
    """
    tasks = [task] if task else [each for each in TASKS if words[each].keys() >= {first, second}]
    for judge in (first, second):
        if not any(judge in words[each] for each in ([task] if task else TASKS)):
            raise UsageError(_no_word(words, judge, task))
    if not tasks:
        raise UsageError(
            f"{first} and {second} decided no task both: {_decided(words, first)}; {_decided(words, second)}; "
            "label some cases of a task of the other: heliograph eval omgqa label --task"
        )
    return tuple(aligned(words, each, first, second) for each in tasks)


def task_name(task: Task) -> str:
    """Return the name of a task for people."""
    return task.replace("_", " ")


def _no_word(words: Spoken, judge: str, task: Task | None) -> str:
    among: Sequence[Task] = [task] if task else TASKS
    judges = sorted({each for one in among for each in words[one]})
    what = f"no word on {task_name(task)}" if task else "no word in this folder"
    named = f"name one of its judges: {', '.join(judges)}" if judges else "heliograph eval omgqa judge comes first"
    return f"{judge} has {what}; {named}"


def _decided(words: Spoken, judge: str) -> str:
    counts = (f"{task_name(task)} {len(words[task][judge]):,}" for task in TASKS if judge in words[task])
    return f"{judge} has {', '.join(counts)}"
