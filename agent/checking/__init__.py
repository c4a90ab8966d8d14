"""The check of a draft: a true sentence survives, a false one does not, and a claim never outlives its citation."""

from agent.checking.policy import CheckedAnswer, check_answer

__all__ = ["CheckedAnswer", "check_answer"]
