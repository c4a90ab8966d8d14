"""A hop leads from a piece that names what the question describes to a piece about that name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.composer import Composer
from agent.extractive.hops import HOPS, bridges_of, hops_of
from heliograph.types import Cell, Evidence, EvidenceId, Place, Scored, TableEvidence, TableSegment, TextEvidence
from tests.agent.test_answered import Reading
from tests.fakes import key_of
from tests.fakes_models import FakeEmbedder

QUESTION = "Who discovered the island that shelters the bay?"


def paragraph(title: str, text: str) -> TextEvidence:
    return TextEvidence(EvidenceId(f"{title}#p"), Place(key_of(title), title, "s0"), "paragraph", text)


def row(title: str, **cells: str) -> TableSegment:
    name = next(iter(cells.values()))
    place = Place(key_of(title), title, "s0")
    header = tuple(cells)
    return TableSegment(
        EvidenceId(f"{title}#{name}"), place, EvidenceId(f"{title}#t"), 1, "", header, tuple(map(Cell, cells.values()))
    )


def scored(*pieces: Evidence) -> list[Scored[Evidence]]:
    return [Scored(piece, 0.5) for piece in pieces]


SHELTERED = paragraph("Bays", "The bay is old. The island Varn shelters the bay from wind.")
VARN, HOLM = row("Islands", Island="Varn", Discoverer="Ada Brandt"), row("Islands", Island="Holm", Discoverer="Bo Ek")


def test_a_hop_ends_at_what_is_about_the_name_that_the_first_piece_says() -> None:
    (hop,) = hops_of(QUESTION, scored(SHELTERED, HOLM, VARN))
    assert (hop.item.start, hop.item.end, hop.score) == (SHELTERED, VARN, 0.5)
    assert hop.item.start_quotes == ("The island Varn shelters the bay from wind.",)


def test_a_hop_ends_at_a_row_that_no_search_brought_as_soon_as_its_table_is_known() -> None:
    table = TableEvidence(
        VARN.table, VARN.place, "table", "", VARN.header, (VARN.cells, HOLM.cells, (Cell("Skerry"), Cell("Bo Ek")))
    )
    (hop,) = hops_of(QUESTION, scored(SHELTERED, table))
    assert isinstance(hop.item.end, TableSegment)
    assert (hop.item.end.cells, hop.score) == (VARN.cells, 0.0)


def test_what_describes_a_thing_may_be_said_some_sentences_before_its_name() -> None:
    told = paragraph("Bays", "A reef shelters the bay. It is long. It is part of Varn. Ferries stop there.")
    (hop,) = hops_of("Who discovered the island whose reef shelters the bay?", scored(told, VARN))
    assert hop.item.start_quotes == ("A reef shelters the bay.", "It is long.", "It is part of Varn.")


def test_a_name_that_is_called_as_the_question_calls_it_leads_on_first() -> None:
    lake = paragraph("Lakes", "The lake Gull shelters the bay of the island.")
    gull = row("Lakes", Lake="Gull", Discoverer="Ed Om")
    first, second = hops_of(QUESTION, scored(lake, SHELTERED, gull, VARN))
    assert (first.item.end, second.item.end) == (VARN, gull)
    assert bridges_of(QUESTION, (lake, SHELTERED)) == ("Varn",)


def test_a_thing_is_called_what_stands_right_before_its_description() -> None:
    kept = paragraph("Bays", "The keeper Ada lives on the island Varn, which shelters the bay.")
    assert bridges_of("Who pays the keeper of the island that shelters the bay?", (kept,)) == ("Varn",)


def test_a_cell_is_called_what_its_column_is_called() -> None:
    assert bridges_of("Who owns the island with Ada Brandt on it?", (VARN,)) == ("Varn",)
    assert bridges_of("Who owns the farm with Ada Brandt on it?", (VARN,)) == ()


@pytest.mark.parametrize(
    ("question", "pieces"),
    [
        ("Who discovered Varn?", (SHELTERED, VARN)),  # describes nothing
        ("Who discovered the island Varn that shelters the bay?", (SHELTERED, VARN)),  # says the name itself
        (QUESTION, (SHELTERED, HOLM)),  # nothing is about the name
        (QUESTION, (paragraph("Ferries", "Boats sail to Varn."), VARN)),  # says nothing of the description
        (QUESTION, ()),
    ],
)
def test_nothing_is_joined_that_no_new_name_leads_to(question: str, pieces: tuple[Evidence, ...]) -> None:
    assert hops_of(question, scored(*pieces)) == ()


WORDS = ("who", "discovered", "the", "island", "that", "shelters", "bay", "whose", "wind", "Varn", "of")


@given(st.lists(st.sampled_from(WORDS)).map(" ".join), st.permutations([SHELTERED, VARN, HOLM]))
def test_hops_of_any_question_join_different_pieces(question: str, pieces: list[Evidence]) -> None:
    hops = [hop.item for hop in hops_of(question, scored(*pieces))]
    assert len({(hop.start.id, hop.end.id) for hop in hops}) == len(hops) <= HOPS
    assert all(hop.start.id != hop.end.id for hop in hops)


async def test_what_a_hop_joins_is_read_together() -> None:
    pieces = scored(SHELTERED, VARN, HOLM)
    reader = Reading()
    await Composer(FakeEmbedder(), reader=reader).plan(QUESTION, pieces)
    (hop,) = reader.hops
    assert (hop.item.start, hop.item.end) == (SHELTERED, VARN)
    await Composer(FakeEmbedder(), reader=reader).plan("Who discovered Varn?", pieces)
    assert list(reader.hops) == []
