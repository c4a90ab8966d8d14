"""How well sentences, rows and captions say what a question says, word by word, and can hold its answer."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from agent.extractive.answers import holds
from agent.extractive.focus import Focus, FocusWord
from agent.extractive.units import Unit
from heliograph.protocols import Embedder, Vectors, WordAligner
from heliograph.text.words import akin_to_any, stem, stems
from heliograph.types import Evidence, EvidenceId, PageKey, TextEvidence
from indexers.depiction import depiction_of

UNRELATED, SYNONYM = 0.38, 0.62
"""Token similarities at and below which a word is not said, and from which it is; linear between.

Measured on the embedded MiniLM with words of the demo articles: "wide" and "in diameter" .51, "cost" in a text without
one .34, the word itself .84 and more.
"""
SAID = 0.4
"""Cover from which a word counts as said."""
RUN = 3
"""Sentences that may stand in one quote."""
SAME_NAME = 0.65
"""Token similarity from which one name stands for another.

Measured: "American" and "United States" .67; "Titania" and "Titan" .59, and names that have nothing to do with each
other .40 and less.
"""

NOTHING_SHOWN: Mapping[EvidenceId, float] = {}


@dataclass(frozen=True, slots=True)
class Match:
    """A unit beside a question: its cosine, what it covers of each word, how well it can hold the answer; in [0, 1]."""

    unit: Unit
    cosine: float
    covers: tuple[float, ...]
    holds: float


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive units of one piece, quoted together."""

    matches: tuple[Match, ...]

    @property
    def evidence(self) -> Evidence:
        """Return the piece that the run is quoted from."""
        return self.matches[0].unit.evidence

    @property
    def quotes(self) -> tuple[str, ...]:
        """Return the quotes of its units."""
        return tuple(match.unit.quote for match in self.matches)

    @property
    def quote(self) -> str:
        """Return the words of the run."""
        return " ".join(self.quotes)


async def match_units(
    focus: Focus,
    units: Sequence[Unit],
    embedder: Embedder,
    aligner: WordAligner,
    shown: Mapping[EvidenceId, float] = NOTHING_SHOWN,
) -> tuple[Match, ...]:
    """Compare every unit with the question, in the order given.

    `shown` tells how probable it is that a picture shows what the question asks for; its units then say that too.
    """
    if not units:
        return ()
    texts = [unit.said for unit in units]
    embedded = await embedder.embed([focus.question, *texts])
    aligned = await aligner.align(focus.question, [word.span for word in focus.words], texts)
    return await asyncio.to_thread(_matched, focus, units, embedded, aligned, shown)


def _matched(
    focus: Focus,
    units: Sequence[Unit],
    embedded: Vectors,
    aligned: Sequence[Sequence[float]],
    shown: Mapping[EvidenceId, float],
) -> tuple[Match, ...]:
    asked, *said = embedded
    said_alone = [_covers(focus, *each) for each in zip(units, aligned, strict=True)]
    covers = _with_leads(focus, units, with_shown(focus, units, said_alone, shown))
    cosines = (float(np.dot(asked, vector)) for vector in said)
    return tuple(
        Match(unit, cosine, covered, holds(focus.asked, focus.question, unit))
        for unit, cosine, covered in zip(units, cosines, covers, strict=True)
    )


def with_shown(
    focus: Focus, units: Sequence[Unit], covers: Sequence[tuple[float, ...]], shown: Mapping[EvidenceId, float]
) -> tuple[tuple[float, ...], ...]:
    """Let each unit of a picture cover the words of the description as far as the picture shows it.

    Names and figures have to be said in words: no picture tells who stands in it. A question that asks for no picture
    has no description; what "found" or "largest" means cannot be seen.
    """
    described = depiction_of(focus.question)
    if described is None or not shown:
        return tuple(covers)
    seen = tuple(not word.strict and described.start <= word.span.start < described.end for word in focus.words)
    return tuple(
        _raised(covered, (shown[unit.evidence.id],) * len(seen), seen) if unit.evidence.id in shown else covered
        for unit, covered in zip(units, covers, strict=True)
    )


def _with_leads(
    focus: Focus, units: Sequence[Unit], covers: Sequence[tuple[float, ...]]
) -> tuple[tuple[float, ...], ...]:
    """Add to each unit below the lead the names that the lead of its page says: what the whole page is about."""
    leads: dict[PageKey, tuple[float, ...]] = {}
    for unit, covered in zip(units, covers, strict=True):
        if _leads(unit):
            page = unit.evidence.place.page
            leads[page] = together([leads.get(page, covered), covered])
    names = tuple(word.strict and not word.figure for word in focus.words)
    return tuple(
        covered if _leads(unit) else _raised(covered, leads.get(unit.evidence.place.page, covered), names)
        for unit, covered in zip(units, covers, strict=True)
    )


def _leads(unit: Unit) -> bool:
    return isinstance(unit.evidence, TextEvidence) and not unit.evidence.place.path


def _raised(covers: tuple[float, ...], to: tuple[float, ...], which: tuple[bool, ...]) -> tuple[float, ...]:
    return tuple(max(mine, said) if each else mine for mine, said, each in zip(covers, to, which, strict=True))


def runs_of(matches: Sequence[Match], most: int = RUN) -> Iterator[Run]:
    """Yield every run of up to `most` consecutive sentences of a paragraph, and every other unit by itself."""
    for _, group in groupby(matches, key=lambda match: match.unit.evidence.id):
        units = tuple(group)
        longest = most if units[0].unit.continuous else 1
        for start in range(len(units)):
            for end in range(start + 1, min(start + longest, len(units)) + 1):
                yield Run(units[start:end])


def together(covers: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return what several units cover of each word together: the best of them."""
    return tuple(max(column) for column in zip(*covers, strict=True))


def covered_share(covers: Sequence[float]) -> float:
    """Return the covered share of words; of none nothing is covered."""
    return sum(covers) / len(covers) if covers else 0.0


def unsaid_words(focus: Focus, covers: Sequence[float]) -> tuple[FocusWord, ...]:
    """Return the words that nothing says."""
    return tuple(word for word, cover in zip(focus.words, covers, strict=True) if cover < SAID)


def covers_of(focus: Focus, matches: Sequence[Match], runs: Sequence[Run]) -> tuple[float, ...]:
    """Return what quotes say of each word of the question; nothing where they are none of the units matched with it."""
    quoted = {(match.unit.evidence.id, match.unit.number) for run in runs for match in run.matches}
    covers = [match.covers for match in matches if (match.unit.evidence.id, match.unit.number) in quoted]
    return together([(0.0,) * len(focus.words), *covers])


def unsaid_names(focus: Focus, covers: Sequence[float]) -> tuple[FocusWord, ...]:
    """Return the names and figures that nothing says."""
    return tuple(word for word in unsaid_words(focus, covers) if word.strict)


def _covers(focus: Focus, unit: Unit, similar: Sequence[float]) -> tuple[float, ...]:
    said = stems(unit.said)
    known = frozenset(said)
    follows = frozenset(pairwise(said))
    return tuple(_cover(word, known, follows, value) for word, value in zip(focus.words, similar, strict=True))


def _cover(word: FocusWord, said: frozenset[str], follows: frozenset[tuple[str, str]], similar: float) -> float:
    if word.figure:
        return float((word.anchor, word.stem) in follows if word.anchor else word.stem in said)
    parts = word.stem.split("-")
    if len(parts) > 1 and all(stem(part) in said for part in parts):
        return 1.0
    if word.stem in said or akin_to_any(word.stem, said):
        return 1.0
    if word.strict:
        return float(similar >= SAME_NAME)
    return min(1.0, max(0.0, (similar - UNRELATED) / (SYNONYM - UNRELATED)))
