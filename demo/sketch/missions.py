"""Pictures of spacecraft, their paths and their landing places."""

from __future__ import annotations

import math

from sketch.canvas import AMBER, DIM, PAPER, Canvas, Colour, Point, polar, stars

SURVIVAL = [
    ("Venera 7", 23),
    ("Venera 8", 50),
    ("Venera 9", 53),
    ("Venera 10", 65),
    ("Venera 11", 95),
    ("Venera 12", 110),
    ("Venera 13", 127),
    ("Venera 14", 57),
]
MARS_SITES: list[tuple[str, float, float, str]] = [
    ("Viking 1", -48, 22.5, "lb"),
    ("Viking 2", 134, 48, "mb"),
    ("Pathfinder", -33.5, 19, "lt"),
    ("Spirit", 175.5, -14.6, "rt"),
    ("Opportunity", -5.5, -2, "lm"),
    ("Phoenix", -125.7, 68.2, "lm"),
    ("Curiosity", 137.4, -4.6, "rt"),
    ("InSight", 135.6, 4.5, "rb"),
    ("Perseverance", 77.5, 18.4, "rb"),
    ("Zhurong", 109.9, 25.1, "mb"),
]
APOLLO_SITES: list[tuple[str, float, float]] = [
    ("11", 23.5, 0.7),
    ("12", -23.4, -3.0),
    ("14", -17.5, -3.6),
    ("15", 3.6, 26.1),
    ("16", 15.5, -9.0),
    ("17", 30.8, 20.2),
]
MARIA: list[tuple[float, float, float, float]] = [
    (-44, 18, 38, 58),
    (-16, 34, 56, 48),
    (18, 28, 30, 28),
    (31, 9, 34, 30),
    (59, 17, 14, 20),
    (51, -6, 22, 30),
    (-16, -20, 36, 26),
    (-39, -24, 20, 20),
]
PLANET_ORBITS: list[tuple[str, float, Colour]] = [
    ("Jupiter", 42, "#d6b48c"),
    ("Saturn", 76, "#e4cf97"),
    ("Uranus", 154, "#9fd6dc"),
    ("Neptune", 240, "#5a7fe0"),
]
VOYAGER_2 = [(8.0, -45.0), (14, -100), (28, -160), (42, -208), (76, -268), (154, -336), (240, -360), (360, -366)]
VOYAGER_1 = [(8.0, -45.0), (14, -95), (28, -152), (42, -198), (76, -258), (140, -305), (275, -322)]


def voyager_paths() -> Canvas:
    """Draw the routes of the two Voyagers past the giant planets."""
    canvas = Canvas(640, 470)
    stars(canvas, 7)
    canvas.title("The routes of Voyager 1 and Voyager 2")
    sun = (225.0, 225.0)
    for name, radius, _ in PLANET_ORBITS:
        canvas.circle(sun, radius, "#34405c", 1)
        canvas.text(polar(sun, radius + 9, -140), name, 11, colour=DIM)
    canvas.disc(sun, 6, AMBER)
    canvas.text((sun[0] + 12, sun[1] + 4), "Sun", 11, "lm", DIM)
    second = [polar(sun, radius, angle) for radius, angle in VOYAGER_2]
    first = [polar(sun, radius, angle) for radius, angle in VOYAGER_1]
    canvas.line(_smooth(second), "#7fd3a8", 2)
    canvas.line(_smooth(first), "#f08a6b", 2)
    _encounters(canvas, second[3:7])
    canvas.text((450, 404), "Voyager 1", 14, "lm", "#f08a6b")
    canvas.text((585, 168), "Voyager 2", 14, "mm", "#7fd3a8")
    return canvas


def _encounters(canvas: Canvas, path: list[Point]) -> None:
    """Mark the planets met by Voyager 2, with the years."""
    years = ["1979", "1981", "1986", "1989"]
    for point, year, (_, _, colour) in zip(path, years, PLANET_ORBITS, strict=True):
        canvas.disc(point, 6, colour)
        canvas.text((point[0] - 4, point[1] + 15), year, 13, "rm" if year < "1980" else "mm")


def _smooth(points: list[Point], steps: int = 16) -> list[Point]:
    """Return a Catmull-Rom curve through the points."""
    padded = [points[0], *points, points[-1]]
    windows = zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
    return [_between(window, n / steps) for window in windows for n in range(steps + 1)]


def _between(window: tuple[Point, Point, Point, Point], t: float) -> Point:
    """Return the point at a share of the way between the middle two points."""
    x, y = (_spline([p[axis] for p in window], t) for axis in (0, 1))
    return x, y


def _spline(values: list[float], t: float) -> float:
    """Evaluate one coordinate of a Catmull-Rom segment."""
    a, b, c, d = values
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)


def grand_finale() -> Canvas:
    """Draw the last orbits of Cassini between Saturn and its rings."""
    canvas = Canvas(600, 400)
    stars(canvas, 12)
    canvas.title("The last orbits of Cassini")
    centre = (380.0, 220.0)
    for far in range(200, 321, 30):
        canvas.line(_dive(centre, 72, far), "#5fa8a0", 1.5)
    canvas.disc(centre, 62, "#e4cf97")
    for side in (-1, 1):
        inner, outer = centre[0] + side * 80, centre[0] + side * 146
        canvas.line([(inner, 220), (outer, 220)], "#b9a77b", 4)
    canvas.text(centre, "Saturn", 14, colour="#3a3120")
    canvas.label((470, 300), (453, 222), "narrow gap")
    canvas.text((20, 54), "22 dives, April to September 2017", 13, "lm", DIM)
    canvas.text((532, 220), "rings", 13, "lm")
    return canvas


def _dive(focus: Point, near: float, far: float) -> list[Point]:
    """Return an orbit about a focus, given its nearest and farthest distance."""
    major, minor = (near + far) / 2, math.sqrt(near * far)
    middle = focus[0] + near - major
    angles = [math.radians(n * 5) for n in range(73)]
    return [(middle + major * math.cos(a), focus[1] + minor * math.sin(a)) for a in angles]


def venera_survival() -> Canvas:
    """Draw a bar chart of the working time of the Venera landers."""
    canvas = Canvas(600, 370, PAPER)
    canvas.title("Minutes of work on the surface of Venus")
    for row, (name, minutes) in enumerate(SURVIVAL):
        y = 66 + 36 * row
        canvas.text((106, y), name, 14, "rm")
        colour = "#c0592b" if minutes == 127 else "#d9a26a"
        canvas.rect((116, y - 11), (minutes * 3.3, 22), colour)
        canvas.text((124 + minutes * 3.3, y), str(minutes), 14, "lm")
    return canvas


def curiosity_parts() -> Canvas:
    """Draw the rover Curiosity from the side with labelled parts."""
    canvas = Canvas(640, 420, PAPER)
    canvas.title("The rover Curiosity")
    canvas.rect((0, 340), (640, 80), "#d9a27c")
    _rover_body(canvas)
    for x in (200, 305, 410):
        canvas.disc((x, 318), 34, "#3b4149")
        canvas.disc((x, 318), 22, "#8d949c")
        canvas.disc((x, 318), 6, "#3b4149")
    canvas.label((140, 70), (184, 88), "ChemCam", "rm")
    canvas.label((140, 130), (197, 150), "mast", "rm")
    canvas.label((110, 200), (122, 240), "arm with drill", "rm")
    canvas.label((480, 120), (430, 178), "plutonium power source")
    canvas.label((480, 190), (375, 228), "laboratory inside")
    canvas.label((480, 270), (432, 300), "wheel, 50 cm")
    return canvas


def _rover_body(canvas: Canvas) -> None:
    """Draw body, mast, arm, suspension and power source."""
    grey, dark = "#b7bcc2", "#565d66"
    canvas.line([(190, 225), (120, 240), (92, 290)], dark, 8)
    canvas.rect((78, 282), (30, 26), dark)
    canvas.line([(200, 318), (250, 262), (305, 318)], dark, 7)
    canvas.line([(250, 262), (350, 250), (410, 318)], dark, 7)
    canvas.rect((180, 205), (220, 52), grey)
    canvas.polygon([(396, 205), (446, 168), (458, 184), (406, 236)], dark)
    canvas.rect((192, 106), (10, 100), dark)
    canvas.rect((176, 72), (46, 34), "#e2e5e8")
    canvas.disc((184, 88), 8, "#2a3550")
    canvas.rect((300, 176), (40, 29), "#d4d7da")


def apollo_sites() -> Canvas:
    """Draw the near side of the Moon with the Apollo landing sites."""
    canvas = Canvas(560, 440)
    stars(canvas, 10)
    canvas.title("Apollo landing sites")
    centre, radius = (235.0, 235.0), 180.0
    canvas.disc(centre, radius, "#c9cbcf")
    for east, north, across, down in MARIA:
        canvas.oval(_on_disc(centre, radius, east, north), (across, down), "#9a9da5")
    for name, longitude, latitude in APOLLO_SITES:
        spot = _on_disc(centre, radius, longitude, latitude)
        canvas.disc(spot, 5, "#b3202a")
        side = -14 if name == "12" else 14
        canvas.text((spot[0] + side, spot[1] + 2), name, 14, "rm" if side < 0 else "lm", "#40121a")
    canvas.text((490, 60), "near side", 13, colour=DIM)
    return canvas


def _on_disc(centre: Point, radius: float, longitude: float, latitude: float) -> Point:
    """Return the place of a longitude and latitude on a globe seen from afar."""
    east, north = math.radians(longitude), math.radians(latitude)
    return centre[0] + radius * math.cos(north) * math.sin(east), centre[1] - radius * math.sin(north)


def mars_landing_sites() -> Canvas:
    """Draw a map of Mars with ten landing sites."""
    canvas = Canvas(640, 390)
    canvas.title("Landing sites on Mars")
    canvas.rect((20, 50), (600, 300), "#b5653c")
    canvas.rect((20, 50), (600, 16), "#e9e1d8")
    canvas.rect((20, 338), (600, 12), "#e9e1d8")
    canvas.oval(_on_map(-110, 0), (62, 48), "#d08a5a")
    canvas.oval(_on_map(70, -42), (42, 28), "#8f4b2b")
    _grid(canvas)
    for name, longitude, latitude, anchor in MARS_SITES:
        spot = _on_map(longitude, latitude)
        canvas.disc(spot, 4.5, "#fff4d6")
        canvas.text(_beside(spot, anchor), name, 13, anchor, "#fff4d6")
    canvas.text(_on_map(-110, 0), "Tharsis", 13, colour="#5a2a15")
    canvas.text(_on_map(70, -42), "Hellas", 12, colour="#e9c9ae")
    canvas.text((320, 370), "grid lines every 30\u00b0 of longitude and latitude", 12, colour=DIM)
    return canvas


def _grid(canvas: Canvas) -> None:
    """Draw lines of longitude and latitude every 30 degrees."""
    for longitude in range(-150, 180, 30):
        canvas.line([_on_map(longitude, 90), _on_map(longitude, -90)], "#a1552f", 0.7)
    for latitude in range(-60, 90, 30):
        canvas.line([_on_map(-180, latitude), _on_map(180, latitude)], "#a1552f", 0.7)


def _on_map(longitude: float, latitude: float) -> Point:
    """Return the place of a longitude and latitude on a flat map."""
    return 320 + longitude * 600 / 360, 200 - latitude * 300 / 180


def _beside(spot: Point, anchor: str) -> Point:
    """Return a place for a name beside a spot."""
    right = {"l": 8, "r": -8, "m": 0}[anchor[0]]
    down = {"t": 5, "b": -5, "m": 0}[anchor[1]]
    return spot[0] + right, spot[1] + down
