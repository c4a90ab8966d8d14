"""Write the pages of the test wiki as a MediaWiki export dump, and its pictures beside it.

Usage: python -m tests.servers.wiki_pages FOLDER
    FOLDER/pages.xml    for maintenance/importDump.php
    FOLDER/images/      for maintenance/importImages.php: each picture with the wikitext of its file page in a .txt

The pages stand in pages/*.wiki, one after the other, each under a line `@@ Title`. The long page and
the long title are made here.
"""

import sys
from collections.abc import Iterable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

from tests.servers.pictures import draw_pictures

PAGES = Path(__file__).parent / "pages"
LONGEST_TITLE = 255
"""Bytes."""
LONG_TITLE = (
    "A True Relation of the Great Storm that Passed over Marrowdale on the Eve of Saint Hob and of the Sheep, Carts,"
    " Roofs and One Bishop that It Lifted, Set Down by a Person of Quality Who Was There and Held onto a Tree"
).ljust(LONGEST_TITLE, "!")
WHO = ("The shepherds", "The bishop's men", "A widow of [[Ostrey]]", "Two ferrymen", "The toll keeper", "The slaters")
DID = ("built a barn", "lost a cart", "planted nine oaks", "saw a comet", "sold their wool", "drained a bog")
WHERE = (
    "at [[Pell Bridge]]",
    "by the [[River Lenn]]",
    "on [[Hob's Crown]]",
    "near [[Corvane Mere]]",
    "in [[Tarnwick]]",
)
WHY = (
    "",
    ", and the forest court fined them",
    ", to the wonder of the parish",
    ", for the third time",
    ", in the rain",
)
GOODS = ("wool, a stone of", "slate, a load of", "char, a dozen", "candles")
NAMESPACES = {"Template": 10, "Module": 828, "Category": 14}


def written_pages(folder: Path = PAGES) -> Iterator[tuple[str, str]]:
    """Yield title and wikitext of each page that is written out in the folder."""
    for path in sorted(folder.glob("*.wiki")):
        for page in path.read_text(encoding="utf8").removeprefix("@@ ").split("\n@@ "):
            title, _, wikitext = page.partition("\n")
            yield title, wikitext.rstrip("\n")


def made_pages() -> Iterator[tuple[str, str]]:
    """Yield title and wikitext of each page that is better made than written."""
    yield LONG_TITLE, f"'''{LONG_TITLE}''' is a pamphlet of 1787. Its title is the longest that a page may have."
    yield "Annals of Marrowdale", annals()


def annals(size: int = 300_000) -> str:
    """Write a page of at least so many characters: a section for a year, with a table for every fourth."""
    random = Random(7)
    sections = ["The '''Annals of Marrowdale''' tell what happened in [[Marrowdale]], year by year.\n"]
    years = cycle(range(1198, 2024))
    while sum(map(len, sections)) < size:
        sections.append(_year(next(years), random))
    return "\n".join(sections) + "\n== References ==\n<references />\n[[Category:Marrowdale]]"


def _year(year: int, random: Random) -> str:
    told = " ".join(
        f"{random.choice(WHO)} {random.choice(DID)} {random.choice(WHERE)}{random.choice(WHY)}." for _ in range(5)
    )
    picture = "\n[[File:Great Pell Viaduct.png|thumb|The viaduct as the annals drew it]]" if year % 97 == 0 else ""
    prices = _prices(random) if year % 4 == 0 else ""
    return f"== {year} ==\n{told}<ref>''Annals'', leaf {year - 1197}.</ref>{picture}\n{prices}"


def _prices(random: Random) -> str:
    rows = "".join(f"|-\n| {goods} || {random.randint(2, 60)} || {random.randint(2, 60)}\n" for goods in GOODS)
    return f'{{| class="wikitable"\n|+ Prices, in pence\n! Goods !! [[Tarnwick]] !! [[Ostrey]]\n{rows}|}}\n'


def dump(pages: Iterable[tuple[str, str]]) -> str:
    """Give the pages as MediaWiki's export XML."""
    export = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n'
    return export + "".join(_page(*page) for page in pages) + "</mediawiki>\n"


def _page(title: str, wikitext: str) -> str:
    namespace = NAMESPACES.get(title.partition(":")[0], 0)
    model, syntax = ("Scribunto", "text/plain") if namespace == 828 else ("wikitext", "text/x-wiki")
    return (
        f"<page><title>{escape(title)}</title><ns>{namespace}</ns><revision><timestamp>2024-05-02T10:00:00Z</timestamp>"
        f"<contributor><username>Keeper</username></contributor><model>{model}</model><format>{syntax}</format>"
        f'<text xml:space="preserve">{escape(wikitext)}</text></revision></page>\n'
    )


def write(folder: Path) -> None:
    """Write pages.xml and images/ into the folder."""
    images = folder / "images"
    draw_pictures(images)
    pages = dict([*written_pages(), *made_pages()])
    for picture in sorted(images.iterdir()):
        picture.with_suffix(".txt").write_text(pages.pop(f"File:{picture.name}"), encoding="utf8")
    (folder / "pages.xml").write_text(dump(pages.items()), encoding="utf8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
