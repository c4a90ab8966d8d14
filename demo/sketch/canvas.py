"""A small canvas that draws at three times the size and shrinks the result."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TypeAlias

from PIL import Image, ImageDraw, ImageFont

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = str

SCALE = 3
COLOURS = 256
NIGHT: Colour = "#10182b"
PAPER: Colour = "#faf8f2"
INK: Colour = "#26303f"
PALE: Colour = "#e8ecf4"
DIM: Colour = "#8d9ab3"
AMBER: Colour = "#f2b84b"


class Canvas:
    """Draw anti-aliased shapes in logical pixels."""

    def __init__(self, width: int, height: int, background: Colour = NIGHT) -> None:
        """Open an empty canvas of the given logical size."""
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * SCALE, height * SCALE), background)
        self._draw = ImageDraw.Draw(self._image)
        self.ink = PALE if background == NIGHT else INK

    def disc(self, centre: Point, radius: float, fill: Colour) -> None:
        """Fill a circle."""
        self._draw.ellipse(_box(centre, radius, radius), fill=fill)

    def circle(self, centre: Point, radius: float, colour: Colour, width: float = 1) -> None:
        """Outline a circle."""
        self.ellipse(centre, (radius, radius), colour, width)

    def ellipse(self, centre: Point, radii: Point, colour: Colour, width: float = 1) -> None:
        """Outline an ellipse whose axes are horizontal and vertical."""
        self._draw.ellipse(_box(centre, *radii), outline=colour, width=_scaled(width))

    def oval(self, centre: Point, radii: Point, fill: Colour) -> None:
        """Fill an ellipse whose axes are horizontal and vertical."""
        self._draw.ellipse(_box(centre, *radii), fill=fill)

    def sector(self, centre: Point, radius: float, angles: Point, fill: Colour) -> None:
        """Fill a pie slice between two angles in degrees, clockwise from the right."""
        self._draw.pieslice(_box(centre, radius, radius), *angles, fill=fill)

    def arc(self, centre: Point, radii: Point, angles: Point, colour: Colour, width: float = 2) -> None:
        """Draw part of an ellipse between two angles in degrees."""
        self._draw.arc(_box(centre, *radii), *angles, fill=colour, width=_scaled(width))

    def rect(self, corner: Point, size: Point, fill: Colour) -> None:
        """Fill a rectangle given by its upper left corner and its size."""
        far = (corner[0] + size[0], corner[1] + size[1])
        self._draw.rectangle([_at(corner), _at(far)], fill=fill)

    def line(self, points: list[Point], colour: Colour, width: float = 1.5) -> None:
        """Draw a polyline with rounded joints."""
        path = [_at(point) for point in points]
        self._draw.line(path, fill=colour, width=_scaled(width), joint="curve")

    def polygon(self, points: list[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon([_at(point) for point in points], fill=fill)

    def arrow(self, start: Point, end: Point, colour: Colour, width: float = 2) -> None:
        """Draw a straight arrow."""
        self.line([start, end], colour, width)
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        self.polygon(_head(end, angle, 4 + 2.5 * width), colour)

    def text(self, at: Point, words: str, size: int = 14, anchor: str = "mm", colour: Colour = "") -> None:
        """Write words at a point with a Pillow anchor."""
        font = ImageFont.load_default(size * SCALE)
        self._draw.text(_at(at), words, font=font, anchor=anchor, fill=colour or self.ink)

    def title(self, words: str) -> None:
        """Write the heading of the picture."""
        self.text((20, 24), words, 18, "lm")

    def label(self, at: Point, target: Point, words: str, anchor: str = "lm") -> None:
        """Write words and connect them to a target by a thin line."""
        across, down = {"l": (-5, 0), "r": (5, 0), "m": (0, -6)}[anchor[0]]
        self.line([(at[0] + across, at[1] + down), target], DIM, 1)
        self.disc(target, 2, DIM)
        self.text(at, words, 13, anchor)

    def save(self, path: Path) -> None:
        """Shrink the canvas and store it as a palette PNG."""
        small = self._image.resize((self.width, self.height), Image.Resampling.LANCZOS)
        palette = small.quantize(COLOURS, dither=Image.Dither.NONE)
        palette.save(path, optimize=True)


def _scaled(value: float) -> int:
    """Return a logical length in real pixels, at least one."""
    return max(1, round(value * SCALE))


def _at(point: Point) -> Point:
    """Return a logical point in real pixels."""
    return point[0] * SCALE, point[1] * SCALE


def _box(centre: Point, across: float, down: float) -> list[Point]:
    """Return the bounding box of an ellipse in real pixels."""
    x, y = centre
    return [_at((x - across, y - down)), _at((x + across, y + down))]


def _head(tip: Point, angle: float, size: float) -> list[Point]:
    """Return the triangle of an arrow head."""
    turns = (angle + 2.65, angle - 2.65)
    wings = [(tip[0] + size * math.cos(t), tip[1] + size * math.sin(t)) for t in turns]
    front = (tip[0] + 2 * math.cos(angle), tip[1] + 2 * math.sin(angle))
    return [front, *wings]


def polar(centre: Point, radius: float, degrees: float) -> Point:
    """Return the point at a distance and angle, clockwise from the right."""
    angle = math.radians(degrees)
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def stars(canvas: Canvas, seed: int, count: int = 70) -> None:
    """Sprinkle faint stars at repeatable places."""
    state = seed
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        x, y = (state >> 8) % canvas.width, (state >> 18) % canvas.height
        canvas.disc((x, y), 0.7, "#46536e")
