"""Past questions for tests."""

from dataclasses import dataclass, field, replace
from typing import Any

from heliograph.errors import StoreDamaged
from heliograph.types import AskedQuery, Episode, HeldPage, Recollection


def episode(run: str = "run-1", question: str = "Who lit Holm Light?", asked: float = 1000.0, **parts: Any) -> Episode:
    """Make an episode of an answered question with one page and two queries, the second of which found nothing."""
    known = Episode(
        run=run,
        question=question,
        asked=asked,
        stop_reason="sufficient",
        abstained=False,
        sufficient=(False, True),
        verdicts=("supported", "computed"),
        queries=(AskedQuery("holm light", 3, 1), AskedQuery("lit holm", 0, 0)),
        pages=(HeldPage("varn", "Holm Light", 4, 1),),
        manner="m",
    )
    return replace(known, **parts)


@dataclass(slots=True)
class FakeMemory:
    """A memory that proposes what is written down and keeps what it is given; `fault` makes it fail."""

    recollection: Recollection = field(default_factory=Recollection)
    fault: str = ""
    kept: list[Episode] = field(default_factory=list)

    async def recollect(self, question: str) -> Recollection:
        if self.fault:
            raise StoreDamaged(self.fault)
        return self.recollection

    async def keep(self, episode: Episode) -> None:
        if self.fault:
            raise StoreDamaged(self.fault)
        self.kept.append(episode)
