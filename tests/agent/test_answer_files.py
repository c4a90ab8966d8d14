"""Answers as files: every link leads somewhere, pictures are inside, and what others wrote stays text."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from bs4 import BeautifulSoup
from docx import Document
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from PIL import Image
from pypdf import PdfReader

import agent.answer_files
from agent.answer_files import ENDINGS, check_file, write_answer_file
from agent.answer_files.html_page import html_page
from agent.answer_files.word_file import word_file
from agent.answer_parts import cited_markers, rows_of
from agent.markdown_answer import markdown_answer
from agent.rendering import render_answer
from heliograph.errors import PageUnavailable, UsageError
from heliograph.types import Answer, Block, BlockCell, Claim, Figure, UnsaidClaim
from tests.reports import ENCELADUS, REPORT, pictures
from tools.pictures import picture_of

WEB = {citation.url for citation in REPORT.citations if citation.url.startswith("https")}
PAYLOADS = (
    "<script>pwned()</script>",
    '"><img src=http://evil.example/x onerror=pwned()>',
    "![x](http://evil.example/x.png)",
    "[x](javascript:pwned())",
    "\x1b]0;owned\x07\x1b[31mred",
    "\x9b31m \x00 \u202egnp.exe",
    "# heading",
    "- item",
    "1. item",
    "===",
    "| a | b |",
    "`code` **bold** ~~gone~~ &lt;b&gt;",
    "]]> --> </style><style>@import url(http://evil.example)</style>",
    "\ud800",
    "one\n\ntwo\r\n> three",
)
HOSTILE = st.one_of(
    st.sampled_from(PAYLOADS),
    st.text(st.characters(), max_size=40),
    st.builds(lambda one, other: f"{one}{other}", st.sampled_from(PAYLOADS), st.sampled_from(PAYLOADS)),
)
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def hostile(text: str) -> Answer:
    """Return the report with a text in every place that others write."""
    blocks = tuple(
        replace(
            block,
            text=text,
            header=tuple(text for _ in block.header),
            rows=tuple(tuple(BlockCell(text, cell.markers) for cell in row) for row in block.rows),
            figure=block.figure and replace(block.figure, caption=text, licence=text),
        )
        for block in REPORT.blocks
    )
    citations = tuple(
        replace(each, title=text, section=text, revision=text, quote=text, licence=text, attribution=text)
        for each in REPORT.citations
    )
    return replace(
        REPORT,
        question=text,
        blocks=blocks,
        citations=citations,
        claims=tuple(Claim(text, claim.citations, claim.verdict) for claim in REPORT.claims),
        not_found=(text,),
        not_said=(UnsaidClaim(text, "unsupported", text),),
        notes=(text,),
    )


def test_every_marker_and_reference_of_the_page_leads_somewhere() -> None:
    page = BeautifulSoup(html_page(REPORT, pictures()), "html.parser")
    links = [str(link["href"]) for link in page.find_all("a")]
    inside = {link[1:] for link in links if link.startswith("#")}
    assert inside <= {str(tag["id"]) for tag in page.find_all(id=True)}
    markers = [link["href"] for link in page.select("main .markers a")]
    assert markers == [f"#ref-{marker}" for marker in cited_markers(REPORT)]
    assert {link for link in links if not link.startswith("#")} == WEB
    assert [item["value"] for item in page.select(".references li")] == [str(n) for n in range(1, 15)]


def test_the_page_needs_nothing_besides() -> None:
    page = BeautifulSoup(html_page(REPORT, pictures()), "html.parser")
    assert [str(image["src"])[:22] for image in page.find_all("img")] == ["data:image/png;base64,"] * 2
    assert not page.find_all(["script", "link", "iframe", "object"])
    assert "default-src 'none'" in str(page.find("meta", {"http-equiv": "Content-Security-Policy"}))
    assert page.details is not None and not page.details.has_attr("open")
    assert "Galileo Galilei" in page.details.text


def test_an_answer_of_low_confidence_is_hedged_in_every_file() -> None:
    for sure, hedged in ((0.4, True), (0.9, False)):
        answer = replace(REPORT, confidence=sure)
        word = "\n".join(each.text for each in Document(BytesIO(word_file(answer, {}))).paragraphs)
        for text in (BeautifulSoup(html_page(answer, {}), "html.parser").text, word, markdown_answer(answer)):
            assert ("Perhaps:" in text) is hedged


def test_a_question_that_is_the_title_stands_once() -> None:
    heading = replace(REPORT.blocks[0], text=REPORT.question)
    untitled = replace(REPORT, question=f"{REPORT.question}.", blocks=(heading, *REPORT.blocks[1:]))
    for answer, times in ((REPORT, 1), (untitled, 0)):
        assert html_page(answer, {}).count('<p class="question">') == times
        paragraphs = Document(BytesIO(word_file(answer, {}))).paragraphs
        assert sum(each.text == answer.question for each in paragraphs) == times


def test_every_link_of_the_word_file_leads_somewhere() -> None:
    made = word_file(REPORT, pictures())
    document = Document(BytesIO(made))
    body = document.element.body
    anchors = [link.get(name) for link in body.iter("{*}hyperlink") for name in link.attrib if "anchor" in name]
    names = {mark.get(name) for mark in body.iter("{*}bookmarkStart") for name in mark.attrib if "name" in name}
    assert anchors == [f"ref_{marker}" for marker in cited_markers(REPORT)]
    assert set(anchors) <= names
    assert {each.target_ref for each in document.part.rels.values() if each.is_external} == WEB
    assert len([name for name in ZipFile(BytesIO(made)).namelist() if name.startswith("word/media/")]) == 2
    assert [each.text for each in document.paragraphs if each.style and each.style.name == "Title"] == [
        "The moons of Saturn: atmospheres, oceans and their exploration"
    ]


def needs_pango() -> None:
    try:
        import agent.answer_files.pdf_file  # noqa: F401
    except OSError:
        pytest.skip("needs Pango: apt-get install libpango-1.0-0 libpangoft2-1.0-0")


def test_every_link_of_the_pdf_leads_somewhere(tmp_path: Path) -> None:
    needs_pango()
    write_answer_file(REPORT, tmp_path / "report.pdf", pictures())
    reader = PdfReader(tmp_path / "report.pdf")
    actions = [note.get_object() for page in reader.pages for note in page.get("/Annots", ())]
    web = {note["/A"]["/URI"] for note in actions if "/A" in note and "/URI" in note["/A"]}
    inside = [str(note["/Dest"]) for note in actions if "/Dest" in note]
    assert web == WEB
    assert set(inside) >= {f"ref-{marker}" for marker in cited_markers(REPORT)}
    assert set(inside) <= set(reader.named_destinations)
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert "Not said" in text and "Galileo Galilei" in text
    assert len({image.data for page in reader.pages for image in page.images}) == 2


def test_every_link_of_the_markdown_leads_somewhere() -> None:
    text = markdown_answer(REPORT)
    page = BeautifulSoup(MarkdownIt("commonmark").enable("table").render(text), "html.parser")
    links = [str(link["href"]) for link in page.find_all("a", href=True)]
    assert [link for link in links if link.startswith("#")] == [f"#ref-{marker}" for marker in cited_markers(REPORT)]
    assert {f"ref-{marker}" for marker in cited_markers(REPORT)} <= {str(tag["id"]) for tag in page.find_all(id=True)}
    assert {link for link in links if not link.startswith("#")} == WEB
    assert [len(page.find_all(tag)) for tag in ("h1", "h2", "table", "blockquote", "details")] == [1, 7, 1, 1, 1]


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_all_cells_of_a_row_cite_is_marked_once_at_its_end(ending: str, tmp_path: Path) -> None:
    if ending == ".pdf":
        needs_pango()
    path = tmp_path / f"report{ending}"
    write_answer_file(REPORT, path, {})
    told = re.sub(r"[\s|\\]+", "", words_of(path))
    assert re.search(r"KrakenMareSea400,000North\[+4\]", told)


def test_cells_of_a_row_that_cite_different_rows_keep_their_markers() -> None:
    cells = (BlockCell("Titan", (4,)), BlockCell("", ()), BlockCell("5,150", (4, 5)))
    assert rows_of(Block("table", rows=(cells,))) == (cells,)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_computed_reference_says_how_and_a_missing_picture_is_named(ending: str, tmp_path: Path) -> None:
    if ending == ".pdf":
        needs_pango()
    path = tmp_path / f"report{ending}"
    write_answer_file(REPORT, path, {})
    text = " ".join(words_of(path).split())
    assert "Greatest by Mean diameter (km) over 19 rows, of Titan (List of moons of Saturn): 5,150 km." in text
    assert "Not found: what the orbits of the irregular moons have in common" in text
    assert "its source names Christiaan Huygens" in text
    assert "Enceladus in section, with the four main cracks" in text
    assert ("The picture is not at hand." in text) == (ending != ".md")


def words_of(path: Path) -> str:
    """Return what a file says, read by a library that did not write it."""
    match path.suffix:
        case ".docx":
            document = Document(str(path))
            cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
            return "\n".join((*(each.text for each in document.paragraphs), *cells))
        case ".pdf":
            return "\n".join(page.extract_text() for page in PdfReader(path).pages)
        case ".html":
            return BeautifulSoup(path.read_bytes(), "html.parser").text
        case _:
            return path.read_text(encoding="utf8")


FEW = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FEW
@given(HOSTILE)
def test_what_others_wrote_is_never_markup_of_the_page(text: str) -> None:
    plain, page = (BeautifulSoup(html_page(answer, {}), "html.parser") for answer in (REPORT, hostile(text)))
    allowed = {tag.name for tag in plain.find_all()} | {"p"}
    assert {tag.name for tag in page.find_all()} <= allowed
    assert {name for tag in page.find_all() for name in tag.attrs} <= {n for tag in plain.find_all() for n in tag.attrs}
    hrefs = {str(link["href"]) for link in page.find_all("a")}
    assert all(href.startswith("#") or href in WEB for href in hrefs)
    assert not CONTROLS.search(str(page.main))


@FEW
@given(HOSTILE)
def test_what_others_wrote_is_never_markup_of_markdown(text: str) -> None:
    made = markdown_answer(hostile(text))
    page = BeautifulSoup(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(made), "html.parser")
    known = {
        "h1",
        "h2",
        "p",
        "a",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "ol",
        "strong",
        "blockquote",
    }
    assert {tag.name for tag in page.find_all()} <= known | {"details", "summary"}
    assert [tag.name for tag in page.find_all("strong")] in ([], ["strong"])
    assert all(
        str(link["href"]).startswith("#ref-") or str(link["href"]) in WEB for link in page.find_all("a", href=True)
    )
    assert len(page.find_all("li")) == 3 + len(REPORT.citations) + 1
    assert len(page.find_all("h2")) == 7
    assert not CONTROLS.search(made)


@FEW
@given(HOSTILE)
def test_what_others_wrote_is_never_a_code_of_a_terminal_nor_breaks_a_word_file(text: str) -> None:
    answer = hostile(text)
    assert not CONTROLS.search(render_answer(answer))
    document = Document(BytesIO(word_file(answer, {})))
    assert {each.target_ref for each in document.part.rels.values() if each.is_external} <= WEB


def test_a_pdf_is_made_without_a_request(tmp_path: Path) -> None:
    needs_pango()
    write_answer_file(hostile(" ".join(PAYLOADS)), tmp_path / "hostile.pdf", {})  # sockets raise in tests
    reader = PdfReader(tmp_path / "hostile.pdf")
    actions = [note.get_object() for page in reader.pages for note in page.get("/Annots", ())]
    assert {note["/A"]["/URI"] for note in actions if "/A" in note} == WEB


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("report.odt", "cannot tell what kind of file 'report.odt' is to be; end its name in .md, .html, .docx, .pdf"),
        ("report", "cannot tell what kind of file 'report' is to be"),
        ("gone/report.md", "there is no folder"),
        ("folder.md", "is a folder; name a file in it"),
        ("pipe.md", "is neither a file nor a folder; name another file"),
        (f"{'x' * 300}.md", "File name too long; name another file"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(UsageError, match=re.escape(says)):
        check_file(tmp_path / name)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ModuleNotFoundError("docx"), "needs the extra `export`: pip install 'heliograph[export]'"),
        (OSError("cannot load library 'pango-1.0-0'"), "apt install libpango-1.0-0"),
    ],
)
def test_what_a_kind_of_file_lacks_is_named(
    error: Exception, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise error

    monkeypatch.setattr(agent.answer_files, "import_module", missing)
    with pytest.raises(UsageError, match=re.escape(says)):
        check_file(tmp_path / "report.pdf")


@pytest.fixture
def small() -> Iterator[Answer]:
    block = Block("figure", figure=Figure(ENCELADUS, 8, "a picture"))
    yield replace(REPORT, blocks=(block,), form="long")


def test_a_picture_of_a_kind_that_no_source_gives_is_left_out(small: Answer) -> None:
    odd = {ENCELADUS: replace(pictures()[ENCELADUS], media_type='image/svg+xml" onload="pwned()')}
    assert "pwned" not in html_page(small, odd)


def test_a_half_picture_is_refused_after_a_pdf_was_written_too(tmp_path: Path) -> None:
    needs_pango()
    write_answer_file(REPORT, tmp_path / "report.pdf", {})
    whole = BytesIO()
    Image.new("RGB", (40, 30)).save(whole, "PNG")
    with pytest.raises(PageUnavailable, match="cannot be decoded"):
        picture_of(whole.getvalue()[:60])
