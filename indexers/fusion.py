"""Fusion of the modalities (OMG-QA, section 3): one text space, absolute scores, and a quota for each modality."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Embedder, Vectors
from heliograph.types import MODALITIES, Evidence, EvidenceId, Modality, Observation, modality_of
from indexers.lexical import coverage
from indexers.links import links_of
from indexers.render import render, windows

LEXICAL_WEIGHT = 0.4
"""Share of the lexical term in a score; the cosine has the rest."""
SCORE_DIGITS = 6
FLOOR = 0.2
"""A piece that scores no more than this takes no place by quota."""


Quotas = Mapping[Modality, int]
QUOTAS: Quotas = {"text": 4, "table": 4, "image": 1}
"""Places that a modality is entitled to among the final k."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A known piece u, and the pieces to be scored that stand on a page which u links to."""

    known: Evidence
    reached: tuple[EvidenceId, ...]


class EmbeddingReranker:
    """Score a piece by cosine and by the question's words it says; the same pair always scores the same.

    A piece on a page that a known piece u links to may be scored as a second hop instead: by sim([q; Γ(u)], e), where
    Γ(u) is the rendered text of u (HELIOS, equation 5). The larger score counts; `via` names u where it is the second.

    Raises:
        ModelMissing: at the first text to embed.
    """

    def __init__(self, embedder: Embedder, lexical_weight: float = LEXICAL_WEIGHT) -> None:
        self._embedder = embedder
        self._lexical_weight = lexical_weight

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """Return one observation a piece, best first, ties to the smaller id."""
        pieces = {piece.id: piece for piece in evidence}
        if not pieces:
            return ()
        paths = hops(known, tuple(pieces.values()))
        queries = [question, *(f"{question} {render(hop.known)}" for hop in paths)]
        asked = await self._embedder.embed(queries)
        vectors = await self._vectors(tuple(pieces.values()))
        seen: dict[EvidenceId, Observation] = {}
        for name, piece in pieces.items():
            score = self._score(question, asked[0], vectors[name], render(piece))
            seen[name] = Observation(name, modality_of(piece), score, round)
        for hop, vector in zip(paths, asked[1:], strict=True):
            for name in hop.reached:
                said = f"{render(hop.known)} {render(pieces[name])}"
                score = self._score(question, vector, vectors[name], said)
                if score > seen[name].score:
                    seen[name] = replace(seen[name], score=score, via=hop.known.id)
        return ranked(seen.values())

    async def _vectors(self, pieces: Sequence[Evidence]) -> Mapping[EvidenceId, Vectors]:
        texts = [windows(piece) for piece in pieces]
        flat = await self._embedder.embed([text for group in texts for text in group])
        ends = np.cumsum([len(group) for group in texts])
        return {piece.id: rows for piece, rows in zip(pieces, np.split(flat, ends[:-1]), strict=True)}

    def _score(self, question: str, asked: NDArray[np.float32], vectors: Vectors, said: str) -> float:
        cosine = float((vectors.astype(np.float64) * asked).sum(axis=1).max())
        score = (1 - self._lexical_weight) * cosine + self._lexical_weight * coverage(question, said)
        return round(min(1.0, max(-1.0, score)), SCORE_DIGITS)


def hops(known: Sequence[Evidence], pieces: Sequence[Evidence]) -> tuple[Hop, ...]:
    """Find, for each known piece, the pieces on the pages that it links to; a piece reaches none of its own page."""
    by_title: dict[str, list[Evidence]] = {}
    for piece in pieces:
        by_title.setdefault(_title(piece.place.title), []).append(piece)
    found = []
    for piece in {piece.id: piece for piece in known}.values():
        targets = dict.fromkeys(_title(link.target) for link in links_of(piece))
        reached = (other for target in targets for other in by_title.get(target, ()))
        names = tuple(other.id for other in reached if other.place.page != piece.place.page)
        if names:
            found.append(Hop(piece, names))
    return tuple(found)


def select(observations: Sequence[Observation], k: int, quotas: Quotas = QUOTAS) -> tuple[Observation, ...]:
    """Return the final k, best first: each modality gets the places of its quota, the best of all get the others.

    Of several sightings of a piece the best counts. A modality uses its quota only for pieces above the floor, and
    where the quotas together exceed k, better pieces go first.
    """
    best: dict[EvidenceId, Observation] = {}
    for seen in ranked(observations):
        best.setdefault(seen.evidence, seen)
    everything = ranked(best.values())
    entitled = ranked(
        seen
        for modality in MODALITIES
        for seen in [one for one in everything if one.modality == modality][: quotas.get(modality, 0)]
        if seen.score > FLOOR
    )[:k]
    taken = {seen.evidence for seen in entitled}
    others = [seen for seen in everything if seen.evidence not in taken]
    return ranked((*entitled, *others[: k - len(entitled)]))


def ranked(observations: Iterable[Observation]) -> tuple[Observation, ...]:
    """Order by score, then by id, then by the earlier round."""
    return tuple(sorted(observations, key=lambda seen: (-seen.score, seen.evidence, seen.round)))


def _title(title: str) -> str:
    return title.replace("_", " ").casefold()
