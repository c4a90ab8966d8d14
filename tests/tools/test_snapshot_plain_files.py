"""Snapshots of plain text and CSV, and what is said of files that are not read."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import UsageError
from heliograph.types import Query, TableEvidence
from indexers.parser import parse_page
from tests.fakes import make_page
from tests.tools.test_snapshot_folders import PNG, write
from tools.zim import ZimArchive, build_snapshot
from tools.zim.plain_files import render_table, render_text

Cli = Callable[..., Result]


def rows_of(content: bytes) -> list[list[str]]:
    """Return the table of a CSV file as the parser reads it, its column names first."""
    leaves = parse_page(make_page("T", html=render_table(content))).leaves
    (table,) = (leaf for leaf in leaves if isinstance(leaf, TableEvidence))
    return [list(table.header), *([cell.text for cell in row] for row in table.rows)]


async def test_a_text_is_a_page_of_paragraphs_under_the_name_of_its_file(tmp_path: Path) -> None:
    text = "\ufeffGull Rock & co\r\nstand <alone>.\r\n\r\n \t\r\nNobody lives\nthere.\n\n"
    report = build_snapshot([write(tmp_path / "s", {"gull_rock.txt": text})], tmp_path / "o.zim")
    assert (report.pages, report.skipped) == (1, ())
    page = await ZimArchive(tmp_path / "o.zim").fetch("gull rock")
    assert "<p>Gull Rock &amp; co stand &lt;alone&gt;.</p>\n<p>Nobody lives there.</p>" in page.html


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b"Island,Area\nStorholm,41\nGull Rock,3\n", [["Island", "Area"], ["Storholm", "41"], ["Gull Rock", "3"]]),
        (
            b"Island;Area (km2)\r\nStorholm;41,5\r\nGull;3,25",
            [["Island", "Area (km2)"], ["Storholm", "41,5"], ["Gull", "3,25"]],
        ),
        (b"Island\tArea\nStorholm, the large\t41\n", [["Island", "Area"], ["Storholm, the large", "41"]]),
        (b"Island|Area\nStorholm|41\n", [["Island", "Area"], ["Storholm", "41"]]),
        (b'Island,Said\nHolm,"a ""light""; two,\nthree"\n', [["Island", "Said"], ["Holm", 'a "light"; two, three']]),
        (
            b"Island,Area\n\n,,\nStorholm\nGull,3,none\n",
            [["Island", "Area", ""], ["Storholm", "", ""], ["Gull", "3", "none"]],
        ),
        ("\ufeffÖ,Fläche\nHolm,<3>\n".encode(), [["Ö", "Fläche"], ["Holm", "<3>"]]),
        ("Ö\tFläche\nHolm\t3\n".encode("utf-16"), [["Ö", "Fläche"], ["Holm", "3"]]),
    ],
)
def test_a_csv_file_is_one_table_whose_first_row_names_the_columns(content: bytes, rows: list[list[str]]) -> None:
    assert rows_of(content) == rows


NAMES = st.lists(st.text("abcXYZ", min_size=1, max_size=6), min_size=2, max_size=4, unique=True)
CELL = st.text("abc ,;|\t\"'<&é", max_size=8).filter(str.strip)


@given(st.data(), NAMES, st.sampled_from([",", ";", "\t", "|"]))
def test_what_a_spreadsheet_writes_is_read_cell_by_cell(data: st.DataObject, names: list[str], delimiter: str) -> None:
    rows = data.draw(st.lists(st.lists(CELL, min_size=len(names), max_size=len(names)), min_size=1, max_size=4))
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    assert rows_of(written.getvalue().encode()) == [names, *([" ".join(cell.split()) for cell in row] for row in rows)]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"Island,Fl\xe4che\nHolm,3\n", "no UTF-8: byte 0xe4 at 9; save it as UTF-8"),
        (b"\xff\xfea\x00b", "no UTF-16: byte 0x62 at 4; save it as UTF-8"),
        (b"Island,Area\n", "no row below the names of its columns"),
        (b"", "no row below the names of its columns"),
        (b"a,b\n" + b"1,2\n" * 100_000, "200,002 cells, and a page may have 200,000; split it"),
        (b'a,b\n"' + b"x" * 200_000, "no CSV: field larger than field limit (131072)"),
        (b"a" * 16_000_001, "16,000,001 bytes, and a page may have 16,000,000; split it"),
    ],
)
def test_a_file_that_is_no_table_says_why(content: bytes, why: str) -> None:
    with pytest.raises(ValueError) as caught:
        render_table(content)
    assert str(caught.value) == why


def test_a_text_in_another_encoding_says_so() -> None:
    with pytest.raises(ValueError, match="no UTF-8: byte 0xe4 at 2; save it as UTF-8"):
        render_text(b"Fl\xe4che")


def test_files_that_are_not_read_are_named_with_the_reason(cli: Cli, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.pdf": b"%PDF-1.7",
        "b.csv": b"Fl\xe4che,b\n1,2\n",
        "deep/c.docx": b"PK",
        "d.jsonl": '{"title": "D", "html": "<p>d"}',
        "e.md": "# E\n\n![shown](f.png)",
        "f.png": PNG,
        "g.png": PNG,
        "LICENSE": "free",
        ".hidden": "x",
    }
    folder = write(tmp_path / "notes", files)
    (folder / "gone.md").symlink_to(tmp_path / "nowhere.md")
    built = cli("snapshot", "build", folder, tmp_path / "o.zim")
    only = "only .html, .htm, .md, .markdown, .txt, .csv are read"
    assert built.exit_code == 0, built.stderr
    assert built.stdout.splitlines()[1:] == [
        f"7 files skipped: notes/LICENSE ({only}), notes/a.pdf (PDF is not read yet), "
        f"notes/b.csv (no UTF-8: byte 0xe4 at 2; save it as UTF-8), "
        "notes/d.jsonl (JSON lines are read where the file itself is named), "
        f"notes/deep/c.docx ({only}), notes/g.png (no page shows it), "
        "nowhere.md (a link to nothing, or no file)"
    ]


def test_of_very_many_files_some_are_named(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.txt": "a", **{f"{number:03}.pdf": "" for number in range(60)}}
    summary = build_snapshot([write(tmp_path / "s", files)], tmp_path / "o.zim").summary
    assert summary.splitlines()[1].startswith("60 files skipped: s/000.pdf (PDF is not read yet), ")
    assert summary.endswith("s/049.pdf (PDF is not read yet) and 10 more")


def test_a_folder_without_pages_says_what_was_skipped(tmp_path: Path) -> None:
    folder = write(tmp_path / "s", {"a.pdf": ""})
    with pytest.raises(UsageError, match=r"no pages in .*; nothing was written; 1 file skipped: s/a.pdf \(PDF is not"):
        build_snapshot([folder], tmp_path / "o.zim")


async def test_a_single_table_is_asked(cli: Cli, tmp_path: Path) -> None:
    folder = write(tmp_path, {"islands.csv": "Island;Inhabitants\nStorholm;930\nLille Varn;210\n"})
    assert cli("snapshot", "build", folder / "islands.csv", tmp_path / "o.zim").exit_code == 0
    assert (await ZimArchive(tmp_path / "o.zim").search(Query("storholm"), 5)).hits[0].title == "islands"
