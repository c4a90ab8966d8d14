"""Check a claim against the words that it cites, without a language model."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.citations.computations import check_computation
from agent.citations.figures import missing_figures
from agent.citations.grounds import Ground, context_of, contributes, ground_of, headings_of, quoted_text
from agent.citations.verdicts import worst
from agent.citations.wording import (
    contradicts,
    coverage,
    hard_words,
    names_of,
    reversed_words,
    swaps_names,
    uncovered,
    unknown_names,
)
from heliograph.types import CitedMarker, Claim, ClaimVerdict, DraftClaim, Evidence, EvidenceId

FULL = 0.8
"""Share of a claim's words that quotes, place and evidence must hold for `supported`."""
QUOTED = 0.5
"""Share that the quotes themselves must hold, with the headings of a row counted as quoted."""
HALF = 0.5
"""Share below which a claim is `unsupported`."""

Support = Literal["supported", "partial", "unsupported"]


@dataclass(frozen=True, slots=True)
class ExtractiveClaimVerifier:
    """Judge claims by their words; names of the `question` may stand in a claim without standing in its evidence.

    All located quotes of a claim are judged together:
      unsupported  a figure stands in no quote; claim and quotes differ in a negation, a direction (`largest`,
                   `smallest`) or the sides of a comparison; less than HALF of the words stand anywhere in the evidence
      partial      a name stands nowhere; a superlative is added; words fall short of FULL, or of QUOTED in the quotes
      supported    otherwise
    A citation is `unchecked` when its evidence is not at hand, `unsupported` when its quote is not in it or has
    nothing to do with the claim, and else has the verdict of all quotes together. A computation is `computed` when its
    table gives its value again and the claim tells that value and no other item or figure; else `unsupported`.
    The claim has the worst verdict of its parts, best to worst: computed, supported, partial, unchecked, unsupported;
    quotes beside a computation only need to be located. A claim that cites nothing is unsupported.
    """

    question: str = ""

    async def verify(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], first_marker: int) -> Claim:
        """Check a claim; its markers count up from `first_marker`: its quotes in order, then its computation."""
        return await asyncio.to_thread(self._verified, claim, cited, first_marker)

    def _verified(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], first_marker: int) -> Claim:
        grounds = [ground_of(quote, cited) for quote in claim.quotes]
        if claim.computation is None:
            verdicts = self._quoted(claim.text, grounds)
            overall = worst(*verdicts)
        else:
            table = cited.get(claim.computation.table)
            told = check_computation(claim.text, claim.computation, table, self.question, _joined(claim, cited))
            verdicts = (*map(_located_verdict, grounds), told)
            overall = told if worst(*verdicts) == "supported" else worst(*verdicts)
        markers = tuple(CitedMarker(first_marker + place, verdict) for place, verdict in enumerate(verdicts))
        return Claim(claim.text, markers, overall)

    def _quoted(self, text: str, grounds: Sequence[Ground]) -> tuple[ClaimVerdict, ...]:
        support = judge(text, [each for each in grounds if each.located], self.question)
        return tuple(_citation_verdict(text, each, support) for each in grounds)


def _joined(claim: DraftClaim, cited: Mapping[EvidenceId, Evidence]) -> tuple[Evidence, ...]:
    """Return the table that a named calculation joins."""
    calculation = claim.computation.calculation if claim.computation else None
    found = cited.get(calculation.join.table) if calculation and calculation.join else None
    return (found,) if found else ()


def judge(text: str, grounds: Sequence[Ground], question: str) -> Support:
    """Judge a claim against all its located quotes together."""
    quotes = [quoted_text(each) for each in grounds]
    if not quotes or missing_figures(text, quotes):
        return "unsupported"
    if contradicts(text, quotes) or swaps_names(text, quotes):
        return "unsupported"
    contexts = [context_of(each.evidence) for each in grounds if each.evidence]
    if reversed_words(text, quotes + contexts):
        return "unsupported"
    everything = [*quotes, *contexts, names_of(question)]
    told = coverage(text, everything)
    if told < HALF:
        return "unsupported"
    missing = uncovered(text, everything)
    if unknown_names(text, everything) or hard_words(missing) or told < FULL:
        return "partial"
    near = quotes + [headings_of(each.evidence) for each in grounds if each.evidence]
    return "supported" if coverage(text, near) >= QUOTED else "partial"


def _located_verdict(grounds: Ground) -> ClaimVerdict:
    if grounds.evidence is None:
        return "unchecked"
    return "supported" if grounds.located else "unsupported"


def _citation_verdict(text: str, grounds: Ground, support: Support) -> ClaimVerdict:
    if grounds.evidence is None:
        return "unchecked"
    if grounds.located is None or not contributes(text, grounds):
        return "unsupported"
    return support
