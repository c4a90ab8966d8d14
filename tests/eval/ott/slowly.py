"""A run that takes its time, to be killed: `python -m tests.eval.ott.slowly FOLDER RESULTS`."""

import asyncio
import sys
from contextlib import ExitStack
from pathlib import Path

from eval.ott.questions import OttQuestion
from eval.ott.ranking import Unit, UnitKind
from eval.ott.results_log import open_log
from eval.ott.retriever import Retrieval
from eval.ott.runner import run
from eval.ott.scoring import Scorer
from tests.eval.ott.lights import BY_WHOM, mini

QUESTIONS = tuple(
    OttQuestion(f"q{number}", f"{number}?", BY_WHOM.answers, BY_WHOM.gold_table, BY_WHOM.answer_nodes)
    for number in range(200)
)


class Slow:
    """Finds the gold edge after a while, and says which questions it was asked."""

    kind: UnitKind = "edge"
    digest = "slow"

    def __init__(self, seconds: float = 0.0, notes: tuple[str, ...] = ()) -> None:
        self.asked: list[str] = []
        self._seconds, self._notes = seconds, notes

    async def retrieve(self, question: str) -> Retrieval:
        self.asked.append(question)
        await asyncio.sleep(self._seconds)
        return Retrieval((Unit(1, (2,)),), {"retrieve": self._seconds}, self._notes)


def main() -> None:
    """Ask all questions, a hundredth of a second each."""
    corpus = mini(Path(sys.argv[1]))
    with ExitStack() as stack:
        log = open_log(Path(sys.argv[2]), "slow", {}, stack)
        asyncio.run(run(QUESTIONS, Slow(0.01), Scorer(corpus), log, lambda _: None))


if __name__ == "__main__":
    main()
