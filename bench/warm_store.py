"""A question asked twice: the second time the store is warm and should read nothing and embed nothing.

usage: python -m bench.warm_store [--repeat 5]
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from app import Heliograph
from heliograph.types import Usage

QUESTION = "One moon of Uranus was found in 1948. What is its giant cliff called?"


def main() -> None:
    """Print the time of the warm question as a share of the cold one, each cold run with a store of its own."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--repeat", type=int, default=5)
    args = ask.parse_args()
    archive = Heliograph("demo").settings.home / "demo.zim"
    _timed(archive, Path(tempfile.mkdtemp()))  # imports and the model's file are not what is measured
    ratios, usages = [], set()
    for _ in range(args.repeat):
        with tempfile.TemporaryDirectory() as home:
            cold, _first = _timed(archive, Path(home))
            warm, second = _timed(archive, Path(home))
        ratios.append(warm / cold)
        usages.add((second.pages_read, second.embedded))
        print(f"cold {cold:.2f} s, warm {warm:.2f} s, ratio {warm / cold:.2f}, {second}")
    print(f"median ratio {statistics.median(ratios):.2f}; pages read and texts embedded when warm: {sorted(usages)}")


def _timed(archive: Path, home: Path) -> tuple[float, Usage]:
    heliograph = Heliograph(sources=(f"zim:{archive}",), home=home)
    start = time.perf_counter()
    answer = asyncio.run(heliograph.ask(QUESTION))
    return time.perf_counter() - start, answer.usage


if __name__ == "__main__":
    main()
