"""Ask OTT-QA questions whose answer is a linked entity of the whole agent, without and with a base of the pages read.

usage: python -m bench.ott_agent_paths --zim CORPUS.zim --questions FILE --queries FILE.jsonl --home FOLDER
       --out FILE.jsonl [--first 60]
       python -m bench.ott_agent_paths --out FILE.jsonl --paths    what stands in the file, and the paths to be read

The queries are those of bench.ott_entity_questions whose kind is `cell` or `table`, in the order of the sha256 of their
ids; the questions are the file that they were made of, which has the answers as strings. No language model is asked.
Both ways share a home folder and take turns in being asked first: who is second finds pages and vectors of the question
there, so that seconds are told apart. An answer is right where the string stands in it as whole words and it does not
abstain.
A line of FILE.jsonl is a pair; what stands there is not asked again.
"""

import argparse
import asyncio
import json
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from agent.extractive.paths import draft_of
from app import Heliograph
from bench.ott_entity_questions import CELL, TABLE
from eval.accepted import states
from eval.drawing import Draw
from eval.offline.metrics import answered_first
from eval.ott.questions import OttQuestion, read_questions
from eval.stark.queries import read_queries
from heliograph.types import Answer, FoundPaths
from memory.trace import find_run, load_trace
from memory.trace.disk import Journal
from memory.trace.record import Record

WAYS = ("without", "with")
HEADING = (
    "| base of the pages | questions | right | first words right | wrong | abstained | with paths, right "
    f"| CPU seconds, median: asked first | asked second |\n|{' --- |' * 9}"
)
Told = Mapping[str, Any]
"""What is kept of an answer: the object behind `without` or `with` in a line."""


def main() -> None:
    """Print a table of both ways, and where they differ."""
    ask = argparse.ArgumentParser()
    for name in ("zim", "questions", "queries", "home"):
        ask.add_argument(f"--{name}", type=Path)
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--first", type=int, default=60)
    ask.add_argument("--paths", action="store_true")
    args = ask.parse_args()
    if not args.paths:
        if None in (args.zim, args.questions, args.queries, args.home):
            ask.error("--zim, --questions, --queries and --home are needed to ask; --paths shows what was asked")
        drawn = draw(args.questions, args.queries, args.first)
        asyncio.run(run(drawn, args.zim, args.home, args.out))
    pairs = known_pairs(args.out)
    print(render(pairs))
    if args.paths:
        print("\n".join(line for pair in pairs for line in path_lines(pair)))


def draw(questions: Path, queries: Path, first: int) -> tuple[OttQuestion, ...]:
    """Return the first questions whose answer a cell of the gold table links."""
    linked = {each.id for each in read_queries(queries) if each.kind in (CELL, TABLE)}
    return Draw(first=first).of((each for each in read_questions(questions) if each.id in linked), lambda each: each.id)


async def run(questions: Sequence[OttQuestion], zim: Path, home: Path, out: Path) -> None:
    """Ask all questions both ways, telling how far it is on stderr."""
    agent = Heliograph(sources=[f"zim:{zim}"], home=home, memory="off")
    journal = Journal(out)
    known = {pair["id"] for pair in known_pairs(out)}
    for number, question in enumerate(questions, start=1):
        if question.id in known:
            continue
        order = WAYS if number % 2 else WAYS[::-1]
        told = {way: {"first": way == order[0], **await told_of(agent, way, question)} for way in order}
        line = {"id": question.id, "question": question.question, "gold": question.answer}
        record = {**line, **{way: told[way] for way in WAYS}}
        journal.append(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        marks = ", ".join(f"{way} {mark(told[way])} {told[way]['cpu']:.1f} s" for way in WAYS)
        print(f"{number}/{len(questions)} {question.id}: {marks}", file=sys.stderr, flush=True)
    journal.close()
    agent.close()


async def told_of(agent: Heliograph, way: str, question: OttQuestion) -> dict[str, Any]:
    """Ask a question one way, and return what is kept of the answer."""
    agent.settings = agent.settings.model_copy(update={"skb_from_pages": way == "with"})
    wall, cpu = perf_counter(), process_time()
    answer = await agent.ask(question.question)
    spent = {"cpu": process_time() - cpu, "seconds": perf_counter() - wall}
    first = answered_first(answer)
    return {
        "run": answer.run,
        "answer": answer.answer,
        "direct": first,
        "right": not answer.abstained and states(answer.answer, question.answers),
        "direct_right": states(first, question.answers),
        "abstained": answer.abstained,
        **spent,
        **told_paths(answer, paths_of(agent.settings.home, answer)),
    }


def paths_of(home: Path, answer: Answer) -> FoundPaths | None:
    """Return what was last found over all pages for the question itself."""
    folder = find_run(home, answer.run)
    events = [each for each in load_trace(folder) if (each.kind, each.name) == ("RETRIEVER", "paths")]
    text = answer.needs[0].text if answer.needs else answer.question
    own = [each for each in events if isinstance(each.input, dict) and each.input["question"] == text]
    found: FoundPaths | None = Record(folder, own[-1:]).value(own[-1], FoundPaths) if own else None
    return found


def told_paths(answer: Answer, found: FoundPaths | None) -> dict[str, Any]:
    """Return the plan, and the paths that stand in the answer: each claim with the words that it cites."""
    if found is None:
        return {"plan": "", "found": 0, "paths": [], "refused": [], "failure": ""}
    draft = draft_of(found, answer.question)
    drafted = draft.claims if draft else ()
    said = {each.text: [cited.marker for cited in each.citations] for each in answer.claims}
    by_marker = {each.marker: each for each in answer.citations}
    given = [
        {
            "path": each.text,
            "steps": [
                {"evidence": one.evidence, "title": one.title, "section": one.section, "quote": one.quote}
                for one in (by_marker[marker] for marker in said[each.text])
            ],
        }
        for each in drafted
        if each.text in said
    ]
    refused = [each.text for each in drafted if each.text not in said]
    plan = {"plan": found.plan, "probability": found.probability, "failure": found.failure}
    return {**plan, "found": len(found.rows), "paths": given, "refused": refused}


def known_pairs(path: Path) -> list[dict[str, Any]]:
    """Return the pairs that stand in a file; a line that a kill cut short is passed over."""
    *lines, _torn = (path.read_text(encoding="utf8") if path.exists() else "").split("\n")
    return [json.loads(line) for line in lines]


def render(pairs: Sequence[Mapping[str, Any]]) -> str:
    """Return a Markdown table, and under it the answers to each question of which one is right and the other not."""
    rows = [row(way, [pair[way] for pair in pairs]) for way in WAYS] if pairs else []
    differing = [pair for pair in pairs if mark(pair["without"]) != mark(pair["with"]) or pair["with"]["paths"]]
    return "\n".join((HEADING, *rows, *(line for pair in differing for line in pair_lines(pair))))


def row(way: str, told: Sequence[Told]) -> str:
    """Return one line of the table."""
    marks = [mark(each) for each in told]
    with_paths = [each for each in told if each["paths"]]
    counts = (
        len(told),
        marks.count("right"),
        sum(each["direct_right"] for each in told),
        marks.count("wrong"),
        marks.count("abstained"),
        f"{len(with_paths)}, {sum(each['right'] for each in with_paths)}",
    )
    several = ([each["cpu"] for each in told if each["first"] == first] for first in (True, False))
    seconds = (f"{statistics.median(cpu):.1f}" if cpu else "–" for cpu in several)
    return f"| {' | '.join(map(str, (way, *counts, *seconds)))} |"


def mark(told: Told) -> str:
    """Say whether an answer is right, wrong or none."""
    return "abstained" if told["abstained"] else "right" if told["right"] else "wrong"


def pair_lines(pair: Mapping[str, Any]) -> Iterable[str]:
    """Yield the answers to a question both ways."""
    yield f"\n{pair['id']} {pair['question']}\n  gold: {pair['gold']}"
    yield from (f"  {way}, {mark(pair[way])}: {' '.join(pair[way]['answer'].split())[:400]}" for way in WAYS)


def path_lines(pair: Mapping[str, Any]) -> Iterable[str]:
    """Yield the paths that an answer gives, each with the words of its steps."""
    told = pair["with"]
    if not told["paths"]:
        return
    yield f"\n{pair['id']} {pair['question']}\n  gold: {pair['gold']}"
    yield f"  plan: {told['plan']} ({told['probability']:.2f})"
    for each in told["paths"]:
        yield f"  {each['path']}"
        yield from (f"    {one['title']} > {one['section']}: {one['quote']}" for one in each["steps"])


if __name__ == "__main__":
    main()
