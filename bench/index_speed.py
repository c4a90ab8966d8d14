"""Measure indexing and retrieval on the demo articles and on one table of 1,500 rows.

usage: python bench/index_speed.py [FOLDER OF MARKDOWN ARTICLES]
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import TypeVar

from markdown_it import MarkdownIt

from heliograph.types import MODALITIES, Document, Evidence, Indexed, Page, PageKey
from indexers.evidence import EvidenceIndexes
from indexers.fusion import EmbeddingReranker
from indexers.models.cache import CachedEmbedder
from indexers.models.onnx import OnnxEmbedder
from indexers.parser import parse_page
from indexers.pieces import pieces_of

QUESTIONS = (
    "Which is the largest moon of Jupiter?",
    "When was Deimos discovered, and by whom?",
    "How many moons were discovered in 1610?",
)
ROWS = 1_500
K = 20

T = TypeVar("T")


def article(title: str, html: str) -> Document:
    """Parse one page of the measurement."""
    return parse_page(Page("demo", title, "1", "", f"<html><body><h1>{title}</h1>{html}</body></html>", ""))


def demo_articles(folder: Path) -> list[Document]:
    """Read the demo articles, without the pictures that their builder adds."""
    markdown = MarkdownIt("commonmark").enable("table")
    files = sorted(folder.glob("*.md"))
    return [article(file.stem.replace("_", " "), markdown.render(file.read_text(encoding="utf-8"))) for file in files]


def long_table(rows: int) -> Document:
    """Make a page with one table of many rows."""
    body = "".join(
        f"<tr><td>Asteroid {n}</td><td>{1801 + n % 200}</td><td>{n * 7 % 950} km</td></tr>" for n in range(rows)
    )
    head = "<tr><th>Name</th><th>Discovered</th><th>Diameter</th></tr>"
    return article("List of asteroids", f"<p>Small bodies.</p><table>{head}{body}</table>")


async def timed(name: str, work: Awaitable[T]) -> T:
    """Print how long something takes."""
    start = time.perf_counter()
    result = await work
    print(f"{name:<44}{time.perf_counter() - start:9.3f} s   {result.embedded if isinstance(result, Indexed) else ''}")
    return result


async def ask(indexes: EvidenceIndexes, reranker: EmbeddingReranker, pages: Sequence[Document]) -> None:
    """Retrieve and rerank for each question."""
    keys: list[PageKey] = [page.key for page in pages]
    evidence: dict[str, Evidence] = {piece.id: piece for page in pages for piece in pieces_of(page).pieces}
    for question in QUESTIONS:
        hits = [hit for modality in MODALITIES for hit in await indexes.retrieve(question, modality, K, keys)]
        await reranker.rerank(question, [evidence[hit.item] for hit in hits], (), 1)


async def measure(home: Path, pages: Sequence[Document], table: Document) -> None:
    """Index cold, known and after a restart, then ask."""
    embedder = CachedEmbedder(OnnxEmbedder(), home / "embeddings.sqlite")
    indexes, reranker = EvidenceIndexes(home, embedder), EmbeddingReranker(embedder)
    await embedder.embed(["load the model"])
    await timed("import LlamaIndex and Chroma, open", indexes.add([]))
    await timed(f"{len(pages)} articles, new; texts embedded", indexes.add(pages))
    await timed("the same articles, known", indexes.add(pages))
    await timed(f"{len(QUESTIONS)} questions, first time", ask(indexes, reranker, pages))
    await timed(f"{len(QUESTIONS)} questions, again", ask(indexes, reranker, pages))
    await timed(f"a table of {ROWS} rows, new; texts embedded", indexes.add([table]))
    await timed("the same table, known", indexes.add([table]))
    indexes.close()
    again = EvidenceIndexes(home, embedder)
    await timed("all, known, after a restart", again.add([*pages, table]))
    await timed(f"{len(QUESTIONS)} questions, after a restart", ask(again, reranker, pages))
    again.close()
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    print(f"bytes on disk a piece {size // sum(len(pieces_of(page).pieces) for page in [*pages, table])}")


if __name__ == "__main__":
    articles = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "demo" / "articles"
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), demo_articles(articles), long_table(ROWS)))
