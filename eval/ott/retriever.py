"""The seam between what retrieves and what measures: a question in, a ranking and its seconds out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from eval.ott.ranking import Ranking, UnitKind


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What was found for one question, seconds by stage, and what could not be done, for a reader.

    `scores` are what was thought of each unit, more the better; none where only their order is known.
    """

    ranking: Ranking
    seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()


class Retriever(Protocol):
    """Ranks units of a corpus for questions; the same question always has the same ranking.

    `kind` says what the units are; `digest` changes with everything that decides a ranking: corpus, links, models,
    options. Results are kept under it.
    """

    @property
    def kind(self) -> UnitKind: ...

    @property
    def digest(self) -> str: ...

    async def retrieve(self, question: str) -> Retrieval: ...
