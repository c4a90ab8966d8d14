"""Report what the parser finds in real articles against what their wikitext holds.

usage: parser_on_real_articles.py API_URL|FOLDER PAGES.jsonl.xz [--save FOLDER]

API_URL is `api.php` of a MediaWiki that holds the articles; `--save` keeps the HTML it sends, one JSON file a page,
and such a FOLDER can be given instead of the URL.
"""

import argparse
import hashlib
import json
import lzma
import re
import statistics
import time
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import HeliographError
from heliograph.types import Document, ImageEvidence, Page, TableEvidence
from indexers.parser import parse_page

_HEADING = re.compile(r'class="mw-headline"|class="mw-heading')
_TABLE = re.compile(r"<table\b")
_BROKEN_IMAGE = re.compile(r"mw-broken-media|mw:Error")
_IMAGE = re.compile(r"<img\b[^>]*>")
_SIDE = re.compile(r'(?:width|height)="(\d+)"')
_ICON_PIXELS = 50


@dataclass(frozen=True, slots=True)
class Article:
    """A page of the data set with the counts that were taken from its wikitext."""

    title: str
    wikitext: str
    sections: int
    tables: int
    images: int


@dataclass(frozen=True, slots=True)
class Measured:
    """One article read."""

    article: Article
    page: Page
    document: Document
    seconds: float

    @property
    def found_tables(self) -> int:
        return sum(isinstance(leaf, TableEvidence) for leaf in self.document.leaves)

    @property
    def found_images(self) -> int:
        return sum(isinstance(leaf, ImageEvidence) for leaf in self.document.leaves)


def main() -> None:
    """Read every article that the source holds and print the report."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("source")
    ask.add_argument("pages", type=Path)
    ask.add_argument("--save", type=Path)
    args = ask.parse_args()
    measured, failed, missing = [], Counter[str](), 0
    for article in _articles(args.pages):
        page = _page(args.source, article.title, args.save)
        if page is None:
            missing += 1
            continue
        try:
            measured.append(_measure(article, page))
        except HeliographError as err:
            failed[f"{type(err).__name__}: {err}"] += 1
    _report(measured, failed, missing)


def _articles(path: Path) -> Iterator[Article]:
    """Yield each title once; the wiki holds one revision of it."""
    seen = set()
    with lzma.open(path, "rt", encoding="utf8") as lines:
        for line in lines:
            row = json.loads(line)
            title = row["title"].replace("_", " ").strip()
            if title not in seen:
                seen.add(title)
                yield Article(title, row["wikitext"], row["n_sections"], row["n_wikitables"], row["n_images"])


def _page(source: str, title: str, save: Path | None) -> Page | None:
    name = hashlib.sha256(title.encode()).hexdigest()[:16] + ".json"
    if not source.startswith("http"):
        kept = Path(source) / name
        return Page(**json.loads(kept.read_text(encoding="utf8"))) if kept.exists() else None
    page = _fetch(source, title)
    if page and save:
        save.mkdir(parents=True, exist_ok=True)
        fields = {slot: getattr(page, slot) for slot in Page.__slots__}
        (save / name).write_text(json.dumps(fields, ensure_ascii=False), encoding="utf8")
    return page


def _fetch(api: str, title: str) -> Page | None:
    query = {
        "action": "parse",
        "page": title,
        "prop": "text|revid|displaytitle",
        "redirects": 1,
        "disableeditsection": 1,
        "disabletoc": 1,
        "format": "json",
        "formatversion": 2,
    }
    with urllib.request.urlopen(f"{api}?{urllib.parse.urlencode(query)}", timeout=120) as answer:
        parsed = json.load(answer).get("parse")
    if parsed is None:
        return None
    host = urllib.parse.urlsplit(api).netloc
    url = f"http://{host}/wiki/" + urllib.parse.quote(parsed["title"].replace(" ", "_"))
    return Page("testwiki", parsed["title"], str(parsed["revid"]), url, parsed["text"], "1970-01-01T00:00:00Z")


def _measure(article: Article, page: Page) -> Measured:
    """Take the best of three readings, since other work shares the machine."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        document = parse_page(page)
        seconds.append(time.perf_counter() - start)
    return Measured(article, page, document, min(seconds))


def _report(measured: list[Measured], failed: Counter[str], missing: int) -> None:
    size = sum(len(one.page.html.encode()) for one in measured)
    print(f"articles read {len(measured)}, not in the wiki {missing}, refused {failed.total()}")
    for reason, count in failed.most_common():
        print(f"  {count} x {reason}")
    leaves = Counter(type(leaf).__name__ for one in measured for leaf in one.document.leaves)
    print(f"leaves {dict(sorted(leaves.items()))}")
    _report_sections(measured)
    _report_tables(measured)
    _report_images(measured)
    rates = [one.seconds * 1e3 / (len(one.page.html.encode()) / 1e5) for one in measured]
    slowest = max(measured, key=lambda one: one.seconds)
    print(f"HTML {size / 1e6:.1f} MB; median page {statistics.median(one.seconds for one in measured) * 1e3:.1f} ms")
    print(f"speed: {sum(one.seconds for one in measured) * 1e3 / (size / 1e5):.1f} ms per 100 KB over all, ", end="")
    print(f"median page {statistics.median(rates):.1f}")
    kilobytes = len(slowest.page.html.encode()) / 1e3
    print(f'slowest: "{slowest.page.title}", {slowest.seconds * 1e3:.0f} ms, {kilobytes:.0f} KB, ', end="")
    print(f"{len(slowest.document.leaves)} leaves")


def _report_sections(measured: list[Measured]) -> None:
    wanted = sum(one.article.sections for one in measured)
    rendered = sum(len(_HEADING.findall(one.page.html)) for one in measured)
    found = sum(len(one.document.sections) - 1 for one in measured)
    same = sum(len(one.document.sections) - 1 == one.article.sections for one in measured)
    print(f"sections: wikitext {wanted}, headings in the HTML {rendered}, found {found}; equal on {same} pages")
    for one in measured:
        found, rendered = len(one.document.sections) - 1, len(_HEADING.findall(one.page.html))
        if found != rendered:
            print(f'  "{one.page.title}": headings {rendered}, found {found}')
        elif found != one.article.sections:
            print(f'  "{one.page.title}": the wikitext count is {one.article.sections}, the wiki renders {rendered}')


def _report_tables(measured: list[Measured]) -> None:
    wanted = sum(one.article.tables for one in measured)
    rendered = sum(len(_TABLE.findall(one.page.html)) for one in measured)
    found = sum(one.found_tables for one in measured)
    print(f"tables: wikitext {wanted}, <table> in the HTML {rendered}, found {found}")
    for one in measured:
        rendered = len(_TABLE.findall(one.page.html))
        if one.found_tables != rendered:
            print(f'  "{one.page.title}": <table> {rendered}, found {one.found_tables}, wikitext {one.article.tables}')


def _report_images(measured: list[Measured]) -> None:
    wanted = sum(one.article.images for one in measured)
    drawn = [image for one in measured for image in _IMAGE.findall(one.page.html)]
    icons = sum(_is_icon(image) for image in drawn)
    broken = sum(len(_BROKEN_IMAGE.findall(one.page.html)) for one in measured)
    found = [leaf for one in measured for leaf in one.document.leaves if isinstance(leaf, ImageEvidence)]
    captioned = sum(bool(image.caption) for image in found)
    print(
        f"images: wikitext {wanted}, <img> in the HTML {len(drawn)} of which icons {icons}; "
        f"broken (no such file) {broken}; found {len(found)}, with caption {captioned}, "
        f"with text nearby {sum(bool(image.nearby) for image in found)}"
    )
    for one in measured:
        real = sum(not _is_icon(image) for image in _IMAGE.findall(one.page.html))
        if one.found_images != real:
            print(f'  "{one.page.title}": <img> {real}, found {one.found_images}')


def _is_icon(image: str) -> bool:
    sides = [int(side) for side in _SIDE.findall(image)]
    return bool(sides) and max(sides) <= _ICON_PIXELS


if __name__ == "__main__":
    main()
