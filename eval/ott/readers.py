"""The seam between what retrieves and what reads: a ranking in, a short answer and its seconds out."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agent.extractive.composer import Composer, Plan
from agent.language.reader import LanguageReader
from eval.ott.building import Searched
from eval.ott.corpus import OttCorpus
from eval.ott.evidence import evidence_of
from eval.ott.graph import OttGraph
from eval.ott.models import Models, TrainedReader, table_reader
from eval.ott.nodes import candidates_of
from eval.ott.ranking import Ranking
from eval.ott.recipe import NO_READER, Recipe
from heliograph.errors import ModelError
from heliograph.protocols import LLM
from heliograph.types import Evidence, Scored
from indexers.models.answer_choice import ChoiceWeights, ChosenAnswer, choose, priors
from indexers.models.onnx import OnnxEmbedder
from indexers.models.reader import Reading


class Reader(Protocol):
    """Answers a question from evidence in a few words; an empty answer abstains."""

    async def read(self, question: str, evidence: Sequence[Scored[Evidence]]) -> str:
        """Return the answer.

        Raises:
            ModelError: a model that it needs cannot be asked.
        """


class UnitReader(Protocol):
    """The same from units of a ranking, with the scores that their retriever gave them, if any."""

    async def read(self, question: str, ranking: Ranking, scores: Sequence[float] = ()) -> str: ...


@dataclass(frozen=True, slots=True)
class EvidenceUnitReader:
    """Gives units to a reader of evidence: their rows and passages, and the tables of the rows behind them."""

    graph: OttGraph
    reader: Reader

    async def read(
        self,
        question: str,
        ranking: Ranking,
        scores: Sequence[float] = (),  # noqa: ARG002 - the place of a unit is its score (evidence_of)
    ) -> str:
        """Return the reader's answer."""
        return await self.reader.read(question, evidence_of(ranking, self.graph))


@dataclass(frozen=True, slots=True)
class TrainedUnitReader:
    """Gives units to a trained reader: a node or an edge as one candidate, a star as one for each of its edges."""

    corpus: OttCorpus
    trained: TrainedReader

    async def read(self, question: str, ranking: Ranking, scores: Sequence[float] = ()) -> str:
        """Return the answer that is chosen; it is empty where nothing was read."""
        candidates = candidates_of(self.corpus, ranking)
        readings = await asyncio.to_thread(self.trained.reader.read, question, candidates)
        chosen = chosen_among(readings, scores, self.trained.weights)
        return chosen[0].text if chosen else ""


def chosen_among(
    readings: Sequence[Reading], scores: Sequence[float], weights: ChoiceWeights
) -> tuple[ChosenAnswer, ...]:
    """Return different answers, the best first.

    `scores` are the retriever's, one for each reading; where there are none the order of the readings stands for them,
    whatever the weights were chosen with.
    """
    known = weights if scores else replace(weights, prior_of="rank")
    return choose(readings, priors(known, len(readings), scores), known)


@dataclass(frozen=True, slots=True)
class Read:
    """What was answered, None where the reader failed; how long it took, and what could not be done.

    `cpu_seconds` are those of all threads of this process.
    """

    answer: str | None
    seconds: float
    cpu_seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankingReader:
    """Reads the `first` units of rankings."""

    reader: UnitReader
    first: int

    async def read(self, question: str, ranking: Ranking, scores: Sequence[float] = ()) -> Read:
        """Answer a question; a model that fails gives no answer, and a note says why."""
        began, spent, notes = time.perf_counter(), time.process_time(), tuple[str, ...]()
        answer: str | None = None
        try:
            answer = await self.reader.read(question, ranking[: self.first], scores[: self.first])
        except ModelError as err:
            notes = (f"not answered ({type(err).__name__}): {err}",)
        return Read(answer, time.perf_counter() - began, time.process_time() - spent, notes)


class ExtractiveReader:
    """Answer as `ExtractiveAnswerer` does, by the same plan, but by a value, a cell or a few words of its quote."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def read(self, question: str, evidence: Sequence[Scored[Evidence]]) -> str:
        """Return the short answer; nothing where the answerer abstains."""
        plan = await self._composer.plan(question, evidence)
        return short_answer(plan) if plan.has_answer else ""


def short_answer(plan: Plan) -> str:
    """Return the words that a trained reader took, a computed value, or the sentence or row that answers best."""
    if plan.answer is not None:
        return plan.answer.text
    if not plan.runs:
        return plan.computed.answer if plan.computed else ""
    return plan.runs[0].quote


def build_reader(recipe: Recipe, searched: Searched, models: Models, llm: LLM | None) -> RankingReader | None:
    """Return the reader of a recipe; none where it names none."""
    return None if recipe.reader == NO_READER else RankingReader(_reader(recipe, searched, models, llm), recipe.read)


def _reader(recipe: Recipe, searched: Searched, models: Models, llm: LLM | None) -> UnitReader:
    if recipe.reader == "trained":
        assert models.trained is not None, "a recipe with a trained reader loads it (load_models)"
        return TrainedUnitReader(searched.corpus, models.trained)
    graph = OttGraph(searched.corpus, searched.edges)
    if recipe.reader == "llm":
        assert llm is not None, "a recipe that reads by a language model opens one (Recipe.roles)"
        return EvidenceUnitReader(graph, LanguageReader(llm))
    return EvidenceUnitReader(graph, ExtractiveReader(Composer(OnnxEmbedder(), tables=table_reader())))
