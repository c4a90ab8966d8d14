"""The seam between what retrieves and what reads: a ranking in, a short answer and its seconds out."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.extractive.composer import Composer
from agent.extractive.reader import ExtractiveReader
from agent.language.reader import LanguageReader
from eval.ott.building import Searched
from eval.ott.evidence import evidence_of
from eval.ott.graph import OttGraph
from eval.ott.models import Models
from eval.ott.ranking import Ranking
from eval.ott.recipe import NO_READER, Recipe
from heliograph.errors import ModelError
from heliograph.protocols import LLM
from heliograph.types import Evidence, Scored


class Reader(Protocol):
    """Answers a question from evidence in a few words; an empty answer abstains."""

    async def read(self, question: str, evidence: Sequence[Scored[Evidence]]) -> str:
        """Return the answer.

        Raises:
            ModelError: a model that it needs cannot be asked.
        """


@dataclass(frozen=True, slots=True)
class Read:
    """What was answered, None where the reader failed; how long it took, and what could not be done."""

    answer: str | None
    seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankingReader:
    """Reads the `first` units of rankings of a corpus."""

    graph: OttGraph
    reader: Reader
    first: int

    async def read(self, question: str, ranking: Ranking) -> Read:
        """Answer a question; a model that fails gives no answer, and a note says why."""
        began, notes = time.perf_counter(), tuple[str, ...]()
        answer: str | None = None
        try:
            answer = await self.reader.read(question, evidence_of(ranking[: self.first], self.graph))
        except ModelError as err:
            notes = (f"not answered ({type(err).__name__}): {err}",)
        return Read(answer, time.perf_counter() - began, notes)


def build_reader(recipe: Recipe, searched: Searched, models: Models, llm: LLM | None) -> RankingReader | None:
    """Return the reader of a recipe; none where it names none."""
    if recipe.reader == NO_READER:
        return None
    return RankingReader(OttGraph(searched.corpus, searched.edges), _reader(recipe, models, llm), recipe.read)


def _reader(recipe: Recipe, models: Models, llm: LLM | None) -> Reader:
    if recipe.reader == "llm":
        assert llm is not None, "a recipe that reads by a language model opens one (Recipe.roles)"
        return LanguageReader(llm)
    assert models.words is not None, "a recipe with an extractive reader loads its words (load_models)"
    return ExtractiveReader(Composer(models.words.embedder, models.words.aligner))
