"""What is remembered of past questions: what was asked of which sources, what held evidence, and how it ended."""

from dataclasses import dataclass
from typing import Literal

from heliograph.types.answers import ClaimVerdict
from heliograph.types.pages import Hit, Query
from heliograph.types.rounds import StopReason

Rating = Literal["up", "down"]
"""The user's thumb."""
RATINGS: tuple[Rating, ...] = ("up", "down")
DEFAULT_USER = "local"
"""A command line has one user."""


@dataclass(frozen=True, slots=True)
class MemoryScope:
    """Whose question it is, and of which conversation; a question of none has an empty name there."""

    user: str = DEFAULT_USER
    conversation: str = ""


COMMAND_LINE = MemoryScope()
"""The scope of a question that is asked on a command line, outside of a conversation."""


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """A query of a past question: how many pages it `found`, and how many of the first ten `held` evidence."""

    text: str
    found: int
    held: int


@dataclass(frozen=True, slots=True)
class HeldPage:
    """A page that held evidence: how many pieces of the final evidence, and how many that claims rest on.

    `title` is the canonical one, and so plain that no prompt or terminal takes it for anything else.
    """

    wiki: str
    title: str
    final: int
    cited: int


@dataclass(frozen=True, slots=True)
class Episode:
    """One past question; it holds no text of a page or of an answer.

    `asked` is seconds since the epoch. `sufficient` has the verdict of each round, `verdicts` those of the claims.
    `complete`: it was looked for anew, not where it had been found before, and `pages` has all of its final evidence.
    `manner` is a digest of the settings and the editions of the sources; it, `user` and `conversation` are filled in
    by the memory that keeps the episode.
    """

    run: str
    question: str
    asked: float
    stop_reason: StopReason
    abstained: bool
    sufficient: tuple[bool, ...]
    verdicts: tuple[ClaimVerdict, ...]
    queries: tuple[AskedQuery, ...]
    pages: tuple[HeldPage, ...]
    complete: bool = True
    user: str = DEFAULT_USER
    conversation: str = ""
    manner: str = ""
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class LikeEpisode:
    """A past question like the present one; `similarity` is the cosine of both, in [-1, 1]."""

    run: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Recollection:
    """What past questions propose for a new one: it steers what is looked for, and is never evidence.

    `pages` held evidence of questions like this one, `queries` named such pages, `barren` ones found nothing.
    `repeats`: the very question was answered before in the same manner, and `pages` held all of its final evidence.
    """

    like: tuple[LikeEpisode, ...] = ()
    queries: tuple[Query, ...] = ()
    barren: tuple[Query, ...] = ()
    pages: tuple[Hit, ...] = ()
    repeats: bool = False
