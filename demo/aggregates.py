"""The aggregations of the question set, worked out from the tables a second time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from corpus import Article, Question


def check_aggregations(pages: dict[str, Article], questions: list[Question]) -> Iterator[str]:
    """Report aggregations whose stated value differs from the table."""
    expected = [entry["expected"][0] for entry in questions if entry["kind"] == "aggregation"]
    computed = [compute(pages) for compute in COMPUTED]
    for stated, value in zip(expected, computed, strict=True):
        if stated != value:
            yield f"aggregation: stated {stated}, computed {value}"


def _columns(pages: dict[str, Article], name: str, *heads: str) -> list[tuple[str, ...]]:
    """Return some columns of the table of a page that has them all."""
    for table in pages[name].tables:
        top = next((row for row in reversed(table[:2]) if set(heads) <= set(row)), None)
        if top:
            places = [top.index(head) for head in heads]
            return [tuple(row[place] for place in places) for row in table[table.index(top) + 1 :]]
    raise LookupError(name)


def _number(cell: str) -> float:
    """Read a number with thousands separators."""
    return float(cell.replace(",", ""))


def _apollo_samples(pages: dict[str, Article]) -> str:
    """Sum the lunar samples."""
    cells = _columns(pages, "Apollo_programme.md", "Samples (kg)")
    return f"{sum(_number(cell) for (cell,) in cells):.1f}"


def _failures(pages: dict[str, Article]) -> str:
    """Count the failures at Mars."""
    cells = _columns(pages, "List_of_missions_to_Mars.md", "Outcome")
    return str(sum(cell.startswith("Failure") for (cell,) in cells))


def _second_of_uranus(pages: dict[str, Article]) -> str:
    """Find the second largest moon of Uranus."""
    cells = _columns(pages, "List_of_moons_of_Uranus.md", "Moon", "Diameter (km)")
    return sorted(cells, key=lambda cell: -_number(cell[1]))[1][0]


def _venera_mean(pages: dict[str, Article]) -> str:
    """Average the working time of the Venera landers."""
    head = "Time of operation on the surface (min)"
    times = [_number(cell) for (cell,) in _columns(pages, "Venera_programme.md", head)]
    return f"{sum(times) / len(times):.1f}"


def _latest_of_saturn(pages: dict[str, Article]) -> str:
    """Find the moon of Saturn discovered last."""
    cells = _columns(pages, "List_of_moons_of_Saturn.md", "Moon", "Year")
    return max(cells, key=lambda cell: int(cell[1]))[0]


def _lowest_messenger(pages: dict[str, Article]) -> str:
    """Find the date of the lowest flyby of MESSENGER."""
    cells = _columns(pages, "MESSENGER.md", "Date", "Altitude (km)")
    return min(cells, key=lambda cell: _number(cell[1]))[0]


COMPUTED: list[Callable[[dict[str, Article]], str]] = [
    _apollo_samples,
    _failures,
    _second_of_uranus,
    _venera_mean,
    _latest_of_saturn,
    _lowest_messenger,
]
