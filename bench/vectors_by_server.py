"""Ask demo questions with vectors in this process and with vectors on a Chroma server, in turns, and compare seconds.

usage: python -m bench.vectors_by_server URL ARCHIVE [QUESTIONS]
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from app import Heliograph
from eval.offline.dataset import read_gold
from heliograph.types import Answer

WARM_UP = "Which planet is the largest?"
"""Asked of homes of their own, so that imports and the model are loaded before anything is measured."""


def at(home: Path, archive: Path, url: str) -> Heliograph:
    """Return who answers from an archive, its vectors at the address or, if that is empty, in its home folder."""
    return Heliograph(home=home, sources=(f"zim:{archive}",), chroma_url=url, memory="off")


async def asked(question: str, of: Heliograph) -> tuple[float, Answer]:
    """Ask, and tell how long the answer took."""
    start = time.perf_counter()
    answer = await of.ask(question)
    return time.perf_counter() - start, answer


async def compare(name: str, questions: Sequence[str], here: Heliograph, there: Heliograph) -> None:
    """Print the seconds of both; who goes first changes with every question."""
    seconds = {here: 0.0, there: 0.0}
    for number, question in enumerate(questions):
        told = {}
        for each in (here, there) if number % 2 else (there, here):
            took, answer = await asked(question, each)
            seconds[each] += took
            told[each] = [(one.documents, one.evidence) for one in answer.rounds], answer.answer
        if told[here] != told[there]:
            raise SystemExit(f"{question} is answered from other evidence by the server")
    of_here, of_there = seconds[here], seconds[there]
    print(f"{name:<34}{of_here:7.2f} s here{of_there:8.2f} s by server   ratio {of_there / of_here:.2f}")


async def measure(url: str, archive: Path, questions: Sequence[str], folder: Path) -> None:
    """Ask with empty homes, then again, then in homes that are opened anew."""
    for name, where in (("warm-up here", ""), ("warm-up there", url)):
        async with at(folder / name, archive, where) as of:
            await of.ask(WARM_UP)
    async with at(folder / "here", archive, "") as here, at(folder / "there", archive, url) as there:
        await compare("cold: nothing is known", questions, here, there)
        await compare("warm: the same again", questions, here, there)
    async with at(folder / "here", archive, "") as here, at(folder / "there", archive, url) as there:
        await compare("opened anew: vectors are read", questions, here, there)


if __name__ == "__main__":
    gold = read_gold(Path(__file__).parents[1] / "demo" / "questions.jsonl")
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(measure(sys.argv[1], Path(sys.argv[2]), [one.question for one in gold][:count], Path(made)))
