"""What questions are to be made from, chosen before a model is asked: pairs of tables, or articles (OMG-QA, 2.1)."""

import hashlib
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from eval.lines import read_lines
from eval.omgqa.elsewhere import ANOTHER
from eval.omgqa.generation.articles import LEAST_WORDS, Article
from eval.omgqa.generation.neighbours import Near
from heliograph.types import EvidenceId
from memory.trace.disk import write_lines

Pipeline = Literal["pairs", "contents"]
NEIGHBOURS = 5
LEAST_COSINE = 0.3
"""Below it two introductions are not similar; OMG-QA says "high" of vectors of another model, the number is ours."""
LEAST_MODALITIES = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """One or two articles by their titles; of two also a table of each, and the keys of the names that these share."""

    pipeline: Pipeline
    titles: tuple[str, ...]
    tables: tuple[EvidenceId, ...] = ()
    shared: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """A name that other candidates of an archive do not have."""
        said = json.dumps([self.pipeline, self.titles, self.tables]).encode()
        return f"{self.pipeline}-{hashlib.sha256(said).hexdigest()[:12]}"


class CandidateLine(BaseModel):
    """A candidate as a line; its fields are those of `Candidate`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    pipeline: Pipeline
    titles: tuple[str, ...]
    tables: tuple[EvidenceId, ...]
    shared: tuple[str, ...]

    def record(self) -> Candidate:
        """Return the candidate."""
        return Candidate(self.pipeline, self.titles, self.tables, self.shared)


def read_candidates(path: Path) -> tuple[Candidate, ...]:
    """Read candidates in the order in which they are tried.

    Raises:
        UsageError: the file cannot be read, or a line is no candidate.
    """
    return tuple(line.record() for line in read_lines(path, CandidateLine))


def write_candidates(path: Path, candidates: Iterable[Candidate]) -> None:
    """Write candidates, all or none.

    Raises:
        StoreFull | StoreError: the file cannot be written.
    """
    write_lines(path, (json.dumps(asdict(each)) + "\n" for each in candidates), ANOTHER)


def pair_candidates(articles: Sequence[Article], near: Iterable[Near]) -> tuple[Candidate, ...]:
    """Return the pairs of articles that have tables with names in common, each with the two that have most of them."""
    found = (_tables_of(articles[pair.first], articles[pair.second]) for pair in near)
    return tuple(candidate for candidate in found if candidate is not None)


def contents_candidates(articles: Iterable[Article]) -> tuple[Candidate, ...]:
    """Return the articles that have leaves of several modalities."""
    several = (article for article in articles if len(article.modalities) >= LEAST_MODALITIES)
    return tuple(Candidate("contents", (article.title,)) for article in several)


def fit_for(pipeline: Pipeline, article: Article) -> bool:
    """Tell whether an article has what a pipeline begins with: tables for pairs, and text enough."""
    return article.words >= LEAST_WORDS and (pipeline == "contents" or bool(article.tables))


def in_drawn_order(candidates: Sequence[Candidate], seed: int) -> tuple[Candidate, ...]:
    """Return all candidates in an order that the seed draws, whatever order they come in."""
    ordered = sorted(candidates, key=lambda candidate: candidate.id)
    random.Random(seed).shuffle(ordered)
    return tuple(ordered)


def _tables_of(one: Article, other: Article) -> Candidate | None:
    """Return the two tables with most names in common; of several such the first."""
    best: Candidate | None = None
    for first, second in product(one.tables, other.tables):
        shared = first.names & second.names
        if len(shared) > (len(best.shared) if best else 0):
            best = Candidate("pairs", (one.title, other.title), (first.id, second.id), tuple(sorted(shared)))
    return best
