"""Memory on and off, question by question: what the first round reads, what it costs, and what becomes of the evidence.

usage: python -m bench.memory --ask FILE… [--reworded FILE]… [--related FILE]… [--rounds N] [--pages N] [--verbose]
       python -m bench.memory --zim CORPUS.zim --data OTT_FOLDER [--first N] [--rounds N] [--pages N] [--verbose]

Each question is asked without memory first; then the questions of --ask are asked again with those very questions
remembered, those of --reworded with those of --ask remembered, and those of --ask with those of --related remembered.
What is asked with memory is not remembered itself. With --data the questions are those of HybridQA's development set
on tables that several questions ask of: the first of each asked again, and the second with the first remembered.
Pages and vectors are counted as on a cold start, whatever the home folder holds.
"""

import argparse
import asyncio
import json
import lzma
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app import Heliograph
from bench.ott_questions import finder
from eval.offline.dataset import GoldQuestion, read_gold
from eval.offline.metrics import outcome
from eval.ott.outcome import gold_node, says
from eval.ott.questions import OttQuestion, read_questions
from heliograph.types import Answer, Episode, Evidence, EvidenceId, MemoryScope
from indexers.parser import page_name
from memory.episodes import EpisodeStore, Which
from memory.pages import FilePageStore
from memory.trace import Event

Find = Callable[[EvidenceId], Evidence]
HYBRID = Path("questions") / "hybridqa_dev_on_distractor_tables.jsonl"


@dataclass(frozen=True, slots=True)
class Gold:
    """How good an answer is: gold pages in the first round and in any, gold evidence in the final one and its rank."""

    first: bool
    pages: bool
    evidence: bool
    rank: float
    expected: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A question, and how its answer is measured; `answerable` ones have gold evidence."""

    id: str
    question: str
    answerable: bool
    measure: Callable[[Answer, Find], Gold]


@dataclass(frozen=True, slots=True)
class Row:
    """One answer: how good, and at what cost."""

    gold: Gold
    rounds: int
    searches: int
    read: int
    vectors: int
    repeats: bool
    proposed: int


def main() -> None:
    """Print a table for each set of questions."""
    ask = argparse.ArgumentParser()
    for name in ("ask", "reworded", "related"):
        ask.add_argument(f"--{name}", type=Path, action="append", default=[])
    for name in ("zim", "data"):
        ask.add_argument(f"--{name}", type=Path)
    ask.add_argument("--first", type=int, default=40)
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--pages", type=int, default=10)
    ask.add_argument("--verbose", action="store_true")
    args = ask.parse_args()
    source = f"zim:{args.zim}" if args.zim else "demo"
    heliograph = Heliograph(sources=(source,), rounds=args.rounds, pages_per_round=args.pages)
    bench = Bench(heliograph, args.verbose)
    files = (args.ask, args.reworded, args.related)
    asyncio.run(_ott(bench, args.data, args.first) if args.data else _demo(bench, *map(_cases, files)))


async def _demo(bench: "Bench", asked: Sequence[Case], reworded: Sequence[Case], related: Sequence[Case]) -> None:
    await bench.compare("asked again", asked, asked)
    if reworded:
        await bench.compare("asked in other words", reworded, asked)
    if related:
        await bench.compare("related questions remembered", asked, related)


def _cases(files: Sequence[Path]) -> list[Case]:
    return [_demo_case(path, question) for path in files for question in read_gold(path)]


async def _ott(bench: "Bench", data: Path, first: int) -> None:
    with lzma.open(data / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        titles = {table["table_id"]: table["title"] for table in map(json.loads, lines)}
    by_table: dict[str, list[Case]] = {}
    for question in read_questions(data / HYBRID):
        by_table.setdefault(question.gold_table, []).append(ott_case(question, titles[question.gold_table]))
    pairs = [cases[:2] for _, cases in sorted(by_table.items()) if len(cases) > 1][:first]
    before, after = ([pair[place] for pair in pairs] for place in (0, 1))
    await bench.compare("HybridQA, asked again", before, before)
    await bench.compare("HybridQA, another question on the table", after, before)


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
        )
        if self._verbose:
            print(f"{case.id} {reach}: {row} {answer.answer[:120]!r}", file=sys.stderr)
        return row


def _demo_case(path: Path, question: GoldQuestion) -> Case:
    def measure(answer: Answer, find: Find) -> Gold:
        names = [seen.evidence for seen in answer.evidence] + [cited.evidence for cited in answer.citations]
        found = outcome(question, answer, {name: find(name) for name in names})
        return Gold(
            first=set(question.documents) <= _titles(answer, 1),
            pages=found.documents,
            evidence=found.evidence,
            rank=found.rank,
            expected=found.expected,
        )

    return Case(f"{path.stem}/{question.id}", question.question, question.answerable, measure)


def ott_case(question: OttQuestion, page: str) -> Case:
    """Return a question on a table, whose page has the title `page`; expected is the answer in what is cited."""

    def measure(answer: Answer, find: Find) -> Gold:
        final = [find(seen.evidence) for seen in answer.evidence]
        places = [place for place, piece in enumerate(final, 1) if gold_node(question, page, piece)]
        return Gold(
            first=page in _titles(answer, 1),
            pages=page in _titles(answer, 3),
            evidence=bool(places),
            rank=1 / places[0] if places else 0.0,
            expected=says(question.answer, [find(cited.evidence) for cited in answer.citations]),
        )

    return Case(question.id, question.question, True, measure)


def _titles(answer: Answer, rounds: int) -> set[str]:
    return {page_name(key).title for record in answer.rounds[:rounds] for key in record.documents}


def report(cases: Sequence[Case], off: Sequence[Row], on: Sequence[Row]) -> str:
    """Return a Markdown table: each measure without and with memory, and how many questions rose and fell."""
    held = [place for place, case in enumerate(cases) if case.answerable]
    every = range(len(cases))
    shares: tuple[tuple[str, Callable[[Row], float], Iterable[int]], ...] = (
        ("gold pages read in round 1, %", lambda row: 100 * row.gold.first, held),
        ("gold pages read, %", lambda row: 100 * row.gold.pages, held),
        ("gold evidence in the final 20, %", lambda row: 100 * row.gold.evidence, held),
        ("rank of gold evidence, %", lambda row: 100 * row.gold.rank, held),
        ("expected answer or abstention, %", lambda row: 100 * row.gold.expected, every),
        ("rounds", lambda row: row.rounds, every),
        ("searches", lambda row: row.searches, every),
        ("pages read", lambda row: row.read, every),
        ("vectors needed", lambda row: row.vectors, every),
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


if __name__ == "__main__":
    main()
