"""A node as one line of text (HELIOS, equation 1)."""

from heliograph.types import Cell, EvidenceId, PageKey, Passage, Place, TableSegment
from indexers.edges.linearize import CELL_CHARACTERS, linearize


def segment(*cells: str, header: tuple[str, ...] = ("Moon", "Found"), caption: str = "") -> TableSegment:
    key = PageKey("w:Jupiter@1")
    place = Place(key, "Jupiter", "s2", ("Moons",))
    table = EvidenceId(f"{key}#s2/t1")
    return TableSegment(EvidenceId(f"{table}/r1"), place, table, 1, caption, header, tuple(map(Cell, cells)))


def test_a_segment_names_its_page_section_caption_and_columns() -> None:
    assert (
        linearize(segment("Io", "1610", caption="The largest"))
        == "Jupiter | Moons | The largest | Moon : Io ; Found : 1610"
    )


def test_what_is_empty_leaves_no_trace() -> None:
    assert linearize(segment("Io", "", header=("", "Found"))) == "Jupiter | Moons | Io"


def test_a_row_may_be_longer_or_shorter_than_its_header() -> None:
    assert linearize(segment("Io", "1610", "near")) == "Jupiter | Moons | Moon : Io ; Found : 1610 ; near"
    assert linearize(segment("Io")) == "Jupiter | Moons | Moon : Io"


def test_a_cell_of_ten_kilobytes_is_cut() -> None:
    assert len(linearize(segment("x" * 10_000))) == len("Jupiter | Moons | Moon : ") + CELL_CHARACTERS


def test_a_passage_has_its_title_before_its_text_on_one_line() -> None:
    passage = Passage(EvidenceId("w:Io@1#s0/p1"), "Io", "A moon\nof  Jupiter.")
    assert linearize(passage) == "Io | A moon of Jupiter."
