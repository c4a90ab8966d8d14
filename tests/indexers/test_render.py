"""Every modality as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import (
    Cell,
    EvidenceId,
    ImageEvidence,
    PageKey,
    Place,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from indexers.render import TABLE_ROWS, WINDOW_WORDS, render, windows

KEY = PageKey("demo:Jupiter@1")
LEAD = Place(KEY, "Jupiter", "s0")
MOONS = Place(KEY, "Jupiter", "s2", ("Moons", "Discovery"))


def paragraph(text: str, place: Place = LEAD) -> TextEvidence:
    return TextEvidence(EvidenceId(f"{KEY}#s0/p1"), place, "paragraph", text)


def row(header: tuple[str, ...], *values: str, caption: str = "Large moons") -> TableSegment:
    table = EvidenceId(f"{KEY}#s2/t1")
    return TableSegment(EvidenceId(f"{table}/r1"), MOONS, table, 1, caption, header, tuple(map(Cell, values)))


def table(rows: int, caption: str = "Large moons") -> TableEvidence:
    body = tuple((Cell(f"Moon {number}"), Cell(str(number))) for number in range(1, rows + 1))
    return TableEvidence(EvidenceId(f"{KEY}#s2/t1"), MOONS, "table", caption, ("Name", "Size"), body)


@pytest.mark.parametrize(
    ("evidence", "text"),
    [
        (paragraph("A giant planet."), "Jupiter: A giant planet."),
        (paragraph("Found in 1610\nby  Galileo.", MOONS), "Jupiter > Moons > Discovery: Found in 1610 by Galileo."),
        (paragraph(""), "Jupiter"),
        (
            row(("Name", "Size"), "Io", "3643"),
            "Jupiter > Moons > Discovery, Large moons: Name is Io; Size is 3643",
        ),
        (row(("Name", "Size"), "Io", "", caption=""), "Jupiter > Moons > Discovery: Name is Io"),
        (row(("Name",), "Io", "inner"), "Jupiter > Moons > Discovery, Large moons: Name is Io; inner"),
        (row(("", "Size"), "Io", "3643"), "Jupiter > Moons > Discovery, Large moons: Io; Size is 3643"),
        (
            table(2),
            "Jupiter > Moons > Discovery, Large moons: table of Name | Size; Moon 1 | 1; Moon 2 | 2",
        ),
        (
            ImageEvidence(EvidenceId(f"{KEY}#s2/i1"), MOONS, "x.png", "The moons.", "four dots", "The moons."),
            "Jupiter > Moons > Discovery, image: The moons. four dots",
        ),
        (ImageEvidence(EvidenceId(f"{KEY}#s0/i1"), LEAD, "x.png", "", ""), "Jupiter, image"),
    ],
)
def test_a_piece_reads_as_one_line_that_stands_by_itself(evidence, text):
    assert render(evidence) == text
    assert windows(evidence) == (text,)


def test_only_the_first_rows_of_a_table_are_rendered():
    assert render(table(1_500)) == render(table(TABLE_ROWS))


def test_a_giant_cell_is_clipped():
    assert len(render(row(("Name",), "x" * 100_000))) < 300


def test_a_long_paragraph_is_cut_at_the_end_of_sentences():
    sentence = "The probe saw the ring again today ."
    first, second = windows(paragraph(" ".join([sentence] * 30), MOONS))
    assert first == "Jupiter > Moons > Discovery: " + " ".join([sentence] * 18)
    assert second == "Jupiter > Moons > Discovery: " + " ".join([sentence] * 12)


@given(words=st.lists(st.sampled_from(["ring", "moon.", "of", "1610;"]), min_size=1, max_size=3 * WINDOW_WORDS))
def test_windows_hold_every_word_once_and_in_order(words):
    found = windows(paragraph(" ".join(words)))
    assert all(text.startswith("Jupiter: ") for text in found)
    assert [word for text in found for word in text.removeprefix("Jupiter: ").split()] == words
    assert all(len(text.split()) <= WINDOW_WORDS + 1 for text in found)


@given(header=st.lists(st.text(max_size=8), max_size=4), values=st.lists(st.text(max_size=8), max_size=4))
def test_a_row_is_one_line_however_ragged(header, values):
    text = render(row(tuple(header), *values))
    assert text == " ".join(text.split())
    assert all(" ".join(value.split()) in text for value in values)
