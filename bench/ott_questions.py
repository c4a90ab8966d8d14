"""Ask OTT-QA questions of an archive of the whole corpus, or of a MediaWiki that has it, with the extractive default.

usage: python -m bench.ott_questions --zim CORPUS.zim | --wiki URL --data OTT_FOLDER --questions FILE [--first 300]
       [--rounds N]… [--graph TIER]… [--pages 10] [--out FILE.jsonl] [--skip N]

With several --rounds or --graph every question is asked with each, in the order given; what the first reads and embeds
is warm for the next, so that only the seconds of the first are those of a cold start. What stands in FILE.jsonl is
not asked again, and counts; --skip leaves the first questions to another process with another HELIOGRAPH_HOME.

The archive is made by: python OTT_FOLDER/pages.py full html > corpus.jsonl
                        heliograph snapshot build corpus.jsonl CORPUS.zim
The wiki is one on loopback: tests/servers/mediawiki.sh with MW_EXTRA.
Development: 300 of hybridqa_dev_on_distractor_tables.jsonl. Report: the first 300 of ott_dev_public.jsonl.
"""

import argparse
import asyncio
import json
import lzma
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import NamedTuple

from app import Heliograph
from eval.ott.outcome import OttOutcome, judge_evidence, says
from eval.ott.questions import OttQuestion, read_questions
from heliograph.types import Answer, Document, Evidence, EvidenceId, PageKey
from indexers.parser import find_evidence, page_name, page_of, parse_page
from memory.pages import FilePageStore

HEADING = (
    "| rounds | graph | pages a round | questions | gold page read | gold node, strict | gold node in the final 20 "
    "| answer in cited evidence | answer in the final 20 | abstained | pages read, mean | seconds, median |\n"
    f"|{' --- |' * 12}"
)


class Variant(NamedTuple):
    """How a question is asked."""

    rounds: int
    graph: str


def main() -> None:
    """Print the share of questions for each measure."""
    ask = argparse.ArgumentParser()
    asked = ask.add_mutually_exclusive_group(required=True)
    asked.add_argument("--zim", type=Path)
    asked.add_argument("--wiki")
    for name in ("data", "questions"):
        ask.add_argument(f"--{name}", type=Path, required=True)
    ask.add_argument("--out", type=Path)
    ask.add_argument("--first", type=int, default=300)
    ask.add_argument("--rounds", type=int, action="append")
    ask.add_argument("--graph", choices=("off", "light", "full"), action="append")
    ask.add_argument("--skip", type=int, default=0)
    ask.add_argument("--pages", type=int, default=10)
    args = ask.parse_args()
    with lzma.open(args.data / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        titles = {table["table_id"]: table["title"] for table in map(json.loads, lines)}
    questions = read_questions(args.questions, args.first)[args.skip :]
    source = {"sources": (f"zim:{args.zim}",)} if args.zim else {"sources": ("wikipedia",), "wiki": args.wiki}
    variants = [Variant(rounds, tier) for rounds in args.rounds or [3] for tier in args.graph or ["off"]]
    tier = next((each.graph for each in variants if each.graph != "off"), "off")
    heliograph = Heliograph(**source, contact="bench@example.org", pages_per_round=args.pages, graph=tier)
    outcomes = asyncio.run(run(questions, titles, heliograph, variants, args.out))
    print(HEADING)
    for variant, each in outcomes.items():
        print(report(each, variant, args.pages))


async def run(
    questions: Sequence[OttQuestion],
    titles: Mapping[str, str],
    heliograph: Heliograph,
    variants: Sequence[Variant],
    out: Path | None,
) -> dict[Variant, list[OttOutcome]]:
    """Ask all questions, telling how far it is on stderr."""
    store = FilePageStore(heliograph.settings.home / "pages", heliograph.settings.store_bytes)
    known = kept(out)
    outcomes: dict[Variant, list[OttOutcome]] = {variant: [] for variant in variants}
    for number, question in enumerate(questions, start=1):
        for variant, done in outcomes.items():
            if (question.id, variant) in known:
                done.append(known[question.id, variant])
                continue
            heliograph.settings = heliograph.settings.model_copy(update=variant._asdict())
            answer = await heliograph.ask(question.question)
            done.append(measure(question, titles[question.gold_table], answer, finder(store)))
            found = share(each.page for each in done)
            print(f"{number}/{len(questions)} {variant}: page {found} {done[-1]}", file=sys.stderr)
            if out is not None:
                record = {"id": question.id, **variant._asdict(), "run": answer.run, **asdict(done[-1])}
                with out.open("a", encoding="utf8") as lines:
                    lines.write(json.dumps(record) + "\n")
    return outcomes


def kept(path: Path | None) -> dict[tuple[str, Variant], OttOutcome]:
    """Return the outcomes that stand in a file already; a line that a kill cut short is taken out.

    What was measured before there was a measure is asked again.
    """
    content = path.read_bytes() if path is not None and path.exists() else b""
    *lines, torn = content.split(b"\n")
    if path is not None and torn:
        os.truncate(path, len(content) - len(torn))
    names = [field.name for field in fields(OttOutcome)]
    return {
        (line["id"], Variant(line["rounds"], line["graph"])): OttOutcome(**{name: line[name] for name in names})
        for line in map(json.loads, lines)
        if line.keys() >= set(names)
    }


def finder(store: FilePageStore) -> Callable[[EvidenceId], Evidence]:
    """Return a look-up of evidence in the page store."""
    shelf: dict[PageKey, Document] = {}

    def find(evidence: EvidenceId) -> Evidence:
        page = page_of(evidence)
        if page not in shelf:
            shelf[page] = parse_page(store.get(page))
        return find_evidence(shelf[page], evidence)

    return find


def measure(question: OttQuestion, page: str, answer: Answer, find: Callable[[EvidenceId], Evidence]) -> OttOutcome:
    """Measure one answer; `page` is the title of the gold table's page."""
    read = [page_name(key).title for record in answer.rounds for key in record.documents]
    final = judge_evidence(question, page, [find(seen.evidence) for seen in answer.evidence])
    cited = [find(citation.evidence) for citation in answer.citations]
    return OttOutcome(
        page=page in read,
        node=any(final.gold),
        strict=any(final.strict),
        answer=says(question.answer, cited),
        held=any(final.says),
        abstained=answer.abstained,
        seconds=answer.seconds,
        documents=len(read),
    )


def report(outcomes: Sequence[OttOutcome], variant: Variant, pages: int) -> str:
    """Return one line of a Markdown table."""
    names = ("page", "strict", "node", "answer", "held", "abstained")
    measures = [share(getattr(each, name) for each in outcomes) for name in names]
    seconds = statistics.median(each.seconds for each in outcomes)
    documents = statistics.mean(each.documents for each in outcomes)
    figures = f"{' | '.join(measures)} | {documents:.1f} | {seconds:.1f}"
    return f"| {variant.rounds} | {variant.graph} | {pages} | {len(outcomes)} | {figures} |"


def share(values: Iterable[bool]) -> str:
    """Return a share in %."""
    each = list(values)
    return f"{100 * sum(each) / len(each):.1f}" if each else "–"


if __name__ == "__main__":
    main()
