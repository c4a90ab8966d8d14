"""What a question asks to be seen in a picture, and how probable it is that a picture shows it."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from heliograph.types import EvidenceId, Scored

NEUTRAL = ("a picture", "an image", "a photo", "a drawing", "a diagram")
"""Texts that fit every picture; a description has to fit a picture better than their mean."""
ODDS = 200.0
"""Pictures among which the one that is described is thought to be: 20 on each of the 10 pages of a round."""

_PICTURE = (
    r"\b(?:picture|image|photo|photograph|drawing|painting|illustration|sketch|diagram|map|portrait|engraving|poster|"
    r"chart)s?\b"
)
_SHOWS = r"(?:show|depict|portray|display|illustrate|feature|contain|include)(?:s|d|ed|ing|n)?|has|have|having|with|of"
_DESCRIBED = re.compile(
    rf"{_PICTURE}(?:, [^,?!.;:]+,|(?: \w+){{0,3}}?) (?P<shows>(?:{_SHOWS}) (?P<what>[^?!.;:]+))", re.I
)
_IS = r"(?:is|are|do|does|can|could)"
_WITHIN = re.compile(
    rf"\b(?:in|on) (?:which|what) (?:\w+ ){{0,2}}?{_PICTURE} "
    rf"(?P<shows>{_IS} (?:(?:you|one|we) see )?(?P<what>[^?!.;:]+))",
    re.I,
)
_SHOW = re.compile(r"\W*(?:please |(?:can|could) you (?:please )?)?show (?:me|us) (?=\w)", re.I)
_END = re.compile(
    r" (?:(?:be )?(?:shown|seen|depicted|visible|found)|appear|shows?|depicts?|is|are|was|were|has|have|had|did|does|"
    r"that|which|who|when|where)\b.*",
    re.I | re.S,
)
"""What follows a description and does not belong to it: "the tower | was taken by whom"."""


@dataclass(frozen=True, slots=True)
class Depiction:
    """The description in a question that asks for a picture by what it shows.

    `text` is the description, as a caption would say it; with the verb before it, it stands at `start` to `end` of the
    question.
    """

    text: str
    start: int
    end: int


def depiction_of(question: str) -> Depiction | None:
    """Find the description: "a red circle" of "Which drawing shows a red circle?"; None where no picture is sought."""
    found = _DESCRIBED.search(question) or _WITHIN.search(question)
    if found is None:
        return None
    text = _END.sub("", found["what"]).strip(" ,")
    return Depiction(text, found.start("shows"), found.start("what") + len(text)) if text else None


def to_show(question: str) -> str:
    """Return what a question asks to be shown: "the rings" of "Show me the rings."; nothing where it asks for none."""
    found = _SHOW.match(question)
    if found is None:
        return ""
    described = depiction_of(question)
    return described.text if described else question[found.end() :].strip(" .!?")


def sought(question: str) -> str:
    """Return what an image model compares with pictures: the description where there is one, else the question."""
    described = depiction_of(question)
    return question if described is None else described.text


def probability(described: float, neutral: float, logit_scale: float) -> float:
    """Return how probable it is that a picture shows what is described, in [0, 1].

    The cosines of a picture with the description and with neutral text are the two classes of a zero-shot classifier
    (Radford et al. 2021, section 3.1) under the learned temperature; before it is looked at, one picture of ODDS is
    thought to be the one. No other picture enters.
    """
    return 1.0 / (1.0 + ODDS * math.exp(-min(max(logit_scale * (described - neutral), -50.0), 50.0)))


class PictureScores(Protocol):
    """How probable it is that pictures show what a question asks for, absolutely: a pair always scores the same."""

    async def shown(self, question: str, images: Sequence[EvidenceId]) -> tuple[Scored[EvidenceId], ...]:
        """Return a probability for each image whose picture is known, most probable first; the others are left out."""
