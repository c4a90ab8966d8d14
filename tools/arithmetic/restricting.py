"""Restrict the rows of a table by what a question says of them: names in cells, kinds, years and amounts."""

from collections.abc import Iterator

from heliograph.text.words import stems
from tools.arithmetic.comparisons import split_comparisons
from tools.arithmetic.conditions import tested
from tools.arithmetic.lexicon import LIGHT
from tools.arithmetic.phrases import Phrase, phrases_of
from tools.arithmetic.rewording import plain_words
from tools.arithmetic.view import View, in_subject, naming


def restricted_rows(question: str, view: View, least: int) -> tuple[int, ...]:
    """Return the rows that meet every condition of a question that can be tested, as long as `least` stay.

    A condition that would leave fewer is taken to speak of something else.
    """
    text, comparisons, _ = split_comparisons(plain_words(question))
    rows = view.rows
    for comparison in comparisons:
        held = tested((comparison,), rows, view)
        if held and len(held[0]) >= least:
            rows = held[0]
    for picked in _picked_by(phrases_of(text), view):
        kept = tuple(row for row in rows if row in picked)
        if len(kept) >= least:
            rows = kept
    return rows


def _picked_by(phrases: tuple[Phrase, ...], view: View) -> Iterator[frozenset[int]]:
    """Yield the rows that each phrase picks: those whose cell is the phrase, or, for a name, holds it."""
    cells = {
        row: [stems(view.cell(row, each.index)) for each in view.columns if each.kind == "text"] for row in view.rows
    }
    for phrase in phrases:
        said = phrase.words
        if phrase.denied or set(said) <= LIGHT or naming(said, view) or in_subject(said, view):
            continue
        whole = frozenset(row for row, texts in cells.items() if said in texts)
        holding = frozenset(row for row, texts in cells.items() if any(_holds(text, said) for text in texts))
        picked = whole or (holding if phrase.name else frozenset())
        if picked:
            yield picked


def _holds(text: tuple[str, ...], said: tuple[str, ...]) -> bool:
    size = len(said)
    return any(text[start : start + size] == said for start in range(len(text) - size + 1))
