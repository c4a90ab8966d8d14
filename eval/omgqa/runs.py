"""What systems answered, one record a question: what pools and measures take from the answer record."""

from dataclasses import dataclass

from heliograph.types import Answer, ClaimVerdict, EvidenceId, PageKey, Usage


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """A sentence of an answer with the evidence that it cites, each once, and what Heliograph's own check said."""

    text: str
    cited: tuple[EvidenceId, ...]
    verdict: ClaimVerdict


@dataclass(frozen=True, slots=True)
class OmgRun:
    """What one system did with one question.

    `system` is the name of the configuration, `question` an id, `run` names the trace in the home folder, empty for
    what another program answered. `retrieved` is the final evidence, best first; `rounds` what of it was found by the
    end of each round; `documents` are all pages that were read, in the order of reading.
    """

    system: str
    question: str
    seed: int
    run: str
    answer: str
    abstained: bool
    documents: tuple[PageKey, ...]
    retrieved: tuple[EvidenceId, ...]
    rounds: tuple[tuple[EvidenceId, ...], ...]
    claims: tuple[CitedClaim, ...]
    usage: Usage
    seconds: float

    @property
    def cited(self) -> tuple[EvidenceId, ...]:
        """All that the answer cites, each once, in the order of the answer."""
        return tuple(dict.fromkeys(piece for claim in self.claims for piece in claim.cited))


def omg_run(answer: Answer, system: str, question: str, seed: int) -> OmgRun:
    """Take from an answer record what is judged and measured."""
    at = {citation.marker: citation.evidence for citation in answer.citations}
    claims = tuple(
        CitedClaim(claim.text, tuple(dict.fromkeys(at[each.marker] for each in claim.citations)), claim.verdict)
        for claim in answer.claims
    )
    return OmgRun(
        system=system,
        question=question,
        seed=seed,
        run=answer.run,
        answer=answer.answer,
        abstained=answer.abstained,
        documents=tuple(dict.fromkeys(page for each in answer.rounds for page in each.documents)),
        retrieved=tuple(seen.evidence for seen in answer.evidence),
        rounds=tuple(_found_by(answer, each.number) for each in answer.rounds),
        claims=claims,
        usage=answer.usage,
        seconds=answer.seconds,
    )


def _found_by(answer: Answer, number: int) -> tuple[EvidenceId, ...]:
    """Return what of the final evidence any round so far had seen, though a later one scored it higher."""
    seen_so_far = {piece for each in answer.rounds if each.number <= number for piece in each.evidence}
    return tuple(seen.evidence for seen in answer.evidence if seen.round <= number or seen.evidence in seen_so_far)
