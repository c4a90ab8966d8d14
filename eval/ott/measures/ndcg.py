"""nDCG@k: how high the gold units stand, against the best order that there is (HELIOS, section 5.1)."""

from math import log2

from eval.ott.judging import Judged


def ndcg(judged: Judged, k: int) -> float:
    """Return the discounted gain of the first k units over that of a ranking that begins with all gold units.

    What there is to find is counted in the links of the corpus. A retriever with links of its own can rank more edges
    of a gold row than those, so its nDCG may pass 1; it is not cut, to agree with the published baselines.
    """
    gained = sum(1 / log2(place + 2) for place, gold in enumerate(judged.gold[:k]) if gold)
    ideal = sum(1 / log2(place + 2) for place in range(min(k, judged.to_find)))
    return gained / ideal if ideal else 0.0
