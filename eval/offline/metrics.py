"""What is measured of one answer; pure, and a missing answer counts as a wrong one.

- expected: one of the expected strings stands in the answer, as whole words; an unanswerable question abstains
- direct: the answer begins with it: it stands in the few words in front of a quote, or in the first sentence where that
  is a model's, computed or made of the question's words; never where whole sentences or rows are quoted alone
- document: every gold document was read
- evidence: every gold piece is among the final evidence
- rank: mean over the gold pieces of one divided by the place among the final evidence, 0 for a piece that is not there
- cited: share of the citations that are gold evidence; None where nothing is cited
- abstained: the answer abstains
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.citations.quotes import ANSWER_FIRST
from eval.accepted import normal, states
from eval.offline.dataset import GoldEvidence, GoldQuestion
from heliograph.types import (
    Answer,
    Citation,
    Claim,
    Evidence,
    EvidenceId,
    ImageEvidence,
    TableEvidence,
    TableSegment,
    TextEvidence,
    modality_of,
)
from indexers.parser import page_name

FEW = 24
"""Words that an answer in front of its quote has at most."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The measures of one question."""

    question: GoldQuestion
    expected: bool
    documents: bool
    evidence: bool
    rank: float
    cited: float | None
    abstained: bool
    seconds: float
    direct: bool = False


def outcome(question: GoldQuestion, answer: Answer, pieces: Mapping[EvidenceId, Evidence]) -> Outcome:
    """Measure one answer; `pieces` holds the final evidence and what is cited."""
    found = [pieces[seen.evidence] for seen in answer.evidence]
    cited = [pieces[citation.evidence] for citation in answer.citations]
    read = {page_name(key).title for record in answer.rounds for key in record.documents}
    return Outcome(
        question=question,
        expected=says_expected(answer, question) if question.answerable else answer.abstained,
        documents=all(title in read for title in question.documents),
        evidence=all(any(is_gold(piece, gold) for piece in found) for gold in question.evidence),
        rank=reciprocal_rank(found, question.evidence),
        cited=precision(cited, question.evidence),
        abstained=answer.abstained,
        seconds=answer.seconds,
        direct=question.answerable and states(answered_first(answer), question.expected),
    )


def answered_first(answer: Answer) -> str:
    """Return the words that an answer begins with; nothing where sentences or rows are quoted alone."""
    first = next(iter(answer.claims), None)
    if answer.abstained or first is None:
        return ""
    said, between, _ = first.text.partition(ANSWER_FIRST)
    if between and len(said.split()) <= FEW:
        return said
    own = answer.mode == "llm" or first.verdict == "computed"
    return first.text if own or not is_quoted(first, answer.citations) else ""


def is_quoted(claim: Claim, citations: Sequence[Citation]) -> bool:
    """Tell whether a claim is whole sentences or rows that it cites, behind their title; no sentence of its own."""
    markers = {cited.marker for cited in claim.citations}
    quotes = [each.quote for each in citations if each.marker in markers]
    return not quotes or any(quote in claim.text for quote in quotes)


def says_expected(answer: Answer, question: GoldQuestion) -> bool:
    """Tell whether an answer that does not abstain says one of the expected strings."""
    return not answer.abstained and states(answer.answer, question.expected)


def precision(cited: Sequence[Evidence], gold: Sequence[GoldEvidence]) -> float | None:
    """Return the share of cited pieces that are gold; a computed answer may cite the rows or the whole table."""
    if not cited:
        return None
    return sum(any(is_gold(piece, each) for each in gold) for piece in cited) / len(cited)


def reciprocal_rank(found: Sequence[Evidence], gold: Sequence[GoldEvidence]) -> float:
    """Return the mean over gold pieces of the reciprocal of the first place that holds them; 0 without gold."""
    places = (
        next((place for place, piece in enumerate(found, start=1) if is_gold(piece, each)), None) for each in gold
    )
    return sum(1 / place for place in places if place is not None) / max(1, len(gold))


def is_gold(piece: Evidence, gold: GoldEvidence) -> bool:
    """Tell whether a piece stands on the gold page, is of the gold modality and holds the gold words."""
    if piece.place.title != gold.title or modality_of(piece) != gold.modality:
        return False
    return normal(gold.contains) in normal(content_of(piece))


def content_of(piece: Evidence) -> str:
    """Return all words of a piece."""
    match piece:
        case TextEvidence(text=text):
            return text
        case ImageEvidence(caption=caption, alt=alt):
            return f"{caption} {alt}"
        case TableSegment(cells=cells):
            return " | ".join(cell.text for cell in cells)
        case TableEvidence(rows=rows):
            return " | ".join(cell.text for row in rows for cell in row)
