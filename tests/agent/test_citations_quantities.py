"""Quantities of a claim that stand nowhere, and figures that are none."""

import pytest

from agent.citations.grounds import Ground, ground_of
from agent.citations.quantities import missing_quantities, open_quantities
from heliograph.text.figures import figures_in
from heliograph.types import Cell, EvidenceId, PageKey, Place, Quote, TableEvidence, TableSegment, TextEvidence
from indexers.parser import segments

PLACE = Place(PageKey("w:Orvo@1"), "Pathway 4", "s1", ("Flight of 1979",))
TEXT = EvidenceId("w:Orvo@1#s1/p1")
TABLE = TableEvidence(
    EvidenceId("w:Orvo@1#s1/t1"),
    PLACE,
    "table",
    "The 14 moons",
    ("Moon", "Diameter (km)", "Found"),
    ((Cell("Alba"), Cell("396"), Cell("20 August 1789")), (Cell("Fenn"), Cell("5,150"), Cell("25 March 1655"))),
)


def grounds(*quotes: str) -> list[Ground]:
    pieces = [
        TextEvidence(EvidenceId(f"{TEXT}{number}"), PLACE, "paragraph", text) for number, text in enumerate(quotes)
    ]
    cited = {piece.id: piece for piece in pieces}
    return [ground_of(Quote(piece.id, piece.text), cited) for piece in pieces]


def missing(claim: str, *quotes: str, question: str = "") -> tuple[str, ...]:
    return missing_quantities(claim, grounds(*quotes), question)


def of_rows(claim: str, *rows: TableSegment) -> tuple[str, ...]:
    cited = {row.id: row for row in rows}
    return missing_quantities(claim, [ground_of(Quote(row.id, row.cells[0].text), cited) for row in rows], "")


@pytest.mark.parametrize(
    "claim",
    [
        "Voyager 2 flew on.",
        "Pioneer 10 and 11 flew on, then Apollo 12, 14 and 15.",
        "Route 12 and bus 7 go there.",
        "The knot is No. 1010, or #1011.",
        "COVID-19 and the F-16 came late.",
        "It stands on 4th Avenue.",
        "It is the third of its kind, the 21st of all.",
    ],
)
def test_digits_of_names_and_ordinals_are_no_quantities(claim):
    assert missing(claim, "It flew on.") == ()


@pytest.mark.parametrize(
    ("claim", "figures"),
    [
        ("In 12 days it flew on.", ("12 days",)),
        ("About 12 flew on.", ("12 flew",)),
        ("Alba 396 km, Fenn 5,150.", ("396 km", "5,150")),
        ("In Paris 1902 it flew on.", ("1902",)),
        ("It weighs 14 thousand kilograms.", ("14 thousand",)),
    ],
)
def test_quantities_that_stand_nowhere_are_missing(claim, figures):
    assert missing(claim, "It flew on.") == figures


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("It is about four thousand km wide.", "Its width is 4,012 km."),
        ("It is fourteen thousand four hundred years old.", "It is 14,400 years old."),
        ("It holds a hundred and fifteen pictures.", "It holds 115 pictures."),
        ("It moves at 17 kilometres per second.", "It moves at 17 km/s."),
        ("It is 949 miles wide.", "It is 1,527 km wide."),
        ("It struck on December 7.", "It struck on 7 December 1995."),
        ("It struck on December 7, 1995.", "In 1995 it was let go. On 7 December it struck."),
        ("It weighs twelve kg more than its twin.", "It weighs 60 kg, its twin 48 kg."),
        ("It is three times as wide as its twin.", "It is 36 m wide, its twin 12.1 m."),
        ("It flew two months after its twin.", "Its twin flew in October 1968, it in December 1968."),
        ("It flew in 1979 with Pathway 4.", "It flew."),
    ],
)
def test_what_is_said_otherwise_or_follows_is_not_missing(claim, quote):
    assert missing(claim, quote) == ()


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("It is 980 miles wide.", "It is 1,527 km wide."),
        ("It struck on December 8.", "It struck on 7 December 1995."),
        ("In May 12 flew on.", "On 13 May it flew on."),
        ("It struck on December 7, 1996.", "In 1995 it was let go. On 7 December it struck."),
        ("It weighs 13 kg more than its twin.", "It weighs 60 kg, its twin 48 kg."),
        ("It weighs 12 kg.", "It weighs 60 kg, its twin 48 kg."),
    ],
)
def test_what_does_not_follow_is_missing(claim, quote):
    assert len(missing(claim, quote)) == 1


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("It is 1,500 thousand km away.", "It is 1,527 thousand km away."),
        ("It turns in 8.7 days.", "It turns in 8.706 days."),
        ("It is five times as wide as its twin.", "It is 36 m wide, its twin 12.1 m."),
        ("It flew seven months after its twin.", "Its twin flew in October 1968, it in December 1968."),
        ("It takes five and a half hours.", "Time (h): 5.5."),
        ("It holds some forty-three and a half thousand books.", "It holds 43,512 books."),
        ("It was found on January 1, 1801, and lost again.", "It was found on the first day of 1801."),
    ],
)
def test_numbers_in_words_and_rounded_ones_are_left_to_whoever_reads_what_is_cited(claim, quote):
    assert missing(claim, quote) == ()
    assert open_quantities(claim, grounds(quote))


def test_a_figure_of_the_paragraph_that_a_quote_leaves_out_is_left_to_whoever_reads_it():
    piece = TextEvidence(TEXT, PLACE, "paragraph", "Alba was found in 1789. It is 396 km wide.")
    found = [ground_of(Quote(TEXT, "It is 396 km wide."), {TEXT: piece})]
    assert missing_quantities("Alba, found in 1789, is 396 km wide.", found, "") == ()
    assert open_quantities("Alba, found in 1789, is 396 km wide.", found, "") == ("1789",)
    assert missing_quantities("Alba, found in 1798, is 396 km wide.", found, "") == ("1798",)


def test_a_small_number_may_count_quotes_or_what_is_listed():
    assert missing("Two moons have rings.", "Alba has a ring.", "Fenn has a ring.") == ()
    assert missing("3 moons have rings.", "Alba has a ring.", "Fenn has a ring.") == ("3 moons",)
    assert missing("Three moons have rings.", "Alba, Fenn and Edda have rings.") == ()
    assert missing("3 moons have rings.", "Alba, Fenn and Edda are moons, but two moons have rings.") == ("3 moons",)


def test_a_row_is_read_with_all_its_cells_its_column_names_and_its_caption():
    alba, fenn = segments(TABLE)

    assert of_rows("Alba, one of 14 moons, is 396 km wide and was found on August 20, 1789.", alba) == ()
    assert of_rows("Alba is 396 miles wide.", alba) == ("396 miles",)
    assert of_rows("Alba is 5,150 km wide.", alba) == ("5,150 km",)
    assert of_rows("Fenn is 4,754 km wider than Alba, and was found 134 years earlier.", alba, fenn) == ()


def test_what_the_question_says_is_not_missing():
    assert missing("Yes, it flew for 12 days.", "It flew.", question="Did it fly for 12 days?") == ()


def test_neighbouring_number_words_are_figures_of_their_own():
    assert [figure.text for figure in figures_in("between two and three of the seventy-five")] == [
        "two",
        "three",
        "seventy five",
    ]
