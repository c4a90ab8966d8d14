"""Verify the links, tables, pictures and questions of the demo corpus."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from aggregates import check_aggregations
from corpus import Article, Question, load

HERE = Path(__file__).parent
KINDS = {
    "paragraph": 8,
    "row": 7,
    "aggregation": 6,
    "hop_table_text": 4,
    "hop_text_table": 3,
    "picture": 4,
    "unanswerable": 8,
}


def check_articles(pages: dict[str, Article], folder: Path = HERE) -> Iterator[str]:
    """Report wrong titles, lengths, links and pictures of an archive in a folder."""
    for page in pages.values():
        if page.name != page.title.replace(" ", "_") + ".md":
            yield f"{page.name}: title is {page.title}"
        if not 250 <= len(page.source.split()) <= 700:
            yield f"{page.name}: {len(page.source.split())} words"
        if len(page.targets - {page.name}) < 4:
            yield f"{page.name}: too few links"
        yield from (f"{page.name}: broken link {link}" for link in page.targets - set(pages))
        yield from _check_pictures(page, folder)
        yield from _check_captions(page)


def _check_pictures(page: Article, folder: Path) -> Iterator[str]:
    """Report missing files and empty descriptions."""
    for path, alt, caption in page.pictures:
        if not (folder / "articles" / path).is_file():
            yield f"{page.name}: missing picture {path}"
        if len(alt) < 20 or len(caption) < 20:
            yield f"{page.name}: poor description of {path}"


def _check_captions(page: Article) -> Iterator[str]:
    """Report tables without a caption and tables with ragged rows."""
    captions = page.source.count("<caption>") + len(re.findall(r"^\*Table: .+\*\n\n\|", page.source, re.M))
    if captions != len(page.tables):
        yield f"{page.name}: {len(page.tables)} tables, {captions} captions"
    for table in page.tables:
        if len({len(row) for row in table}) != 1:
            yield f"{page.name}: ragged table {table[0]}"


def check_reach(pages: dict[str, Article], start: str = "Solar_System.md") -> Iterator[str]:
    """Report articles that no path of links leads to."""
    seen: set[str] = set()
    queue = [start]
    while queue:
        name = queue.pop()
        seen.add(name)
        queue += [link for link in pages[name].targets if link in pages and link not in seen]
    yield from (f"{name}: cannot be reached" for name in set(pages) - seen)


def check_totals(pages: dict[str, Article]) -> Iterator[str]:
    """Report too few articles, tables or pictures, and heavy pictures."""
    tabled = [page for page in pages.values() if page.tables]
    spanned = [page for page in pages.values() if page.has_spans]
    files = list((HERE / "images").glob("*.png"))
    shown = {Path(path).name for page in pages.values() for path, _, _ in page.pictures}
    counts = [(len(pages), 34), (sum(len(page.tables) for page in tabled), 18)]
    counts += [(len(tabled), 14), (len(spanned), 4), (len(files), 16)]
    yield from (f"only {count} where {least} are due" for count, least in counts if count < least)
    yield from (f"{path.name}: too heavy" for path in files if path.stat().st_size >= 40_000)
    yield from (f"{path.name}: not shown" for path in files if path.name not in shown)


def check_questions(pages: dict[str, Article], questions: list[Question]) -> Iterator[str]:
    """Report questions that their evidence does not support."""
    titles = {page.title: page for page in pages.values()}
    if Counter(entry["kind"] for entry in questions) != KINDS:
        yield "wrong number of questions of some kind"
    if len({entry["id"] for entry in questions}) != len(questions):
        yield "repeated question id"
    for entry in questions:
        yield from _check_evidence(titles, entry)
        yield from _check_expected(titles, entry)


def _check_evidence(titles: dict[str, Article], entry: Question) -> Iterator[str]:
    """Report evidence that its page does not contain."""
    named = {item["title"] for item in entry["evidence"]}
    if named != set(entry["documents"]) or not named <= set(titles):
        yield f"{entry['id']}: documents and evidence differ"
        return
    for item in entry["evidence"]:
        if item["contains"] not in _places(titles[item["title"]], item["modality"]):
            yield f"{entry['id']}: no {item['modality']} with {item['contains']}"


def _places(page: Article, modality: str) -> str:
    """Return the text of one modality of a page."""
    if modality == "table":
        return "\n".join(cell for table in page.tables for row in table for cell in row)
    if modality == "image":
        return "\n".join(words for _, *both in page.pictures for words in both)
    return page.prose


def _check_expected(titles: dict[str, Article], entry: Question) -> Iterator[str]:
    """Report answers that no gold page contains."""
    if entry["kind"] == "unanswerable":
        if entry["expected"] or entry["documents"]:
            yield f"{entry['id']}: has an answer after all"
        return
    if entry["kind"] == "aggregation":
        return
    gold = [titles[title] for title in entry["documents"]]
    text = "\n".join(_places(page, kind) for page in gold for kind in ("text", "table", "image")).lower()
    if not any(answer.lower() in text for answer in entry["expected"]):
        yield f"{entry['id']}: answer not in the gold pages"
    if entry["kind"] == "picture" and _leaks(titles, entry["expected"][0]):
        yield f"{entry['id']}: answer stands in a text too"


def _leaks(titles: dict[str, Article], answer: str) -> bool:
    """Tell whether an answer of several letters stands outside captions."""
    texts = [page.prose for page in titles.values()]
    return len(answer) > 2 and any(answer in text for text in texts)


def problems() -> Iterator[str]:
    """Yield everything that is wrong with the corpus."""
    pages = load()
    lines = (HERE / "questions.jsonl").read_text("utf-8").splitlines()
    questions: list[Question] = [json.loads(line) for line in lines]
    yield from check_articles(pages)
    yield from check_reach(pages)
    yield from check_totals(pages)
    yield from check_questions(pages, questions)
    yield from check_aggregations(pages, questions)
    titles = {page.title: page for page in pages.values()}
    for path in [*sorted(HERE.glob("questions[23].jsonl")), *sorted((HERE / "development").glob("*.jsonl"))]:
        for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
            yield from (f"{path.name}: {problem}" for problem in _check_evidence(titles, json.loads(line)))


def main() -> int:
    """Print each problem and return 1 if there is any."""
    found = list(problems())
    counts = [len(page.tables) for page in load().values()]
    tabled = sum(count > 0 for count in counts)
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(counts)} articles, {sum(counts)} tables in {tabled} of them, {len(found)} problems")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
