"""Ask the demo questions and report expected strings, documents, evidence, citation precision and abstention.

usage: python -m bench.demo_questions [--questions FILE]… [--rounds N] [--graph TIER]
       [--evidence-reranker late-interaction|embedding] [--verbose]
"""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import get_args

from app import Heliograph
from eval.offline.dataset import GoldQuestion, read_gold
from eval.offline.metrics import Outcome
from eval.offline.report import render_report
from eval.offline.runner import measure
from heliograph.config import EvidenceRerankerName
from heliograph.types import Answer
from memory.pages import FilePageStore


def main() -> None:
    """Report one table a question file."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--questions", type=Path, action="append")
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--graph", choices=("off", "light", "full"), default="off")
    ask.add_argument("--evidence-reranker", choices=get_args(EvidenceRerankerName), default="late-interaction")
    ask.add_argument("--verbose", action="store_true")
    args = ask.parse_args()
    heliograph = Heliograph("demo", rounds=args.rounds, graph=args.graph, evidence_reranker=args.evidence_reranker)
    store = FilePageStore(heliograph.settings.home / "pages", heliograph.settings.store_bytes)
    for path in args.questions or sorted(Path("demo").glob("questions*.jsonl")):
        told = _tell if args.verbose else _ignore
        outcomes = asyncio.run(measure(read_gold(path), heliograph.ask, store, told))
        asked = f"{path}, {args.rounds} rounds, graph {args.graph}, {args.evidence_reranker}"
        print(f"\n{asked}\n\n{render_report(outcomes)}")


def _tell(question: GoldQuestion, answer: Answer, outcome: Outcome) -> None:
    mark = "right" if outcome.expected else "WRONG"
    print(f"{mark} {question.id} {question.kind}: {question.question}\n      {answer.answer[:300]}", file=sys.stderr)
    print(f"      expected {question.expected}, {answer.stop_reason}, evidence {outcome.evidence}", file=sys.stderr)


def _ignore(_question: GoldQuestion, _answer: Answer, _outcome: Outcome) -> None:
    return


if __name__ == "__main__":
    main()
