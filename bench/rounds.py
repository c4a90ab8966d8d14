"""What rounds are worth: whether later queries reach unread pages, and whether later evidence reaches the writer.

usage: python -m bench.rounds --zim CORPUS.zim --data OTT_FOLDER --questions FILE [--questions FILE]… [--first 60]
       [--skip 0] [--rounds N]… [--graph TIER]… [--pages 10] [--out FILE.jsonl]

For each file of questions, number of rounds and tier, in %:

- later queries: share of the queries of rounds 2 and 3 that name a page that no round before had read, and of those
  whose first page had been read
- gold: a gold row or passage is among the evidence that the writer is shown; strict: and the answer stands in it
- answer: the answer's words stand in that evidence; with tables: or in a whole table that a row of it was cut from, or
  in the lead of a page of it

The same script runs at an earlier commit, for figures beside each other. What stands in FILE.jsonl is not asked again.
The figures told are those of the first 60 of each file; anything is tried on others, by --skip 60.
The archive is made as bench/ott_questions.py says.
"""

import argparse
import asyncio
import json
import lzma
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agent.streaming import Output
from app import Heliograph
from bench.ott_questions import finder
from eval.ott.outcome import judge_evidence, says
from eval.ott.questions import OttQuestion, read_questions
from heliograph.types import Answer, Evidence, EvidenceId, SearchResult
from indexers.parser import page_name, parse_page
from indexers.parser.ids import leaf_of
from indexers.pieces import lead_of
from memory.pages import FilePageStore
from memory.trace import load_trace

HEADING = (
    "| questions | rounds | graph | asked | later queries | reach an unread page | first page was read "
    "| gold | gold, strict | answer | with tables | pages | seconds, median |\n"
    f"|{' --- |' * 13}"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """The measures of one question asked in one way."""

    queries: int
    reaching: int
    reread: int
    gold: bool
    strict: bool
    answer: bool
    tables: bool
    pages: int
    seconds: float


def main() -> None:
    """Print a line for each file of questions, number of rounds and tier."""
    ask = argparse.ArgumentParser()
    for name in ("zim", "data"):
        ask.add_argument(f"--{name}", type=Path, required=True)
    ask.add_argument("--questions", type=Path, action="append", required=True)
    ask.add_argument("--first", type=int, default=60)
    ask.add_argument("--skip", type=int, default=0)
    ask.add_argument("--rounds", type=int, action="append")
    ask.add_argument("--graph", choices=("off", "light", "full"), action="append")
    ask.add_argument("--pages", type=int, default=10)
    ask.add_argument("--out", type=Path, required=True)
    args = ask.parse_args()
    with lzma.open(args.data / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        titles = {table["table_id"]: table["title"] for table in map(json.loads, lines)}
    print(HEADING)
    for file in args.questions:
        for rounds in args.rounds or [1, 3]:
            for tier in args.graph or ["off"]:
                heliograph = Heliograph(
                    sources=(f"zim:{args.zim}",), pages_per_round=args.pages, rounds=rounds, graph=tier, memory="off"
                )
                questions = read_questions(file, args.skip + args.first)[args.skip :]
                variant = (file.stem, rounds, tier)
                each = asyncio.run(run(questions, titles, heliograph, variant, args.out))
                print(line(each, variant), flush=True)


async def run(
    questions: Sequence[OttQuestion],
    titles: Mapping[str, str],
    heliograph: Heliograph,
    name: tuple[str, int, str],
    out: Path,
) -> list[Measured]:
    """Ask all questions that the file does not hold yet."""
    known = kept(out)
    measured: list[Measured] = []
    for number, question in enumerate(questions, start=1):
        key = json.dumps([question.id, *name])
        if key not in known:
            answer = await heliograph.ask(question.question)
            known[key] = measure(question, titles[question.gold_table], answer, heliograph.settings.home)
            with out.open("a", encoding="utf8") as lines:
                lines.write(json.dumps({"key": key, **asdict(known[key])}) + "\n")
        measured.append(known[key])
        print(f"{number}/{len(questions)} {name}: {known[key]}", file=sys.stderr)
    return measured


def kept(out: Path) -> dict[str, Measured]:
    """Return what was measured before."""
    lines = map(json.loads, out.read_text(encoding="utf8").splitlines()) if out.exists() else ()
    return {each.pop("key"): Measured(**each) for each in lines}


def measure(question: OttQuestion, page: str, answer: Answer, home: Path) -> Measured:
    """Measure one answer; `page` is the title of the gold table's page."""
    store = FilePageStore(home / "pages", 10**12)
    find = finder(store)
    shown = [find(seen.evidence) for seen in answer.evidence]
    judged = judge_evidence(question, page, shown)
    reaching, reread, queries = later_queries(answer, home / "runs" / answer.run)
    return Measured(
        queries=queries,
        reaching=reaching,
        reread=reread,
        gold=any(judged.gold),
        strict=any(judged.strict),
        answer=any(judged.says),
        tables=says(question.answer, [*shown, *_around(shown, store)]) or _in_tables(question.answer, shown, find),
        pages=sum(len(record.documents) for record in answer.rounds),
        seconds=answer.seconds,
    )


def later_queries(answer: Answer, folder: Path) -> tuple[int, int, int]:
    """Return how many queries of later rounds reached an unread page, how many a read page first, and how many."""
    found: list[dict[str, list[str]]] = []
    for event in load_trace(folder):
        if event.name == "search_documents":
            results = Output(event, folder).of("results", tuple[SearchResult, ...])
            hits: dict[str, list[str]] = {}
            for result in results:
                hits.setdefault(result.query.text, []).extend(hit.title for hit in result.hits)
            found.append(hits)
    reaching = reread = queries = 0
    read: set[str] = set()
    for record, hits in zip(answer.rounds, found, strict=False):
        for query in record.queries if record.number > 1 else ():
            titles = hits.get(query, [])
            queries += 1
            reaching += any(title not in read for title in titles)
            reread += bool(titles) and titles[0] in read
        read |= {page_name(key).title for key in record.documents}
    return reaching, reread, queries


def _around(shown: Sequence[Evidence], store: FilePageStore) -> Iterable[Evidence]:
    for page in dict.fromkeys(piece.place.page for piece in shown):
        lead = lead_of(parse_page(store.get(page)))
        if lead is not None:
            yield lead


def _in_tables(answer: str, shown: Sequence[Evidence], find: object) -> bool:
    assert callable(find)
    tables = dict.fromkeys(leaf_of(piece.id) for piece in shown if leaf_of(piece.id) != piece.id)
    for table in tables:
        whole = find(table)
        rows = [find(EvidenceId(f"{table}/r{number}")) for number in range(1, len(whole.rows) + 1)]
        if says(answer, rows):
            return True
    return False


def line(measured: Sequence[Measured], name: tuple[str, int, str]) -> str:
    """Return one line of the table."""
    queries = sum(each.queries for each in measured)
    shares = [
        share(sum(each.reaching for each in measured), queries),
        share(sum(each.reread for each in measured), queries),
        *(
            share(sum(getattr(each, part) for each in measured), len(measured))
            for part in ("gold", "strict", "answer", "tables")
        ),
    ]
    pages = statistics.mean(each.pages for each in measured)
    seconds = statistics.median(each.seconds for each in measured)
    figures = " | ".join(shares)
    return (
        f"| {name[0]} | {name[1]} | {name[2]} | {len(measured)} | {queries} | {figures} | {pages:.1f} | {seconds:.1f} |"
    )


def share(part: int, whole: int) -> str:
    """Return a share in %."""
    return f"{100 * part / whole:.1f}" if whole else "–"


if __name__ == "__main__":
    main()
