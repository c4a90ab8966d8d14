"""What the card of a reader says beyond its training: where its data come from, and the command that makes it again."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from eval.ott.corpus import OttCorpus
from eval.ott.recipe import digest_of_corpus
from heliograph.paths import expanded
from indexers.models.training.card import Origin
from indexers.models.training.schedule import Schedule

if TYPE_CHECKING:
    from eval.ott.training.checker_training import CheckerTraining
    from eval.ott.training.reader_training import ReaderTraining

COMPOSED = (
    "composed for this project in the wordings of people, over tables that no development or reported question has; "
    "a second reader, who saw the texts and not the answers, gave the same answer to each, and code checks every line "
    "against the corpus (`python -m bench.composed_questions`; docs/results/reader.md). Questions, answers and ids "
    "alone, without the texts"
)


def sources(training: "ReaderTraining", corpus: OttCorpus, kept_out: int, composed: int) -> tuple[str, ...]:
    """Return a line for each of the data that a reader learned from, with the hash of its file."""
    ranked = ", ".join(map(hashed, training.rankings)) or "BM25's"
    lines = [
        f"Tables and passages: the corpus of OTT-QA (Chen et al. 2021, MIT licence; texts of Wikipedia, CC BY-SA), "
        f"digest {digest_of_corpus(corpus)}.",
        f"Questions: HybridQA's (Chen et al. 2020, MIT licence), {hashed(training.questions)}.",
        *(f"Composed questions, {composed} in all: {hashed(path)}, {COMPOSED}." for path in training.composed),
        f"Edges without the answer: {ranked}.",
        f"Nothing is learned without a label, or composed, over the {kept_out} tables of reported and development "
        "questions.",
    ]
    return tuple(lines)


def command(training: "ReaderTraining") -> str:
    """Return the command that makes the same reader of the same files."""
    return " \\\n  ".join(_options(training))


def _options(training: "ReaderTraining") -> Iterator[str]:
    yield f"heliograph train reader --data OTT --questions {placed(training.questions, training.data)}"
    for name in ("composed", "rankings"):
        for path in getattr(training, name):
            yield f"--{name} {placed(path, training.data)}"
    if training.reported:
        yield f"--reported {placed(training.reported, training.data)}"
    yield from learning_options(training, training.schedule)


def learning_options(training: "ReaderTraining | CheckerTraining", schedule: Schedule) -> Iterator[str]:
    """Yield the options that every training has."""
    yield (
        f"--start {start_name(training.start)} --out {training.out.name} --pretrained {training.pretrained} "
        f"--epochs {schedule.epochs}"
    )
    yield (
        f"--batch {schedule.batch} --learning-rate {schedule.learning_rate:g} --warmup {schedule.warmup:g} "
        f"--seed {training.seed}"
    )


def start_name(start: str) -> str:
    """Name what a training begins from: by its card where it is a folder."""
    return Origin.of(start).name.partition(" ")[0] if expanded(start).is_dir() else start


def placed(path: Path, data: Path) -> str:
    """Name a file without the folders of one machine: by its place in the data, or as it was given from here."""
    if path.is_relative_to(data):
        return str(Path("OTT") / path.relative_to(data))
    return path.name if path.is_absolute() else str(path)


def hashed(path: Path) -> str:
    """Name a file with the hash of what it holds."""
    return f"`{path.name}` (sha256 {hashlib.sha256(path.read_bytes()).hexdigest()})"
