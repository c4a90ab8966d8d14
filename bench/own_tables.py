"""Ask plain questions over small tables of one's own and report right, wrong and abstained by kind.

usage: python -m bench.own_tables [--half development|held_out] [--home FOLDER] [--verbose]

The tables that the questions of a half are over become an archive, as `heliograph snapshot build` makes one of a folder
of Markdown, and each question is asked as `heliograph ask --source zim:…` does without a language model. Right is an
answer that holds one of the strings accepted (demo/own_tables/README.md), of a question of yes or no as its first word,
or an abstention where no table answers; wrong is anything else that was answered. Words before a quote
are the answer; a row that is quoted whole counts as right where it holds the string.
"""

import argparse
import asyncio
import json
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.citations.quotes import ANSWER_FIRST
from app import Heliograph
from tools.zim import build_snapshot

FOLDER = Path("demo") / "own_tables"
VERDICTS = ("right", "wrong", "abstained")
_MARKER = re.compile(r"\s*\[\d+(?:, ?\d+)*\]")

Verdict = Literal["right", "wrong", "abstained"]


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question over a table; of `accepted` one string must stand in the answer, none where no table answers."""

    question: str
    kind: str
    table: str
    accepted: tuple[str, ...]


def main() -> None:
    """Build the archive, ask, and print the table of verdicts."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--half", choices=("development", "held_out"), default="development")
    ask.add_argument("--home", type=Path)
    ask.add_argument("--verbose", action="store_true")
    args = ask.parse_args()
    questions = read_questions(FOLDER / f"{args.half}.jsonl")
    with tempfile.TemporaryDirectory() as scratch:
        archive = build_archive(questions, Path(scratch))
        heliograph = Heliograph(sources=[f"zim:{archive}"], home=args.home or Path(scratch) / "home")
        began = time.perf_counter()
        verdicts = asyncio.run(judge_all(heliograph, questions, args.verbose))
    seconds = (time.perf_counter() - began) / len(questions)
    print(f"{render(verdicts)}\n\n{seconds:.2f} s per question")


def read_questions(path: Path) -> tuple[TableQuestion, ...]:
    """Read questions of one half."""
    lines = (json.loads(line) for line in path.read_text(encoding="utf8").splitlines())
    return tuple(
        TableQuestion(line["question"], line["kind"], line["table"], tuple(line["accepted"])) for line in lines
    )


def build_archive(questions: Sequence[TableQuestion], folder: Path) -> Path:
    """Make an archive of the tables that questions are over."""
    pages, archive = folder / "tables", folder / "tables.zim"
    pages.mkdir()
    for name in dict.fromkeys(question.table for question in questions):
        shutil.copy(FOLDER / "tables" / f"{name}.md", pages)
    build_snapshot([pages], archive)
    return archive


async def judge_all(
    heliograph: Heliograph, questions: Sequence[TableQuestion], verbose: bool
) -> list[tuple[TableQuestion, Verdict]]:
    """Ask one question after another."""
    verdicts: list[tuple[TableQuestion, Verdict]] = []
    for question in questions:
        answer = await heliograph.ask(question.question)
        verdict = judge(question, "" if answer.abstained else answer.answer)
        verdicts.append((question, verdict))
        if verbose:
            print(
                f"{verdict:9} {question.kind} {question.table}: {question.question}\n"
                f"          {answer.answer[:300]!r}, accepted {question.accepted}",
                file=sys.stderr,
            )
    heliograph.close()
    return verdicts


def judge(question: TableQuestion, answer: str) -> Verdict:
    """Judge an answer, which is empty where nothing was answered."""
    if not answer:
        return "abstained" if question.accepted else "right"
    lead, first, _ = answer.partition(ANSWER_FIRST)
    said = _MARKER.sub("", lead if first else answer)
    if question.kind == "yes_no":
        said = re.split(r"\W", said.strip(), maxsplit=1)[0]
    return "right" if any(_holds(said, accepted) for accepted in question.accepted) else "wrong"


def _holds(said: str, accepted: str) -> bool:
    """Say whether every part of an accepted string stands in an answer, figures as whole figures."""
    return all(_stands(part.strip(), said) for part in accepted.split(" + "))


def _stands(part: str, said: str) -> bool:
    before = r"(?<![\d.,])" if part[0].isdigit() else r"(?<!\w)"
    after = r"(?![\d]|[.,:]\d)" if part[-1].isdigit() else ""
    return re.search(before + re.escape(part) + after, said, re.IGNORECASE) is not None


def render(verdicts: Sequence[tuple[TableQuestion, Verdict]]) -> str:
    """Return the verdicts by kind as a table in Markdown."""
    counted = Counter((question.kind, verdict) for question, verdict in verdicts)
    kinds = dict.fromkeys(question.kind for question, _ in verdicts)
    lines = ["| kind | questions | right | wrong | abstained |", "|---|---|---|---|---|"]
    for kind in (*kinds, "all"):
        row = [
            sum(count for (of, said), count in counted.items() if said == verdict and kind in {of, "all"})
            for verdict in VERDICTS
        ]
        asked = sum(row)
        lines.append(f"| {kind} | {asked} | " + " | ".join(f"{count} ({count / asked:.1%})" for count in row) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
