"""The labels of the question set as people write them, and the half that a question belongs to."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from eval.drawing import Half, digest_of
from eval.lines import read_lines
from heliograph.types import Modality

HERE = Path(__file__).parent
HALVES: tuple[Half, ...] = ("development", "report")


class _Line(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Piece(_Line):
    """A leaf, named by words that only it holds among the leaves of its modality on its page."""

    title: str
    modality: Modality
    contains: str


class Fact(_Line):
    """Something that the answer needs.

    `says` are words of which each leaf that states the fact holds all, `|` between alternatives. `evidence` is every
    such leaf of the corpus; `aside` are leaves that hold the words and state something else.
    """

    says: tuple[str, ...]
    evidence: tuple[Piece, ...]
    aside: tuple[Piece, ...] = ()


class Label(_Line):
    """A question with the facts that answer it.

    `pipeline` follows OMG-QA, section 2.1: `pairs` of articles, or the table of `contents` of one. `computed` says how
    an answer that stands nowhere comes about, as a sum in figures. `open` are leaves that people may see either way,
    which are not judged. A question without facts has no answer: no leaf holds all words of any of its `absent` groups.
    """

    id: str
    pipeline: Literal["pairs", "contents"]
    question: str
    answers: tuple[str, ...]
    modalities: tuple[Modality, ...]
    facts: tuple[Fact, ...]
    open: tuple[Piece, ...] = ()
    computed: str = ""
    absent: tuple[tuple[str, ...], ...] = ()

    @property
    def half(self) -> Half:
        """The half of the set, by the hash of the id: one is tuned on, the other reported."""
        return HALVES[int(digest_of(self.id), 16) % len(HALVES)]


def read_labels(path: Path = HERE / "labels.jsonl") -> tuple[Label, ...]:
    """Read the labels in the order of the file.

    Raises:
        UsageError: the file cannot be read, or a line is no label.
    """
    return tuple(read_lines(path, Label))


def read_drawn(path: Path = HERE / "drawn.jsonl") -> dict[str, str]:
    """Read the words that stand in the pictures themselves, by the name of the picture's file."""
    return {line.picture: line.words for line in read_lines(path, _Drawn)}


class _Drawn(_Line):
    picture: str
    words: str
