"""Training of the checker: first on claims made of the corpus alone, then on composed and on judged ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.ott.corpus import OttCorpus
from eval.ott.questions import OttQuestion
from eval.ott.training.claim_lists import ClaimLists, answers_as_claims, judged_by_people
from eval.ott.training.claim_pretraining import ClaimPretraining
from eval.ott.training.claims import HELD_OUT, read_composed_claims
from eval.ott.training.edge_lists import DEVELOPMENT, told_questions
from eval.ott.training.reader_training import ReaderTraining, reader_curriculum
from eval.ott.training.stages import CorpusTraining, Curriculum, hashed, source_of_corpus, tables_of, train_in_stages
from heliograph.errors import UsageError
from indexers.models.reader import SHIPPED_READER, Reader
from indexers.models.training.checking import CheckingExample, load_checker
from indexers.models.training.loop import Trained
from indexers.models.training.schedule import Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerTraining(CorpusTraining):
    """One training of a checker; `judged` is ExpertQA's file, of whose development half half is learned from.

    Of `questions` and of `composed` ones it is learned which answers of the reader that ships are right; `home` keeps
    the words of the corpus.
    """

    kind, measured = "checker", "balanced accuracy"
    first_stage = Schedule(epochs=1, batch=32, learning_rate=1e-4, warmup=0.05, at_once=32)
    second_stage = Schedule(epochs=3, batch=32, learning_rate=1e-4, warmup=0.1, at_once=32)

    claims: tuple[Path, ...]
    judged: Path | None = None
    questions: Path | None = None
    composed: tuple[Path, ...] = ()
    home: Path = Path()

    def options(self) -> Iterator[str]:
        """Yield the options of its files."""
        yield "--data OTT"
        yield from self.files("claims", "judged", "questions", "composed", "reported")


def train_checker(training: CheckerTraining) -> Trained:
    """Train a checker on what the command line names, as `train_in_stages` does.

    Raises:
        UsageError: data or claims cannot be used, or `out` holds another training.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    return train_in_stages(training, lambda: _curriculum(training, training.corpus()))


def _curriculum(training: CheckerTraining, corpus: OttCorpus) -> Curriculum[CheckingExample]:
    reported = tables_of(training.questions_reported())
    composed = [each for path in training.claims for each in read_composed_claims(path, corpus, reported)]
    held_out = [each for each in composed if each.is_development]
    learned = [each for each in composed if not each.is_development]
    if not learned or not held_out:
        raise UsageError(f"{training.claims[0]} has claims of too few tables; one table in {HELD_OUT} is held out")
    judged = [judged_by_people(training.judged, held) if training.judged else () for held in (False, True)]
    kept_out = reported | {each.table for each in held_out}
    if training.questions:
        questions = told_questions(training.questions, 0)
        answered = _answers(training, training.questions, questions, corpus)
        judged = [(*one, *more) for one, more in zip(judged, answered, strict=True)]
        kept_out |= tables_of(questions[:DEVELOPMENT])
    lists, development = ClaimLists(learned, judged[0], corpus), ClaimLists(held_out, judged[1], corpus).all()
    told = (
        f"{len(lists)} pairs, of {len(learned)} composed claims with evidence and question, "
        f"and of claims that people judged; {len(development)} pairs held out, {len(held_out)} claims of one table "
        f"in {HELD_OUT} by sha256 of their ids"
    )
    first = ClaimPretraining(corpus, kept_out, training.pretrained)
    return Curriculum(load_checker, first, lists, told, development, tuple(_sources(training, corpus)))


def _answers(
    training: CheckerTraining, file: Path, questions: Sequence[OttQuestion], corpus: OttCorpus
) -> Iterator[tuple[CheckingExample, ...]]:
    """Yield answers of the reader that ships as claims: those to learn from, and those of development."""
    asked = ReaderTraining(
        data=training.data, out=training.out, start=training.start, schedule=training.schedule, home=training.home,
        reported=training.reported, questions=file, composed=training.composed, say=training.say,
    )  # fmt: skip
    taught = reader_curriculum(asked, questions, corpus)
    reader = Reader(SHIPPED_READER, threads=1)
    for examples in (taught.second.epoch(0, training.seed), taught.development):
        training.say(f"reading {len(examples)} questions")
        yield tuple(answers_as_claims(examples, reader, training.seed))


def _sources(training: CheckerTraining, corpus: OttCorpus) -> Iterator[str]:
    """Yield a line for each of the data that a checker learned from, with the hash of its file."""
    yield source_of_corpus(corpus)
    for path in training.claims:
        yield (
            f"Claims: {hashed(path)}, composed for this project over tables that no reported question has; code checks "
            "every line against the corpus. Questions, claims, labels and ids alone, without the texts."
        )
    if training.judged:
        yield (
            "Claims that experts judged: half of the development half of ExpertQA (Malaviya et al. 2024, MIT licence), "
            f"{hashed(training.judged)}."
        )
    if training.questions:
        names = ", ".join(hashed(path) for path in (training.questions, *training.composed))
        yield f"Answers of the reader that ships, right and wrong ones, to the questions of {names}."
