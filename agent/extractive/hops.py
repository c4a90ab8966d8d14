"""Hops from what describes a thing to what is said of it: HELIOS's edges between a table segment and a passage.

"Who discovered the moon that sweeps the gap?" names no moon. One piece says which moon sweeps it, by a name that the
question does not say; another piece, about that name, says who discovered it. Which of the pairs that names join
answers is for a reader to say; where there is none, those count that say most of the question.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby, islice

from agent.extractive.context import continues, with_context
from agent.extractive.coverage import Match, Run, covered_share, runs_of, together
from agent.extractive.focus import Focus
from heliograph.text.names import names_in, plain_title
from heliograph.text.words import stem, stems
from heliograph.types import Evidence, EvidenceHop, Scored, TableSegment
from indexers.links import links_of, says, subject_of
from indexers.parser import leaf_of

ABOUT = 0.05
"""What a hop gains when its second piece is about the name, and does not only mention it."""
CALLED = 0.3
"""What it gains when its first piece calls the name what the question calls it: "the rover Opportunity"."""
DESCRIBED = 0.3
"""Share of the description that the first piece must say."""
LONGEST_START = 4
"""Sentences of the first piece: who "he" is may stand far before."""
PAIRS, PAIRED = 16, 60
"""Pairs that are read, and pieces among which they are looked for, the first ones."""
PLACES = 8
"""What is added to the place of a piece before its reciprocal is taken (Cormack et al. 2009)."""
TOGETHER, LED = 0.2, 0.02
"""What a pair gains by saying all of a question, and when one of it is about a name that the other says."""


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
    ends = [_End.of(_from_subject(matches, place)) for place in range(len(matches))]
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


def _from_subject(matches: Sequence[Match], place: int) -> Run:
    """Return a unit with the sentences before it that say what its pronouns stand for."""
    first = place
    while (
        place - first < LONGEST_START - 1
        and matches[first].unit.number > 0
        and matches[first].unit.continuous
        and continues(matches[first].unit.quote)
    ):
        first -= 1
    return Run(tuple(matches[first : place + 1]))


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


@dataclass(frozen=True)
class _Piece:
    """A piece of evidence with what it is about, and the names that it says and the question does not."""

    matches: tuple[Match, ...]
    place: int
    score: float
    asked: frozenset[str]

    @property
    def evidence(self) -> Evidence:
        return self.matches[0].unit.evidence

    @cached_property
    def text(self) -> str:
        return " ".join(match.unit.quote for match in self.matches)

    @cached_property
    def about(self) -> frozenset[str]:
        titles = (subject_of(self.evidence), self.evidence.place.title)
        return frozenset(name for title in titles if (name := plain_title(title)) and self._is_new(name))

    @cached_property
    def names(self) -> frozenset[str]:
        said = {*names_in(self.text), *(plain_title(link.target) for link in links_of(self.evidence))}
        return self.about | {name for name in said if name and self._is_new(name) and says(self.text, name)}

    @cached_property
    def covers(self) -> tuple[float, ...]:
        return together([match.covers for match in self.matches])

    def leads_to(self, other: "_Piece") -> bool:
        return not self.names.isdisjoint(other.about)

    def mentions(self, other: "_Piece") -> bool:
        return any(says(other.text, name) for name in self.names)

    def best(self, covers: Sequence[float]) -> Match:
        """Return the unit that says most of the question beside what is covered already."""
        return max(self.matches, key=lambda match: covered_share(together([match.covers, covers])))

    def _is_new(self, name: str) -> bool:
        return not frozenset(stems(name)) <= self.asked


def linked_pairs(
    question: str, evidence: Sequence[Scored[Evidence]], matches: Sequence[Match]
) -> tuple[Scored[EvidenceHop], ...]:
    """Return pairs of pieces that a name joins which the question does not say, the most promising first.

    Those are that stand far up in the evidence and say much of the question together. `matches` are the units of the
    evidence in its order, and of rows that it names; each pair has the score of the piece that it leads to.
    """
    asked, known = frozenset(stems(question)), {each.item.id: each.score for each in evidence}
    places = {id: place for place, id in enumerate(known)}
    grouped = groupby(matches, key=lambda match: match.unit.evidence.id)
    pieces = [
        _Piece(tuple(units), places.get(id, len(places)), known.get(id, 0.0), asked)
        for id, units in islice(grouped, PAIRED)
    ]
    found = list[tuple[float, int, _Piece, _Piece]]()
    for number, (one, other) in enumerate(combinations(pieces, 2)):
        if leaf_of(one.evidence.id) == leaf_of(other.evidence.id):
            continue  # rows of one table
        led = one.leads_to(other) or other.leads_to(one)
        if led or one.mentions(other) or other.mentions(one):
            start, end = (one, other) if one.leads_to(other) or not other.leads_to(one) else (other, one)
            worth = sum(1 / (PLACES + each.place) for each in (one, other)) + LED * led
            worth += TOGETHER * covered_share(together([one.covers, other.covers]))
            found.append((-worth, number, start, end))
    best = sorted(found, key=lambda each: each[:2])[:PAIRS]
    return tuple(Scored(_joined(start, end), end.score) for _, _, start, end in best)


def _joined(start: _Piece, end: _Piece) -> EvidenceHop:
    run = with_context(Run((start.best(end.covers),)), start.matches)
    return EvidenceHop(start.evidence, end.evidence, run.quotes, (end.best(start.covers).unit.quote,))
