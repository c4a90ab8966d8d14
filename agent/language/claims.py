"""What a model wrote, turned into claims: handles to evidence, quotes to the source's own words."""

import re
from collections.abc import Iterable, Iterator

from agent.citations.quotes import find_words, quotable, resolve, row_text
from agent.citations.sentences import split_sentences
from agent.citations.wording import coverage
from agent.language.framing import Frame, exact_quote
from agent.language.replies import CLAIM_CHARACTERS, MOST_CITATIONS, MOST_CLAIMS, CitedWords, WrittenAnswer
from heliograph.types import DraftClaim, Evidence, EvidenceId, Quote, TableEvidence, TableSegment
from indexers.links import subject_of
from prompts.harmless import clipped
from tools.arithmetic.words import content_stems

NEAREST = 0.6
"""Share of a claim's words from which a sentence stands in for a quote that a model did not copy exactly."""
TELLING = 4
"""Words of a quote that are looked for in other pieces than the one that a model named."""

_HANDLES = re.compile(r"\s*[\[(]\s*E\d+(?:\s*[,;]\s*E?\d+)*\s*[\])]")


def claims_of(reply: WrittenAnswer, frame: Frame) -> tuple[DraftClaim, ...]:
    """Return the claims that cite words of the evidence; others are no claims.

    A handle that was not issued is dropped with its quote. A quote of TELLING words that stands in another piece than
    the one named cites that other piece: small models copy a sentence and miscount the handles. One that stands nowhere
    is replaced by the sentence of the piece named that says most of the claim, where one says NEAREST of it, and else
    dropped too. Rows are quoted as a whole (`with_rows`).
    """
    if reply.abstain:
        return ()
    written = ((tidy(claim.text), claim.citations[:MOST_CITATIONS]) for claim in reply.claims[:MOST_CLAIMS])
    claims = (DraftClaim(text, _quotes(text, citations, frame)) for text, citations in written if text)
    return tuple(with_rows(claim, frame.handles.values()) for claim in claims if claim.quotes)


def tidy(text: str) -> str:
    """Return a claim as one line, without handles; a claim past the limit is cut where a sentence ends."""
    line = " ".join("".join(_visible(text)).split())
    return clipped(_HANDLES.sub("", line).strip(), CLAIM_CHARACTERS)


def _visible(text: str) -> Iterator[str]:
    return (sign if sign.isprintable() else " " for sign in text)


def _quotes(text: str, citations: list[CitedWords], frame: Frame) -> tuple[Quote, ...]:
    cited = ((frame.piece(citation.handle), citation.quote) for citation in citations)
    quotes = (
        exact_quote(quote, piece) or _elsewhere(quote, frame) or nearest(text, piece)
        for piece, quote in cited
        if piece is not None
    )
    return tuple(dict.fromkeys(quote for quote in quotes if quote is not None))


def _elsewhere(quote: str, frame: Frame) -> Quote | None:
    """Return the words of the first piece that has a quote, if it has enough words to stand nowhere by chance."""
    if len(quote.split()) < TELLING:
        return None
    return next(filter(None, (exact_quote(quote, piece) for piece in frame.handles.values())), None)


def with_rows(claim: DraftClaim, pieces: Iterable[Evidence]) -> DraftClaim:
    """Quote rows as a whole, and put before a claim from a single row what that row is about.

    "Year: 1671" is true of some moon: alone it neither shows whose year it is nor supports a claim that says so, and a
    reader who asked for another moon would take it for that one's.
    """
    pieces = tuple(pieces)
    cited = dict.fromkeys(quote.evidence for quote in claim.quotes)
    rows = {name: row for name in cited if (row := _row(name, pieces))}
    quotes = tuple(dict.fromkeys(_whole(quote, rows.get(quote.evidence)) for quote in claim.quotes))
    if not rows or len(cited) > 1:
        return DraftClaim(claim.text, quotes, claim.computation)
    subject = " ".join(subject_of(*rows.values()).split())
    named = not subject or set(content_stems(subject)) & set(content_stems(claim.text))
    return DraftClaim(claim.text if named else f"{subject}: {claim.text}", quotes, claim.computation)


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
    best = max(sentences, key=lambda sentence: coverage(text, [sentence]), default="")
    if not best or coverage(text, [best]) < NEAREST:
        return None
    return exact_quote(best, piece)
