"""What a judge left undecided of what a report rests on: gaps would pass for figures, so that they are refused."""

from collections.abc import Container, Iterable, Mapping, Set
from pathlib import Path

from eval.omgqa.judged import UnitKind
from eval.omgqa.judging.alignment import TASKS, CaseName, Spoken, task_name
from eval.omgqa.judging.answers import AskedOf
from eval.omgqa.judging.cases import Task
from eval.omgqa.pooling import pool
from eval.omgqa.runs import OmgRun
from heliograph.errors import UsageError

NEEDED = tuple(task for task in TASKS if task != "correctness")
"""What every report rests on: correctness is known by strings, and a model may be asked beside them."""
Wanted = Mapping[Task, Set[CaseName]]
"""What a report rests on, by task."""


def wanted(runs: Iterable[OmgRun], kind: UnitKind, labelled: Container[str], cases: Mapping[str, AskedOf]) -> Wanted:
    """Return all cases of answers, and the pairs of the pool, but those of questions that authors labelled."""
    found: dict[Task, set[CaseName]] = {task: set() for task in TASKS}
    found["relevancy"].update(each.pair for each in pool(runs, kind) if each.question not in labelled)
    for digest, asked in cases.items():
        found[asked.task].add(digest)
    return found


def refuse_gaps(words: Spoken, judge: str, needed: Wanted, place: Path) -> None:
    """Refuse to measure by a judge who has not decided everything.

    Raises:
        UsageError: a case or a pair has no word of the judge; how many, and whose words would do, is told.
    """
    gaps: dict[Task, int] = {task: len(needed[task] - words[task].get(judge, {}).keys()) for task in NEEDED}
    if not any(gaps.values()):
        return
    lacks = ", ".join(f"{task_name(task)} {gaps[task]:,} of {len(needed[task]):,}" for task in NEEDED if gaps[task])
    raise UsageError(
        f"{judge!r} has not decided all that a report of {place} rests on; undecided are: {lacks}; heliograph eval "
        f"omgqa judge goes on, or label --task for a person{_other_unit(words, judge, gaps)}{_instead(words, needed)}"
    )


def judge_of_correctness(words: Spoken, judge: str, needed: Wanted, place: Path) -> str:
    """Return who decided which answers are right: the judge of a report, or the only other who decided all of them.

    Returns:
        The name, empty where nobody was asked, or several others were.

    Raises:
        UsageError: the judge of the report was asked, and has not decided all.
    """
    cases, said = needed["correctness"], words["correctness"]
    gap = len(cases - said.get(judge, {}).keys())
    if judge in said and gap:
        raise UsageError(
            f"{judge!r} has not decided the correctness of {gap:,} of {len(cases):,} answers in {place}; "
            "heliograph eval omgqa correctness goes on, or label --task correctness for a person"
        )
    whole = [each for each in said if cases and cases <= said[each].keys()]
    return judge if judge in said else whole[0] if len(whole) == 1 else ""


def _other_unit(words: Spoken, judge: str, gaps: Mapping[Task, int]) -> str:
    """Hint at what only relevancy depends on."""
    alone = gaps["relevancy"] and not any(gaps[task] for task in NEEDED if task != "relevancy")
    return "; or name the --unit that was judged" if alone and judge in words["relevancy"] else ""


def _instead(words: Spoken, needed: Wanted) -> str:
    judges = {judge for task in NEEDED for judge in words[task]}
    whole = (
        each for each in sorted(judges) if all(needed[task] <= words[task].get(each, {}).keys() for task in NEEDED)
    )
    named = " or ".join(whole)
    return f"; or report by --judge {named}, who has" if named else ""
