"""How well sentences, rows and captions cover a question, and the few connected ones that cover it best."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from agent.arithmetic.words import akin, stem, stems
from agent.extractive.focus import Focus, FocusWord
from agent.extractive.units import Unit, subject_of
from heliograph.protocols import Embedder, WordAligner
from heliograph.types import Evidence
from indexers.links import links_of

UNRELATED, SYNONYM = 0.38, 0.62
"""Token similarities at and below which a word is not said, and from which it is; linear between.

Measured on the embedded MiniLM with words of the demo articles: "wide" and "in diameter" .51, "cost" in a text without
one .34, the word itself .84 and more.
"""
RUN = 3
"""Sentences that may stand in one quote."""
SENTENCE_COST = 0.05
"""What a further sentence of a run must add: one that says all is better than two."""
PIECE_COST = 0.2
"""What a second piece of evidence must add."""
BRIDGE = 0.12
"""What a second piece gains when the first one names its subject and the question does not: a hop."""
KIND_COST = 0.25
"""What a quote loses that has no date where a date is asked, no figure where a figure is."""
SAID = 0.4
"""Cover from which a word counts as said."""
GAIN = 0.75
"""Weight of what either of two runs must say that the other does not."""
PRIOR = 0.5
"""Weight of the score that a piece has in the ledger."""
STRICT_COST = 0.3
"""What each name or figure of the question costs that is not said."""
SAME_NAME, SAME_PEOPLE = 0.65, 0.5
"""Token similarities from which one name stands for another, and the name of a people for its country.

Measured: "American" and "United States" .67, "Emirati" and "United Arab Emirates" .57; "Titania" and "Titan" .59, and
names that have nothing to do with each other .40 and less.
"""
ORDINALS = {
    stem(word): str(number)
    for number, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth"], start=1)
}
"""Tables say "2" where a question says "second"."""
CLOSE = 0.12
"""How far the worth of a run of another piece may be below the best to be said as well."""
COMPLETE = 0.9
"""Coverage from which one run says it all."""
CANDIDATES = 12
"""Runs that are tried as one half of a pair."""

_PEOPLE = re.compile(r"(?:an|ish|ese|i)$")
_TIME = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b|\b\d{1,2}(?:st|nd|rd|th) century\b")
_COUNT = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million"
_FIGURE = re.compile(rf"\d|\b(?:{_COUNT})\b", re.I)
_PERSON = re.compile(r"\b[A-Z\u00c0-\u00dd][^\W\d_]+(?: (?:[A-Z]\.? )?[A-Z\u00c0-\u00dd][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Match:
    """A unit beside a question: its cosine, and what it covers of each word, in [0, 1]."""

    unit: Unit
    cosine: float
    covers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive units of one piece, quoted together."""

    matches: tuple[Match, ...]

    @property
    def evidence(self) -> Evidence:
        """Return the piece that the run is quoted from."""
        return self.matches[0].unit.evidence

    @property
    def quote(self) -> str:
        """Return the words of the run."""
        return " ".join(match.unit.quote for match in self.matches)


@dataclass(frozen=True, slots=True)
class Composition:
    """The runs that answer together; `coverage` is the covered share of the question's weight, in [0, 1]."""

    runs: tuple[Run, ...]
    covers: tuple[float, ...]
    coverage: float
    worth: float


async def match_units(
    focus: Focus, units: Sequence[Unit], embedder: Embedder, aligner: WordAligner
) -> tuple[Match, ...]:
    """Compare every unit with the question, in the order given."""
    if not units:
        return ()
    texts = [unit.said for unit in units]
    asked, *said = await embedder.embed([focus.question, *texts])
    aligned = await aligner.align(focus.question, [word.span for word in focus.words], texts)
    return tuple(
        Match(unit, float(np.dot(asked, vector)), _covers(focus, unit, similar))
        for unit, similar, vector in zip(units, aligned, said, strict=True)
    )


def compose(focus: Focus, matches: Sequence[Match]) -> Composition | None:
    """Choose the run, or the two connected runs, of the greatest worth."""
    alone = sorted((composition(focus, (run,)) for run in runs_of(matches)), key=_order)
    pairs = (
        composition(focus, (left.runs[0], right.runs[0]))
        for left, right in combinations_with_first(alone, CANDIDATES)
        if complete_each_other(focus, left, right) and speak_of_one_thing(focus, left, right)
    )
    return min((*alone[:1], *pairs), key=_order, default=None)


def alternative(focus: Focus, matches: Sequence[Match], chosen: Composition) -> Run | None:
    """Return the best run of another piece, where one run was chosen, leaves something unsaid and is hardly better."""
    if len(chosen.runs) > 1 or chosen.coverage >= COMPLETE:
        return None
    others = [match for match in matches if match.unit.evidence.id != chosen.runs[0].evidence.id]
    best = min((composition(focus, (run,)) for run in runs_of(others)), key=_order, default=None)
    close = best is not None and best.worth >= chosen.worth - CLOSE and not unsaid_names(focus, best.covers)
    return best.runs[0] if best is not None and close else None


def combinations_with_first(each: Sequence[Composition], first: int) -> Iterator[tuple[Composition, Composition]]:
    """Yield every pair that has one of the `first` items in it."""
    for place, left in enumerate(each[:first]):
        for right in each[place + 1 :]:
            yield left, right


def complete_each_other(focus: Focus, left: Composition, right: Composition) -> bool:
    """Tell whether each of two says what the other does not."""
    gains = [
        (mine - yours) * word.weight for mine, yours, word in zip(left.covers, right.covers, focus.words, strict=True)
    ]
    return sum(gain for gain in gains if gain > 0) >= GAIN and -sum(gain for gain in gains if gain < 0) >= GAIN


def runs_of(matches: Sequence[Match]) -> Iterator[Run]:
    """Yield every run of up to RUN consecutive sentences of a paragraph, and every other unit by itself."""
    for _, group in groupby(matches, key=lambda match: match.unit.evidence.id):
        units = tuple(group)
        longest = RUN if units[0].unit.continuous else 1
        for start in range(len(units)):
            for end in range(start + 1, min(start + longest, len(units)) + 1):
                yield Run(units[start:end])


def composition(focus: Focus, runs: tuple[Run, ...]) -> Composition:
    """Weigh runs: the best cosine, the share of the question they cover, less for length and for a missing kind."""
    matches = [match for run in runs for match in run.matches]
    covers = tuple(max(column) for column in zip(*(match.covers for match in matches), strict=True))
    coverage = covered_share(focus, covers)
    worth = max(match.cosine + PRIOR * match.unit.score for match in matches) + coverage
    worth -= SENTENCE_COST * (len(matches) - len(runs)) + STRICT_COST * len(unsaid_names(focus, covers))
    worth -= sum(misfit(focus, run.quote) for run in runs) / len(runs)
    if len(runs) > 1:
        worth += (BRIDGE if bridges(focus, *runs) else 0.0) - PIECE_COST
    return Composition(runs, covers, coverage, worth)


def speak_of_one_thing(focus: Focus, left: Composition, right: Composition) -> bool:
    """Tell whether two runs belong together: a hop by a new subject, or one of them says every name that is said.

    Without a hop, two names of the question in two places say nothing of how they are related.
    """
    first, second = left.runs[0], right.runs[0]
    if first.evidence.id == second.evidence.id:
        return False
    if bridges(focus, first, second):
        return True
    about = subject_of(first.evidence) == subject_of(second.evidence) or names(first, second) or names(second, first)
    gaps = (set(unsaid_names(focus, left.covers)), set(unsaid_names(focus, right.covers)))
    return about and (gaps[0] <= gaps[1] or gaps[1] <= gaps[0])


def bridges(focus: Focus, left: Run, right: Run) -> bool:
    """Tell whether one run leads to the other by a subject that the question does not name."""
    asked = focus.question.casefold()
    return any(
        subject.casefold() not in asked and says(start, subject)
        for start, end in ((left, right), (right, left))
        for subject in (plain(subject_of(end.evidence)), plain(end.evidence.place.title))
    )


def names(run: Run, other: Run) -> bool:
    """Tell whether a run links to the page of another or says its subject."""
    if any(link.target == other.evidence.place.title for link in links_of(run.evidence)):
        return True
    return says(run, plain(subject_of(other.evidence)))


def says(run: Run, subject: str) -> bool:
    """Tell whether a run says a name, as whole words."""
    return re.search(rf"\b{re.escape(subject)}\b", run.quote) is not None


def plain(title: str) -> str:
    """Return a title without the words that tell it from others of its name: "Triton (moon)" is "Triton"."""
    return re.sub(r"\s*\([^()]*\)$", "", title)


def unsaid_words(focus: Focus, covers: Sequence[float]) -> tuple[FocusWord, ...]:
    """Return the words that nothing says."""
    return tuple(word for word, cover in zip(focus.words, covers, strict=True) if cover < SAID)


def covered_share(focus: Focus, covers: Sequence[float]) -> float:
    """Return the covered share of the question's weight; a question without content words is not covered."""
    if not focus.words:
        return 0.0
    return sum(word.weight * cover for word, cover in zip(focus.words, covers, strict=True)) / focus.weight


def unsaid_names(focus: Focus, covers: Sequence[float]) -> tuple[FocusWord, ...]:
    """Return the names and figures that nothing says."""
    return tuple(word for word in unsaid_words(focus, covers) if word.strict)


def misfit(focus: Focus, quote: str) -> float:
    """Return what a quote loses that cannot hold the kind of answer asked for."""
    match focus.asks:
        case "time":
            return 0.0 if _TIME.search(quote) else KIND_COST
        case "number":
            return 0.0 if _FIGURE.search(quote) else KIND_COST
        case "name":
            asked = focus.question.casefold()
            new = [name for name in _PERSON.findall(quote) if name.casefold() not in asked]
            return 0.0 if any(" " in name for name in new) else KIND_COST / 2 if new else KIND_COST
        case "open":
            return 0.0


def _covers(focus: Focus, unit: Unit, similar: Sequence[float]) -> tuple[float, ...]:
    said = stems(unit.said)
    known = frozenset(said)
    follows = frozenset(pairwise(said))
    return tuple(_cover(word, known, follows, value) for word, value in zip(focus.words, similar, strict=True))


def _cover(word: FocusWord, said: frozenset[str], follows: frozenset[tuple[str, str]], similar: float) -> float:
    if word.figure:
        return float((word.anchor, word.stem) in follows if word.anchor else word.stem in said)
    if word.stem in said or ORDINALS.get(word.stem) in said or any(akin(word.stem, other) for other in said):
        return 1.0
    if word.strict:
        return float(similar >= (SAME_PEOPLE if _PEOPLE.search(word.span.text) else SAME_NAME))
    return min(1.0, max(0.0, (similar - UNRELATED) / (SYNONYM - UNRELATED)))


def _order(each: Composition) -> tuple[float, tuple[str, ...], str]:
    return (-each.worth, tuple(run.evidence.id for run in each.runs), each.runs[0].quote)
