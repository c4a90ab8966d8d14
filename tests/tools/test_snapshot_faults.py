"""Snapshots that cannot be finished, and pages that are hard to take: an error that says why, nothing left behind."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from heliograph.errors import HeliographError, StoreFull, UsageError
from tests.disks import small_disk
from tools.zim import ZimArchive, build_snapshot


def lines(folder: Path, count: int = 1, text: str = "kiwi") -> Path:
    path = folder / "pages.jsonl"
    path.write_text("".join(json.dumps({"title": f"P{n}", "html": f"<p>{text}"}) + "\n" for n in range(count)))
    return path


def test_a_disk_without_the_space_is_told_before_anything_is_lost(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=100))
    message = r"^100 bytes are free on the disk of .*/out and about [\d,]+ are needed; free some space or name another"
    with pytest.raises(StoreFull, match=message):
        build_snapshot([lines(tmp_path, 100)], tmp_path / "out" / "o.zim")
    assert list((tmp_path / "out").iterdir()) == []


FULL = """
    import resource, sys
    from pathlib import Path
    sys.path[:0] = {paths!r}
    from heliograph.errors import StoreFull
    from tools.zim import build_snapshot

    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
    try:
        build_snapshot([Path({source!r})], Path({out!r}))
    except StoreFull as err:
        print(err)
"""


def test_a_write_that_fails_is_told_and_nothing_is_left_behind(tmp_path):
    source = lines(tmp_path, 300, " ".join(map(str, range(2_000))))
    out = tmp_path / "out" / "o.zim"
    program = textwrap.dedent(FULL).format(paths=sys.path, source=str(source), out=str(out))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.startswith(f"cannot write {out.parent}")
    assert done.stdout.endswith("free some space or name another folder\n")
    assert list(out.parent.iterdir()) == []


@pytest.fixture
def tiny_disk(tmp_path):
    """A file system of 3 MB."""
    with small_disk(tmp_path / "disk", "3m") as disk:
        yield disk


def test_a_disk_that_is_really_full_is_told_and_left_as_it_was(tmp_path, tiny_disk):
    with pytest.raises(StoreFull, match="bytes are free on the disk of"):
        build_snapshot([lines(tmp_path, 400, " ".join(map(str, range(500))))], tiny_disk / "o.zim")
    assert list(tiny_disk.iterdir()) == []
    assert build_snapshot([lines(tmp_path)], tiny_disk / "o.zim").pages == 1


def test_an_interruption_leaves_nothing_and_passes_through(tmp_path):
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_snapshot([lines(tmp_path, 5_000)], tmp_path / "out" / "o.zim", progress=interrupt)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreFull, match=r"cannot write .*/file/o\.zim: (File exists|Not a directory); free some space"):
        build_snapshot([lines(tmp_path)], tmp_path / "file" / "o.zim")


@pytest.mark.parametrize(
    ("bad", "number"),
    [
        (b'{"title": "Z\xfcrich", "html": "x"}', 2),
        (b'{"title": "x", "html": "x", "n": ' + b"9" * 5_000 + b"}", 2),
        (b"\xff\xfe{", 2),
        (b"\n\n\nnothing", 5),
    ],
)
def test_a_line_that_is_no_page_is_named_by_file_and_line(tmp_path, bad, number):
    path = tmp_path / "pages.ndjson"
    path.write_bytes(b'{"title": "A", "html": "x"}\n' + bad + b'\n{"title": "B", "html": "x"}\n')
    with pytest.raises(UsageError) as caught:
        build_snapshot([path], tmp_path / "o.zim")
    assert str(caught.value).startswith(f"{path}:{number}: no JSON (")
    assert str(caught.value).endswith(
        '; a line is {"title", "url", "html"} or {"title", "redirect"}, all texts, in UTF-8'
    )


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it(tmp_path):
    path = tmp_path / "pages.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"title": "A", "html": "x"}')
    assert build_snapshot([path], tmp_path / "o.zim").pages == 1


def test_an_empty_page_is_left_out_and_said(tmp_path):
    path = tmp_path / "pages.jsonl"
    path.write_text('{"title": "A", "html": "x"}\n{"title": "B", "html": " "}')
    report = build_snapshot([path], tmp_path / "o.zim")
    assert (report.pages, report.left_out) == (1, ("page 'B': is empty",))


def test_a_page_of_ten_megabytes_comes_back_whole(tmp_path):
    html = "<p>" + "kiwi fruit " * 950_000 + "</p>"
    (tmp_path / "pages.jsonl").write_text(json.dumps({"title": "Big", "html": html}))
    report = build_snapshot([tmp_path / "pages.jsonl"], tmp_path / "o.zim")
    assert asyncio.run(ZimArchive(report.out).fetch("Big")).html == html


@pytest.mark.parametrize(
    "html",
    ["<title>" * 100_000, "<title " * 100_000, "<h1><" * 100_000, "<a" + " " * 300_000 + '"', "<head " * 100_000],
    ids=["titles", "open tags", "headings", "spaces", "heads"],
)
def test_a_hostile_file_is_taken_in_time_that_grows_with_its_length(tmp_path, html):
    (tmp_path / "Hostile_page.html").write_text(html)
    report = build_snapshot([tmp_path], tmp_path / "o.zim")
    assert asyncio.run(ZimArchive(report.out).fetch("Hostile page")).title == "Hostile page"


@pytest.mark.parametrize("link", ["%00.png", "x" * 5_000 + ".png", "..%2f..%2f..%2fetc.png", "folder.png", "pipe.png"])
def test_a_picture_that_cannot_be_read_is_left_out_and_said(tmp_path, link):
    source = tmp_path / "src"
    (source / "folder.png").mkdir(parents=True)
    os.mkfifo(source / "pipe.png")
    (source / "a.html").write_text(f"<title>A</title><img src='{link}'>")
    report = build_snapshot([source], tmp_path / "o.zim")
    assert (report.pages, report.images, len(report.left_out)) == (1, 0, 1)
    assert report.left_out[0].endswith('of "A": no such picture')


def test_a_file_in_another_encoding_is_stored_readable(tmp_path):
    (tmp_path / "z.html").write_bytes("<meta charset=latin-1><title>Zürich</title><p>Größe".encode("latin-1"))
    report = build_snapshot([tmp_path], tmp_path / "o.zim")
    assert "<p>Größe" in asyncio.run(ZimArchive(report.out).fetch("Zürich")).html


def test_markdown_that_is_no_text_is_named(tmp_path):
    (tmp_path / "bad.md").write_bytes(b"# Z\xfcrich")
    with pytest.raises(HeliographError, match=r"bad\.md cannot be read: .*; pages are UTF-8 text"):
        build_snapshot([tmp_path], tmp_path / "o.zim")
