"""From a folder of answers to results: evidence pooled and judged, answers judged, and all of it put together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from eval.omgqa.dataset import document_line, judgement_line, labels_by, read_judgements
from eval.omgqa.elsewhere import A_COPY
from eval.omgqa.folder import EvaluationFolder, read_answers_of, read_questions_of, read_systems_of
from eval.omgqa.gaps import judge_of_correctness, refuse_gaps, wanted
from eval.omgqa.judged import Labels, UnitKind
from eval.omgqa.judging.alignment import spoken
from eval.omgqa.judging.answers import answer_cases, answered_of, asked_of, correctness_case, judged_of
from eval.omgqa.judging.cases import Case, Judge
from eval.omgqa.judging.pool_file import open_pool
from eval.omgqa.judging.words import Asked, Said, WordLog, Words, judge_all, open_words, read_words, told_last
from eval.omgqa.pooling import Pooled, pool, relevancy_case
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion
from eval.omgqa.results import JudgedRun, Results
from eval.omgqa.runs import OmgRun
from eval.omgqa.shelf import Shelf, kept_evidence, write_shown
from eval.omgqa.systems import System
from eval.omgqa.trees import omg_document
from heliograph.errors import UsageError
from indexers.pace import Say
from indexers.parser import page_of, parse_id
from memory.trace.disk import write_lines

NO_LABELS = Labels()
JUDGE_FIRST = "heliograph eval omgqa judge comes first"


@dataclass(frozen=True, slots=True)
class Judging:
    """How the answers of a folder are judged.

    `labels` are judgements that are there already. A question that its authors labelled is not judged for relevancy
    again, unless `everything` is. `correctness` asks whether answers are right, too, which accepted strings tell
    without a model.
    """

    folder: EvaluationFolder
    labels: tuple[Judgement, ...] = ()
    kind: UnitKind = "leaf"
    everything: bool = False
    at_once: int = 1
    correctness: bool = False


async def judge_folder(judging: Judging, judge: Judge, shelf: Shelf, say: Say) -> None:
    """Have a judge decide what it has not decided yet: the pool first, then the answers.

    Every word is on the disk before the next is asked; the pool is written when it is judged.

    Raises:
        UsageError: the folder is none of an evaluation, or has nothing to judge.
        ModelError: the judge cannot be asked; the same call goes on where this one stopped.
        StoreError: the folder or the page store cannot be used.
    """
    folder = judging.folder
    questions = read_questions_of(folder)
    runs = read_answers_of(folder, questions)
    if not pool(runs, judging.kind):
        raise UsageError(f"{folder.path} has nothing to judge: none of its answers found or cites any evidence")
    with ExitStack() as stack:
        open_pool(folder.pool, stack)
        log = stack.enter_context(open_words(folder.words, A_COPY))
        known = merged(judging.labels, kept_judgements(folder, questions))
        _refuse_person(folder, judge, known, log)
        _keep_evidence(folder, runs, judging.kind, shelf)
        log.count_anew(judge)
        pairs = _cases_of_pool(judging, questions, runs, known, shelf)
        await judge_all(pairs.values(), judge, log, judging.at_once, say)
        _replace_judgements(folder, merged(_judgements(pairs, judge, log), known))
        cases = [
            case for each in answered_of(runs, questions, shelf.shown, judging.kind) for case in answer_cases(each)
        ]
        asked = (case for case in cases if judging.correctness or case.task != "correctness")
        await judge_all(asked, judge, log, judging.at_once, say)


async def judge_correctness(folder: EvaluationFolder, judge: Judge, at_once: int, say: Say) -> None:
    """Have a judge decide which answers are right, and nothing else.

    Raises:
        UsageError: the folder is none of an evaluation, or none of its answers is to a question with known answers.
        ModelError: the judge cannot be asked; the same call goes on where this one stopped.
        StoreError: the folder cannot be used.
    """
    questions = read_questions_of(folder)
    asked = ((run, questions[run.question]) for run in read_answers_of(folder, questions))
    every = (correctness_case(run, question.question, question.answers) for run, question in asked)
    cases = [case for case in every if case is not None]
    if not cases:
        raise UsageError(f"{folder.path} has no answer to a question whose answers are known; name another folder")
    with ExitStack() as stack:
        open_pool(folder.pool, stack)
        log = stack.enter_context(open_words(folder.words, A_COPY))
        _refuse_person(folder, judge, kept_judgements(folder, questions), log)
        log.count_anew(judge)
        await judge_all(cases, judge, log, at_once, say)


def read_results(folder: EvaluationFolder, judge: str, kind: UnitKind = "leaf") -> Results:
    """Put the answers of a folder beside what one judge says of them, and no other.

    Of a question that its authors labelled, their labels of relevancy come before the judge's. Which answers are right
    is by the judge's word too, or by that of the only other who has decided all of them. Questions that no system
    answered, as under `--limit`, are kept apart, and their judgements are left out.

    Raises:
        UsageError: a file cannot be read, rows were judged and leaves are asked for, or the judge has not decided
            everything.
    """
    every = read_questions_of(folder)
    runs = read_answers_of(folder, every)
    answered = {run.question for run in runs}
    questions = {id: question for id, question in every.items() if id in answered}
    judgements, said = kept_judgements(folder, every), _kept_words(folder.words)
    if not judgements:
        raise UsageError(f"{folder.pool} has no judgements; {JUDGE_FIRST}")
    if kind == "leaf" and any(each.evidence != parse_id(each.evidence).leaf for each in judgements):
        raise UsageError(f"{folder.pool} judges rows, which would all count as not found; give --unit row")
    find, authors = kept_evidence(folder.evidence), labels_by(AUTHORS, judgements)
    answers = answered_of(runs, questions, find, kind)
    asked, words = asked_of(answers), spoken(judgements, said)
    needed = wanted(runs, kind, authors, asked)
    refuse_gaps(words, judge, needed, folder.path)
    correctness = judge_of_correctness(words, judge, needed, folder.path)
    labels = {**labels_by(judge, judgements), **authors}
    its, right = _words_of(said, judge), _words_of(said, correctness) if correctness else None
    judged = (
        JudgedRun(each.run, judged_of(each, labels.get(each.run.question, NO_LABELS), its, right)) for each in answers
    )
    return Results(
        judge,
        _systems_of(folder, runs),
        questions,
        tuple(each for each in judgements if each.question in answered),
        tuple(judged),
        said,
        asked,
        correctness,
        {id: question for id, question in every.items() if id not in answered},
    )


def _systems_of(folder: EvaluationFolder, runs: Iterable[OmgRun]) -> dict[str, System]:
    systems = read_systems_of(folder)
    if unknown := [run.system for run in runs if run.system not in systems]:
        raise UsageError(
            f"{folder.systems} lacks {unknown[0]!r}, which has answers; the command that asked it adds it again: "
            "heliograph eval omgqa run"
        )
    return systems


def _words_of(said: Mapping[Asked, Said], judge: str) -> Words:
    its = told_last(said, judge)
    return lambda case: its[case.digest].word if case.digest in its else None


def _kept_words(path: Path) -> dict[Asked, Said]:
    if not path.exists():
        raise UsageError(f"there are no words {path}; {JUDGE_FIRST}")
    return read_words(path)


def kept_judgements(folder: EvaluationFolder, questions: Iterable[str]) -> tuple[Judgement, ...]:
    """Read the judgements of a folder, none where nothing is judged yet."""
    begun = folder.pool.exists() and folder.pool.stat().st_size
    return read_judgements(folder.pool, questions) if begun else ()


def merged(*several: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """Join judgements; one judge's first word on a pair stays."""
    found: dict[tuple[str, str, str], Judgement] = {}
    for judgement in (each for judgements in several for each in judgements):
        found.setdefault((judgement.question, judgement.evidence, judgement.judge), judgement)
    return tuple(found.values())


def _refuse_person(folder: EvaluationFolder, judge: Judge, known: Iterable[Judgement], log: WordLog) -> None:
    """Refuse to judge under a name that a person labelled under: the words of one would pass for the other's."""
    untold = (*(each.judge for each in known if not each.prompt), *(each.judge for each in log.said if not each.prompt))
    if judge.name in untold:
        raise UsageError(
            f"{folder.path} has words of a person named {judge.name!r}; rename that judge in its pool.jsonl and "
            "words.jsonl, or serve the model under another name"
        )


def _cases_of_pool(
    judging: Judging,
    questions: Mapping[str, OmgQuestion],
    runs: Sequence[OmgRun],
    known: Iterable[Judgement],
    shelf: Shelf,
) -> dict[Pooled, Case]:
    """Return what is asked of each piece of the pool; questions of which authors labelled are left to them."""
    labelled = set() if judging.everything else {each.question for each in known if each.judge == AUTHORS}
    return {
        each: relevancy_case(questions[each.question], each.unit, shelf.shown)
        for each in pool(runs, judging.kind)
        if each.question not in labelled
    }


def _judgements(pairs: Mapping[Pooled, Case], judge: Judge, log: WordLog) -> Iterator[Judgement]:
    """Yield a judge's words on the pool as judgements."""
    prompt, words = judge.prompt("relevancy"), log.words_of(judge)
    for each, case in pairs.items():
        word = words(case)
        if word is not None:
            yield Judgement(each.question, each.unit, word.yes, judge.name, prompt, word.confidence)


def _keep_evidence(folder: EvaluationFolder, runs: Sequence[OmgRun], kind: UnitKind, shelf: Shelf) -> None:
    """Write down what judges are shown, and the documents that it is of, so that a report needs no page store."""
    cited = (piece for run in runs for piece in run.cited)
    pieces = dict.fromkeys((*(each.unit for each in pool(runs, kind)), *cited))
    write_shown(folder.evidence, map(shelf.shown, pieces))
    pages = dict.fromkeys(map(page_of, pieces))
    write_lines(folder.documents, (document_line(omg_document(shelf.document(page))) for page in pages), A_COPY)


def _replace_judgements(folder: EvaluationFolder, judgements: Iterable[Judgement]) -> None:
    """Write the pool anew, whole or not at all."""
    write_lines(folder.pool, map(judgement_line, judgements), A_COPY)
