"""One evaluation from its files to its figures."""

from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path

from eval.ott.building import Searched, Workshop, build_retriever
from eval.ott.linkers import edges_of_track
from eval.ott.models import Models, language_models, load_models
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.readers import build_reader
from eval.ott.reading import read_corpus
from eval.ott.recipe import Recipe, digest_of_corpus, digest_of_questions, digest_of_run
from eval.ott.results import Summary, summarise
from eval.ott.results_log import ResultsLog, folder_of, open_log
from eval.ott.runner import run
from eval.ott.scoring import Scorer
from heliograph.config import Settings
from heliograph.errors import UsageError
from indexers.models.word_pieces import word_piece_ends
from indexers.pace import Say

FOLDER = Path("eval") / "ott"
"""Of the home folder: results, postings, token vectors and embeddings."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What an evaluation is asked for; without `out` its results are kept under the home folder.

    `whole` encodes the whole corpus before the first question.
    """

    data: Path
    questions: Path
    first: int | None = None
    out: Path | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The figures, over how many questions, where each question's results are, and how many are incomplete."""

    summary: Summary
    questions: int
    results: Path
    incomplete: int


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """A run before its first question: what is searched, by what, and the file that its results belong in."""

    recipe: Recipe
    searched: Searched
    models: Models
    digest: str
    questions: str
    path: Path

    @property
    def name(self) -> str:
        """The digest of everything that decides the results."""
        return f"{self.digest}-{self.questions}"

    @property
    def made_by(self) -> dict[str, object]:
        """The same for people to read."""
        return {**self.recipe.record(), "corpus": self.searched.digest, "models": list(self.models.names)}


async def evaluate(
    evaluation: Evaluation, recipe: Recipe, settings: Settings, say: Say, models: Models | None = None
) -> Evaluated:
    """Ask the questions that have no result yet, and sum up all.

    Args:
        evaluation: the files.
        recipe: how to retrieve, and to read what was retrieved.
        settings: the home folder, and the language model where the recipe names one.
        say: hears progress.
        models: those to use; None loads what the recipe names.

    Raises:
        UsageError: data or questions cannot be used, or `out` holds other results.
        ModelError: a model cannot be used.
        StoreError: indexes or results cannot be kept.
    """
    folder = settings.home / FOLDER
    models = load_models(recipe, folder, settings.reader) if models is None else models
    every = read_questions(evaluation.questions)
    asked = every[: evaluation.first]
    if not asked:
        raise UsageError(f"{evaluation.questions} has no questions; name a file with one JSON object a line")
    made = _made(evaluation, recipe, models, digest_of_questions(every), folder, say)
    with ExitStack() as stack:
        log = open_log(made.path, made.name, made.made_by, stack)
        say(f"results: {made.path}")
        workshop = Workshop(folder, say, stack, evaluation.whole)
        todo = any(question.id not in log.results for question in asked)
        incomplete = await _asked(asked, made, log, workshop, settings) if todo else 0
    summary = summarise(log.results.values(), asked, made.searched.corpus.numbers)
    return Evaluated(summary, len(asked), made.path, incomplete)


def _made(evaluation: Evaluation, recipe: Recipe, models: Models, questions: str, folder: Path, say: Say) -> _Run:
    say(f"reading the corpus: scope {recipe.scope}")
    corpus = read_corpus(evaluation.data, recipe.scope)
    known = digest_of_corpus(corpus)
    searched = Searched(corpus, edges_of_track(corpus, known, recipe, folder / "edges", say), known)
    digest = digest_of_run(recipe, searched.digest, searched.edges, models.names)
    path = evaluation.out or folder / f"{digest}-{questions}.jsonl"
    return _Run(recipe, searched, models, digest, questions, path)


async def _asked(
    asked: Sequence[OttQuestion], made: _Run, log: ResultsLog, workshop: Workshop, settings: Settings
) -> int:
    async with AsyncExitStack() as opened:
        speaking = language_models(settings, folder_of(made.path), made.recipe.roles)
        llms = await opened.enter_async_context(speaking)
        retriever = await build_retriever(
            made.recipe, made.digest, made.searched, made.models, workshop, llms.get("refine")
        )
        reader = build_reader(made.recipe, made.searched, made.models, llms.get("answer"))
        scorer = Scorer(made.searched.corpus, retriever.kind, word_piece_ends())
        return await run(asked, retriever, scorer, log, workshop.say, reader)
