"""Pictures of moons."""

from __future__ import annotations

from sketch.canvas import AMBER, DIM, PALE, PAPER, Canvas, Colour, Point, polar, stars

GALILEAN: list[tuple[str, float, Colour]] = [
    ("Io", 421.8, "#f0d35b"),
    ("Europa", 671.1, "#d9cdb8"),
    ("Ganymede", 1_070.4, "#a99c8c"),
    ("Callisto", 1_882.7, "#8a7f78"),
]
PITS = [
    (20, 180, 9),
    (45, 95, 12),
    (62, 200, 14),
    (70, 150, 7),
    (88, 110, 10),
    (95, 250, 13),
    (100, 180, 11),
    (108, 215, 8),
    (112, 140, 13),
    (118, 270, 8),
    (120, 85, 9),
    (125, 165, 7),
    (128, 232, 9),
    (130, 195, 6),
    (122, 60, 11),
    (132, 118, 6),
    (60, 285, 8),
    (75, 60, 7),
    (128, 300, 7),
    (30, 250, 6),
]


def galilean_orbits() -> Canvas:
    """Draw the orbits of the Galilean moons to scale."""
    canvas = Canvas(640, 460)
    stars(canvas, 3)
    canvas.title("Orbits of the Galilean moons to scale")
    centre = (250.0, 248.0)
    canvas.disc(centre, 7.2, "#d6b48c")
    for place, (name, distance, colour) in enumerate(GALILEAN):
        radius = distance / 9.8
        moon = polar(centre, radius, -75 + 52 * place)
        canvas.circle(centre, radius, "#54627f", 1)
        canvas.disc(moon, 5, colour)
        canvas.label((470, 110 + 44 * place), moon, f"{name}, {distance:,.1f}")
    canvas.text((470, 84), "distance, thousand km:", 12, "lm", DIM)
    canvas.line([(470, 420), (470 + 1_000 / 9.8, 420)], PALE, 2)
    canvas.text((521, 404), "1 million km", 13)
    return canvas


def laplace_resonance() -> Canvas:
    """Draw the rhythm of Io, Europa and Ganymede."""
    canvas = Canvas(620, 280, PAPER)
    canvas.title("Beats of three moons: 4 to 2 to 1")
    rows = [("Io", 4, "#cfa321"), ("Europa", 2, "#8f6b4e"), ("Ganymede", 1, "#5f6b7a")]
    for row, (name, turns, colour) in enumerate(rows):
        y = 84 + 56 * row
        canvas.text((108, y), name, 15, "rm")
        canvas.line([(125, y), (585, y)], "#c9c4b6", 1.5)
        for turn in range(turns + 1):
            canvas.disc((130 + 450 * turn / turns, y), 9, colour)
    canvas.arrow((130, 242), (590, 242), canvas.ink, 1.5)
    canvas.text((355, 260), "time: 7.155 days from the first dot to the last", 13)
    return canvas


def europa_section() -> Canvas:
    """Draw a slice through the outer layers of Europa."""
    canvas = Canvas(600, 400)
    canvas.title("A slice through Europa")
    canvas.rect((30, 90), (320, 70), "#dfeaf2")
    canvas.rect((30, 160), (320, 140), "#2f6da3")
    canvas.rect((30, 300), (320, 75), "#6b5444")
    for x in (90, 180, 270):
        canvas.line([(x, 90), (x + 6, 118), (x - 4, 146), (x + 3, 160)], "#a0583c", 2.5)
    canvas.polygon([(160, 302), (180, 270), (192, 270), (214, 302)], "#4a382c")
    for rise in (0, 16, 32):
        canvas.circle((186 + rise % 3 * 4, 256 - rise), 5 + rise / 8, "#9fc6e4", 1.5)
    names = [("cracks stained by salts", (276, 118)), ("shell of ice", (330, 130))]
    names += [("ocean of salt water", (330, 225)), ("rocky sea floor with a vent", (214, 300))]
    for row, (words, target) in enumerate(names):
        canvas.label((385, 96 + 66 * row), target, words)
    return canvas


def enceladus_plumes() -> Canvas:
    """Draw a section of Enceladus with its plumes."""
    canvas = Canvas(560, 440)
    stars(canvas, 9)
    canvas.title("Enceladus in section")
    centre = (200.0, 200.0)
    for angle in (72, 84, 96, 108):
        _jet(canvas, polar(centre, 138, angle), angle)
    for radius, colour in ((142, "#eef3f7"), (120, "#2f6da3"), (96, "#7c6a5c")):
        canvas.disc(centre, radius, colour)
    for angle in (72, 84, 96, 108):
        canvas.line([polar(centre, 119, angle), polar(centre, 142, angle)], "#2f6da3", 2.5)
    names = [("shell of ice", (131, -20)), ("global ocean", (108, 5)), ("porous rocky core", (60, 20))]
    for row, (words, (radius, angle)) in enumerate(names):
        canvas.label((385, 120 + 60 * row), polar(centre, radius, angle), words)
    canvas.label((385, 370), (262, 386), "jets of vapour and ice")
    return canvas


def _jet(canvas: Canvas, source: Point, angle: float) -> None:
    """Draw a fan of spray that widens away from its source."""
    for spread, colour in ((8, "#3c4a68"), (5, "#7486a8"), (2, "#c9d6ea")):
        canvas.polygon([source, polar(source, 85, angle - spread), polar(source, 85, angle + spread)], colour)


def mimas_herschel() -> Canvas:
    """Draw Mimas with the crater Herschel to scale."""
    canvas = Canvas(520, 400)
    stars(canvas, 4)
    canvas.title("Mimas, 396 km across")
    centre = (190.0, 215.0)
    canvas.disc(centre, 150, "#b9bcc2")
    for distance, angle, size in PITS:
        spot = polar(centre, distance, angle)
        canvas.disc(spot, size, "#94989f")
        canvas.disc((spot[0] + 1, spot[1] + 1), size - 1.5, "#a9adb3")
    canvas.oval((270, 205), (42, 52.6), "#858a93")
    canvas.oval((267, 205), (37, 47), "#9a9ea6")
    canvas.disc((268, 205), 9, "#d8dade")
    canvas.label((385, 130), (290, 165), "crater Herschel,")
    canvas.text((385, 149), "139 km wide", 13, "lm")
    canvas.label((385, 215), (270, 205), "central peak")
    return canvas


def iapetus_ridge() -> Canvas:
    """Draw the two faces of Iapetus and its ridge."""
    canvas = Canvas(520, 390)
    stars(canvas, 6)
    canvas.title("Iapetus")
    centre = (190.0, 210.0)
    canvas.sector(centre, 145, (90, 270), "#4b4038")
    canvas.sector(centre, 145, (-90, 90), "#e9e6df")
    canvas.oval(centre, (38, 145), "#4b4038")
    canvas.polygon([(40, 210), (48, 203), (230, 205), (272, 210), (230, 215), (48, 217)], "#6e6156")
    canvas.label((380, 120), (285, 140), "bright, icy side")
    canvas.label((380, 210), (235, 210), "equatorial ridge")
    canvas.label((380, 300), (170, 300), "dark Cassini Regio")
    return canvas


def triton_orbit() -> Canvas:
    """Draw the backward orbit of Triton."""
    canvas = Canvas(600, 360)
    stars(canvas, 8)
    canvas.title("Triton moves against the turn of Neptune")
    centre = (300.0, 195.0)
    canvas.ellipse(centre, (230, 110), "#54627f", 1.5)
    canvas.disc(centre, 52, "#4f74d8")
    canvas.text(centre, "Neptune", 14)
    canvas.arc(centre, (70, 70), (205, 340), AMBER, 2.5)
    canvas.arrow(polar(centre, 70, 210), polar(centre, 70, 202), AMBER, 2.5)
    canvas.text((300, 108), "rotation", 13, colour=AMBER)
    canvas.disc((530, 195), 9, "#e3c9c0")
    canvas.text((548, 172), "Triton", 14, "mm")
    canvas.arc(centre, (230, 110), (10, 60), "#e3c9c0", 2.5)
    canvas.arrow((419, 289.2), (409, 292), "#e3c9c0", 2.5)
    canvas.text((300, 335), "seen from above the north pole; not to scale", 13)
    return canvas


def pluto_charon() -> Canvas:
    """Draw Pluto and Charon to scale with their barycentre."""
    canvas = Canvas(640, 280)
    stars(canvas, 2)
    canvas.title("Pluto and Charon to scale")
    pluto, scale = (110.0, 150.0), 1 / 42
    charon = (pluto[0] + 19_600 * scale, 150.0)
    centre = (pluto[0] + 2_131 * scale, 150.0)
    canvas.line([pluto, charon], "#54627f", 1)
    canvas.disc(pluto, 1_188 * scale, "#d8b79a")
    canvas.disc(charon, 606 * scale, "#a9a7a8")
    _cross(canvas, centre)
    canvas.text((pluto[0], 200), "Pluto", 15)
    canvas.text((charon[0], 200), "Charon", 15)
    canvas.label((210, 96), centre, "common centre of mass")
    canvas.text((345, 168), "19,600 km", 13)
    return canvas


def _cross(canvas: Canvas, at: Point) -> None:
    """Draw a small bright cross."""
    x, y = at
    canvas.line([(x - 6, y), (x + 6, y)], AMBER, 2)
    canvas.line([(x, y - 6), (x, y + 6)], AMBER, 2)
