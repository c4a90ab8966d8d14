"""Fusion of the modalities (OMG-QA, section 3): one text space and absolute scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Embedder, Vectors
from heliograph.types import (
    Evidence,
    EvidenceId,
    ImageEvidence,
    Observation,
    PageKey,
    Scored,
    TableSegment,
    modality_of,
)
from indexers.depiction import PictureScores
from indexers.lexical import question_coverage
from indexers.links import links_of, says, subject_of
from indexers.render import render, windows

LEXICAL_WEIGHT = 0.5
"""Share of the lexical term in a score; the cosine has the rest (tuned, see decision record 005)."""
SEEDS = 8
"""Pieces of one call from which second hops start, besides those already known."""
SHORTEST_NAME = 3
"""Characters of a name from which saying it joins two pieces."""
SCORE_DIGITS = 6
SHOWN_WEIGHT = 0.5
"""Score of a picture that surely shows what is asked for: above the floor, below a text that says all of it."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A known piece u, and the pieces to be scored that a link joins to it."""

    known: Evidence
    reached: tuple[EvidenceId, ...]


class EmbeddingReranker:
    """Score a piece by cosine and by the question's words it says; the same pair always scores the same.

    A piece that a link or a name joins to a known piece u may be scored as a second hop instead: by sim([q; Γ(u)], e),
    where Γ(u) is the rendered text of u (HELIOS, equation 5), and by the words that u and the piece say together. The
    larger score counts; `via` names u where it is the second. Known are the pieces of the ledger and the best `seeds`
    of the call. With `pictures`, an image scores what its text does or SHOWN_WEIGHT times the probability that it shows
    what the question asks for, whichever is more: a probability, because cosines of two spaces cannot be compared.

    Raises:
        ModelMissing: at the first text to embed.
    """

    def __init__(
        self,
        embedder: Embedder,
        lexical_weight: float = LEXICAL_WEIGHT,
        seeds: int = SEEDS,
        pictures: PictureScores | None = None,
    ) -> None:
        self._pictures = pictures
        self._embedder = embedder
        self._lexical_weight = lexical_weight
        self._seeds = seeds

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """Return one observation a piece, best first, ties to the smaller id."""
        pieces = {piece.id: piece for piece in evidence}
        if not pieces:
            return ()
        vectors = await self._vectors(tuple(pieces.values()))
        (asked,) = await self._embedder.embed([question])
        seen: dict[EvidenceId, Observation] = {}
        for name, piece in pieces.items():
            score = self._score(question, asked, vectors[name], render(piece))
            seen[name] = Observation(name, modality_of(piece), score, round)
        for shown in await self._shown(question, evidence):
            best = max(seen[shown.item].score, shown.score)
            seen[shown.item] = replace(seen[shown.item], score=best)
        seeds = [pieces[best.evidence] for best in ranked(seen.values())[: self._seeds]]
        for found in await self._second_hops(
            question, hops(question, (*known, *seeds), tuple(pieces.values())), pieces, vectors
        ):
            if found.score > seen[found.item].score:
                seen[found.item] = replace(seen[found.item], score=found.score, via=found.via)
        return ranked(seen.values())

    async def _shown(self, question: str, evidence: Sequence[Evidence]) -> tuple[Scored[EvidenceId], ...]:
        images = [piece.id for piece in evidence if isinstance(piece, ImageEvidence)]
        shown = await self._pictures.shown(question, images) if self._pictures and images else ()
        return tuple(Scored(one.item, _rounded(SHOWN_WEIGHT * one.score)) for one in shown)

    async def _second_hops(
        self,
        question: str,
        paths: Sequence[Hop],
        pieces: Mapping[EvidenceId, Evidence],
        vectors: Mapping[EvidenceId, Vectors],
    ) -> tuple["Reached", ...]:
        texts = [render(path.known) for path in paths]
        asked = await self._embedder.embed([f"{question} {text}" for text in texts])
        return tuple(
            Reached(name, path.known.id, self._score(question, vector, vectors[name], f"{text} {render(pieces[name])}"))
            for path, text, vector in zip(paths, texts, asked, strict=True)
            for name in path.reached
        )

    async def _vectors(self, pieces: Sequence[Evidence]) -> Mapping[EvidenceId, Vectors]:
        texts = [windows(piece) for piece in pieces]
        flat = await self._embedder.embed([text for group in texts for text in group])
        ends = np.cumsum([len(group) for group in texts])
        return {piece.id: rows for piece, rows in zip(pieces, np.split(flat, ends[:-1]), strict=True)}

    def _score(self, question: str, asked: NDArray[np.float32], vectors: Vectors, said: str) -> float:
        cosine = float((vectors.astype(np.float64) * asked).sum(axis=1).max())
        score = (1 - self._lexical_weight) * cosine + self._lexical_weight * question_coverage(question, said)
        return _rounded(score)


@dataclass(frozen=True, slots=True)
class Reached:
    """The score of a piece as a second hop."""

    item: EvidenceId
    via: EvidenceId
    score: float


def hops(question: str, known: Sequence[Evidence], pieces: Sequence[Evidence]) -> tuple[Hop, ...]:
    """Find, for each known piece, the pieces that an edge joins to it, in whichever direction the edge points.

    Rows and passages are the two sides of HELIOS's data graph, whose edges have no direction. A link joins a piece to
    all pieces of the page that it names, and never to those of its own page. A name joins the row that it heads to all
    pieces outside the table that say it, where the question does not say it: what the question names itself, it finds
    without a hop.
    """
    nodes = {piece.id: _node(piece) for piece in (*known, *pieces)}
    asked = question.casefold()
    found = []
    for start in {piece.id: piece for piece in known}.values():
        reached = tuple(piece.id for piece in pieces if _joined(nodes[start.id], nodes[piece.id], asked))
        if reached:
            found.append(Hop(start, reached))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Node:
    """What edges are made of: the page, the table of a row, the name that heads it, what is linked and what is said."""

    page: PageKey
    title: str
    table: EvidenceId | None
    name: str
    targets: frozenset[str]
    said: str


def _node(piece: Evidence) -> _Node:
    row = isinstance(piece, TableSegment)
    name = subject_of(piece) if row else ""
    return _Node(
        page=piece.place.page,
        title=_title(piece.place.title),
        table=piece.table if isinstance(piece, TableSegment) else piece.id,
        name=name if len(name) >= SHORTEST_NAME and name[0].isupper() else "",
        targets=frozenset(_title(link.target) for link in links_of(piece)),
        said=render(piece),
    )


def _joined(start: _Node, end: _Node, asked: str) -> bool:
    if start.page != end.page and (end.title in start.targets or start.title in end.targets):
        return True
    return start.table != end.table and (_says(start, end.name, asked) or _says(end, start.name, asked))


def _says(node: _Node, name: str, asked: str) -> bool:
    """Tell whether a piece says a name that the question does not say."""
    return bool(name) and says(node.said, name) and not says(asked, name.casefold())


def ranked(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """Order by score, then by id, then by the earlier round."""
    return tuple(sorted(observations, key=lambda seen: (-seen.score, seen.evidence, seen.round)))


def risen(score: float, share: float) -> float:
    """Return a score that got nearer to 1 by a share, in [0, 1], of what it missed to it."""
    return round(1 - (1 - score) * (1 - share), SCORE_DIGITS)


def _rounded(score: float) -> float:
    return round(min(1.0, max(-1.0, score)), SCORE_DIGITS)


def _title(title: str) -> str:
    return title.replace("_", " ").casefold()
