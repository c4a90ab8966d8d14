"""The lexical baselines of STaRK: BM25 over documents, over documents with neighbours' names, and over fields.

STaRK's own reads no relations (STaRK, section 4.1). Imports bm25s (0.4 s): import this module on first use only.
"""

import asyncio
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from logging import getLogger
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import ClassVar

import bm25s  # type: ignore[import-untyped]  # the library has no types
import numpy as np
import numpy.typing as npt
from bm25s.tokenization import Tokenized  # type: ignore[import-untyped]

from heliograph.storage import MALFORMED
from heliograph.types import Direction, Entity, Scored
from indexers.skb.adjacency import WAYS, Adjacency, Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.candidates import FINGERPRINT, INDEXES, NO_SCORES, Candidates, EntityScores, base_state
from tools.skb.entity_documents import first_neighbours, named_document, related_document, spelled_out

FORMAT = 1
"""Of the saved indexes; raise it when texts are composed or words are weighted in another way."""
NAME_WEIGHT, TEXT_WEIGHT, RELATION_WEIGHT = 1.0, 1.0, 1.0
"""Of fields. They are equal, as nothing is learnt here; mFAR (arXiv 2410.20056) learns such weights from questions."""
NAME_FIELD, TEXT_FIELD, FIRST_RELATION_FIELD = 0, 1, 2
"""Fields; each relation has two from the third on, one per direction."""
MOST_TRIPLES, FIRST_DOCUMENTS = 5_000_000, 5_000
"""Triples up to which all are scored, and the documents whose neighbours' triples alone are where there are more."""

Scores = npt.NDArray[np.floating]

LOG = getLogger("heliograph.skb")


class Bm25Retriever(ABC):
    """Rank entities by BM25 as bm25s computes it by default: no stemmer, English stop words, k1 1.5, b 0.75.

    The candidates share one index, and a type that is not among theirs has its own, so that the statistics of words
    are those of the candidates alone. An index is made on first use and saved beside the base; a saved one of another
    state of the base, or a damaged one, is made again.
    """

    name: ClassVar[str]

    def __init__(self, base: BuiltKnowledgeBase) -> None:
        self._base, self._lock = base, Lock()
        self._indexes = dict[str, bm25s.BM25]()
        self._candidates = Candidates(base)

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return at most k entities that share a word with a query, the best first and equal ones by number.

        Raises:
            UnknownName: the base has no such type.
        """
        return await asyncio.to_thread(self._retrieve, query, k, type)

    async def scores(self, query: str, scope: str = "") -> EntityScores:
        """Return what all entities of an index score that share a word with a query."""
        return await asyncio.to_thread(self._scores, query, scope)

    def _retrieve(self, query: str, k: int, type: str) -> tuple[Scored[int], ...]:
        scope = self._candidates.scope(type)
        if k < 1:
            return ()
        found = self._scores(query, scope)
        return found.among(self._candidates.of_type(found.numbers, type)).best(k)

    def _scores(self, query: str, scope: str) -> EntityScores:
        numbers = self._candidates.numbers(scope)
        if not len(numbers):
            return NO_SCORES
        index = self._index(scope, numbers)
        words = index.get_tokens_ids(bm25s.tokenize(query, return_ids=False, show_progress=False)[0])
        scores = index.get_scores_from_ids(words)
        found = np.flatnonzero(scores > 0)
        return EntityScores(numbers[found], scores[found])

    def _index(self, scope: str, numbers: Numbers) -> bm25s.BM25:
        """Return an index from memory, from its folder, or made now; the lock has each made once."""
        name = self._candidates.index_name(self.name, scope)
        with self._lock:
            if scope not in self._indexes:
                folder, state = self._base.folder / INDEXES / name, _state(self._base)
                self._indexes[scope] = _load(folder, state) or _saved(self._build(numbers), folder, state)
            return self._indexes[scope]

    @abstractmethod
    def _build(self, numbers: Numbers) -> bm25s.BM25:
        """Make the index of some entities, ascending, whose rows are places among them."""

    def _documents(self, numbers: Numbers) -> Iterator[tuple[Entity, str]]:
        wanted = np.zeros(len(self._base.graph.types), dtype=bool)
        wanted[numbers] = True
        return (each for each in self._base.documents() if wanted[each[0].number])

    def _names(self) -> list[str]:
        return [entity.name for entity, _ in self._base.documents()]


class DocumentBm25(Bm25Retriever):
    """STaRK's BM25: names and documents, without relations."""

    name = "bm25"

    def _build(self, numbers: Numbers) -> bm25s.BM25:
        return _index_of(named_document(entity, text) for entity, text in self._documents(numbers))


class NeighbourBm25(Bm25Retriever):
    """BM25 over names, documents, aliases, and a line per relation and direction such as "orbits: Saturn"."""

    name = "bm25-neighbours"

    def _build(self, numbers: Numbers) -> bm25s.BM25:
        names, relations = self._names(), [spelled_out(each) for each in self._base.relations]
        return _index_of(
            related_document(
                entity,
                text,
                (
                    (relations[relation], map(names.__getitem__, others))
                    for relation, _, others in first_neighbours(self._base.graph, entity.number)
                ),
            )
            for entity, text in self._documents(numbers)
        )


class FieldedBm25(Bm25Retriever):
    """BM25F (Robertson, Zaragoza and Taylor 2004): a field for names, one for the document, two per relation.

    The fields of a relation hold the names of its neighbours, one per direction.
    """

    name = "bm25-fields"

    def _build(self, numbers: Numbers) -> bm25s.BM25:
        weights = np.full(FIRST_RELATION_FIELD + 2 * len(self._base.relations), RELATION_WEIGHT)
        weights[NAME_FIELD], weights[TEXT_FIELD] = NAME_WEIGHT, TEXT_WEIGHT
        return _fielded_index_of(self._fields(numbers), weights, len(numbers))

    def _fields(self, numbers: Numbers) -> Iterator[tuple[int, int, str]]:
        """Yield the place of an entity, a field of it, and what stands there."""
        names = self._names()
        for place, (entity, text) in enumerate(self._documents(numbers)):
            yield place, NAME_FIELD, "\n".join((entity.name, *entity.aliases))
            yield place, TEXT_FIELD, text
            for relation, way, others in first_neighbours(self._base.graph, entity.number):
                yield place, FIRST_RELATION_FIELD + 2 * relation + way, "\n".join(names[each] for each in others)


class TripleBm25:
    """Score entities by the best of their triples: BM25 of the document at its other end, and of what it says.

    What a query tells of an entity may stand in a row of a table that links it, or in the text of what it is joined
    to, and in no document of its own. Texts are indexed once where many triples are stated by the same.
    """

    name = "triples"

    def __init__(self, base: BuiltKnowledgeBase) -> None:
        self._base, self._lock = base, Lock()
        self._known: StatedTriples | None = None

    async def scores(self, query: str, documents: EntityScores, entities: Numbers) -> tuple[EntityScores, EntityScores]:
        """Return the best of the documents at the other ends alone, and of these with what the triples say.

        Args:
            documents: BM25 of the same query over documents; what has none is as good as empty.
            entities: those that are scored, ascending; those that score nothing are left out, and where they have more
                than MOST_TRIPLES, those that are no neighbours of the first documents.
        """
        return await asyncio.to_thread(self._scores, query, documents, entities)

    def _scores(self, query: str, documents: EntityScores, entities: Numbers) -> tuple[EntityScores, EntityScores]:
        known, graph = self._stated(), self._base.graph
        beyond = np.zeros(len(graph.types))
        beyond[documents.numbers] = documents.values
        if sum(graph.rows[way].count(entities) for way in WAYS) > MOST_TRIPLES:
            entities = np.intersect1d(graph.neighbours(documents.first(FIRST_DOCUMENTS).numbers), entities)
        said, best = known.scores(query), np.zeros((2, len(entities)))
        for way in WAYS:
            rows = graph.rows[way]
            joined = np.flatnonzero(rows.offsets[entities + 1] > rows.offsets[entities])
            if len(joined):
                places, starts = rows.places(entities[joined])
                ends = beyond[rows.neighbours[places]]
                for kind, scores in enumerate((ends, ends + said[known.texts[way][places]])):
                    best[kind, joined] = np.maximum(best[kind, joined], np.maximum.reduceat(scores, starts))
        found = [np.flatnonzero(each > 0) for each in best]
        beside, stated = (EntityScores(entities[at], each[at]) for at, each in zip(found, best, strict=True))
        return beside, stated

    def _stated(self) -> "StatedTriples":
        """Return what triples say from memory, from its folder, or read now; the lock has it read once."""
        with self._lock:
            if self._known is None:
                folder, state = self._base.folder / INDEXES / self.name, _state(self._base)
                self._known = _load_stated(folder, state) or self._read(folder, state)
            return self._known

    def _read(self, folder: Path, state: str) -> "StatedTriples":
        graph, places, said = self._base.graph, dict[str, int](), list[tuple[int, int, int, int]]()
        for source, relation, target, text in self._base.statements():
            said.append((source, graph.relation(relation), target, places.setdefault(text, len(places))))
        if not places:
            nothing = {way: np.broadcast_to(np.int32(0), len(graph.rows[way].neighbours)) for way in WAYS}
            return StatedTriples(None, 0, nothing)
        stated = np.array(said, dtype=np.int64).reshape(-1, 4)
        texts = {way: _texts_of(graph, way, stated, len(places)) for way in WAYS}
        return StatedTriples(_saved(_index_of(places), folder, state, texts), len(places), texts)


@dataclass(frozen=True, slots=True)
class StatedTriples:
    """An index of what triples say, and for each triple of a direction the place of its text, `count` without one."""

    index: bm25s.BM25 | None
    count: int
    texts: Mapping[Direction, Numbers]

    def scores(self, query: str) -> Scores:
        """Return the scores of all texts, and a nought behind them."""
        if self.index is None:
            return np.zeros(self.count + 1)
        words = self.index.get_tokens_ids(bm25s.tokenize(query, return_ids=False, show_progress=False)[0])
        found: Scores = np.append(self.index.get_scores_from_ids(words), 0)
        return found


def _texts_of(graph: Adjacency, way: Direction, stated: Numbers, none: int) -> Numbers:
    """Return for each triple of a direction the place of its text; `stated` [n, 4] has triples with their places."""
    rows, (source, relation, target, text) = graph.rows[way], stated.T
    owner, other = (source, target) if way == "out" else (target, source)
    kinds, entities = max(1, len(graph.relations)), len(graph.types)
    found = np.full(len(rows.neighbours), none, dtype=np.int32)
    keys = (rows.owners() * kinds + rows.relations) * entities + rows.neighbours
    found[np.searchsorted(keys, (owner * kinds + relation) * entities + other)] = text
    return found


def _load_stated(folder: Path, state: str) -> StatedTriples | None:
    if (index := _load(folder, state)) is None:
        return None
    try:
        texts = {way: np.load(folder / f"{way}.npy", mmap_mode="r") for way in WAYS}
    except (OSError, EOFError, *MALFORMED):
        return None
    return StatedTriples(index, index.scores["num_docs"], texts)


RETRIEVERS: Mapping[str, type[Bm25Retriever]] = {each.name: each for each in (DocumentBm25, NeighbourBm25, FieldedBm25)}


def _index_of(texts: Iterable[str]) -> bm25s.BM25:
    index = bm25s.BM25()
    index.index(_tokenized(texts), create_empty_token=False, show_progress=False)
    return index


def _fielded_index_of(fields: Iterable[tuple[int, int, str]], weights: Scores, entities: int) -> bm25s.BM25:
    """Index entities by fields: of each the place of the entity, the place of its weight, and its text.

    A word scores idf · f / (k1 + f), where f is the sum of its shares over the fields of the entity. With a single
    field of weight 1 this is what `_index_of` makes.
    """
    index = bm25s.BM25()
    places, kinds, texts = zip(*fields, strict=True)
    tokens = _tokenized(texts)
    lengths = np.array([len(each) for each in tokens.ids])
    shares = _field_shares(np.array(kinds), lengths, weights, index.b)
    words = np.fromiter(chain.from_iterable(tokens.ids), np.int64, int(lengths.sum()))
    pairs, owners = np.unique(words * entities + np.repeat(places, lengths), return_inverse=True)
    sums = np.bincount(owners, np.repeat(shares, lengths))
    words, rows = np.divmod(pairs, entities)
    known = np.bincount(words, minlength=len(tokens.vocab))
    idf = np.log1p((entities - known + 0.5) / (known + 0.5))
    index.scores = {
        "data": (idf[words] * sums / (index.k1 + sums)).astype(index.dtype),
        "indices": rows.astype(index.int_dtype),
        "indptr": np.concatenate(([0], np.cumsum(known))),
        "num_docs": entities,
    }
    index.vocab_dict, index.nonoccurrence_array = tokens.vocab, None
    return index


def _field_shares(kinds: Numbers, lengths: Numbers, weights: Scores, b: float) -> Scores:
    """Return what one word of each field counts: weight / (1 − b + b · length / mean length).

    The mean is over the entities that have a word in the field: most have no field of most relations.
    """
    filled = np.bincount(kinds, lengths > 0, minlength=len(weights))
    means = np.bincount(kinds, lengths, minlength=len(weights)) / np.maximum(filled, 1)
    shares: Scores = weights[kinds] / (1 - b + b * lengths / np.maximum(means[kinds], 1))
    return shares


def _tokenized(texts: Iterable[str]) -> Tokenized:
    """Return the words of texts; where there are none at all, each text has the word "", which no query has."""
    tokens = bm25s.tokenize(texts, show_progress=False)
    return tokens if tokens.vocab else Tokenized([[0] for _ in tokens.ids], {"": 0})


def _state(base: BuiltKnowledgeBase) -> str:
    """Return what tells a base as it is now, and how its indexes are made, from others."""
    return f"{FORMAT} {bm25s.__version__} {base_state(base)}"


def _load(folder: Path, state: str) -> bm25s.BM25 | None:
    """Return a saved index, mapped into memory; None where there is none of this state that can be read."""
    try:
        if (folder / FINGERPRINT).read_text(encoding="utf8") == state:
            return bm25s.BM25.load(folder, mmap=True, show_progress=False)
    except (OSError, EOFError, *MALFORMED):
        LOG.info("no index can be read at %s; it is made now", folder)
    return None


def _saved(
    index: bm25s.BM25, folder: Path, state: str, beside: Mapping[Direction, Numbers] | None = None
) -> bm25s.BM25:
    """Keep an index at a folder, whole or not at all, and return it; a base on a read-only disk can be asked too."""
    try:
        folder.parent.mkdir(exist_ok=True)
        with TemporaryDirectory(prefix=".", dir=folder.parent) as scratch:
            whole = Path(scratch) / folder.name
            index.save(whole, show_progress=False)
            for name, numbers in (beside or {}).items():
                np.save(whole / f"{name}.npy", numbers)
            (whole / FINGERPRINT).write_text(state, encoding="utf8")
            shutil.rmtree(folder, ignore_errors=True)
            whole.rename(folder)
    except OSError as err:
        LOG.warning("the index %s is not kept (%s); it will be made again next time", folder, err.strerror)
    return index
