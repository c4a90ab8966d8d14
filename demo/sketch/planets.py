"""Pictures of the planets."""

from __future__ import annotations

from sketch.canvas import AMBER, DIM, PALE, PAPER, Canvas, Colour, Point, polar, stars

DIAMETERS: list[tuple[str, int, Colour]] = [
    ("Mercury", 4_879, "#a79f96"),
    ("Venus", 12_104, "#e3c07a"),
    ("Earth", 12_756, "#5b93d6"),
    ("Mars", 6_792, "#c9673f"),
    ("Jupiter", 142_984, "#d6b48c"),
    ("Saturn", 120_536, "#e4cf97"),
    ("Uranus", 51_118, "#9fd6dc"),
    ("Neptune", 49_528, "#5a7fe0"),
]
MOONS = [
    ("Mercury", 0),
    ("Venus", 0),
    ("Earth", 1),
    ("Mars", 2),
    ("Jupiter", 97),
    ("Saturn", 274),
    ("Uranus", 28),
    ("Neptune", 16),
]
RINGS: list[tuple[str, int, int, Colour]] = [
    ("D", 66_900, 74_500, "#3d3c42"),
    ("C", 74_500, 92_000, "#716a60"),
    ("B", 92_000, 117_580, "#e6d7b2"),
    ("", 117_580, 122_170, "#262a36"),
    ("A", 122_170, 136_775, "#c2b28f"),
    ("F", 139_900, 140_500, "#e6d7b2"),
]
TILTS: list[tuple[str, float, Colour]] = [
    ("Earth", 23.4, "#5b93d6"),
    ("Mars", 25.2, "#c9673f"),
    ("Saturn", 26.7, "#e4cf97"),
    ("Uranus", 97.8, "#9fd6dc"),
]


def planet_sizes() -> Canvas:
    """Draw the eight planets to one scale."""
    canvas = Canvas(640, 300)
    stars(canvas, 1)
    canvas.title("The planets to scale")
    x = 16.0
    for position, (name, diameter, colour) in enumerate(DIAMETERS):
        radius = diameter / 1_900
        x += max(radius, 14)
        canvas.disc((x, 140), radius, colour)
        canvas.text((x, 234 if position > 3 else 164 + 15 * (position % 2)), name, 13)
        x += max(radius, 14) + (20 if position > 3 else 6)
    _scale_bar(canvas, (505, 278), 100_000 / 950, "100,000 km")
    return canvas


def _scale_bar(canvas: Canvas, at: Point, length: float, words: str) -> None:
    """Draw a scale bar with its length above it."""
    x, y = at
    canvas.line([(x, y), (x + length, y)], PALE, 2)
    for end in (x, x + length):
        canvas.line([(end, y - 4), (end, y + 4)], PALE, 2)
    canvas.text((x + length / 2, y - 12), words, 12)


def moon_counts() -> Canvas:
    """Draw a bar chart of the recognised moons of each planet."""
    canvas = Canvas(620, 360, PAPER)
    canvas.title("Recognised moons in mid-2025")
    for row, (name, count) in enumerate(MOONS):
        y = 64 + 36 * row
        canvas.text((100, y), name, 15, "rm")
        canvas.rect((112, y - 11), (max(count * 1.6, 1.5), 22), "#3f76a8")
        canvas.text((120 + count * 1.6, y), str(count), 14, "lm")
    return canvas


def mercury_core() -> Canvas:
    """Draw the cores of Mercury and Earth as shares of the radius."""
    canvas = Canvas(600, 340, PAPER)
    canvas.title("Core and radius: Mercury and Earth")
    _layers(canvas, (160, 190), [(120, "#8f8780"), (102, "#d08a3e")])
    _layers(canvas, (440, 190), [(120, "#5b93d6"), (117, "#a8542f"), (66, "#d08a3e")])
    canvas.text((160, 190), "metal core: 85 %", 14)
    canvas.text((440, 190), "core: 55 %", 14)
    canvas.text((160, 57), "Mercury", 15)
    canvas.text((440, 57), "Earth (same size for comparison)", 15)
    canvas.text((160, 301), "rock", 12, colour=PAPER)
    canvas.text((440, 280), "rocky mantle", 13, colour=PAPER)
    return canvas


def _layers(canvas: Canvas, centre: Point, layers: list[tuple[float, Colour]]) -> None:
    """Draw nested discs from the outside in."""
    for radius, colour in layers:
        canvas.disc(centre, radius, colour)


def venus_atmosphere() -> Canvas:
    """Draw temperature against altitude in the air of Venus."""
    canvas = Canvas(560, 400, PAPER)
    canvas.title("Temperature in the air of Venus")
    canvas.rect((80, _height(70)), (440, _height(48) - _height(70)), "#efe3b4")
    canvas.text((505, _height(59)), "clouds of sulphuric acid", 13, "rm")
    profile = [(0, 464), (10, 385), (20, 306), (30, 222), (40, 143), (50, 75), (60, -10), (70, -43), (80, -76)]
    canvas.line([(_warmth(t), _height(h)) for h, t in profile], "#c0392b", 3)
    _axes(canvas)
    return canvas


def _height(altitude: float) -> float:
    """Return the y coordinate of an altitude in kilometres."""
    return 340 - altitude * 3.6


def _warmth(temperature: float) -> float:
    """Return the x coordinate of a temperature in degrees Celsius."""
    return 80 + (temperature + 100) * 440 / 600


def _axes(canvas: Canvas) -> None:
    """Draw the axes of the Venus chart."""
    canvas.line([(80, 48), (80, 340), (520, 340)], canvas.ink, 1.5)
    for altitude in range(0, 81, 20):
        canvas.text((72, _height(altitude)), str(altitude), 13, "rm")
    for temperature in range(-100, 501, 100):
        canvas.text((_warmth(temperature), 356), str(temperature), 13)
    canvas.text((300, 382), "temperature (\u00b0C)", 14)
    canvas.text((14, 46), "km", 14, "lm")


def jupiter_interior() -> Canvas:
    """Draw a wedge of the interior of Jupiter."""
    canvas = Canvas(600, 380)
    canvas.title("Inside Jupiter")
    centre = (60.0, 350.0)
    shells = [(290, "#d6b48c"), (284, "#b98452"), (235, "#7f6aa0"), (120, "#59496f"), (55, "#3f3450")]
    for radius, colour in shells:
        canvas.sector(centre, radius, (-80, 0), colour)
    names = [
        (287, -60, "cloud tops: ammonia, about -110 \u00b0C"),
        (260, -42, "molecular hydrogen and helium"),
        (180, -30, "metallic hydrogen"),
        (60, -40, "diffuse core, rich in heavy elements"),
    ]
    for row, (radius, angle, words) in enumerate(names):
        canvas.label((360, 70 + 62 * row), polar(centre, radius, angle), words)
    return canvas


def saturn_rings() -> Canvas:
    """Draw the rings of Saturn as bands by distance."""
    canvas = Canvas(640, 280)
    canvas.title("Rings of Saturn by distance from the centre")
    canvas.rect((0, 70), (_ring_x(60_268), 120), "#d9c187")
    canvas.text((_ring_x(60_268) / 2, 130), "Saturn", 14, colour="#3a3120")
    for name, inner, outer, colour in RINGS:
        canvas.rect((_ring_x(inner), 70), (_ring_x(outer) - _ring_x(inner), 120), colour)
        canvas.text(((_ring_x(inner) + _ring_x(outer)) / 2, 58), name, 15)
    canvas.label((_ring_x(119_800), 212), (_ring_x(119_800), 150), "Cassini Division", "mm")
    for thousands in range(60, 141, 20):
        canvas.text((_ring_x(thousands * 1_000), 246), str(thousands), 13)
    canvas.text((320, 266), "thousand km", 12, colour=DIM)
    return canvas


def _ring_x(distance: float) -> float:
    """Return the x coordinate of a distance from Saturn in kilometres."""
    return 60 + (distance - 60_268) * 0.0068


def axial_tilts() -> Canvas:
    """Draw the tilted axes of four planets."""
    canvas = Canvas(640, 280)
    stars(canvas, 5)
    canvas.title("Tilt of the axis")
    for column, (name, tilt, colour) in enumerate(TILTS):
        centre = (90.0 + 153 * column, 148.0)
        _tilted_globe(canvas, centre, tilt, colour)
        canvas.text((centre[0], 236), name, 15)
        canvas.text((centre[0], 257), f"{tilt}\u00b0", 14, colour=AMBER)
    return canvas


def _tilted_globe(canvas: Canvas, centre: Point, tilt: float, colour: Colour) -> None:
    """Draw a globe with its axis, its equator and the upright direction."""
    upright = [(centre[0], centre[1] - 70), (centre[0], centre[1] + 70)]
    canvas.line(upright, "#4a5875", 1.5)
    canvas.line([polar(centre, 68, tilt + 90), polar(centre, 40, tilt + 90)], PALE, 2.5)
    canvas.disc(centre, 44, colour)
    canvas.line([polar(centre, 44, tilt), polar(centre, -44, tilt)], "#2b3850", 1.5)
    canvas.arrow(polar(centre, 44, tilt - 90), polar(centre, 68, tilt - 90), PALE, 2.5)
