"""Plans over a knowledge base of the pages read: what meets one is found for a need, and its rows are raised."""

from collections.abc import Sequence
from dataclasses import replace

from agent.services import Services
from agent.state import State
from heliograph.types import FoundPaths, Need, Observation
from indexers.fusion import risen

PATH_WEIGHT = 0.9
"""How far a plan is believed: what states a step of a sure one keeps a tenth of what it lacked to 1."""


async def found_paths(needs: Sequence[tuple[int, Need]], state: State, services: Services) -> tuple[FoundPaths, ...]:
    """Return what meets the plans of needs over all pages read, with what was found for other needs before."""
    assert services.paths is not None, "no base is made of pages"
    documents = services.library.documents(dict.fromkeys(state.get("documents", ())))
    found = {each.need: each for each in state.get("paths", ())}
    for place, need in needs:
        found[place] = replace(await services.paths.paths(need.text, documents), need=place)
    return tuple(found[place] for place in sorted(found))


def along_paths(observations: Sequence[Observation], paths: FoundPaths | None) -> tuple[Observation, ...]:
    """Raise the scores of what the rows of paths rest on by the probability of their plan; nothing falls."""
    if paths is None or not paths.rows:
        return tuple(observations)
    cited, share = frozenset(paths.cited), PATH_WEIGHT * min(1.0, paths.probability)
    return tuple(
        replace(seen, score=risen(seen.score, share), via=seen.via or seen.evidence) if seen.evidence in cited else seen
        for seen in observations
    )
