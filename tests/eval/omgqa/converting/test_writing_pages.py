"""What is written on a page is found on it again, each piece as its own evidence."""

from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.converting.gold import GoldImage, GoldRow, GoldTable, GoldText
from eval.omgqa.converting.resolving import resolve
from eval.omgqa.converting.titles import page_title, same_title
from eval.omgqa.converting.writing_pages import PageWriter, WrittenCell, WrittenTable, one_line
from heliograph.types import Link, SourcePage, TableEvidence, TableSegment, TextEvidence
from indexers.parser import find_evidence
from tests.eval.omgqa.converting.documents import names, read_back

ANY = st.text(st.characters(exclude_categories=["Cs"]))
READABLE = ANY.filter(lambda text: any(map(str.isalnum, one_line(text))))
TITLES = READABLE.filter(lambda text: page_title(text) != "")
GRIDS = st.integers(1, 4).flatmap(
    lambda width: st.tuples(
        st.lists(ANY, min_size=width, max_size=width),
        st.lists(
            st.lists(ANY, min_size=1, max_size=width).filter(lambda row: any(map(one_line, row))),
            min_size=1,
            max_size=6,
        ),
    )
)


@given(TITLES, st.lists(READABLE, min_size=1))
def test_a_page_of_paragraphs_holds_each_of_them(title: str, paragraphs: list[str]) -> None:
    writer = PageWriter()
    for text in paragraphs:
        writer.add_paragraph(title, text)
    (page,) = writer.pages()
    document = read_back(page)
    found = resolve([GoldText("q", title, text) for text in paragraphs], [document], "leaf")
    assert found.unresolved == ()
    pieces = [find_evidence(document, each.evidence) for each in found.judgements]
    texts = [piece.text for piece in pieces if isinstance(piece, TextEvidence)]
    assert texts == list(dict.fromkeys(map(one_line, paragraphs)))
    assert len(document.leaves) == len(texts)


@given(GRIDS)
def test_a_table_holds_each_of_its_rows_under_its_number(grid: tuple[list[str], list[list[str]]]) -> None:
    header, rows = grid
    writer = PageWriter()
    cells = tuple(tuple(map(WrittenCell, row)) for row in rows)
    writer.add_table("Lights", WrittenTable("List", tuple(header), cells))
    document = read_back(writer.pages()[0])
    for number, row in enumerate(rows, start=1):
        fact = GoldRow("q", "Lights", "List", tuple(header), number, tuple(row))
        (judgement,) = resolve([fact], [document], "row").judgements
        segment = find_evidence(document, judgement.evidence)
        assert isinstance(segment, TableSegment)
        assert segment.number == number
        assert [cell.text for cell in segment.cells][: len(row)] == list(map(one_line, row))
    (table,) = resolve([GoldTable("q", "Lights", "List", tuple(header), tuple(rows[0]))], [document], "leaf").judgements
    assert isinstance(find_evidence(document, table.evidence), TableEvidence)


def test_a_page_has_paragraphs_images_and_tables_under_headings() -> None:
    writer = PageWriter()
    writer.add_paragraph("Holm_Light", "A  house & more.", "https://wiki.example/Holm")
    writer.add_paragraph("Holm Light", "A house & more.")
    writer.add_paragraph("Skerry", " ")
    writer.add_image("Holm Light", "holm light 100%.png")
    row = (WrittenCell("Skerry", "Skerry/Head"), WrittenCell("", "Nowhere"))
    writer.add_table("Holm Light", WrittenTable("", ("Name", "Lit"), (row,)))
    (page,) = writer.pages()
    assert (page.title, page.url) == ("Holm Light", "https://wiki.example/Holm")
    document = read_back(page)
    assert names(document) == ["s0/p1", "s0/i1", "s1/t1"]
    assert [section.title for section in document.sections] == ["Holm Light", "Table"]
    table = document.leaves[2]
    assert isinstance(table, TableEvidence)
    assert [cell.links for cell in table.rows[0]] == [(Link("Skerry", "Skerry/Head"),), ()]
    image = resolve([GoldImage("q", "Holm Light", "holm light 100%.png")], [document], "row")
    assert [each.evidence for each in image.judgements] == ["w:Holm%20Light@1#s0/i1"]


def test_a_page_without_an_address_has_none() -> None:
    writer = PageWriter()
    writer.add_paragraph("A", "a")
    (page,) = writer.pages()
    assert page == SourcePage("A", page.html, "")


@given(ANY)
def test_a_title_of_a_page_stays_as_it_is(title: str) -> None:
    assert page_title(page_title(title)) == page_title(title)
    assert same_title(page_title(title)) == same_title(title)
