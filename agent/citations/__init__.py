"""The claim check and the citation policies: a claim never outlives its citation."""

from agent.citations.policy import CheckedAnswer, DroppedClaim, check_answer
from agent.citations.sentences import split_sentences
from agent.citations.verifier import ExtractiveClaimVerifier

__all__ = ["CheckedAnswer", "DroppedClaim", "ExtractiveClaimVerifier", "check_answer", "split_sentences"]
