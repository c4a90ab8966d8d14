"""Quotes, figures and numbers of citations, and the check of claims by their words."""

from agent.citations.verifier import ExtractiveClaimVerifier

__all__ = ["ExtractiveClaimVerifier"]
