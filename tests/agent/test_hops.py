"""A hop leads from a piece that names what the question describes to a piece about that name."""

from collections.abc import Sequence

from agent.extractive.composer import Composer
from agent.extractive.coverage import match_units
from agent.extractive.focus import focus_of
from agent.extractive.hops import Hop, hops, is_called
from agent.extractive.units import units_of
from heliograph.text.words import stems
from heliograph.types import Cell, Evidence, EvidenceId, Place, Scored, TableSegment, TextEvidence
from tests.agent.test_answered import Reading
from tests.fakes import key_of
from tests.fakes_models import FakeAligner, FakeEmbedder

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


SHELTERED = paragraph("Bays", "The bay is old. The island Varn shelters the bay from wind.")
VARN, HOLM = row("Islands", Island="Varn", Discoverer="Ada Brandt"), row("Islands", Island="Holm", Discoverer="Bo Ek")


async def found(question: str, evidence: Sequence[Evidence]) -> tuple[Hop, ...]:
    focus = focus_of(question)
    units = [unit for piece in evidence for unit in units_of(piece)]
    return tuple(hops(focus, await match_units(focus, units, FakeEmbedder(), FakeAligner())))


async def test_a_hop_ends_at_what_is_about_the_name_that_the_first_piece_says() -> None:
    joined = await found(QUESTION, (SHELTERED, VARN, HOLM))
    assert {hop.end.evidence.id for hop in joined if hop.start.evidence.id == SHELTERED.id} == {VARN.id}
    assert max(joined, key=lambda hop: hop.gain).end.evidence == VARN


async def test_a_name_that_is_called_as_the_question_calls_it_gains_more() -> None:
    lake = paragraph("Bays", "The lake Varn shelters the bay.")
    (called,) = [hop for hop in await found(QUESTION, (SHELTERED, VARN)) if len(hop.start.matches) == 1]
    (other,) = [hop for hop in await found(QUESTION, (lake, VARN)) if hop.start.evidence == lake]
    assert called.gain > other.gain


async def test_a_question_that_describes_nothing_has_no_hops() -> None:
    assert await found("Who discovered Varn?", (SHELTERED, VARN, HOLM)) == ()


async def test_a_piece_that_says_nothing_of_the_description_begins_no_hop() -> None:
    ferry = paragraph("Ferries", "Ferries sail to Varn.")
    assert await found(QUESTION, (ferry, VARN)) == ()


async def test_a_cell_is_called_what_its_column_is_called() -> None:
    owned = paragraph("Varn", "Bo Ek owns it.")
    (hop,) = await found("Who owns the island with Ada Brandt on it?", (VARN, owned))
    assert is_called("Varn", hop.start, frozenset(stems("island")))
    assert not is_called("Ada Brandt", hop.start, frozenset(stems("island")))


async def test_what_a_hop_joins_is_read_together() -> None:
    pieces = [Scored(piece, 0.5) for piece in (SHELTERED, VARN, HOLM)]
    reader = Reading()
    await Composer(FakeEmbedder(), FakeAligner(), reader=reader).plan(QUESTION, pieces)
    (hop,) = reader.hops
    assert (hop.item.start, hop.item.end) == (SHELTERED, VARN)
    assert hop.item.start_quotes == ("The island Varn shelters the bay from wind.",)
    await Composer(FakeEmbedder(), FakeAligner(), reader=reader).plan("Who discovered Varn?", pieces)
    assert reader.hops == []
