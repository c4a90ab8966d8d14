"""The evidence ledger: every piece that any round saw, ranked by its absolute score.

Scores are against the original question, so what a later round sees can add pieces and raise scores, but never lowers
the k-th best score of a modality. OMG-QA (Table 5) loses evidence where later queries rank differently; this does not.
"""

from collections.abc import Iterable, Sequence

from heliograph.types import EvidenceId, Modality, Observation


def rank(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """Return the best observation of each piece, best first; equal scores stand in the order of ids."""
    best: dict[EvidenceId, Observation] = {}
    for seen in observations:
        known = best.get(seen.evidence)
        if known is None or _preference(seen) < _preference(known):
            best[seen.evidence] = seen
    return tuple(sorted(best.values(), key=lambda seen: (-seen.score, seen.evidence)))


def top(observations: Iterable[Observation], modality: Modality, k: int) -> tuple[Observation, ...]:
    """Return the k best pieces of one modality."""
    return rank(seen for seen in observations if seen.modality == modality)[:k]


def new_evidence(observations: Sequence[Observation], round: int) -> tuple[EvidenceId, ...]:
    """Name the pieces that no round before this one had seen, best first as this round scored them."""
    before = {seen.evidence for seen in observations if seen.round < round}
    fresh = (seen for seen in observations if seen.round == round and seen.evidence not in before)
    return tuple(seen.evidence for seen in rank(fresh))


def _preference(seen: Observation) -> tuple[float, int, bool, str, str]:
    """Order sightings of one piece: higher score, then earlier round, then without a detour."""
    return (-seen.score, seen.round, seen.via is not None, seen.via or "", seen.modality)
