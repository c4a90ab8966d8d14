"""Why a run stops: every limit leads to an answer or to an abstention, for a stated reason."""

from collections.abc import Sequence

from agent.remembering import nothing_else_to_seek
from agent.services import Services
from agent.state import State
from heliograph.errors import SearchUnavailable
from heliograph.types import SourceReport, StopReason, Verdict
from memory.ledger import new_evidence


def stop_reason(state: State, verdict: Verdict, services: Services) -> StopReason | None:
    """Return why this round is the last one, or None for another."""
    limits = services.limits
    if verdict.sufficient:
        return "sufficient"
    if limits.spent(pages_read(state), services.recorder.now() - state["started"]):
        return "budget"
    found = bool(state.get("observations"))
    if state["round"] >= limits.rounds:
        return "rounds_exhausted" if found else "nothing_found"
    if state["round"] > 1 and verdict.given_up:  # before a second search nothing was sought in vain
        return "given_up"
    if (state["round"] > 1 and not _found_something_new(state)) or nothing_else_to_seek(state):
        return "no_new_evidence" if found else "nothing_found"
    return None


def pages_read(state: State) -> int:
    """Count the pages that the rounds have read; those recalled from earlier turns cost nothing."""
    return len(state.get("documents", ())) - len(state.get("recalled", ()))


def refuse_silence(state: State, reports: Sequence[SourceReport]) -> None:
    """Raise when no source could be asked and no round has found anything: that is no absence of answers.

    Raises:
        SearchUnavailable: every source failed.
    """
    found = any(observed.round > 0 for observed in state.get("observations", ()))
    if not found and all(report.status in ("failed", "rate_limited") for report in reports):
        raise SearchUnavailable("no source could be asked: " + "; ".join(report.detail for report in reports))


def _found_something_new(state: State) -> bool:
    return bool(new_evidence(state.get("observations", ()), state["round"]))
