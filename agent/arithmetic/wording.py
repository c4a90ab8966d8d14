"""Sentences that tell a computed result, in the question's own words where they fit."""

import re

from agent.arithmetic.derivation import joined
from agent.arithmetic.questions import Asked
from agent.arithmetic.words import word_list
from heliograph.types import Operation

_NUMBERS = word_list("zero one two three four five six seven eight nine ten eleven twelve")
_SINGULAR = {"were": "was", "are": "is", "have": "has"}
_LISTED = 8


def spelled(number: int) -> str:
    """Write small numbers as words."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def counted(asked: Asked, count: int, names: tuple[str, ...], of: int) -> str:
    """Tell a count: `Seven of the 12 listed moons of Uranus were discovered by …: A, B and C.`"""
    clause = (
        asked.clause if asked.clause and not re.search(r"\b(?:did|do|does|what|count)\b", asked.clause, re.I) else ""
    )
    if count == 1:
        clause = re.sub(r"\b(were|are|have)\b", lambda verb: _SINGULAR[verb[1]], clause, count=1)
    clause = re.sub(r"^listed ", "", clause)
    figure = spelled(count).capitalize()
    listed = f": {joined(names)}" if len(names) <= _LISTED else ""
    if not clause:
        return f"{figure} of the {of} listed fit the question{listed}."
    return f"{figure} of the {of} listed {clause}{listed}."


def counted_all(asked: Asked, count: int, names: tuple[str, ...]) -> str:
    """Tell how many items a table lists."""
    noun = asked.noun.split()[0]
    return f"The table lists {spelled(count)} {noun}{f': {joined(names)}' if len(names) <= _LISTED else ''}."


def ranked(asked: Asked, names: tuple[str, ...], figure: str, other: str) -> str:
    """Tell the item, or the tied items, at a place of an order; `other` is what an asked attribute of it says."""
    told = joined(names)
    many = len(names) > 1
    if asked.idea == "stated" and asked.measure:
        return f"{told} {'have' if many else 'has'} the {asked.superlative} {asked.measure}: {figure}."
    item = re.sub(r"^the ", "", " ".join(filter(None, (asked.noun, asked.rest)))).strip(" ,")
    shown = f" ({figure})" if asked.idea == "date" else f", at {figure}"
    tail = f"; {asked.attribute}: {other}" if other else ""
    if many and asked.take == 1:
        return f"The {asked.superlative} {item}: {told}, each at {figure}{tail}."
    return f"The {asked.superlative} {item} {'are' if many else 'is'} {told}{shown}{tail}."


def aggregated(asked: Asked, figure: str, rows: int, missing: int) -> str:
    """Tell a sum or a mean, over how many rows it was taken, and how many had no value."""
    kind = ("total", "added") if asked.operation == "sum" else ("average", "taken")
    left = f"; {spelled(missing)} without a value {'is' if missing == 1 else 'are'} left out" if missing else ""
    return f"The {kind[0]} {asked.measure} of {asked.rest}, {kind[1]} over {spelled(rows)} rows, is {figure}{left}."


def cued_count(items: str, count: int, names: tuple[str, ...], of: int) -> str:
    """Tell a count whose question is put in no known form; `items` are the question's words for the rows."""
    listed = f": {joined(names)}" if 0 < len(names) <= _LISTED else ""
    return f"{spelled(count).capitalize()} of the {of} listed{f' {items}' if items else ''}{listed}."


def cued_total(items: str, operation: Operation, figure: str, header: str, rows: int, missing: int) -> str:
    """Tell a sum or a mean by the name of its column: `Samples of the six Apollo landings: 381.6 kg in total.`"""
    left = f"; {spelled(missing)} without a value {'is' if missing == 1 else 'are'} left out" if missing else ""
    kind = "in total" if operation == "sum" else "on average"
    return f"{header[:1].upper()}{header[1:]} of the {spelled(rows)} {items or 'rows'}: {figure} {kind}{left}."


def cued_rank(place: str, names: tuple[str, ...], figure: str, other: str, value: str) -> str:
    """Tell what is at a place of an order, and what another column says of it: `Fenn has the largest diameter: …`."""
    tail = f"; {other}: {value}" if other else ""
    if not names:
        return f"The {place} is {figure}{tail}."
    return f"{joined(names)} {'have' if len(names) > 1 else 'has'} the {place}: {figure}{tail}."
