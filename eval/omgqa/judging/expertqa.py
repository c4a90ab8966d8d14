"""ExpertQA's claims as cases of support: experts said of each whether its evidence says it (Malaviya et al. 2024).

    evidence of a claim              what becomes of it
    every piece has text             a case, where people said Complete, Partial or Incomplete or Missing
    a piece is an address alone      left out: nobody here can read what it leads to
    none                             left out: that it is unsupported needs no judge
    any, and the label is N/A        left out: people did not say

`Complete` is yes; `Incomplete` and `Missing` are no; `Partial` is no, and yes where a reader asks for it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from agent.citations.numbering import without_markers
from eval.drawing import Half, Part, digest_of
from eval.lines import read_lines
from eval.omgqa.judging.cases import Case, Shown
from heliograph.errors import UsageError
from heliograph.types import EvidenceId

Support = Literal["Complete", "Partial", "Incomplete", "Missing", "N/A"]


class ClaimLine(BaseModel):
    """A claim of an answer; fields that are not read here are left aside."""

    claim: str
    evidence: tuple[str, ...]
    support: Support | None


class AnswerLine(BaseModel):
    """An answer to an expert's question."""

    question: str
    claims: tuple[ClaimLine, ...]


@dataclass(frozen=True, slots=True)
class HumanCase:
    """A case with what people said of it."""

    case: Case
    said: Support
    half: Half

    def yes(self, partial: bool = False) -> bool:
        """Tell whether people said that the evidence supports the claim; `partial` is what Partial counts as."""
        return self.said == "Complete" or (partial and self.said == "Partial")


@dataclass(frozen=True, slots=True)
class Claims:
    """The cases of a file in its order, and how many claims are left out, by reason."""

    cases: tuple[HumanCase, ...]
    without_evidence: int
    address_only: int
    not_labelled: int

    def of(self, half: Part) -> tuple[HumanCase, ...]:
        """Return the cases of one half, or all."""
        return tuple(each for each in self.cases if half in ("all", each.half))


def read_claims(path: Path) -> Claims:
    """Read ExpertQA's answers.

    Raises:
        UsageError: the file cannot be read, or holds no claim that can be judged.
    """
    cases: list[HumanCase] = []
    left_out = {"none": 0, "address": 0, "label": 0}
    for answer in read_lines(path, AnswerLine):
        for claim in answer.claims:
            found = _case(answer.question, claim)
            if isinstance(found, HumanCase):
                cases.append(found)
            else:
                left_out[found] += 1
    if not cases:
        raise UsageError(f"{path} has no claim with evidence and a label; name ExpertQA's file of claims")
    return Claims(tuple(cases), left_out["none"], left_out["address"], left_out["label"])


def half_of(question: str) -> Half:
    """Return the half that a question is in, with its answer and all its claims: by the first bit of its sha256."""
    return "development" if digest_of(question) < "8" else "report"


def people(cases: Iterable[HumanCase], partial: bool = False) -> dict[str, bool]:
    """Return what people said, by the digests of the cases."""
    return {each.case.digest: each.yes(partial) for each in cases}


def _case(question: str, claim: ClaimLine) -> HumanCase | Literal["none", "address", "label"]:
    if not claim.evidence:
        return "none"
    pieces = tuple(_shown(number, text) for number, text in enumerate(claim.evidence, start=1))
    shown = tuple(piece for piece in pieces if piece is not None)
    if len(shown) < len(pieces):
        return "address"
    if claim.support in (None, "N/A"):
        return "label"
    case = Case("support", question, without_markers(claim.claim), shown)
    return HumanCase(case, claim.support, half_of(question))


def _shown(number: int, text: str) -> Shown | None:
    """Return a piece, `[2] address`, a blank line and a passage; None where there is no passage."""
    passage = text.partition("\n\n")[2].strip()
    name = EvidenceId(f"expertqa:{digest_of(text)[:12]}@1#s0/p{number}")
    return Shown(name, "text", (), passage) if passage else None
