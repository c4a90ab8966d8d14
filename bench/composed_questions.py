"""Make the file of composed questions from what was composed and read a second time.

usage: python -m bench.composed_questions --data OTT --questions HYBRIDQA --out FILE COMPOSED…

COMPOSED are folders with `out/NN.jsonl`, the questions, and `second/NN.jsonl`, the answers of a second reader, who saw
the texts and not the first answers. A question is kept where both agree, no fault was told, and the
corpus bears it out.
"""

import argparse
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from bench.composed_claims import write
from eval.lines import read_lines, read_placed_lines
from eval.ott.corpus import OttCorpus
from eval.ott.questions import read_questions
from eval.ott.reading import read_corpus
from eval.ott.training.composed import ComposedLine, fault
from eval.ott.training.edge_lists import DEVELOPMENT
from eval.ott.training.stages import PUBLIC, tables_of


class SecondLine(BaseModel):
    """What the second reader says of the question `n` of a file, counted from 0."""

    model_config = ConfigDict(strict=True)

    n: int
    answer: str
    fault: str


def main() -> None:
    """Write the file and print what was left out, and why."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--data", type=Path, required=True)
    ask.add_argument("--questions", type=Path, required=True)
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("composed", type=Path, nargs="+")
    args = ask.parse_args()
    corpus = read_corpus(args.data, "full")
    kept_out = tables_of((*read_questions(args.data / PUBLIC), *read_questions(args.questions)[:DEVELOPMENT]))
    told = (each for folder in args.composed for each in verdicts(folder, corpus, kept_out))
    write(args.out, told, lambda line: line.question, "questions", "kind")


def verdicts(folder: Path, corpus: OttCorpus, kept_out: Collection[str]) -> Iterator[tuple[ComposedLine, str]]:
    """Yield every question of a folder with why it is left out; files without a second reading are not looked at."""
    for second in sorted((folder / "second").glob("*.jsonl")):
        read = {line.n: line for line in read_lines(second, SecondLine)}
        for number, (_, line) in enumerate(read_placed_lines(folder / "out" / second.name, ComposedLine)):
            again = read.get(number)
            if again is None:
                yield line, "was not read a second time"
            elif again.fault:
                yield line, f"fault: {again.fault}"
            elif not same(line.answer, again.answer):
                yield line, "is answered otherwise by the second reader"
            else:
                yield line, re.sub(r"'.*?'|\".*?\"", "…", fault(line, corpus, kept_out))


def same(one: str, other: str) -> bool:
    """Tell whether two answers are one, or one is part of the other."""
    first, second = (re.sub(r"[^\w]+", "", answer.lower()) for answer in (one, other))
    return first == second or bool(first and second and (first in second or second in first))


if __name__ == "__main__":
    main()
