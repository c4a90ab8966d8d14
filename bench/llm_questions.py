"""Ask demo and OTT-QA questions of a language model and, beside it, of the extractive default.

usage: python -m bench.llm_questions --config MODEL.toml --name NAME --out FILE.jsonl [--rounds N]… [--first 8]
       [--demo demo/questions.jsonl] [--zim CORPUS.zim --data OTT_FOLDER --questions FILE] [--part 1/4] [--report]

MODEL.toml names the server of each role, as heliograph.toml does. Of the demo questions every n-th is asked, of the
OTT-QA questions the first. Each question is a line of FILE as soon as it is answered; started again, the bench goes on
behind the last. --part 1/4 asks every fourth of them: four processes, each with a home folder and a FILE of its own,
keep a server busy that batches, and joined their FILEs are one. --report prints the tables of FILE and asks nothing.
"""

import argparse
import asyncio
import json
import lzma
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from app import Heliograph
from bench.ott_questions import finder, measure
from eval.offline.dataset import GoldQuestion, read_gold
from eval.offline.metrics import says_expected
from eval.ott.questions import OttQuestion, read_questions
from heliograph.errors import HeliographError
from heliograph.types import Answer, Evidence, EvidenceId
from memory.pages import FilePageStore
from memory.trace import load_trace

EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a set and how its answer is judged."""

    group: str
    id: str
    text: str
    right: Callable[[Answer], bool]


def main() -> None:
    """Ask, then print the tables."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--config", type=Path)
    ask.add_argument("--name", default="model")
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--rounds", type=int, action="append")
    ask.add_argument("--first", type=int, default=8)
    ask.add_argument("--demo", type=Path, default=Path("demo/questions.jsonl"))
    for name in ("zim", "data", "questions"):
        ask.add_argument(f"--{name}", type=Path)
    ask.add_argument("--part", type=_part, default=slice(0, None, 1))
    ask.add_argument("--report", action="store_true")
    args = ask.parse_args()
    if not args.report:
        for rounds in args.rounds or [1, 3]:
            _ask_demo(args, rounds)
            if args.zim:
                _ask_ott(args, rounds)
    print(report([json.loads(line) for line in args.out.read_text(encoding="utf8").splitlines()]))


def _part(text: str) -> slice:
    """Read "2/4" as the questions 2, 6, 10, …"""
    number, _, parts = text.partition("/")
    return slice(int(number) - 1, None, int(parts))


def _ask_demo(args: argparse.Namespace, rounds: int) -> None:
    gold = read_gold(args.demo)
    chosen = gold[:: max(1, len(gold) // args.first)][: args.first][args.part]
    for name, config in ((EXTRACTIVE, None), (args.name, args.config)):
        heliograph = Heliograph("demo", config, rounds=rounds)
        asked = [Asked("demo", one.id, one.question, partial(_as_expected, one)) for one in chosen]
        asyncio.run(_ask_all(asked, heliograph, name, rounds, args.out))
        heliograph.close()


def _ask_ott(args: argparse.Namespace, rounds: int) -> None:
    with lzma.open(args.data / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        titles = {table["table_id"]: table["title"] for table in map(json.loads, lines)}
    questions = read_questions(args.questions, args.first)[args.part]
    for name, config in ((EXTRACTIVE, None), (args.name, args.config)):
        heliograph = Heliograph(None, config, sources=(f"zim:{args.zim}",), rounds=rounds)
        find = finder(FilePageStore(heliograph.settings.home / "pages"))
        asked = [
            Asked("ott", one.id, one.question, partial(_in_cited, one, titles[one.gold_table], find))
            for one in questions
        ]
        asyncio.run(_ask_all(asked, heliograph, name, rounds, args.out))
        heliograph.close()


def _as_expected(gold: GoldQuestion, answer: Answer) -> bool:
    return says_expected(answer, gold) if gold.answerable else answer.abstained


def _in_cited(question: OttQuestion, page: str, find: Callable[[EvidenceId], Evidence], answer: Answer) -> bool:
    return measure(question, page, answer, find).answer


async def _ask_all(asked: Sequence[Asked], heliograph: Heliograph, name: str, rounds: int, out: Path) -> None:
    done = _done(out)
    for question in asked:
        key = (name, rounds, question.group, question.id)
        if key not in done:
            line = {"name": name, "rounds": rounds, "group": question.group, "id": question.id}
            line |= await _ask_one(question, heliograph)
            print(json.dumps(line)[:300], file=sys.stderr, flush=True)
            with out.open("a", encoding="utf8") as lines:
                lines.write(json.dumps(line) + "\n")


async def _ask_one(question: Asked, heliograph: Heliograph) -> dict[str, Any]:
    try:
        answer = await heliograph.ask(question.text)
    except HeliographError as err:
        return {"error": f"{type(err).__name__}: {err}"}
    events = load_trace(heliograph.settings.home / "runs" / answer.run)
    calls = [event for event in events if event.kind == "LLM"]
    return {
        "run": answer.run,
        "question": question.text,
        "answer": answer.answer,
        "right": question.right(answer),
        "abstained": answer.abstained,
        "stop": answer.stop_reason,
        "seconds": answer.seconds,
        "call_seconds": [round(call.seconds, 2) for call in calls],
        "call_errors": Counter(call.error.type for call in calls if call.error),
        "failures": [asdict(failure) for failure in answer.model_failures],
        "verdicts": Counter(claim.verdict for claim in answer.claims),
        "usage": asdict(answer.usage),
    }


def _done(out: Path) -> set[tuple[str, int, str, str]]:
    if not out.exists():
        return set()
    lines = map(json.loads, out.read_text(encoding="utf8").splitlines())
    return {(line["name"], line["rounds"], line["group"], line["id"]) for line in lines}


def report(lines: Sequence[dict[str, Any]]) -> str:
    """Return a Markdown table, one row for each system, question set and number of rounds."""
    rows = dict.fromkeys((line["group"], line["rounds"], line["name"]) for line in lines)
    head = (
        "| set | rounds | system | questions | right | abstained | errors | calls a question | seconds a call, median "
        "| seconds a question, median | tokens in / of these cached / out, a question | failures by type | verdicts |"
    )
    table = [head, "|" + " --- |" * 13]
    for row in sorted(rows, key=lambda row: (row[0], row[1], row[2] != EXTRACTIVE, row[2])):
        table.append(_row(row, [line for line in lines if (line["group"], line["rounds"], line["name"]) == row]))
    return "\n".join(table)


def _row(row: tuple[str, int, str], lines: Sequence[dict[str, Any]]) -> str:
    told = [line for line in lines if "error" not in line]
    seconds = [each for line in told for each in line["call_seconds"]]
    failures: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for line in told:
        failures.update({f"{each['role']} {each['kind']}": each["count"] for each in line["failures"]})
        verdicts.update(line["verdicts"])
    kinds = ("prompt_tokens", "cached_tokens", "completion_tokens")
    tokens = [_mean(line["usage"][kind] for line in told) for kind in kinds]
    cells = (
        row[0],
        row[1],
        row[2],
        len(lines),
        sum(line["right"] for line in told),
        sum(line["abstained"] for line in told),
        len(lines) - len(told),
        f"{_mean(line['usage']['llm_calls'] for line in told):.1f}",
        f"{statistics.median(seconds):.1f}" if seconds else "–",
        f"{statistics.median(line['seconds'] for line in told):.1f}" if told else "–",
        " / ".join(f"{each:.0f}" for each in tokens),
        _counted(failures),
        _counted(verdicts),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"


def _mean(values: Iterable[float]) -> float:
    each = list(values)
    return sum(each) / len(each) if each else 0.0


if __name__ == "__main__":
    main()
