"""Evidence as a trained reader sees it: a row beside the lead of a page that it links, a stretch of text by itself."""

import asyncio
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from heliograph.types import (
    Evidence,
    EvidenceHop,
    ImageEvidence,
    ReadAnswer,
    Scored,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from indexers.links import links_of
from indexers.models.answer_choice import (
    EVIDENCE_CHOICE_FILE,
    ChoiceWeights,
    ChosenAnswer,
    choose,
    read_choice,
)
from indexers.models.reader import (
    SHIPPED_READER,
    Candidate,
    Piece,
    Reader,
    Reading,
    passage_piece,
    row_piece,
    shipped_or_named,
)

STRETCH = 900
"""Characters of a text that are read together: what a window has room for beside a question."""
STRETCHES = 4
"""Stretches of one text that are read, the first ones; a paragraph has one or two."""
LINKED = 2
"""Linked leads that a row is read with, each in a window of its own."""
ANSWERS = 5
"""Answers that are handed on."""


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A piece of evidence in the form that is read; add `before` to a place in the form for that in its text."""

    piece: Piece
    evidence: Evidence
    before: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """What is read at once: a piece of evidence, or two together.

    `rank` counts candidates, from 1; hops are counted by themselves. The score is that of `evidence`.
    """

    shown: tuple[ReadPiece, ...]
    evidence: Evidence
    rank: int
    score: float

    @property
    def candidate(self) -> Candidate:
        """The form in which a reader is given it."""
        return Candidate(*(each.piece for each in self.shown))

    def answer(self, chosen: ChosenAnswer, reading: Reading) -> ReadAnswer:
        """Say where an answer stands that was chosen in the reading of this candidate."""
        found = chosen.answer
        said = ReadAnswer(
            found.text, chosen.probability, self.evidence.id, found.kind, none=math.exp(min(reading.none, 0.0))
        )
        if found.kind in ("yes", "no"):
            return said
        here = self.shown[found.piece]
        beside = next((other.evidence.id for other in self.shown if other is not here), None)
        said = replace(said, evidence=here.evidence.id, beside=beside)
        if isinstance(here.evidence, TableSegment):
            return replace(said, cell=found.cell)
        start, end = (max(0, place + here.before) for place in (found.start, found.end))
        return replace(said, kind="span", start=start, end=end)


def evidence_reader(name: str, setting: str) -> "EvidenceReader":
    """Return the reader that ships, or the one of a folder.

    Raises:
        ModelMissing: it is not there, or has no weights of a choice among evidence; the message names the `setting`.
    """

    def load(folder: Path) -> EvidenceReader:
        reader = Reader(folder)
        return EvidenceReader(reader, read_choice(folder / EVIDENCE_CHOICE_FILE, reader.name))

    return shipped_or_named(load, name, SHIPPED_READER, setting, "whole sentences are quoted")


class EvidenceReader:
    """Read the best pieces of the evidence; blocking work runs in a thread.

    Args:
        reader: gives answers and how probable each is within its candidate.
        weights: how these count beside the places and scores of the pieces, chosen for this reader over evidence.
    """

    def __init__(self, reader: Reader, weights: ChoiceWeights) -> None:
        self._reader = reader
        self._weights = weights

    async def read(
        self, question: str, evidence: Sequence[Scored[Evidence]], hops: Sequence[Scored[EvidenceHop]] = ()
    ) -> tuple[ReadAnswer, ...]:
        """Return different answers, the most probable first; none where there is nothing to read."""
        placed = (*hop_candidates(hops), *islice(candidates(evidence), self._weights.first))
        if not placed:
            return ()
        readings = await asyncio.to_thread(self._reader.read, question, [each.candidate for each in placed])
        chosen = choose(readings, priors(placed, self._weights), self._weights)
        return tuple(placed[each.candidate].answer(each, readings[each.candidate]) for each in chosen[:ANSWERS])


def priors(placed: Sequence[Placed], weights: ChoiceWeights) -> tuple[float, ...]:
    """Return what the ranking says of each candidate, as logarithms."""
    return tuple(weights.score * each.score - math.log(each.rank) for each in placed)


def candidates(evidence: Sequence[Scored[Evidence]]) -> Iterator[Placed]:
    """Yield what is read of evidence, in its order; a whole table has its rows beside it as pieces of their own."""
    leads = {
        piece.item.place.title: piece.item
        for piece in reversed(evidence)
        if isinstance(piece.item, TextEvidence) and not piece.item.place.path
    }
    every = ((shown, scored) for scored in evidence for shown in _shown(scored.item, leads))
    for rank, (shown, scored) in enumerate(every, start=1):
        yield Placed(shown, scored.item, rank, scored.score)


def hop_candidates(hops: Sequence[Scored[EvidenceHop]]) -> Iterator[Placed]:
    """Yield what is read of hops, in their order."""
    for rank, scored in enumerate(hops, start=1):
        hop = scored.item
        if not isinstance(hop.start, TableEvidence) and not isinstance(hop.end, TableEvidence):
            yield Placed(
                (_quoted(hop.start, hop.start_quotes), _around(hop.end, hop.end_quotes)), hop.end, rank, scored.score
            )


def _shown(evidence: Evidence, leads: Mapping[str, TextEvidence]) -> Iterator[tuple[ReadPiece, ...]]:
    match evidence:
        case TextEvidence(text=text):
            yield from ((_stretch(evidence, *each),) for each in islice(stretches(text), STRETCHES))
        case TableSegment() as row:
            targets = dict.fromkeys(link.target for link in links_of(row))
            linked = [leads[target] for target in targets if target in leads][:LINKED]
            yield from ((_row(row), _lead(lead)) for lead in linked)
            if not linked:
                yield (_row(row),)
        case ImageEvidence(caption=caption, alt=alt) if caption or alt:
            yield (_image(evidence),)
        case _:
            return


def _quoted(evidence: TextEvidence | TableSegment | ImageEvidence, quotes: Sequence[str]) -> ReadPiece:
    """Return what stands from the first to the last quote of a text; what is no text is read whole."""
    if not isinstance(evidence, TextEvidence):
        return _around(evidence, quotes)
    start = max(0, evidence.text.find(quotes[0]))
    return _stretch(evidence, start, max(start, evidence.text.find(quotes[-1], start)) + len(quotes[-1]))


def _around(evidence: TextEvidence | TableSegment | ImageEvidence, quotes: Sequence[str]) -> ReadPiece:
    """Return the stretch of a text in which its first quote begins; what is no text is read whole."""
    match evidence:
        case TextEvidence(text=text):
            at = max(0, text.find(quotes[0]))
            return _stretch(evidence, *next(each for each in stretches(text) if at < each[1]))
        case TableSegment():
            return _row(evidence)
        case ImageEvidence():
            return _image(evidence)


def _stretch(text: TextEvidence, start: int, end: int) -> ReadPiece:
    piece = piece_of_text(text, text.text[start:end])
    return ReadPiece(piece, text, end - len(piece.text))


def _row(row: TableSegment) -> ReadPiece:
    return ReadPiece(piece_of_row(row), row)


def _lead(lead: TextEvidence) -> ReadPiece:
    piece = passage_piece(lead.place.title, lead.text)
    return ReadPiece(piece, lead, len(lead.text) - len(piece.text))


def _image(image: ImageEvidence) -> ReadPiece:
    title = image.place.title
    return ReadPiece(passage_piece(title, image.caption or image.alt), image, -len(f"{title} : "))


def piece_of_row(row: TableSegment) -> Piece:
    """Return a row with its titles and its header."""
    titles = (row.place.title, row.caption or " ; ".join(row.place.path[-1:]))
    return row_piece(titles, row.header, [cell.text for cell in row.cells])


def piece_of_text(text: TextEvidence, said: str) -> Piece:
    """Return what a text says, or a part of it, under its titles."""
    return passage_piece(" ; ".join((text.place.title, *text.place.path)), said)


def stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield stretches of a text that end with a sentence or a line, as far as one ends in reach."""
    start = 0
    while start < len(text):
        end = min(len(text), start + STRETCH)
        if end < len(text):
            last = max(text.rfind(". ", start, end), text.rfind("\n", start, end))
            end = last + 1 if last > start else end
        yield start, end
        start = end
