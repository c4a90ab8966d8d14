"""Hops from what describes a thing to what is said of it: HELIOS's edges between a table segment and a passage.

"Who discovered the moon that sweeps the gap?" names no moon. One piece says which moon sweeps it, by a name that the
question does not say; another piece, about that name, says who discovered it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.extractive.coverage import Match, Run, covered_share, runs_of, together
from agent.extractive.focus import Focus
from heliograph.text.names import names_in, plain_title
from heliograph.text.words import stem, stems
from heliograph.types import TableSegment
from indexers.links import links_of, says, subject_of

ABOUT = 0.05
"""What a hop gains when its second piece is about the name, and does not only mention it."""
CALLED = 0.3
"""What it gains when its first piece calls the name what the question calls it: "the rover Opportunity"."""
DESCRIBED = 0.3
"""Share of the description that the first piece must say."""
LONGEST_START = 4
"""Sentences of the first piece: who "he" is may stand far before."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A run that names the thing that is asked about, a unit about it, and what their connection is worth."""

    start: Run
    end: Run
    gain: float


def hops(focus: Focus, matches: Sequence[Match]) -> Iterator[Hop]:
    """Yield every hop; none where the question describes nothing in place of naming it."""
    if not focus.heads:
        return
    asked = frozenset(stems(focus.question))
    ends = [_End.of(Run((match,))) for match in matches]
    for start in runs_of(matches, LONGEST_START):
        if _described(focus, start) < DESCRIBED:
            continue
        new = {name: CALLED if is_called(name, start, focus.heads) else 0.0 for name in new_names(start, asked)}
        for end in ends:
            gain = _gain(new, end) if end.run.evidence.id != start.evidence.id else None
            if gain is not None:
                yield Hop(start, end.run, gain)


def called_names(focus: Focus, matches: Sequence[Match]) -> tuple[str, ...]:
    """Return the names that pieces call what the question calls the thing that it describes, best described first.

    "The probe whose picture revealed the plume of Pele" is Voyager 1, where a sentence about that picture says "the
    probe Voyager 1".
    """
    asked, found = frozenset(stems(focus.question)), dict[str, float]()
    for start in runs_of(matches, LONGEST_START) if focus.heads else ():
        described = _described(focus, start)
        if described >= DESCRIBED:
            for name in new_names(start, asked):
                if is_called(name, start, focus.heads):
                    found[name] = max(found.get(name, 0.0), described)
    return tuple(sorted(found, key=lambda name: (-found[name], name)))


def new_names(run: Run, asked: frozenset[str]) -> frozenset[str]:
    """Return the names that a run says and the question does not: capitalised words, linked pages, the row's name."""
    found = {*names_in(run.quote), *(plain_title(link.target) for link in links_of(run.evidence))}
    if isinstance(run.evidence, TableSegment):
        found.add(subject_of(run.evidence))
    return frozenset(name for name in found if says(run.quote, name) and not frozenset(stems(name)) <= asked)


def is_called(name: str, run: Run, heads: frozenset[str]) -> bool:
    """Tell whether a run calls a name one of the heads, right before it or by the column that it stands in."""
    if isinstance(run.evidence, TableSegment):
        cells = zip(run.evidence.header, run.evidence.cells, strict=False)
        return any(name in cell.text and heads & frozenset(stems(header)) for header, cell in cells)
    found = re.search(rf"([\w-]+) {re.escape(name)}(?!\w)", run.quote)
    return found is not None and stem(found[1]) in heads


def _described(focus: Focus, run: Run) -> float:
    """Return the share of the description that a run says."""
    covers = zip(focus.words, together([match.covers for match in run.matches]), strict=True)
    return covered_share([cover for word, cover in covers if word.described])


@dataclass(frozen=True, slots=True)
class _End:
    """The second piece of a hop, with what it is about and what it says."""

    run: Run
    about: frozenset[str]
    quote: str

    @classmethod
    def of(cls, run: Run) -> "_End":
        """Look at a run once for all hops to it."""
        titles = (subject_of(run.evidence), run.evidence.place.title)
        return cls(run, frozenset(map(plain_title, titles)), run.quote)


def _gain(new: Mapping[str, float], end: _End) -> float | None:
    """Return what is gained where a unit is about one of the names or mentions it; None where it does neither."""
    gains = [called + ABOUT for name, called in new.items() if name in end.about]
    gains += [called for name, called in new.items() if says(end.quote, name)]
    return max(gains, default=None)
