"""From a folder of answers to results: evidence pooled and judged, answers judged, and all of it put together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.omgqa.dataset import document_line, judgement_line, labels_by, read_judgements
from eval.omgqa.folder import EvaluationFolder, read_questions_of, read_systems_of
from eval.omgqa.judged import Labels, UnitKind
from eval.omgqa.judging.answers import Answered, answer_cases, judged_of
from eval.omgqa.judging.cases import Judge
from eval.omgqa.judging.words import WordLog, Words, judge_all, open_words, read_words
from eval.omgqa.pooling import pool, relevancy_case
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion
from eval.omgqa.results import JudgedRun, Results
from eval.omgqa.run_log import read_runs
from eval.omgqa.runs import OmgRun
from eval.omgqa.shelf import Shelf, read_shown, write_shown
from eval.omgqa.trees import omg_document
from heliograph.errors import UsageError
from indexers.lock import WriterLock
from indexers.pace import Say
from indexers.parser import page_of
from memory.trace.disk import write_whole

NO_LABELS = Labels()


@dataclass(frozen=True, slots=True)
class Judging:
    """How the answers of a folder are judged.

    `labels` are judgements that are there already. A question that its authors labelled is not judged for relevancy
    again, unless `everything` is.
    """

    folder: EvaluationFolder
    labels: tuple[Judgement, ...] = ()
    kind: UnitKind = "leaf"
    everything: bool = False
    at_once: int = 1


async def judge_folder(judging: Judging, judge: Judge, shelf: Shelf, say: Say) -> None:
    """Have a judge decide what it has not decided yet: the pool first, then the answers.

    Every word is on the disk before the next is asked; the pool is written when it is judged.

    Raises:
        UsageError: the folder is none of an evaluation.
        ModelError: the judge cannot be asked; the same call goes on where this one stopped.
        StoreError: the folder or the page store cannot be used.
    """
    folder = judging.folder
    questions, runs = read_questions_of(folder), read_runs(folder.runs)
    with WriterLock(folder.path, "wait for the process that writes it"), open_words(folder.words) as log:
        known = merged(judging.labels, kept_judgements(folder, questions))
        _keep_evidence(folder, runs, judging.kind, shelf)
        pooled = await _judge_pool(judging, judge, questions, runs, known, log, shelf, say)
        _keep_judgements(folder, merged(pooled, known))
        answers = [Answered(run, questions[run.question].question, shelf.shown, judging.kind) for run in runs]
        await judge_all((case for each in answers for case in answer_cases(each)), judge, log, judging.at_once, say)


def read_results(folder: EvaluationFolder, judge: str, kind: UnitKind = "leaf") -> Results:
    """Put the answers of a folder beside what one judge says of them; labels of authors come before its own.

    Raises:
        UsageError: a file cannot be read, or the judge has not judged the answers.
    """
    questions, runs = read_questions_of(folder), read_runs(folder.runs)
    judgements, words = kept_judgements(folder, questions), words_by(folder.words, judge)
    shown = read_shown(folder.evidence)
    labels = {**labels_by(judge, judgements), **labels_by(AUTHORS, judgements)}
    judged = (
        JudgedRun(
            run,
            judged_of(
                Answered(run, questions[run.question].question, shown.__getitem__, kind),
                labels.get(run.question, NO_LABELS),
                words,
            ),
        )
        for run in runs
    )
    return Results(judge, read_systems_of(folder), questions, judgements, tuple(judged))


def words_by(path: Path, judge: str) -> Words:
    """Return the words of one judge by case; of a case that it decided under several prompts the last word.

    Raises:
        UsageError: the file cannot be read, or has none of its words.
    """
    every = read_words(path)
    said = {asked.case: each.word for asked, each in every.items() if asked.judge == judge}
    if not said:
        others = sorted({asked.judge for asked in every})
        raise UsageError(f"{path} has no words of {judge!r}; it has those of {', '.join(others) or 'nobody'}")
    return lambda case: said.get(case.digest)


def kept_judgements(folder: EvaluationFolder, questions: Iterable[str]) -> tuple[Judgement, ...]:
    """Read the judgements of a folder, none where nothing is judged yet."""
    return read_judgements(folder.pool, questions) if folder.pool.exists() else ()


def merged(*several: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """Join judgements; one judge's first word on a pair stays."""
    found: dict[tuple[str, str, str], Judgement] = {}
    for judgement in (each for judgements in several for each in judgements):
        found.setdefault((judgement.question, judgement.evidence, judgement.judge), judgement)
    return tuple(found.values())


async def _judge_pool(
    judging: Judging,
    judge: Judge,
    questions: Mapping[str, OmgQuestion],
    runs: Sequence[OmgRun],
    known: Iterable[Judgement],
    log: WordLog,
    shelf: Shelf,
    say: Say,
) -> tuple[Judgement, ...]:
    labelled = set() if judging.everything else {each.question for each in known if each.judge == AUTHORS}
    pairs = {
        each: relevancy_case(questions[each.question], each.unit, shelf.shown)
        for each in pool(runs, judging.kind)
        if each.question not in labelled
    }
    await judge_all(pairs.values(), judge, log, judging.at_once, say)
    prompt, words = judge.prompt("relevancy"), log.words_of(judge)
    decided = ((each, words(case)) for each, case in pairs.items())
    return tuple(
        Judgement(each.question, each.unit, word.yes, judge.name, prompt, word.confidence)
        for each, word in decided
        if word is not None
    )


def _keep_evidence(folder: EvaluationFolder, runs: Sequence[OmgRun], kind: UnitKind, shelf: Shelf) -> None:
    """Write down what judges are shown, and the documents that it is of, so that a report needs no page store."""
    cited = (piece for run in runs for piece in run.cited)
    pieces = dict.fromkeys((*(each.unit for each in pool(runs, kind)), *cited))
    write_shown(folder.evidence, map(shelf.shown, pieces))
    pages = dict.fromkeys(map(page_of, pieces))
    lines = (document_line(omg_document(shelf.document(page))) for page in pages)
    write_whole(folder.documents, "".join(lines).encode("utf8", errors="backslashreplace"))


def _keep_judgements(folder: EvaluationFolder, judgements: Iterable[Judgement]) -> None:
    lines = (judgement_line(each) for each in judgements)
    write_whole(folder.pool, "".join(lines).encode("utf8", errors="backslashreplace"))
