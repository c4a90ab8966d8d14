"""Pictures of the second demo archive: trams, bees, gears and a walk."""

from __future__ import annotations

import math

from sketch.canvas import DIM, INK, PAPER, Canvas, Colour, Point, polar

STOPS: dict[str, Point] = {
    "Harbour": (320, 370),
    "Castle Hill": (180, 300),
    "University": (110, 190),
    "Science Quarter": (110, 100),
    "Station": (390, 300),
    "Ropewalk": (320, 230),
    "Hospital": (500, 220),
    "Exhibition Park": (515, 130),
    "Lido": (540, 350),
    "Aldermoor": (320, 70),
}
BESIDE: dict[str, tuple[float, float, str]] = {
    "Castle Hill": (-13, 6, "rm"),
    "University": (-13, 6, "rm"),
    "Station": (-13, -1, "rm"),
    "Ropewalk": (0, -18, "mm"),
}
LINES: list[tuple[str, str, str, Colour]] = [
    ("1", "Harbour", "Castle Hill", "#c0592b"),
    ("2", "Harbour", "Station", "#3b7ea1"),
    ("3", "Station", "Ropewalk", "#6b8e23"),
    ("4", "Station", "Hospital", "#8a5a9e"),
    ("6", "Castle Hill", "University", "#d9a026"),
    ("8", "Station", "Lido", "#2f8f83"),
    ("9", "Hospital", "Exhibition Park", "#b23a6b"),
    ("12", "University", "Science Quarter", "#5c6bc0"),
]
CASTES = [("Queen", 3.0, 5.5, 7.5), ("Worker", 3.0, 6.0, 12.0), ("Drone", 3.0, 6.5, 14.5)]
WAY = [
    ("Aldermoor", 0.0, 210),
    ("Alder Head", 6.5, 640),
    ("Greystone", 16.3, 1120),
    ("Lantern", 21.5, 1365),
    ("Corrin", 26.4, 1580),
    ("Snowfinch", 34.0, 1740),
    ("Two Tarns", 42.4, 1410),
    ("Aldermoor", 59.5, 210),
]


def tram_map() -> Canvas:
    """Draw the tram lines in service as a sketch map."""
    canvas = Canvas(640, 420, PAPER)
    canvas.title("Trams of Brindlemouth")
    _tram_line(canvas, "7", [STOPS["Harbour"], (250, 270), (250, 140), STOPS["Aldermoor"]], "#44515f")
    for number, start, end, colour in LINES:
        _tram_line(canvas, number, [STOPS[start], STOPS[end]], colour)
    for name, (x, y) in STOPS.items():
        canvas.disc((x, y), 7, INK)
        canvas.disc((x, y), 4, PAPER)
        across, down, anchor = BESIDE.get(name, (13, 13, "lm"))
        canvas.text((x + across, y + down), name, 13, anchor)
    return canvas


def _tram_line(canvas: Canvas, number: str, path: list[Point], colour: Colour) -> None:
    """Draw one line and its number half way along."""
    canvas.line(path, colour, 5)
    left, right = path[(len(path) - 1) // 2], path[len(path) // 2]
    middle = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
    canvas.disc(middle, 11, colour)
    canvas.text(middle, number, 13, "mm", PAPER)


def bee_castes() -> Canvas:
    """Draw the days that each caste spends as egg, larva and pupa."""
    canvas = Canvas(600, 250, PAPER)
    canvas.title("Days from egg to bee")
    for row, (name, *stages) in enumerate(CASTES):
        x, y = 96.0, 80 + 50 * row
        canvas.text((86, y), name, 14, "rm")
        for days, colour in zip(stages, ("#f0e0a8", "#e3b04b", "#9c6b2f"), strict=True):
            canvas.rect((x, y - 15), (days * 18, 30), colour)
            canvas.text((x + days * 9, y), f"{days:g}", 13)
            x += days * 18
        canvas.text((x + 8, y), f"{sum(stages):g}", 14, "lm")
    for place, (stage, colour) in enumerate((("egg", "#f0e0a8"), ("larva", "#e3b04b"), ("pupa", "#9c6b2f"))):
        canvas.rect((96 + 110 * place, 218), (14, 14), colour)
        canvas.text((118 + 110 * place, 225), stage, 13, "lm")
    return canvas


def gear_ratios() -> Canvas:
    """Draw a chainring with a small and with a large sprocket."""
    canvas = Canvas(640, 420, PAPER)
    canvas.title("The same chainring, two sprockets")
    for y, teeth, ratio in ((135, 12, "3.0"), (305, 36, "1.0")):
        radius = 66 * teeth / 36
        canvas.line([(440, y - 66), (170, y - radius)], DIM, 4)
        canvas.line([(440, y + 66), (170, y + radius)], DIM, 4)
        _toothed(canvas, (440, y), 66, 36)
        _toothed(canvas, (170, y), radius, teeth)
        canvas.text((305, y), f"36 : {teeth} = {ratio}", 16)
    return canvas


def _toothed(canvas: Canvas, centre: Point, radius: float, teeth: int) -> None:
    """Draw a toothed wheel."""
    for tooth in range(teeth):
        canvas.disc(polar(centre, radius, 360 * tooth / teeth), math.pi * radius / teeth / 2, "#565d66")
    canvas.disc(centre, radius - 2, "#b7bcc2")
    canvas.disc(centre, 6, "#565d66")


def ridge_profile() -> Canvas:
    """Draw the height of the ridge round against the distance."""
    canvas = Canvas(640, 330, PAPER)
    canvas.title("The ridge round, 59.5 km")
    points = [(40 + far * 9.3, 280 - height * 0.11) for _, far, height in WAY]
    canvas.polygon([(points[0][0], 280), *points, (points[-1][0], 280)], "#cfd8bd")
    canvas.line(points, "#5f7a3a", 3)
    for (name, _, height), (x, y) in zip(WAY, points, strict=True):
        canvas.disc((x, y), 4, "#c0592b")
        canvas.text((x, y - 28), name, 12)
        canvas.text((x, y - 14), str(height), 11, "mm", "#5f7a3a")
    canvas.text((320, 304), "heights in metres", 12, "mm", DIM)
    return canvas
