"""Quotes, figures and numbers of citations, and the check of claims by their words."""

from agent.citations.sentences import split_sentences
from agent.citations.verifier import ExtractiveClaimVerifier

__all__ = ["ExtractiveClaimVerifier", "split_sentences"]
