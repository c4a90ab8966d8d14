"""What a reader takes from evidence stands where it says, whatever the piece."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ModelMissing
from heliograph.types import (
    Cell,
    Evidence,
    EvidenceHop,
    EvidenceId,
    ImageEvidence,
    Link,
    Place,
    Scored,
    TableSegment,
    TextEvidence,
)
from indexers.models.answer_choice import ChoiceWeights
from indexers.models.evidence_reader import STRETCH, EvidenceReader, evidence_reader, stretches
from indexers.models.reader import Candidate, CandidateAnswer, Reading
from tests.fakes import key_of

HOLM = Place(key_of("Holm Light"), "Holm Light", "s0")
LEAD = TextEvidence(EvidenceId("Holm#s0/p1"), HOLM, "paragraph", "Holm Light was built by Ada Brandt in 1889.")
ROW = TableSegment(
    EvidenceId("Lights#s1/t1/r1"),
    Place(key_of("Lights"), "Lights", "s1", ("List",)),
    EvidenceId("Lights#s1/t1"),
    1,
    "Lights of the coast",
    ("Light", "Height (m)"),
    (Cell("Holm Light", (Link("Holm Light", "Holm Light"),)), Cell("31")),
)
PICTURE = ImageEvidence(EvidenceId("Holm#s0/i1"), HOLM, "holm.png", "The lamp room, painted in 1902", "")


class Finding:
    """Finds a word, in the piece of a candidate that says it last."""

    def __init__(self, word: str) -> None:
        self.word, self.name = word, "finding"

    def read(self, need: str, candidates: Sequence[Candidate]) -> tuple[Reading, ...]:
        return tuple(self._reading(candidate) for candidate in candidates)

    def _reading(self, candidate: Candidate) -> Reading:
        for number, piece in reversed(tuple(enumerate(candidate.pieces))):
            start = piece.text.find(self.word)
            if start >= 0:
                end = start + len(self.word)
                cell = next((each.cell for each in piece.parts if each.start <= start < each.end), None)
                return Reading((CandidateAnswer("span", self.word, -0.1, number, start, end, cell),), -3.0, -0.5)
        return Reading((), -0.1, -4.0)


async def found(word: str, *pieces: Evidence, hops: Sequence[EvidenceHop] = ()):
    reader = EvidenceReader(Finding(word), ChoiceWeights())  # type: ignore[arg-type]
    return await reader.read("?", [Scored(piece, 0.5) for piece in pieces], [Scored(hop, 0.5) for hop in hops])


async def test_words_of_a_text_stand_at_their_place() -> None:
    (answer,) = await found("Ada Brandt", LEAD)
    assert LEAD.text[answer.start : answer.end] == answer.text == "Ada Brandt"
    assert answer.evidence == LEAD.id


@given(st.integers(0, 60))
async def test_words_behind_the_first_stretch_stand_at_their_place(count: int) -> None:
    text = "Nothing was said of the lamp on that day. " * count + "It was Ada Brandt who lit it."
    (answer,) = await found("Ada Brandt", TextEvidence(LEAD.id, HOLM, "paragraph", text)) or (None,)
    assert (answer is None) == (count > 60) or text[answer.start : answer.end] == "Ada Brandt"


async def test_a_row_is_read_with_the_lead_of_a_page_that_it_links() -> None:
    (of_lead,) = [each for each in await found("Ada Brandt", ROW, LEAD) if each.evidence == LEAD.id]
    assert (LEAD.text[of_lead.start : of_lead.end], of_lead.beside) == ("Ada Brandt", ROW.id)
    (of_row,) = await found("31", ROW, LEAD)
    assert (of_row.evidence, of_row.cell, of_row.beside) == (ROW.id, 1, LEAD.id)


LIT = TextEvidence(EvidenceId("Brandt#s0/p1"), HOLM, "paragraph", "Ada Brandt lit it. She was born in Bergen in 1851.")


async def test_both_pieces_of_a_hop_are_read_together() -> None:
    hop = EvidenceHop(LEAD, LIT, (LEAD.text,), ("She was born in Bergen in 1851.",))
    (of_end,) = await found("Bergen", hops=[hop])
    assert (of_end.evidence, of_end.beside, LIT.text[of_end.start : of_end.end]) == (LIT.id, LEAD.id, "Bergen")
    (of_start,) = await found("1889", hops=[hop])
    assert (of_start.evidence, of_start.beside, LEAD.text[of_start.start : of_start.end]) == (LEAD.id, LIT.id, "1889")


async def test_sentences_that_name_the_thing_are_found_though_a_line_ends_between_them() -> None:
    text = "It stands on Holm.\nIts lamp is old.\nIt was built by Ada Brandt."
    start = TextEvidence(LEAD.id, HOLM, "paragraph", text)
    hop = EvidenceHop(start, LIT, ("Its lamp is old.", "It was built by Ada Brandt."), (LIT.text,))
    (built,) = await found("lamp", hops=[hop])
    assert (built.evidence, text[built.start : built.end]) == (LEAD.id, "lamp")
    assert await found("stands", hops=[hop]) == ()


async def test_a_row_at_either_end_of_a_hop_keeps_its_cells() -> None:
    (cell,) = await found("31", hops=[EvidenceHop(LEAD, ROW, (LEAD.text,), ("",))])
    assert (cell.evidence, cell.cell, cell.beside) == (ROW.id, 1, LEAD.id)
    (cell,) = await found("31", hops=[EvidenceHop(ROW, PICTURE, ("",), ("",))])
    assert (cell.evidence, cell.cell, cell.beside) == (ROW.id, 1, PICTURE.id)


@given(st.integers(0, 60))
async def test_of_a_long_end_the_stretch_that_tells_is_read(count: int) -> None:
    told = "It was Ada Brandt who lit it."
    text = "Nothing was said of the lamp on that day. " * count + told
    hop = EvidenceHop(ROW, TextEvidence(LEAD.id, HOLM, "paragraph", text), ("",), (told,))
    (answer,) = await found("Ada Brandt", hops=[hop])
    assert text[answer.start : answer.end] == "Ada Brandt"


async def test_a_caption_is_read() -> None:
    (answer,) = await found("1902", PICTURE)
    assert PICTURE.caption[answer.start : answer.end] == "1902"


async def test_nothing_is_read_of_nothing() -> None:
    assert await found("1902") == ()


@given(st.text(alphabet="ab .\n", max_size=3 * STRETCH))
def test_stretches_make_up_the_text(text: str) -> None:
    assert "".join(text[start:end] for start, end in stretches(text)) == text
    assert all(0 < end - start <= STRETCH for start, end in stretches(text))


def test_a_reader_that_is_missing_is_named_with_what_can_be_done(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="correct HELIOGRAPH_READER, or set it to none"):
        evidence_reader(str(tmp_path), "HELIOGRAPH_READER")
