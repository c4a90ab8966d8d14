"""Draw the pictures of the test wiki: what each of them shows is said on its pages, so that a test can ask for it."""

from collections.abc import Callable
from math import cos, pi, sin
from pathlib import Path

from PIL import Image, ImageDraw

Point = tuple[float, float]

RAINFALL = {
    "January": 151,
    "February": 120,
    "March": 104,
    "April": 77,
    "May": 61,
    "June": 70,
    "July": 83,
    "August": 96,
    "September": 118,
    "October": 149,
    "November": 182,
    "December": 168,
}
"""Millimetres at Tarnwick Observatory, as the page Marrowdale tells them for May and November."""

ARTIST = 0x013B
"""EXIF tag."""


def draw_pictures(folder: Path) -> None:
    """Write every picture of the wiki into the folder, each in the format that its name ends in."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        draw().save(folder / name)
    exif = Image.Exif()
    exif[ARTIST] = "Unknown draughtsman"
    portrait().save(folder / "Ilse Tarrant.jpg", quality=88, exif=exif)
    (folder / "Map of Marrowdale.svg").write_text(MAP, encoding="utf8")


def clock() -> Image.Image:
    """Draw a clock face whose hands stand at ten past four."""
    picture = Image.new("RGB", (640, 640), "ivory")
    pen = ImageDraw.Draw(picture)
    pen.ellipse((40, 40, 600, 600), outline="black", width=12)
    for hour in range(1, 13):
        pen.text(_on_dial(hour / 12, 235), str(hour), fill="black", anchor="mm", font_size=44)
    pen.line([(320, 320), _on_dial((4 + 10 / 60) / 12, 130)], fill="black", width=18)
    pen.line([(320, 320), _on_dial(10 / 60, 200)], fill="black", width=10)
    return picture


def _on_dial(turn: float, radius: float) -> Point:
    return 320 + radius * sin(2 * pi * turn), 320 - radius * cos(2 * pi * turn)


def viaduct() -> Image.Image:
    """Draw fourteen arches with a red train on them."""
    picture = Image.new("RGB", (1200, 500), "lightskyblue")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 430, 1200, 500), fill="seagreen")
    pen.rectangle((40, 200, 1160, 440), fill="rosybrown")
    for arch in range(14):
        left = 50 + arch * 79
        pen.pieslice((left, 230, left + 66, 310), 180, 360, fill="lightskyblue")
        pen.rectangle((left, 270, left + 66, 430), fill="lightskyblue")
    for waggon in range(4):
        pen.rectangle((400 + waggon * 110, 155, 500 + waggon * 110, 198), fill="red")
    return picture


def portrait() -> Image.Image:
    """Draw a woman with grey hair and a green coat."""
    picture = Image.new("RGB", (480, 600), "wheat")
    pen = ImageDraw.Draw(picture)
    pen.ellipse((130, 90, 350, 400), fill="gray")
    pen.ellipse((160, 130, 320, 360), fill="peachpuff")
    pen.polygon([(60, 600), (150, 380), (330, 380), (420, 600)], fill="darkgreen")
    for eye in (205, 275):
        pen.ellipse((eye - 8, 225, eye + 8, 241), fill="black")
    pen.arc((205, 270, 275, 310), 20, 160, fill="firebrick", width=5)
    return picture


def rainfall() -> Image.Image:
    """Draw a bar for each month, the tallest in November."""
    picture = Image.new("RGB", (800, 450), "white")
    pen = ImageDraw.Draw(picture)
    for place, (month, millimetres) in enumerate(RAINFALL.items()):
        left = 40 + place * 62
        pen.rectangle((left, 400 - millimetres * 1.9, left + 44, 400), fill="steelblue")
        pen.text((left + 22, 415), month[:3], fill="black", anchor="mm", font_size=16)
        pen.text((left + 22, 388 - millimetres * 1.9), str(millimetres), fill="black", anchor="mm", font_size=14)
    return picture


def boats() -> Image.Image:
    """Draw three boats: red ahead of yellow, yellow ahead of blue."""
    picture = Image.new("RGB", (700, 360), "powderblue")
    pen = ImageDraw.Draw(picture)
    for lane, (colour, bow) in enumerate([("red", 620), ("yellow", 480), ("blue", 340)]):
        top = 60 + lane * 100
        pen.polygon([(bow - 260, top), (bow, top + 15), (bow - 260, top + 30)], fill=colour)
    return picture.quantize(16)


def gentian() -> Image.Image:
    """Draw a flower with five deep blue petals."""
    picture = Image.new("RGB", (400, 400), "palegreen")
    pen = ImageDraw.Draw(picture)
    for petal in range(5):
        x, y = 200 + 85 * sin(2 * pi * petal / 5), 200 - 85 * cos(2 * pi * petal / 5)
        pen.ellipse((x - 62, y - 62, x + 62, y + 62), fill="mediumblue")
    pen.ellipse((170, 170, 230, 230), fill="gold")
    return picture


def panorama() -> Image.Image:
    """Draw thirty million pixels of one bit each: a file of a few kilobytes that needs 90 MB once decoded as RGB."""
    picture = Image.new("1", (6000, 5000), 1)
    ImageDraw.Draw(picture).rectangle((0, 2500, 6000, 5000), fill=0)
    return picture


def bell() -> Image.Image:
    """Draw an icon, too small to be evidence of anything."""
    picture = Image.new("RGB", (24, 24), "white")
    ImageDraw.Draw(picture).ellipse((4, 4, 20, 20), fill="goldenrod")
    return picture


PICTURES: dict[str, Callable[[], Image.Image]] = {
    "Tarnwick Clock.png": clock,
    "Great Pell Viaduct.png": viaduct,
    "Rainfall at Tarnwick.png": rainfall,
    "Regatta boats.gif": boats,
    "Reyle's gentian.webp": gentian,
    "Corvane Mere panorama.png": panorama,
    "Ferry bell.png": bell,
}

MAP = """<svg xmlns="http://www.w3.org/2000/svg" width="500" height="400" viewBox="0 0 500 400">
<rect width="500" height="400" fill="#e8efd8"/>
<ellipse cx="120" cy="90" rx="60" ry="25" fill="#6aa5d8"/>
<path d="M170 100 Q 260 180 300 230 T 460 370" stroke="#6aa5d8" stroke-width="8" fill="none"/>
<g fill="#333" font-family="sans-serif" font-size="18">
<circle cx="180" cy="105" r="9"/><text x="195" y="95">Tarnwick</text>
<circle cx="300" cy="230" r="6"/><text x="315" y="225">Pell Bridge</text>
<circle cx="440" cy="345" r="7"/><text x="360" y="340">Ostrey</text>
</g>
</svg>
"""
