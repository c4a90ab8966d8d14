"""Measure which pages are read for OTT-QA questions: plain AND search against one round and three.

usage: python -m bench.ott_documents --zim CORPUS.zim --data OTT_FOLDER --questions FILE [--first 300] [--skip 0]
       [--cache FILE.sqlite] [--methods and,one,thirty,three]

The measure is the share of questions whose gold table's page is among the pages read. Reading is light: of each page
the first paragraphs and the rows that share most words with the question are scored, not everything indexed, so that
300 questions take minutes; bench/ott_questions.py asks the agent itself.
"""

import argparse
import asyncio
import json
import lzma
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.extractive.leads import leads
from agent.extractive.queries import ExtractiveQueryRewriter
from eval.ott.questions import OttQuestion, read_questions
from heliograph.protocols import DocumentSearch, Embedder
from heliograph.text.words import content_stems, keywords
from heliograph.types import (
    Evidence,
    EvidenceId,
    Hit,
    PageKey,
    Query,
    RoundRecord,
    Scored,
    SearchResult,
    TableEvidence,
    TextEvidence,
    Verdict,
)
from indexers.models.cache import CachedEmbedder
from indexers.models.onnx import OnnxEmbedder
from indexers.parser import parse_page, segments
from indexers.render import render
from tools.rerank import TitleReranker
from tools.search import RememberedSearch, search_round, word_totals
from tools.zim import ZimArchive

PARAGRAPHS = 3
ROWS = 3
FINAL = 40
"""Pieces that a round hands on to the next."""

Method = Callable[[str, ZimArchive, Embedder], Awaitable[tuple[str, ...]]]


def main() -> None:
    """Print one line of a Markdown table for each method."""
    ask = argparse.ArgumentParser()
    for name in ("zim", "data", "questions"):
        ask.add_argument(f"--{name}", type=Path, required=True)
    ask.add_argument("--first", type=int, default=300)
    ask.add_argument("--skip", type=int, default=0)
    ask.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "ott_documents.sqlite")
    ask.add_argument("--methods", default=",".join(METHODS))
    args = ask.parse_args()
    with lzma.open(args.data / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        titles = {table["table_id"]: table["title"] for table in map(json.loads, lines)}
    questions = read_questions(args.questions, args.first)[args.skip :]
    gold = {question.id: titles[question.gold_table] for question in questions}
    asyncio.run(report(questions, gold, args.zim, args.cache, args.methods.split(",")))


async def report(
    questions: Sequence[OttQuestion], gold: Mapping[str, str], zim: Path, cache: Path, methods: Sequence[str]
) -> None:
    """Run each method on all questions."""
    embedder = CachedEmbedder(OnnxEmbedder(), cache)
    archive = ZimArchive(zim)
    print("| method | questions | gold page read | pages read, mean | seconds a question |")
    print("| --- | --- | --- | --- | --- |")
    for name in methods:
        began = time.monotonic()
        read = [await METHODS[name](question.question, archive, embedder) for question in questions]
        seconds = (time.monotonic() - began) / len(questions)
        found = sum(gold[question.id] in pages for question, pages in zip(questions, read, strict=True))
        pages = sum(map(len, read)) / len(questions)
        print(
            f"| {name} | {len(questions)} | {100 * found / len(questions):.1f} | {pages:.1f} | {seconds:.2f} |",
            flush=True,
        )


async def plain_and(question: str, archive: ZimArchive, _: Embedder) -> tuple[str, ...]:
    """Search all keywords at once, dropping the most common one until ten pages are found."""
    totals = await word_totals(keywords(question), [archive])
    words = sorted((word for word in totals if totals[word]), key=lambda word: totals[word])
    pages: dict[str, None] = {}
    while words and len(pages) < 10:
        found = await archive.search(Query(" ".join(words)), 10)
        pages.update(dict.fromkeys(hit.title for hit in found.hits))
        words.pop()
    return tuple(pages)[:10]


async def one_round(question: str, archive: ZimArchive, embedder: Embedder) -> tuple[str, ...]:
    """Read ten pages in one round."""
    return await rounds(question, archive, embedder, 1, 10)


async def one_wide_round(question: str, archive: ZimArchive, embedder: Embedder) -> tuple[str, ...]:
    """Read thirty pages in one round: what three rounds must beat."""
    return await rounds(question, archive, embedder, 1, 30)


async def three_rounds(question: str, archive: ZimArchive, embedder: Embedder) -> tuple[str, ...]:
    """Read ten pages in each of three rounds."""
    return await rounds(question, archive, embedder, 3, 10)


METHODS: dict[str, Method] = {
    "and": plain_and,
    "one": one_round,
    "thirty": one_wide_round,
    "three": three_rounds,
}


@dataclass(slots=True)
class Reading:
    """What has been read of one question."""

    question: str
    pages: dict[tuple[str, str], None] = field(default_factory=dict)
    pieces: dict[EvidenceId, Evidence] = field(default_factory=dict)
    scored: list[Scored[Evidence]] = field(default_factory=list)
    results: tuple[SearchResult, ...] = ()
    memory: tuple[RoundRecord, ...] = ()


async def rounds(question: str, archive: ZimArchive, embedder: Embedder, number: int, pages: int) -> tuple[str, ...]:
    """Return the titles that some rounds read."""
    reading = Reading(question)
    sources = (RememberedSearch(archive),)
    rewriter = ExtractiveQueryRewriter(sources, reading.pieces.__getitem__)
    for left in reversed(range(number)):
        queries = await rewriter.rewrite(question, reading.memory)
        if not queries:
            break
        chosen = await _choose(reading, queries, sources, embedder, pages)
        reading.pages.update(dict.fromkeys(hit.page for hit in chosen))
        if left:
            await _read(reading, [hit.title for hit in chosen], queries, archive, embedder)
    return tuple(title for _, title in reading.pages)


async def _choose(
    reading: Reading, queries: Sequence[Query], sources: Sequence[DocumentSearch], embedder: Embedder, pages: int
) -> tuple[Hit, ...]:
    found = await search_round(queries, sources)
    reading.results += found.results
    return await TitleReranker(embedder).rerank(reading.question, reading.results, reading.pages, pages)


async def _read(
    reading: Reading, titles: Sequence[str], queries: Sequence[Query], archive: ZimArchive, embedder: Embedder
) -> None:
    documents = [parse_page(await archive.fetch(title)) for title in titles]
    pieces = [piece for document in documents for piece in _light(reading.question, document.leaves)]
    vectors = await embedder.embed([reading.question, *map(render, pieces)])
    cosines = map(float, vectors[1:] @ vectors[0])
    scored: list[Scored[Evidence]] = [Scored(piece, cosine) for piece, cosine in zip(pieces, cosines, strict=True)]
    scored.sort(key=lambda each: (-each.score, each.item.id))
    reading.pieces.update({piece.id: piece for piece in pieces})
    reading.scored = sorted([*reading.scored, *scored], key=lambda each: (-each.score, each.item.id))[:FINAL]
    known: list[PageKey] = [document.key for document in documents]
    known += [key for record in reading.memory for key in record.documents]
    record = RoundRecord(
        number=len(reading.memory) + 1,
        queries=tuple(query.text for query in queries),
        documents=tuple(document.key for document in documents),
        evidence=tuple(each.item.id for each in scored),
        verdict=Verdict(sufficient=False, leads=leads(reading.question, reading.scored, known)),
    )
    reading.memory += (record,)


def _light(question: str, leaves: Sequence[Evidence]) -> list[Evidence]:
    asked = set(content_stems(question))
    texts = [leaf for leaf in leaves if isinstance(leaf, TextEvidence)]
    rows = [row for leaf in leaves if isinstance(leaf, TableEvidence) for row in segments(leaf)]
    rows.sort(key=lambda row: (-len(asked & set(content_stems(render(row)))), row.id))
    return [*texts[:PARAGRAPHS], *rows[:ROWS]]


if __name__ == "__main__":
    main()
