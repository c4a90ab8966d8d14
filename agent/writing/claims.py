"""What a model wrote, turned into claims: handles to evidence, quotes to the source's own words, names to values."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.citations.quotes import find_words, quotable, resolve, row_text
from agent.citations.wording import claim_coverage
from agent.language.framing import Frame
from agent.writing.calculations import PLACEHOLDER, Failed, Outcome, Outcomes, Value, with_values
from agent.writing.quoting import exact_quote
from agent.writing.replies import CitedWords, WrittenClaim
from heliograph.text.sentences import split_sentences
from heliograph.types import DraftClaim, Evidence, EvidenceId, Quote, TableEvidence, TableSegment, UnsaidClaim

NEAREST = 0.6
"""Share of a claim's words from which a sentence stands in for a quote that a model did not copy exactly."""
TELLING = 4
"""Words of a quote that are looked for in other pieces than the one that a model named."""
CITES_NOTHING = "it cites no words that stand in the evidence"

_HANDLE_SAID = re.compile(r"\bE\d+(?:\.\d+)?\b")
_HANDLES = re.compile(r"\s*[\[(]\s*E\d+(?:\.\d+)?(?:\s*[,;]\s*E?\d+(?:\.\d+)?)*\s*[\])]")


@dataclass(frozen=True, slots=True)
class ClaimReader:
    """Reads what one reply says: its pieces by `frame`, its calculated values by `outcomes`."""

    frame: Frame
    outcomes: Outcomes

    def read(self, written: WrittenClaim) -> DraftClaim | UnsaidClaim | None:
        """Return the claim that a sentence makes; unsaid where it cites no words of the evidence and tells no value.

        A handle that was not issued is dropped with its quote. A quote of TELLING words that stands in another piece
        than the one named cites that other piece: small models copy a sentence and miscount the handles. One that
        stands nowhere is replaced by the sentence of the piece named that says most of the claim, where one says
        NEAREST of it. A quote of fewer words that the claim tells, a name or a figure, cites the only piece that has
        it. What is left is dropped. Rows are quoted as a whole.
        """
        text, named = with_values(tidy(written.text), self.outcomes)
        quotes = whole_rows(_quotes(text, written.citations, self.frame), self.frame.handles.values())
        if named:
            return _calculated(text, quotes, named)
        known = self._known(text, quotes)
        if not quotes and not known:
            return UnsaidClaim(text, "unsupported", CITES_NOTHING) if text else None
        return DraftClaim(text, quotes, known.computation if known else None)

    def _known(self, text: str, quotes: Sequence[Quote]) -> Value | None:
        """Return a value that a sentence tells in figures and that none of its quotes states.

        Small models write the value that they were shown in place of its name.
        """
        values = (value for value in self.outcomes.values() if isinstance(value, Value))
        told = (value for value in values if find_words(value.text, text))
        return next((value for value in told if not any(find_words(value.text, quote.text) for quote in quotes)), None)


def _calculated(text: str, quotes: tuple[Quote, ...], named: Sequence[Outcome | str]) -> DraftClaim | UnsaidClaim:
    """Return a sentence that tells a calculated value; one that tells several cannot cite them all."""
    match named:
        case [Value() as value]:
            return DraftClaim(text, quotes, value.computation)
        case [Failed() as failed]:
            return _not_calculated(text, failed.reason)
        case [str()]:
            return _not_calculated(text, "the model named no calculation")
        case _:
            return _not_calculated(text, "it tells more than one calculated value")


def _not_calculated(text: str, reason: str) -> UnsaidClaim:
    """Return a sentence for a reader, who knows neither names of calculations nor handles."""
    told = "" if _HANDLE_SAID.search(reason) else f": {reason}"
    return UnsaidClaim(PLACEHOLDER.sub("…", text), "unsupported", f"not calculated{told}")


def tidy(text: str) -> str:
    """Return a text as one line, without handles."""
    line = " ".join("".join(_visible(text)).split())
    return _HANDLES.sub("", line).strip()


def _visible(text: str) -> Iterator[str]:
    return (sign if sign.isprintable() else " " for sign in text)


def _quotes(text: str, citations: Sequence[CitedWords], frame: Frame) -> tuple[Quote, ...]:
    cited = ((frame.piece(citation.handle), citation.quote) for citation in citations)
    quotes = (
        exact_quote(quote, piece) or _elsewhere(quote, frame) or nearest(text, piece) or _told_once(text, quote, frame)
        for piece, quote in cited
        if piece is not None
    )
    return tuple(dict.fromkeys(quote for quote in quotes if quote is not None))


def _elsewhere(quote: str, frame: Frame) -> Quote | None:
    """Return the words of the first piece that has a quote, if it has enough words to stand nowhere by chance."""
    if len(quote.split()) < TELLING:
        return None
    return next(filter(None, (exact_quote(quote, piece) for piece in frame.handles.values())), None)


def _told_once(text: str, quote: str, frame: Frame) -> Quote | None:
    """Return the words of the only piece that has a quote which a claim tells."""
    if find_words(quote, text) is None:
        return None
    found = {each.evidence: each for piece in frame.handles.values() if (each := exact_quote(quote, piece))}
    return next(iter(found.values())) if len(found) == 1 else None


def whole_rows(quotes: Iterable[Quote], pieces: Iterable[Evidence]) -> tuple[Quote, ...]:
    """Quote rows as a whole, which say what they are about: `Year: 1671` is true of some moon; each row once."""
    pieces = tuple(pieces)
    return tuple(dict.fromkeys(_whole(quote, _row(quote.evidence, pieces)) for quote in quotes))


def _whole(quote: Quote, row: TableSegment | None) -> Quote:
    """Return the whole row for a part of it; a caption stays a caption."""
    if row is None or find_words(quote.text, row.caption) is not None:
        return quote
    return exact_quote(row_text(row.header, row.cells), row) or quote


def _row(name: EvidenceId, pieces: Iterable[Evidence]) -> TableSegment | None:
    for piece in pieces:
        row = piece if isinstance(piece, TableSegment) and piece.id == name else resolve(name, piece)
        if row is not None:
            return row
    return None


def nearest(text: str, piece: Evidence) -> Quote | None:
    """Return the sentence of a piece that says most of a claim; None where none says enough, or in a whole table."""
    if isinstance(piece, TableEvidence):
        return None
    sentences = [sentence for _, source in quotable(piece) for sentence in split_sentences(source)]
    best = max(sentences, key=lambda sentence: claim_coverage(text, [sentence]), default="")
    if not best or claim_coverage(text, [best]) < NEAREST:
        return None
    return exact_quote(best, piece)
