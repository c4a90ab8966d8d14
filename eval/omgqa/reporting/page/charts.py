"""Charts as inline SVG: sizes across are in percent, so that a chart fits its page and its words stay readable.

Each has a name for those who hear the page; its figures stand in the table beside it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from eval.omgqa.reporting.figures import Figure
from eval.omgqa.reporting.page.markup import Markup, tag

COLOURS = 8
"""Series that a colour tells apart; the rest are drawn faintly."""
HEIGHT = 220
LEFT, RIGHT, TOP = 8.0, 97.0, 12
"""Margins: percent, percent, and units from the top."""


@dataclass(frozen=True, slots=True)
class Series:
    """A named line of points, each at its place across and up."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """A named row of dots, and a mean where there is one."""

    name: str
    values: tuple[float, ...]
    mean: float | None


def most_of(values: Iterable[float]) -> float:
    """Return where an axis from 0 ends: the next tenth of shares, the next round number of what is greater."""
    greatest = max(values, default=0.0)
    if greatest <= 1:
        return max(ceil(round(greatest * 10, 6)), 1) / 10
    step = 10.0 ** (len(str(int(greatest))) - 1)
    return ceil(round(greatest / step, 6)) * step


def bar(figure: Figure, most: float) -> Markup:
    """Draw a figure as a bar under its number, with a line as long as two deviations."""
    if figure.value is None:
        return Markup()
    value, spread = figure.value / most * 100, (figure.deviation or 0.0) / most * 100
    whisker = tag("line", x1=_percent(value - spread), x2=_percent(value + spread), y1="50%", y2="50%")
    return tag(
        "svg",
        tag("rect", width=_percent(value), height="100%"),
        *([whisker] if spread else []),
        class_="bar",
        aria_hidden="true",
    )


def strips(rows: Sequence[Strip], what: str) -> Markup:
    """Draw a line of dots for each row, and a stroke where there is a mean; the axis across begins at 0."""
    most, pitch = most_of(value for row in rows for value in row.values), 40
    height = pitch * len(rows) + 20
    return tag(
        "svg",
        *(piece for place, row in enumerate(rows) for piece in _strip(row, pitch * place + TOP, most)),
        _word("0", "0%", height, "start"),
        _word(f"{most:g}", "100%", height, "end"),
        role="img",
        aria_label=what,
        width="100%",
        height=height,
    )


def _strip(row: Strip, top: int, most: float) -> Iterable[Markup]:
    yield tag("text", row.name, x="0%", y=top)
    yield tag("line", x1="0%", x2="100%", y1=top + 13, y2=top + 13, class_="axis")
    for value in row.values:
        yield tag("circle", cx=_percent(value / most * 100), cy=top + 13, r=5, class_="dot")
    if row.mean is not None:
        at = _percent(row.mean / most * 100)
        yield tag("line", x1=at, x2=at, y1=top + 5, y2=top + 21, class_="mean")


def lines(series: Sequence[Series], what: str) -> Markup:
    """Draw values over rounds, the first series in colours; the axis up begins at 0."""
    last = max((x for each in series for x, _ in each.points), default=1.0)
    most = most_of(y for each in series for _, y in each.points)
    rounds = [
        _word(f"round {number}", _across(number - 1, last - 1), HEIGHT, "middle") for number in range(1, int(last) + 1)
    ]
    drawn = [piece for place, each in reversed(list(enumerate(series))) for piece in _line(each, place, last, most)]
    return tag("svg", *_grid(most), *rounds, *drawn, role="img", aria_label=what, width="100%", height=HEIGHT + 8)


def _line(series: Series, place: int, last: float, most: float) -> Iterable[Markup]:
    colour = colour_of(place)
    at = [(_across(x - 1, last - 1), _up(y, most)) for x, y in series.points]
    for (x1, y1), (x2, y2) in pairwise(at):
        yield tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=colour, stroke_width=2)
    for x, y in at:
        yield tag("circle", cx=x, cy=y, r=3, class_=colour)


def scatter(points: Sequence[Series], what: str, across: str) -> Markup:
    """Draw a numbered dot for each series of one point; both axes begin at 0."""
    right = most_of(x for each in points for x, _ in each.points)
    most = most_of(y for each in points for _, y in each.points)
    dots = [
        piece
        for each in points
        for x, y in each.points
        for piece in (
            tag("circle", cx=_across(x, right), cy=_up(y, most), r=4, class_="dot"),
            _word(each.name, _across(x, right), _up(y, most) - 7, "middle"),
        )
    ]
    ends = [_word("0", _across(0, 1), HEIGHT, "middle"), _word(f"{right:g} {across}", _across(1, 1), HEIGHT, "end")]
    return tag("svg", *_grid(most), *ends, *dots, role="img", aria_label=what, width="100%", height=HEIGHT + 8)


def legend(series: Sequence[Series]) -> Markup:
    """Name the series that have a colour, and say how many have none."""
    named = [
        tag(
            "li",
            tag("svg", tag("rect", width="100%", height="100%", class_=colour_of(place)), aria_hidden="true"),
            " ",
            each.name,
        )
        for place, each in enumerate(series[:COLOURS])
    ]
    more = [tag("li", f"{len(series) - COLOURS} more, faintly")] if len(series) > COLOURS else []
    return tag("ul", *named, *more, class_="legend")


def colour_of(place: int) -> str:
    """Return the class of a series."""
    return f"c{place}" if place < COLOURS else "rest"


def _grid(most: float) -> Iterable[Markup]:
    for share in (0.0, 0.5, 1.0):
        y = _up(share * most, most)
        yield tag("line", x1=_percent(LEFT), x2="100%", y1=y, y2=y, class_="axis")
        yield _word(f"{share * most:.3g}", "0%", y + 4, "start")


def _word(text: str, x: str, y: float, anchor: str) -> Markup:
    return tag("text", text, x=x, y=_short(y), text_anchor=anchor, class_="faint")


def _across(value: float, most: float) -> str:
    return _percent(LEFT + 4 + (RIGHT - LEFT - 8) * (value / most if most else 0.5))


def _up(value: float, most: float) -> float:
    return float(_short(TOP + (HEIGHT - 40) * (1 - value / most)))


def _percent(value: float) -> str:
    return f"{_short(value)}%"


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
