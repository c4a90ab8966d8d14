"""The articles of both demo archives are whole, and the second archive builds and reads back."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from heliograph.types import ImageEvidence, TableEvidence
from indexers.parser import parse_page
from tools.zim import ZimArchive, build_snapshot


def test_nothing_is_wrong_with_the_first_archive(demo: SimpleNamespace) -> None:
    assert list(demo.check.problems()) == []


def test_nothing_is_wrong_with_the_second_archive(demo: SimpleNamespace) -> None:
    assert list(demo.check_everyday.problems()) == []


@pytest.mark.parametrize(
    ("words", "changed", "complaint"),
    [
        ("[Line 7](Brindlemouth_tramways.md)", "[Line 7](Trams.md)", "Choirs.md: broken link Trams.md"),
        ("| Soprano | C4 to A5 | 17 |", "| Soprano | C4 to A5 |", "Choirs.md: ragged table"),
        ("*Table: Voices of a mixed choir", "*Voices of a mixed choir", "Choirs.md: 2 tables, 1 captions"),
        ("# Choirs", "# Choir", "Choirs.md: title is Choir"),
    ],
)
def test_what_is_wrong_with_an_article_is_said(demo: SimpleNamespace, words: str, changed: str, complaint: str) -> None:
    everyday = demo.folder / "everyday"
    pages = demo.corpus.load(everyday)
    source = pages["Choirs.md"].source
    assert source.count(words) == 1
    pages["Choirs.md"] = demo.corpus.Article("Choirs.md", source.replace(words, changed))
    found = list(demo.check.check_articles(pages, everyday))
    assert [fault for fault in found if fault.startswith(complaint)], found


def test_an_article_that_nothing_leads_to_is_named(demo: SimpleNamespace) -> None:
    pages = demo.corpus.load(demo.folder / "everyday")
    pages["Lost.md"] = demo.corpus.Article("Lost.md", "# Lost")
    assert list(demo.check.check_reach(pages, "Aldermoor.md")) == ["Lost.md: cannot be reached"]


async def test_the_second_archive_reads_back_as_it_was_written(demo: SimpleNamespace, tmp_path: Path) -> None:
    out = tmp_path / "everyday.zim"
    build_snapshot([demo.folder / "everyday" / "articles"], out, name="everyday")
    archive = ZimArchive(out)
    pages = demo.check_everyday.by_title(demo.folder / "everyday")
    assert set(await archive.titles()) == set(pages)
    for title, page in pages.items():
        leaves = parse_page(await archive.fetch(title)).leaves
        tables = {leaf.caption: leaf for leaf in leaves if isinstance(leaf, TableEvidence)}
        firsts = {caption: [row[0].text for row in table.rows] for caption, table in tables.items()}
        assert firsts == {name: [row[0] for row in rows[-len(firsts[name]) :]] for name, rows in page.captioned.items()}
        pictures = [leaf.caption for leaf in leaves if isinstance(leaf, ImageEvidence)]
        assert pictures == [caption for _, _, caption in page.pictures]
