"""Snapshots of JSON lines: whole or not at all, the same again, with everything said that was left out."""

import asyncio
import json
import lzma
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import UsageError
from heliograph.types import Hit, Query
from tools.zim import SnapshotReport, ZimArchive, build_snapshot

FOX = {"title": "Red fox", "html": "<p>The red fox.</p>", "url": "https://example.org/wiki/Red_fox"}
WOLF = {"title": "Wolf", "html": "<html><head><title>Wolf</title></head><body>Grey wolf.</body></html>"}


def lines(folder: Path, *records: Mapping[str, object] | str, name: str = "pages.jsonl") -> Path:
    texts = [record if isinstance(record, str) else json.dumps(record) for record in records]
    (folder / name).write_text("\n".join(texts), encoding="utf-8")
    return folder / name


def fetched(out: Path, titles: Sequence[str]) -> list[tuple[str, str, str]]:
    async def read() -> list[tuple[str, str, str]]:
        archive = ZimArchive(out)
        pages = [await archive.fetch(title) for title in titles]
        return [(page.title, page.html, page.url) for page in pages]

    return asyncio.run(read())


def test_pages_come_back_with_their_addresses(tmp_path):
    out = tmp_path / "new" / "zoo.zim"
    report = build_snapshot([lines(tmp_path, FOX, "", WOLF)], out)
    assert report == SnapshotReport(out, report.edition, pages=2, images=0, redirects=0, left_out=())
    assert report.summary == f"{out}: 2 pages, 0 images, 0 redirects"
    link = '<link rel="canonical" href="https://example.org/wiki/Red_fox">'
    assert fetched(out, ["Red fox", "Wolf"]) == [
        ("Red fox", f"{link}<p>The red fox.</p>", "https://example.org/wiki/Red_fox"),
        ("Wolf", WOLF["html"], "zim://zoo/Wolf"),
    ]


def test_lines_compressed_by_xz_are_read(tmp_path):
    packed = tmp_path / "pages.jsonl.xz"
    packed.write_bytes(lzma.compress(json.dumps(WOLF).encode()))
    assert build_snapshot([packed], tmp_path / "o.zim").pages == 1
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(UsageError, match=r"pages\.jsonl\.xz cannot be read after line [01]: .*; make it again"):
        build_snapshot([packed], tmp_path / "other.zim")


def test_equal_pages_make_an_equal_edition_and_other_pages_another(tmp_path):
    first = build_snapshot([lines(tmp_path, FOX, WOLF)], tmp_path / "first.zim")
    again = build_snapshot([lines(tmp_path, FOX, WOLF)], tmp_path / "again.zim", name="other", title="Other")
    other = build_snapshot([lines(tmp_path, FOX, {**WOLF, "html": "<p>Wolf!</p>"})], tmp_path / "other.zim")
    assert first.edition == again.edition != other.edition
    assert [ZimArchive(report.out).edition for report in (first, other)] == [first.edition, other.edition]


def test_redirects_lead_to_their_page_in_any_number_of_steps(tmp_path):
    records = [
        {"title": "Reynard", "redirect": "Vulpes vulpes"},
        {"title": "Vulpes vulpes", "redirect": "Red fox#Names"},
        FOX,
        {"title": "Here", "redirect": "There"},
        {"title": "There", "redirect": "Here"},
        {"title": "Gone", "redirect": "Nowhere"},
        {"title": "Red fox", "redirect": "Reynard"},
        {"title": "Reynard", "redirect": "Gone"},
    ]
    report = build_snapshot([lines(tmp_path, *records)], tmp_path / "o.zim")
    assert (report.pages, report.redirects) == (1, 2)
    assert set(report.left_out) == {
        "redirect 'Reynard': stands twice",
        "redirect 'Here': leads to no page, but to 'There'",
        "redirect 'There': leads to no page, but to 'Here'",
        "redirect 'Gone': leads to no page, but to 'Nowhere'",
        "redirect 'Red fox': is a page",
    }
    assert [title for title, _, _ in fetched(report.out, ["reynard", "Vulpes_vulpes"])] == ["Red fox", "Red fox"]


@pytest.mark.parametrize(
    ("title", "fault"),
    [
        ("Wolf", "stands twice"),
        ("", "is blank"),
        (" Wolf", "begins or ends with a space"),
        ("W\nolf", "has control characters"),
        ("\ud800", "has control characters"),
        ("x" * 201, "is too long a title"),
        ("word " * 100 + "x", "is too long a title"),
    ],
)
def test_a_page_whose_title_cannot_stand_is_left_out_and_said(tmp_path, title, fault):
    report = build_snapshot([lines(tmp_path, WOLF, {"title": title, "html": "x"})], tmp_path / "o.zim")
    assert (report.pages, report.left_out) == (1, (f"page {title[:80]!r}: {fault}",))


def test_the_longest_words_that_titles_may_have_can_be_read_back(tmp_path):
    titles = ["x" * 200, "日" * 66, "🦊" * 50, "word " * 99 + "x"]
    report = build_snapshot([lines(tmp_path, *({"title": t, "html": "fox"} for t in titles))], tmp_path / "o.zim")
    assert report.left_out == ()
    assert [title for title, _, _ in fetched(report.out, titles)] == titles


@pytest.mark.parametrize(
    "bad",
    ["{", "[]", "3", '{"title": "x"}', '{"title": 3, "html": ""}', '{"title": "x", "html": null}', "[" * 5_000],
)
def test_a_bad_line_is_named_and_nothing_is_left_behind(tmp_path, bad):
    source = lines(tmp_path, WOLF, FOX, bad)
    with pytest.raises(UsageError) as caught:
        build_snapshot([source], tmp_path / "out" / "o.zim")
    assert str(caught.value).startswith(f"{source}:3: no ")
    assert list((tmp_path / "out").iterdir()) == []


def test_an_archive_is_replaced_only_by_force_and_only_by_a_whole_one(tmp_path):
    out = tmp_path / "o.zim"
    first = build_snapshot([lines(tmp_path, FOX)], out)
    with pytest.raises(UsageError, match=r"o\.zim is there already; add --force to replace it"):
        build_snapshot([lines(tmp_path, WOLF)], out)
    with pytest.raises(UsageError, match="no page"):
        build_snapshot([lines(tmp_path, WOLF, "{}")], out, force=True)
    assert ZimArchive(out).edition == first.edition
    second = build_snapshot([lines(tmp_path, WOLF)], out, force=True)
    assert ZimArchive(out).edition == second.edition
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o.zim", "pages.jsonl"]
    assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("none", "no such folder or file"),
        ("text.pdf", "is neither a folder nor one of"),
        ("empty", "no pages in"),
        ("blank.jsonl", "no pages in"),
    ],
)
def test_a_source_that_gives_no_page_is_refused(tmp_path, source, message):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.pdf").write_text("x")
    (tmp_path / "blank.jsonl").write_text("\n\n")
    with pytest.raises(UsageError, match=message):
        build_snapshot([tmp_path / source], tmp_path / "o.zim")
    assert not (tmp_path / "o.zim").exists()


@pytest.mark.parametrize("language", ["", "English", "EN", "e"])
def test_a_language_is_a_code(tmp_path, language):
    with pytest.raises(UsageError, match="is no ISO 639 code; try eng"):
        build_snapshot([lines(tmp_path, WOLF)], tmp_path / "o.zim", language=language)


def test_nothing_is_printed_and_progress_ends_with_the_number_of_pages(tmp_path, capfd):
    seen: list[int] = []
    build_snapshot([lines(tmp_path, FOX, WOLF)], tmp_path / "o.zim", progress=seen.append)
    assert (seen, capfd.readouterr().out) == ([2], "")


async def test_metadata_reach_the_pages(tmp_path):
    said = {"Creator": "Wikipedia contributors", "License": "CC BY-SA 4.0", "Source": "https://en.wikipedia.org/"}
    report = build_snapshot([lines(tmp_path, WOLF)], tmp_path / "o.zim", name="zoo", metadata=said)
    archive = ZimArchive(report.out)
    page = await archive.fetch("Wolf")
    assert (page.wiki, page.url) == ("zoo", "https://en.wikipedia.org/wiki/Wolf")
    assert (page.licence, page.attribution) == ("CC BY-SA 4.0", "Wikipedia contributors, published by zoo")
    assert (await archive.search(Query('"GREY" wolf'), 3)).hits == (Hit("Wolf", 1, "zoo"),)


_TITLES = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).filter(
    lambda title: title == title.strip() and len(title.encode()) <= 200
)
_HTML = st.text(st.characters(exclude_categories=("Cs",)), max_size=200).filter(lambda html: bool(html.strip()))


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(_TITLES, _HTML, min_size=1, max_size=8))
def test_any_page_comes_back_as_it_was(tmp_path_factory, pages):
    distinct = {title.replace(" ", "_"): title for title in reversed(pages)}
    folder = tmp_path_factory.mktemp("any")
    source = lines(folder, *({"title": title, "html": html} for title, html in pages.items()))
    report = build_snapshot([source], folder / "o.zim")
    assert report.pages == len(distinct)
    assert [read[:2] for read in fetched(report.out, list(distinct.values()))] == [
        (title, pages[title]) for title in distinct.values()
    ]
