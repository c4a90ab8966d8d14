"""Memory on and off, question by question: what the first round reads, what it costs, and what becomes of the evidence.

usage: python -m bench.memory --ask FILE… [--reworded FILE]… [--related FILE]… [--rounds N] [--pages N] [--verbose]
       [--first N] [--model-calls wanting|content]
       python -m bench.memory --zim CORPUS.zim --data OTT_FOLDER [--questions FILE] [--first N] [--rounds N] [--pages N]
       [--verbose]

Each question is asked without memory first; then the questions of --ask are asked again with those very questions
remembered, those of --reworded with those of --ask remembered, and those of --ask with those of --related remembered;
of each file the first N, or all 40.
What is asked with memory is not remembered itself. With --data the questions are those of FILE, or of HybridQA's
development set, on the first N tables that several questions ask of: the first question of each asked again, and the
second with the first remembered.
Pages and vectors are counted as on a cold start, whatever the home folder holds. --model-calls has each task done by a
model of fixed habits on loopback (tests/servers/scholar.py), and counts its calls by the prompt: `wanting` never finds
the evidence sufficient, so that all rounds are gone through; `content` always does, after one.
"""

import argparse
import asyncio
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app import Heliograph
from bench.memory_cases import Case, Gold, demo_cases, table_pairs
from bench.ott_questions import finder
from heliograph.types import Episode, MemoryScope
from memory.episodes import EpisodeStore, Which
from memory.pages import FilePageStore
from memory.trace import Event
from tests.servers.openai_server import openai_server
from tests.servers.scholar import content, scholar

HYBRID = Path("questions") / "hybridqa_dev_on_distractor_tables.jsonl"
MODELS = {"wanting": scholar, "content": content}


@dataclass(frozen=True, slots=True)
class Row:
    """One answer: how good, and at what cost; `calls` of a language model are counted by the name of the prompt."""

    gold: Gold
    rounds: int
    searches: int
    read: int
    vectors: int
    repeats: bool
    proposed: int
    calls: Mapping[str, int]


def main() -> None:
    """Print a table for each set of questions."""
    ask = argparse.ArgumentParser()
    for name in ("ask", "reworded", "related"):
        ask.add_argument(f"--{name}", type=Path, action="append", default=[])
    for name in ("zim", "data", "questions"):
        ask.add_argument(f"--{name}", type=Path)
    ask.add_argument("--first", type=int, default=40)
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--pages", type=int, default=10)
    ask.add_argument("--model-calls", choices=tuple(MODELS))
    ask.add_argument("--verbose", action="store_true")
    args = ask.parse_args()
    with ExitStack() as stack:
        settings = {"sources": (f"zim:{args.zim}" if args.zim else "demo",), "rounds": args.rounds}
        if args.model_calls:
            server = stack.enter_context(openai_server(MODELS[args.model_calls]))
            settings["llm"] = {"base_url": server.url, "model": server.model, "structured": "json_schema"}
        bench = Bench(Heliograph(pages_per_round=args.pages, **settings), args.verbose)
        asyncio.run(_compare(bench, args))


async def _compare(bench: "Bench", args: argparse.Namespace) -> None:
    if args.data:
        await _ott(bench, args.data, args.questions or args.data / HYBRID, args.first)
    else:
        asked, reworded, related = (demo_cases(files, args.first) for files in (args.ask, args.reworded, args.related))
        await _demo(bench, asked, reworded, related)


async def _demo(bench: "Bench", asked: Sequence[Case], reworded: Sequence[Case], related: Sequence[Case]) -> None:
    await bench.compare("asked again", asked, asked)
    if reworded:
        await bench.compare("asked in other words", reworded, asked)
    if related:
        await bench.compare("related questions remembered", asked, related)


async def _ott(bench: "Bench", data: Path, questions: Path, first: int) -> None:
    pairs = table_pairs(data, questions, first)
    before, after = [one for one, _ in pairs], [other for _, other in pairs]
    await bench.compare(f"{questions.stem}, asked again", before, before)
    await bench.compare(f"{questions.stem}, another question on the table", after, before)


Measure = tuple[str, Callable[[Row], float], Iterable[int]]
"""What it is called, its value for an answer, and the places of the questions that it is the mean of."""


class Bench:
    """Questions asked with and without memory in one home folder, under users of their own."""

    def __init__(self, heliograph: Heliograph, verbose: bool) -> None:
        self._heliograph = heliograph
        self._settings = heliograph.settings
        self._store = EpisodeStore(self._settings.home)
        self._find = finder(FilePageStore(self._settings.home / "pages", self._settings.store_bytes))
        self._verbose = verbose
        self._plain: dict[str, tuple[Row, Episode]] = {}

    async def compare(self, title: str, cases: Sequence[Case], fill: Sequence[Case]) -> None:
        """Print what memory of `fill` does to `cases`."""
        user = f"bench {title}"
        self._store.forget(Which(user=user))
        for case in fill:
            _, episode = await self._without(case)
            self._store.keep(replace(episode, run=f"{episode.run}-{user}", user=user))
        off = [(await self._without(case))[0] for case in cases]
        on = [await self._with(case, user) for case in cases]
        self._store.forget(Which(user=user))
        print(f"\n{title}\n\n{report(cases, off, on)}", flush=True)

    async def _without(self, case: Case) -> tuple[Row, Episode]:
        """Ask with a memory that reaches no question before; what it keeps of this one is returned and forgotten."""
        if case.id not in self._plain:
            scope = MemoryScope("bench", case.id)
            row = await self._ask(case, "conversation", scope)
            self._plain[case.id] = row, self._store.find(self._heliograph.run)
            self._store.forget(Which(user="bench"))
        return self._plain[case.id]

    async def _with(self, case: Case, user: str) -> Row:
        row = await self._ask(case, "user", MemoryScope(user))
        self._store.forget(Which(run=self._heliograph.run))
        return row

    async def _ask(self, case: Case, reach: str, scope: MemoryScope) -> Row:
        heard: list[Event] = []
        self._heliograph.settings = self._settings.model_copy(update={"memory": reach})
        answer = await self._heliograph.ask(case.question, listener=heard.append, scope=scope)
        recollected = next(event.output for event in heard if event.name == "recollect")
        assert isinstance(recollected, dict)
        row = Row(
            gold=case.measure(answer, self._find),
            rounds=len(answer.rounds),
            searches=sum(event.name == "search" for event in heard),
            read=sum(len(record.documents) for record in answer.rounds),
            vectors=answer.usage.vectors.needed if answer.usage.vectors else 0,
            repeats=recollected["repeats"] is True,
            proposed=len(recollected["pages"]) if isinstance(recollected["pages"], list) else 0,
            calls=Counter(_prompt(event) for event in heard if event.kind == "LLM"),
        )
        if self._verbose:
            print(f"{case.id} {reach}: {row} {answer.answer[:120]!r}", file=sys.stderr)
        return row


def _prompt(event: Event) -> str:
    assert isinstance(event.input, dict)
    return str(event.input["prompt"])


def report(cases: Sequence[Case], off: Sequence[Row], on: Sequence[Row]) -> str:
    """Return a Markdown table: each measure without and with memory, and how many questions rose and fell."""
    held = [place for place, case in enumerate(cases) if case.answerable]
    every = range(len(cases))
    shares: tuple[Measure, ...] = (
        ("gold pages read in round 1, %", lambda row: 100 * row.gold.first, held),
        ("gold pages read, %", lambda row: 100 * row.gold.pages, held),
        ("gold evidence in the final 20, %", lambda row: 100 * row.gold.evidence, held),
        ("rank of gold evidence, %", lambda row: 100 * row.gold.rank, held),
        ("expected answer or abstention, %", lambda row: 100 * row.gold.expected, every),
        ("rounds", lambda row: row.rounds, every),
        ("searches", lambda row: row.searches, every),
        ("pages read", lambda row: row.read, every),
        ("vectors needed", lambda row: row.vectors, every),
        *_called([*off, *on], every),
    )
    lines = ["| mean of a question | off | on | rose | fell |", "| --- | --- | --- | --- | --- |"]
    for name, value, places in shares:
        pairs = [(value(off[place]), value(on[place])) for place in places]
        before, after = (statistics.mean(side) for side in zip(*pairs, strict=True))
        rose, fell = sum(one < two for one, two in pairs), sum(one > two for one, two in pairs)
        lines.append(f"| {name} | {before:.1f} | {after:.1f} | {rose} | {fell} |")
    proposed, repeated = sum(row.proposed > 0 for row in on), sum(row.repeats for row in on)
    told = f"{len(cases)} questions, {len(held)} answerable; pages proposed for {proposed}, {repeated} known in full"
    return "\n".join([*lines, "", told])


def _called(rows: Sequence[Row], every: Iterable[int]) -> list[Measure]:
    """Return the calls of a model, all and by prompt; none where no model was asked."""
    names = sorted({name for row in rows for name in row.calls})
    by_prompt: list[Measure] = [(f"calls: {name}", partial(_calls_of, name), every) for name in names]
    return [("model calls", lambda row: sum(row.calls.values()), every), *by_prompt] if names else []


def _calls_of(name: str, row: Row) -> float:
    return row.calls.get(name, 0)


if __name__ == "__main__":
    main()
