"""Why a run stops: every limit leads to an answer or to an abstention, for a stated reason."""

from agent.services import Services
from agent.state import State
from heliograph.types import StopReason, Verdict


def stop_reason(state: State, verdict: Verdict, services: Services) -> StopReason | None:
    """Return why this round is the last one, or None for another."""
    limits = services.limits
    if verdict.sufficient:
        return "sufficient"
    if limits.spent(len(state.get("documents", ())), services.recorder.now() - state["started"]):
        return "budget"
    if state["round"] >= limits.rounds:
        return "rounds_exhausted" if state.get("observations") else "nothing_found"
    if state["round"] > 1 and not _found_something_new(state):
        return "no_new_evidence"
    return None


def _found_something_new(state: State) -> bool:
    before = {seen.evidence for seen in state["observations"] if seen.round < state["round"]}
    return any(seen.round == state["round"] and seen.evidence not in before for seen in state["observations"])
