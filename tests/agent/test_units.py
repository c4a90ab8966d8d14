"""Evidence is cut into what can be quoted: sentences, items, rows, captions, and nothing of a whole table."""

from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.units import LONGEST, all_units, units_of
from heliograph.types import (
    Cell,
    Evidence,
    EvidenceId,
    ImageEvidence,
    Place,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from indexers.links import subject_of
from tests.fakes import key_of

PLACE = Place(key_of("Holm Light"), "Holm Light", "s1", ("Lamp",))
CELLS = (Cell("Storholm"), Cell("41"))
TABLE = TableEvidence(EvidenceId("t"), PLACE, "table", "Islands", ("Island", "Area"), (CELLS,))
ROW = TableSegment(EvidenceId("r"), PLACE, TABLE.id, 1, "Islands", TABLE.header, CELLS)


def quotes(evidence: Evidence) -> list[str]:
    return [unit.quote for unit in units_of(evidence)]


def test_a_paragraph_is_cut_into_sentences_that_go_on_from_one_another() -> None:
    units = units_of(TextEvidence(EvidenceId("p"), PLACE, "paragraph", "It is lit. It burns oil."))
    assert [(unit.number, unit.quote, unit.said) for unit in units] == [
        (0, "It is lit.", "Holm Light > Lamp: It is lit."),
        (1, "It burns oil.", "Holm Light > Lamp: It burns oil."),
    ]
    assert all(unit.continuous for unit in units)


def test_a_list_is_cut_into_items_a_row_is_one_unit_and_a_table_none() -> None:
    items = TextEvidence(EvidenceId("l"), PLACE, "list", "oil\n\n paraffin \n")
    assert quotes(items) == ["oil", "paraffin"]
    assert not any(unit.continuous for unit in units_of(items))
    assert quotes(ROW) == ["Island: Storholm; Area: 41"]
    assert quotes(TABLE) == []


def test_a_picture_is_quoted_by_its_caption_and_by_its_alternative_text() -> None:
    both = ["From the ferry", "A tower"]
    assert quotes(ImageEvidence(EvidenceId("i"), PLACE, "a.png", *both)) == both
    assert quotes(ImageEvidence(EvidenceId("i"), PLACE, "a.png", "A tower", "A tower")) == ["A tower"]
    assert quotes(ImageEvidence(EvidenceId("i"), PLACE, "a.png", "", "A tower")) == ["A tower"]


def test_a_picture_about_which_nothing_is_written_cannot_be_quoted() -> None:
    assert quotes(ImageEvidence(EvidenceId("i"), PLACE, "a.png", "", "")) == []


def test_a_sentence_without_end_is_not_quoted() -> None:
    assert quotes(TextEvidence(EvidenceId("p"), PLACE, "paragraph", "word " * LONGEST)) == []


def test_a_row_is_about_its_first_cell_and_all_else_about_its_page() -> None:
    assert subject_of(ROW) == "Storholm"
    assert subject_of(TABLE) == "Holm Light"


def test_a_rank_is_no_name() -> None:
    ranked = TableSegment(EvidenceId("r"), PLACE, TABLE.id, 1, "", ("Rank", "Tower"), (Cell("1"), Cell("Gull Tower")))
    assert subject_of(ranked) == "Gull Tower"
    headed = (Cell("Varn"), Cell("Gull Tower", header=True))
    assert subject_of(TableSegment(EvidenceId("r"), PLACE, TABLE.id, 1, "", ("Isle", "Tower"), headed)) == "Gull Tower"


@given(st.text(max_size=300))
def test_every_quote_stands_in_its_paragraph(text: str) -> None:
    piece = TextEvidence(EvidenceId("p"), PLACE, "paragraph", text)
    assert all(quote in text and quote.strip() for quote in quotes(piece))


def test_rows_that_somebody_names_are_units_though_no_search_brought_them() -> None:
    rows = tuple((Cell(name), Cell("41")) for name in ("Storholm", "Lille Varn", "Ostrand"))
    table = TableEvidence(EvidenceId("w:T@1#s0/t1"), PLACE, "table", "Islands", ("Island", "Area"), rows)
    said = TextEvidence(EvidenceId("p"), PLACE, "paragraph", "The ferry goes to Lille Varn.")
    units = all_units("How large is Storholm?", (said, table))
    assert [unit.quote for unit in units] == [
        "The ferry goes to Lille Varn.",
        "Island: Storholm; Area: 41",
        "Island: Lille Varn; Area: 41",
    ]
