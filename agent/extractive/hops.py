"""Hops from what describes a thing to what is said of it: HELIOS's edges between a table segment and a passage.

"Who discovered the moon that sweeps the gap?" names no moon. One piece says which moon sweeps it, by a name that the
question does not say; another piece, about that name, says who discovered it. Both are read together.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.extractive.units import Run, Unit, all_units, units_of
from heliograph.text.names import names_in, plain_title
from heliograph.text.words import STOP_WORDS, content_stems, coverage, stem, stems
from heliograph.types import Evidence, EvidenceHop, EvidenceId, Scored, TableSegment
from indexers.links import links_of, says, subject_of

HOPS = 3
"""Hops that are read."""
STARTS = 5
"""Pieces from which hops begin: those that say most of the question."""
LONGEST_START, MAX_RUNS = 4, 8
"""Sentences of the first piece, since who "he" is may stand far before; and how many stretches names are sought in."""
OWN, CALLED = 0.3, 0.3
"""What the share of the question counts that the second piece says by itself, and what it counts that the first one
calls the name what the question calls the thing: "the rover Opportunity"."""
_DESCRIBED = re.compile(
    r"\b(?:the|an?|one) (?P<called>(?:(?!the |an? |one )[\w'’-]+ ){0,4}?(?!the |an? |one )[\w'’-]+),? "
    r"(?:(?:from|in|on|of|by|at|to|after) )?"
    r"(?:that|which|who|whose|whom|where|with|named|called)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Start:
    """What describes a thing, with the stems that it says, and a name that it gives the thing."""

    run: Run
    said: frozenset[str]
    name: str
    is_called: bool


_End = tuple[Unit, frozenset[str], float]
"""What is about a name, with the stems that it says and the share of the question that its own words say."""


def hops_of(question: str, evidence: Sequence[Scored[Evidence]]) -> tuple[Scored[EvidenceHop], ...]:
    """Return the hops whose pieces together say most of a question, the best first, each scored as its second piece is.

    None where the question describes nothing by a clause, or no piece is about a name that its best pieces say.
    """
    starts = list(starts_of(question, [scored.item for scored in evidence]))
    if not starts:
        return ()
    asked, names, about = _weights(question), {start.name for start in starts}, defaultdict[str, list[_End]](list)
    for unit in all_units(question, [scored.item for scored in evidence]):
        if named := names & {plain_title(subject_of(unit.evidence)), plain_title(unit.evidence.place.title)}:
            own = coverage(asked, frozenset(stems(unit.quote)))
            for name in named:
                about[name].append((unit, frozenset(stems(unit.said)), own))
    worth = dict[tuple[EvidenceId, EvidenceId], tuple[float, EvidenceHop]]()
    scores = {scored.item.id: scored.score for scored in evidence}
    for start in starts:
        for end, said, own in about[start.name]:
            pair = start.run.evidence.id, end.evidence.id
            value = coverage(asked, start.said | said) + OWN * own + CALLED * start.is_called
            if pair[0] != pair[1] and value > worth.get(pair, (0.0,))[0]:
                quotes = tuple(unit.quote for unit in start.run.units)
                worth[pair] = value, EvidenceHop(start.run.evidence, end.evidence, quotes, (end.quote,))
    best = sorted(worth.values(), key=lambda each: -each[0])[:HOPS]
    return tuple(Scored(hop, scores.get(hop.end.id, 0.0)) for _, hop in best)


def bridges_of(question: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the names that pieces call what the question calls the thing that it describes, best described first.

    "The probe whose picture revealed the plume of Pele" is Voyager 1, where a sentence about that picture says "the
    probe Voyager 1".
    """
    return tuple(dict.fromkeys(start.name for start in starts_of(question, evidence) if start.is_called))


def starts_of(question: str, evidence: Sequence[Evidence]) -> Iterator[Start]:
    """Yield what describes the thing that a question asks about, the pieces that say most of it first.

    Nothing where the question describes nothing by a clause.
    """
    described = _DESCRIBED.search(question)
    if described is None:
        return
    heads = frozenset(stem(word) for word in described["called"].casefold().split() if word not in STOP_WORDS)
    asked, known = _weights(question), frozenset(stems(question))
    best = sorted((each for piece in evidence if (each := _best_runs(asked, piece))), key=lambda each: -each[0])
    for _, runs in best[:STARTS]:
        shortest = dict[str, Run]()
        for run in runs:
            for name in _new_names(run, known):
                shortest.setdefault(name, run)
        for name, run in shortest.items():
            yield Start(run, run.stems, name, _is_called(name, run, heads))


def _best_runs(asked: Mapping[str, float], piece: Evidence) -> tuple[float, list[Run]] | None:
    """Return the share of a question that a piece says, and its runs that say all of that, the shortest first."""
    units = units_of(piece)
    said = [frozenset(stems(unit.said)) for unit in units]
    longest = LONGEST_START if units and units[0].continuous else 1
    spans = [(first, first + length) for length in range(1, longest + 1) for first in range(len(units) - length + 1)]
    shares = [coverage(asked, frozenset().union(*said[start:end])) for start, end in spans]
    share = max(shares, default=0.0)
    if not share:
        return None
    whole = [Run(units[start:end]) for (start, end), each in zip(spans, shares, strict=True) if each == share]
    return share, whole[:MAX_RUNS]


def _weights(question: str) -> Mapping[str, float]:
    return dict.fromkeys(content_stems(question), 1.0)


def _new_names(run: Run, known: frozenset[str]) -> list[str]:
    """Return the names that a run says and the question does not: capitalised words, linked pages, the row's name."""
    found = dict.fromkeys((*names_in(run.quote), *(plain_title(link.target) for link in links_of(run.evidence))))
    if isinstance(run.evidence, TableSegment):
        found[subject_of(run.evidence)] = None
    return [name for name in found if says(run.quote, name) and not frozenset(stems(name)) <= known]


def _is_called(name: str, run: Run, heads: frozenset[str]) -> bool:
    """Tell whether a run calls a name one of the heads, right before it or by the column that it stands in."""
    if isinstance(run.evidence, TableSegment):
        cells = zip(run.evidence.header, run.evidence.cells, strict=False)
        return any(name in cell.text and heads & frozenset(stems(header)) for header, cell in cells)
    found = re.search(rf" {re.escape(name)}(?!\w)", run.quote)
    before = run.quote[: found.start()].rsplit(None, 1) if found else []
    return bool(before) and stem(before[-1]) in heads
