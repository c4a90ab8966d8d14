"""The evidence ledger: every piece that any round saw, ranked by its absolute score against each need.

Scores are of one piece and one need, so what a later round sees can add pieces and raise scores, but never lowers the
k-th best score of a need and a modality. OMG-QA (Table 5) loses evidence where later queries rank differently; this
does not.
"""

from collections.abc import Iterable, Mapping, Sequence

from heliograph.turns import by_turns
from heliograph.types import EvidenceId, Modality, Observation

FIRST = 2
"""Pieces of each need that come before all others: later needs never crowd them out."""
FLOOR = 0.2
"""A piece that scores no more than this is chosen neither for a modality nor in turns."""

Quotas = Mapping[Modality, int]
QUOTAS: Quotas = {"text": 4, "table": 4, "image": 1}
"""Places that a modality is entitled to among the chosen pieces (OMG-QA, section 3)."""


def rank(observations: Iterable[Observation], need: int | None = None) -> tuple[Observation, ...]:
    """Return the best observation of each piece against a need, or against any; best first, ties to the smaller id."""
    best: dict[EvidenceId, Observation] = {}
    for seen in observations:
        if need is not None and seen.need != need:
            continue
        known = best.get(seen.evidence)
        if known is None or _preference(seen) < _preference(known):
            best[seen.evidence] = seen
    return tuple(sorted(best.values(), key=lambda seen: (-seen.score, seen.evidence)))


def top(
    observations: Iterable[Observation], modality: Modality, k: int, need: int | None = None
) -> tuple[Observation, ...]:
    """Return the k best pieces of one modality."""
    return rank((seen for seen in observations if seen.modality == modality), need)[:k]


def new_evidence(observations: Sequence[Observation], round: int) -> tuple[EvidenceId, ...]:
    """Name the pieces that no round before this one had seen, best first as this round scored them."""
    before = {seen.evidence for seen in observations if seen.round < round}
    fresh = (seen for seen in observations if seen.round == round and seen.evidence not in before)
    return tuple(seen.evidence for seen in rank(fresh))


def unscored(observations: Sequence[Observation], need: int) -> tuple[EvidenceId, ...]:
    """Name the pieces of the ledger that have no score against a need yet, in the order in which they came."""
    scored = {seen.evidence for seen in observations if seen.need == need}
    return tuple(dict.fromkeys(seen.evidence for seen in observations if seen.evidence not in scored))


def choose(
    observations: Sequence[Observation],
    costs: Mapping[EvidenceId, int],
    budget: int,
    quotas: Quotas = QUOTAS,
    most: int | None = None,
) -> tuple[Observation, ...]:
    """Return the pieces that an answer is written from: turns over the needs, within a budget of tokens.

    First come the best FIRST pieces of each need, then the best pieces of each modality until its quota over the whole
    choice is filled, then the next best of each need in turn. A piece that no longer fits is passed over. The choice
    stands in that order too, so that its beginning holds every need and every modality: pieces that are entitled to
    their places, then the others, both by the best place that each piece has among those of a need.

    Args:
        costs: tokens that each piece takes.
        budget: tokens of all pieces together; the first piece is chosen whatever it takes.
        most: pieces at most.
    """
    lists = [rank(observations, need) for need in sorted({seen.need for seen in observations})]
    turns, first = by_turns(lists), by_turns([ranked[:FIRST] for ranked in lists])
    everything = rank(observations)
    chosen: dict[EvidenceId, Observation] = {}
    left = budget

    def take(seen: Observation) -> bool:
        nonlocal left
        cost = costs[seen.evidence]
        full = (most is not None and len(chosen) >= most) or (cost > left and bool(chosen))
        if full or seen.evidence in chosen:
            return False
        chosen[seen.evidence] = seen
        left -= cost
        return True

    for seen in first:
        take(seen)
    for modality, quota in quotas.items():
        lacking = quota - sum(seen.modality == modality for seen in chosen.values())
        for seen in everything:
            if lacking > 0 and seen.modality == modality and seen.score > FLOOR:
                lacking -= take(seen)
    entitled = set(chosen)
    for seen in turns:
        if seen.score > FLOOR:
            take(seen)
    best: dict[EvidenceId, Observation] = {}
    for seen in turns:
        if seen.evidence in chosen:
            best.setdefault(seen.evidence, seen)
    return tuple(sorted(best.values(), key=lambda seen: seen.evidence not in entitled))


def _preference(seen: Observation) -> tuple[float, int, bool, str, int, str]:
    """Order sightings of one piece: higher score, then earlier round, then without a detour, then the earlier need."""
    return (-seen.score, seen.round, seen.via is not None, seen.via or "", seen.need, seen.modality)
