"""Evidence as a trained reader sees it: a row beside the lead of a page that it links, a stretch of text by itself."""

import asyncio
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from heliograph.types import (
    Evidence,
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
    rank_priors,
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
class Placed:
    """A candidate and where its pieces stand: `before` is where the text of `evidence` begins, in characters.

    `beside` is the lead that a row is read with; `score` that of the piece in the ranking.
    """

    candidate: Candidate
    evidence: Evidence
    score: float
    before: int = 0
    beside: TextEvidence | None = None

    def answer(self, chosen: ChosenAnswer, reading: Reading) -> ReadAnswer:
        """Say where an answer stands that was chosen in the reading of this candidate."""
        found, here = chosen.answer, self.evidence.id
        said = ReadAnswer(found.text, chosen.probability, here, found.kind, none=math.exp(min(reading.none, 0.0)))
        if found.kind in ("yes", "no"):
            return said
        if self.beside is not None and found.piece:
            start, end = (max(0, place - _title_length(self.beside)) for place in (found.start, found.end))
            return replace(said, evidence=self.beside.id, kind="span", start=start, end=end, beside=here)
        led_by = self.beside.id if self.beside else None
        if isinstance(self.evidence, TableSegment):
            return replace(said, cell=found.cell, beside=led_by)
        start, end = (max(0, place + self.before) for place in (found.start, found.end))
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

    async def read(self, question: str, evidence: Sequence[Scored[Evidence]]) -> tuple[ReadAnswer, ...]:
        """Return different answers, the most probable first; none where there is nothing to read."""
        placed = tuple(islice(candidates(evidence), self._weights.first))
        if not placed:
            return ()
        readings = await asyncio.to_thread(self._reader.read, question, [each.candidate for each in placed])
        chosen = choose(readings, priors(placed, self._weights), self._weights)
        return tuple(placed[each.candidate].answer(each, readings[each.candidate]) for each in chosen[:ANSWERS])


def priors(placed: Sequence[Placed], weights: ChoiceWeights) -> tuple[float, ...]:
    """Return what the ranking says of each candidate, as logarithms."""
    ranked = rank_priors(len(placed))
    return tuple(place + weights.score * each.score for place, each in zip(ranked, placed, strict=True))


def candidates(evidence: Sequence[Scored[Evidence]]) -> Iterator[Placed]:
    """Yield what is read of evidence, in its order; a whole table has its rows beside it as pieces of their own."""
    leads = {
        piece.item.place.title: piece.item
        for piece in reversed(evidence)
        if isinstance(piece.item, TextEvidence) and not piece.item.place.path
    }
    for scored in evidence:
        match scored.item:
            case TextEvidence() as text:
                yield from _stretches(text, scored.score)
            case TableSegment() as row:
                yield from _with_leads(row, scored.score, leads)
            case ImageEvidence() as image if image.caption or image.alt:
                title = image.place.title
                yield Placed(
                    Candidate(passage_piece(title, image.caption or image.alt)),
                    image,
                    scored.score,
                    -len(f"{title} : "),
                )
            case TableEvidence() | ImageEvidence():
                continue


def _with_leads(row: TableSegment, score: float, leads: Mapping[str, TextEvidence]) -> Iterator[Placed]:
    piece = piece_of_row(row)
    targets = dict.fromkeys(link.target for link in links_of(row))
    linked = [leads[target] for target in targets if target in leads][:LINKED]
    for lead in linked:
        yield Placed(Candidate(piece, _lead_piece(lead)), row, score, beside=lead)
    if not linked:
        yield Placed(Candidate(piece), row, score)


def piece_of_row(row: TableSegment) -> Piece:
    """Return a row with its titles and its header."""
    titles = (row.place.title, row.caption or " ; ".join(row.place.path[-1:]))
    return row_piece(titles, row.header, [cell.text for cell in row.cells])


def piece_of_text(text: TextEvidence, said: str) -> Piece:
    """Return what a text says, or a part of it, under its titles."""
    return passage_piece(" ; ".join((text.place.title, *text.place.path)), said)


def _stretches(text: TextEvidence, score: float) -> Iterator[Placed]:
    for start, end in islice(stretches(text.text), STRETCHES):
        piece = piece_of_text(text, text.text[start:end])
        yield Placed(Candidate(piece), text, score, start - len(piece.text) + end - start)


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


def _lead_piece(lead: TextEvidence) -> Piece:
    return passage_piece(lead.place.title, lead.text)


def _title_length(lead: TextEvidence) -> int:
    return len(_lead_piece(lead).text) - len(lead.text)
