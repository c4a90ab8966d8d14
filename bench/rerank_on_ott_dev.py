"""Measure the reranker on OTT-QA questions: is the gold row or passage among the best 20 of a pool of pieces?

usage: python bench/rerank_on_ott_dev.py OTT_FOLDER [QUESTIONS] [CACHE.sqlite]

OTT_FOLDER holds pages.py and questions/hybridqa_dev_on_distractor_tables.jsonl (the dev questions for tuning). A pool
is the gold table and the 8 tables that BM25 ranks best, each with its rows, and the leads of the pages that the first
three link to. Questions are taken in the order of the sha256 of their ids.
"""

import asyncio
import hashlib
import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bm25s  # type: ignore[import-untyped]  # the library has no types
import Stemmer

from heliograph.types import (
    Cell,
    Evidence,
    EvidenceId,
    Link,
    Place,
    TableEvidence,
    TextEvidence,
)
from indexers.fusion import EmbeddingReranker
from indexers.models.cache import CachedEmbedder
from indexers.models.onnx import OnnxEmbedder
from indexers.parser import page_key, row_id, segments

QUESTIONS = 150
DISTRACTORS = 8
LINKED = 3
TOP = 20

Table = Mapping[str, Any]
"""A line of tables.jsonl."""


@dataclass(frozen=True, slots=True)
class Pool:
    """One question, its candidates, and which of them hold the answer."""

    question: str
    pieces: tuple[Evidence, ...]
    rows: frozenset[EvidenceId]
    passages: frozenset[EvidenceId]


def pools(questions: Sequence[Mapping[str, Any]], corpus: Any) -> Iterator[Pool]:
    """Build the pool of each question."""
    tables: dict[str, Table] = {table["table_id"]: table for table in corpus.read("tables.jsonl.xz")}
    leads = {line["passage_id"]: line["text"] for line in corpus.read("passages.jsonl.xz")}
    names, search = list(tables), _search(list(tables.values()))
    for asked in questions:
        best = [names[place] for place in search(asked["question"]) if names[place] != asked["gold_table"]]
        chosen = [tables[name] for name in (asked["gold_table"], *best[:DISTRACTORS])]
        linked = [page for table in chosen[:LINKED] for row in table["links"] for _, page in row if page in leads]
        pieces = [piece for table in chosen for piece in _table_pieces(table, corpus)]
        pieces += [_lead(corpus.title_of(page), leads[page]) for page in dict.fromkeys(linked)]
        gold = _table_name(chosen[0])
        answers = [node for node in asked["answer_nodes"] if node["where"] == "passage" and node["passage_id"]]
        yield Pool(
            asked["question"],
            tuple(pieces),
            frozenset(row_id(gold, node["row"] + 1) for node in asked["answer_nodes"]),
            frozenset(_lead(corpus.title_of(node["passage_id"]), "").id for node in answers),
        )


def _search(tables: Sequence[Table]) -> Any:
    stemmer = Stemmer.Stemmer("english")

    def words(texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25()
    flat = [
        [t["title"], t["section_title"], *t["header"], *(cell for row in t["rows"] for cell in row)] for t in tables
    ]
    index.index(words([" ".join(map(str, part))[:3000] for part in flat]), show_progress=False)
    return lambda question: index.retrieve(words([question]), k=DISTRACTORS + 1, show_progress=False)[0][0]


def _table_name(table: Table) -> EvidenceId:
    return EvidenceId(f"{page_key('ott', table['title'], table['table_id'])}#s1/t1")


def _table_pieces(table: Table, corpus: Any) -> Iterator[Evidence]:
    key = page_key("ott", table["title"], table["table_id"])
    place = Place(key, table["title"], "s1", (table["section_title"],) if table["section_title"] else ())
    rows = tuple(
        tuple(
            Cell(text, tuple(Link(text, corpus.title_of(page)) for at, page in links if at == column))
            for column, text in enumerate(row)
        )
        for row, links in zip(table["rows"], table["links"], strict=True)
    )
    whole = TableEvidence(_table_name(table), place, "table", "", tuple(table["header"]), rows)
    yield whole
    yield from segments(whole)
    if table["intro"]:
        yield TextEvidence(EvidenceId(f"{key}#s0/p1"), Place(key, table["title"], "s0"), "paragraph", table["intro"])


def _lead(title: str, text: str) -> TextEvidence:
    key = page_key("ott", title, "lead")
    return TextEvidence(EvidenceId(f"{key}#s0/p1"), Place(key, title, "s0"), "paragraph", text)


async def measure(found: Sequence[Pool], embedder: CachedEmbedder) -> None:
    """Print the figures with and without second hops, and for the cosine alone."""
    for name, reranker in (
        ("cosine alone", EmbeddingReranker(embedder, lexical_weight=0, seeds=0)),
        ("and the question's words", EmbeddingReranker(embedder, seeds=0)),
        ("and second hops", EmbeddingReranker(embedder)),
    ):
        row = passage = either = both = 0
        for pool in found:
            seen = await reranker.rerank(pool.question, pool.pieces, (), 1)
            top = {one.evidence for one in seen[:TOP]}
            row, either = row + bool(top & pool.rows), either + bool(top & (pool.rows | pool.passages))
            passage, both = passage + bool(top & pool.passages), both + bool(top & pool.rows and top & pool.passages)
        two = sum(bool(pool.passages) for pool in found)
        print(
            f"{name:<26} row {row / len(found):.3f}  row or passage {either / len(found):.3f}  "
            f"passage {passage / two:.3f}  both {both / two:.3f}   of {len(found)} ({two} with a passage)",
            flush=True,
        )


def main(folder: Path, count: int, cache: Path) -> None:
    """Read the corpus and measure."""
    spec = importlib.util.spec_from_file_location("ott_pages", folder / "pages.py")
    assert spec is not None
    assert spec.loader is not None
    corpus: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(corpus)
    lines = (folder / "questions" / "hybridqa_dev_on_distractor_tables.jsonl").read_text(encoding="utf-8").splitlines()
    asked = sorted(map(json.loads, lines), key=lambda one: hashlib.sha256(one["question_id"].encode()).hexdigest())
    found = list(pools(asked[:count], corpus))
    print(f"{sum(len(pool.pieces) for pool in found) / len(found):.0f} pieces a pool")
    asyncio.run(measure(found, CachedEmbedder(OnnxEmbedder(), cache)))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        kept = Path(arguments[2]) if len(arguments) > 2 else Path(home) / "embeddings.sqlite"
        main(Path(arguments[0]), int(arguments[1]) if len(arguments) > 1 else QUESTIONS, kept)
