"""Drawings that can be said in words: two coloured shapes, one above or to the left of the other."""

import random
from dataclasses import dataclass
from io import BytesIO
from itertools import permutations, product
from typing import Literal

from PIL import Image, ImageDraw

COLOURS = {"red": (208, 40, 40), "blue": (40, 70, 210), "green": (40, 150, 60)}
SHAPES = ("circle", "square")
RELATIONS = {"above": "above", "left": "to the left of"}
SIDE = 32
"""Pixels of a drawing, drawn at four times that size."""

Thing = tuple[str, str]
"""Colour and shape."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a drawing shows; two different things, so that 60 scenes can be told apart."""

    first: Thing
    relation: Literal["above", "left"]
    second: Thing

    @property
    def caption(self) -> str:
        first, second = " ".join(self.first), " ".join(self.second)
        return f"a {first} {RELATIONS[self.relation]} a {second}"


SCENES = tuple(
    Scene(first, relation, second)
    for first, second in permutations(product(COLOURS, SHAPES), 2)
    for relation in ("above", "left")
)


def draw(scene: Scene, rng: random.Random) -> Image.Image:
    """Draw a scene with other sizes, places, shades and paper each time."""
    side = 4 * SIDE
    paper = tuple(rng.randint(205, 255) for _ in range(3))
    image = Image.new("RGB", (side, side), paper)
    pen = ImageDraw.Draw(image)
    for (colour, shape), ahead in ((scene.first, (0.22, 0.30)), (scene.second, (0.70, 0.78))):
        along, across = rng.uniform(*ahead) * side, rng.uniform(0.3, 0.7) * side
        x, y = (across, along) if scene.relation == "above" else (along, across)
        half = rng.uniform(0.11, 0.19) * side
        shade = tuple(min(255, max(0, part + rng.randint(-18, 18))) for part in COLOURS[colour])
        outline = pen.ellipse if shape == "circle" else pen.rectangle
        outline((x - half, y - half, x + half, y + half), fill=shade)
    return image.resize((SIDE, SIDE), Image.Resampling.BILINEAR)


def png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
