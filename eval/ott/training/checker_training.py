"""Training of the checker: first on claims made of the corpus alone, then on composed and on judged ones."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from eval.ott.corpus import OttCorpus
from eval.ott.questions import read_questions
from eval.ott.reading import read_corpus
from eval.ott.recipe import digest_of_corpus
from eval.ott.training.claim_lists import ClaimLists, answers_as_claims, judged_by_people
from eval.ott.training.claim_pretraining import ClaimPretraining
from eval.ott.training.claims import HELD_OUT, ComposedClaim, read_composed_claims
from eval.ott.training.reader_card import hashed, learning_options, placed
from eval.ott.training.reader_training import INT8, PRETRAINING, PUBLIC, SMALL, ReaderTraining, lessons
from heliograph.errors import UsageError
from indexers.models.checker import Checker
from indexers.models.named import refuse_missing
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import SHIPPED_READER, Reader
from indexers.models.training.card import Card, carry_card, note, write_card
from indexers.models.training.checking import CheckingExample, int8_loss, load_checker
from indexers.models.training.checkpoint import keep_asked, refuse_another
from indexers.models.training.export import export_checker
from indexers.models.training.loop import BEST, Plan, Trained, train
from indexers.models.training.schedule import Schedule

PRETRAINED = 24_000
"""Examples of the first stage."""
FIRST_STAGE = Schedule(epochs=1, batch=32, learning_rate=1e-4, warmup=0.05, at_once=32)
SECOND_STAGE = Schedule(epochs=3, batch=32, learning_rate=1e-4, warmup=0.1, at_once=32)
MEASURED = "balanced accuracy"


@dataclass(frozen=True, slots=True)
class CheckerTraining:
    """One training as the command line gives it.

    `reported` are questions from whose tables nothing is learned; None names those of the folder of the data.
    `judged` is ExpertQA's file of claims, of whose development half half is learned from. Of `questions` and of
    `composed` ones it is learned which answers of the `reader` are right; `home` keeps the words of the corpus.
    """

    data: Path
    claims: tuple[Path, ...]
    out: Path
    start: str
    judged: Path | None = None
    questions: Path | None = None
    composed: tuple[Path, ...] = ()
    reader: Path = SHIPPED_READER
    home: Path = Path()
    reported: Path | None = None
    pretrained: int = PRETRAINED
    schedule: Schedule = SECOND_STAGE
    seed: int = 0
    say: Callable[[str], None] = field(default=lambda _: None)

    def asked(self, stage: str) -> dict[str, object]:
        """Return what of a stage is known at once and makes it another one where it differs."""
        schedule = FIRST_STAGE if stage == PRETRAINING else self.schedule
        common: dict[str, object] = {"kind": f"checker {stage}", "start": self.start, "seed": self.seed}
        return {**common, "pretrained": self.pretrained, "schedule": asdict(schedule)}


@dataclass(frozen=True, slots=True)
class Given:
    """What a training learns from, and what it is measured on."""

    corpus: OttCorpus
    composed: tuple[ComposedClaim, ...]
    without: frozenset[str]
    lists: ClaimLists
    development: tuple[CheckingExample, ...]


_Answered = tuple[tuple[tuple[CheckingExample, ...], tuple[CheckingExample, ...]], frozenset[str]]
_NOTHING: _Answered = (((), ()), frozenset())


def train_checker(training: CheckerTraining) -> Trained:
    """Train both stages and write the model, its form without PyTorch, and a card beside each.

    Raises:
        UsageError: data or claims cannot be used, or `out` holds another training.
        ModelMissing: there is no such start, or the extra `models` is not installed.
    """
    for stage, folder in (("", training.out), (PRETRAINING, training.out / PRETRAINING)):
        refuse_another(folder, training.asked(stage))
    refuse_missing(training.start, "--start")
    loaded_torch()
    training.say("reading the corpus")
    given = _given(training)
    start = _pretrained(training, given) if training.pretrained else training.start
    found = _learned(training, start, given)
    _exported(training, given.development)
    return found


def _given(training: CheckerTraining) -> Given:
    corpus = read_corpus(training.data, "full")
    reported = frozenset(each.gold_table for each in read_questions(training.reported or training.data / PUBLIC))
    composed = tuple(each for path in training.claims for each in read_composed_claims(path, corpus, reported))
    held_out = [each for each in composed if each.is_development]
    learned = [each for each in composed if not each.is_development]
    if not learned or not held_out:
        raise UsageError(f"{training.claims[0]} has claims of too few tables; one table in {HELD_OUT} is held out")
    judged = [judged_by_people(training.judged, held) if training.judged else () for held in (False, True)]
    answered, without = _answered(training, training.questions, corpus) if training.questions else _NOTHING
    return Given(
        corpus,
        composed,
        reported | without | {each.table for each in held_out},
        ClaimLists(learned, (*judged[0], *answered[0]), corpus),
        ClaimLists(held_out, (*judged[1], *answered[1]), corpus).all(),
    )


def _answered(training: CheckerTraining, questions: Path, corpus: OttCorpus) -> _Answered:
    """Return answers of the reader as claims, to learn from and of development, and the tables of the latter."""
    asking = ReaderTraining(
        training.data, questions, training.out, training.home, training.start, training.composed,
        reported=training.reported, say=training.say,
    )  # fmt: skip
    taught = lessons(asking, corpus)
    training.say(f"reading {len(taught.lists)} questions")
    reader = Reader(training.reader, threads=1)
    learned, developed = taught.lists.epoch(0, training.seed), taught.development.epoch(0, training.seed)
    both = tuple(answers_as_claims(each, reader, training.seed) for each in (learned, developed))
    return (tuple(both[0]), tuple(both[1])), taught.without


def _pretrained(training: CheckerTraining, given: Given) -> str:
    folder = training.out / PRETRAINING
    keep_asked(folder, training.asked(PRETRAINING))
    training.say(f"training {folder}")
    plan = Plan("checker pretraining", training.start, FIRST_STAGE, training.seed)
    examples = ClaimPretraining(given.corpus, given.without, training.pretrained)
    student = load_checker(training.start, training.seed)
    found = train(plan, student, examples, given.development, folder, training.say)
    told = f"{training.pretrained} claims made of the corpus, without the rows of {len(given.without)} tables"
    write_card(folder / BEST, Card(plan, examples.digest, told, found, MEASURED, "transformers"))
    return str(folder / BEST)


def _learned(training: CheckerTraining, start: str, given: Given) -> Trained:
    held_out = sum(each.is_development for each in given.composed)
    told = (
        f"{len(given.lists)} pairs, of {len(given.composed) - held_out} composed claims with evidence and question, "
        f"and of claims that people judged; {len(given.development)} pairs held out, {held_out} claims of one table "
        f"in {HELD_OUT} by sha256 of their ids"
    )
    keep_asked(training.out, training.asked(""))
    training.say(f"training {training.out} on {told}")
    plan = Plan("checker", start, training.schedule, training.seed)
    student = load_checker(start, training.seed)
    found = train(plan, student, given.lists, given.development, training.out, training.say)
    known = tuple(_sources(training, given))
    card = Card(plan, given.lists.digest, told, found, MEASURED, "transformers", known, command(training))
    write_card(training.out / BEST, card)
    return found


def _exported(training: CheckerTraining, development: Sequence[CheckingExample]) -> None:
    """Write the form without PyTorch, and what it loses on the development pairs into its card."""
    model, small = training.out / BEST, training.out / SMALL
    export_checker(model, small)
    carry_card(model, small)
    checker = Checker(small)
    student = load_checker(str(model))
    student.module.eval()
    lost = int8_loss(
        student.logits, lambda pairs: checker.logits([(each.text, each.candidate) for each in pairs]), development
    )
    training.say(str(lost))
    note(small, INT8, str(lost))


def _sources(training: CheckerTraining, given: Given) -> Iterator[str]:
    """Yield a line for each of the data that a checker learned from, with the hash of its file."""
    yield (
        f"Tables and passages: the corpus of OTT-QA (Chen et al. 2021, MIT licence; texts of Wikipedia, CC BY-SA), "
        f"digest {digest_of_corpus(given.corpus)}."
    )
    for path in training.claims:
        yield (
            f"Claims: {hashed(path)}, composed for this project over tables that no reported question has; code checks "
            "every line against the corpus. Questions, claims, labels and ids alone, without the texts."
        )
    if training.questions:
        names = ", ".join(hashed(path) for path in (training.questions, *training.composed))
        yield f"Answers of a reader as claims, right and wrong ones, to the questions of {names}."
    if training.judged:
        yield (
            "Claims that experts judged: half of the development half of ExpertQA (Malaviya et al. 2024, MIT licence), "
            f"{hashed(training.judged)}."
        )


def command(training: CheckerTraining) -> str:
    """Return the command that makes the same checker of the same files."""
    return " \\\n  ".join(_options(training))


def _options(training: CheckerTraining) -> Iterator[str]:
    yield "heliograph train checker --data OTT"
    for path in training.claims:
        yield f"--claims {placed(path, training.data)}"
    for path in training.composed:
        yield f"--composed {placed(path, training.data)}"
    for name in ("judged", "questions", "reported"):
        if path := getattr(training, name):
            yield f"--{name} {placed(path, training.data)}"
    yield from learning_options(training, training.schedule)
