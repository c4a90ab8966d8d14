"""`heliograph eval omgqa run`: from a file of systems and one of questions to a folder of answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.question import valid_question
from eval.omgqa.asking import BuildAsker, Unasked, ask_systems, drawn
from eval.omgqa.dataset import read_omg_questions
from eval.omgqa.folder import EvaluationFolder, opened
from eval.omgqa.records import OmgQuestion
from eval.omgqa.run_log import open_runs
from eval.omgqa.systems import System
from heliograph.errors import InvalidQuestion, UnknownName, UsageError
from indexers.pace import Say


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked: questions of a file, as many as `limit` allows, drawn by `seed`; answers go to `folder`."""

    questions: Path
    folder: Path
    limit: int | None = None
    seed: int = 0
    at_once: int = 1


def chosen(systems: Sequence[System], names: Iterable[str]) -> tuple[System, ...]:
    """Return the systems of these names, or all where none is named.

    Raises:
        UnknownName: there is no system of a name.
    """
    known, wanted = {system.name: system for system in systems}, tuple(names)
    if strange := [name for name in wanted if name not in known]:
        raise UnknownName(f"there is no system {strange[0]!r}; --list names them")
    return tuple(known[name] for name in wanted or known)


def systems_text(systems: Iterable[System]) -> str:
    """Name systems, one a line, each followed by what it lacks."""
    return "\n".join("\n    lacks ".join((system.name, *system.lacking)) for system in systems)


async def ask_all(systems: Sequence[System], asking: Asking, build: BuildAsker, say: Say) -> tuple[Unasked, ...]:
    """Ask what is not answered yet of all systems that lack nothing; the others are named.

    Returns:
        The systems that have questions left, those that lack something aside.

    Raises:
        UsageError: the questions cannot be read, no system can run, or the folder has something else.
        StoreError: the home folder or that of the answers cannot be used.
    """
    questions = read_omg_questions(asking.questions)
    if not questions:
        raise UsageError(f"{asking.questions} has no questions; name another file with --questions")
    _refuse_unaskable(questions, asking.questions)
    runnable = [system for system in systems if not system.lacking]
    for system in systems:
        for lack in system.lacking:
            say(f"{system.name} is left out: it lacks {lack}")
    if not runnable:
        raise UsageError("none of the systems can run here: each lacks what is said above; add it to the file")
    folder = EvaluationFolder(asking.folder)
    with opened(folder, questions, systems), open_runs(folder.runs) as log:
        few = drawn(questions, asking.limit, asking.seed)
        return await ask_systems(runnable, few, asking.seed, build, log, say, asking.at_once)


def _refuse_unaskable(questions: Iterable[OmgQuestion], path: Path) -> None:
    """Refuse a file with a question that no system takes: every system would stop at it, each time anew."""
    for question in questions:
        try:
            valid_question(question.question)
        except InvalidQuestion as err:
            raise UsageError(f"{path}: question {question.id}: {err}") from err
