"""The dense baselines of STaRK (section 4.1): one vector per entity, and several of its first by their chunks.

Search is exact. A baseline that may miss answers by its index cannot be compared, and where a type is named such an
index would drop most of what it finds. The products of 0.7 million vectors of 384 numbers, as many as MAG has papers,
are one pass over a gigabyte: 0.1 s on one core once it is in memory. Half the precision would spare half of it and take
twenty times as long, for numpy makes such numbers longer one by one.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from logging import getLogger
from pathlib import Path
from time import monotonic
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import ContextOverflow, StoreError, StoreFull, StoreLocked
from heliograph.paths import expanded
from heliograph.protocols import Embedder, Vectors
from heliograph.storage import MALFORMED, storage_error
from heliograph.types import Scored
from indexers.lock import WriterLock
from indexers.models.cache import CachedEmbedder
from indexers.models.kept import KeptVectors
from indexers.models.kinds import PROMPTS_FILE
from indexers.pace import Pace, Say
from indexers.skb.adjacency import Numbers
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.candidates import FINGERPRINT, INDEXES, NO_SCORES, Candidates, EntityScores, base_state
from tools.skb.entity_documents import related_documents
from tools.skb.reranking import reranked

FORMAT = 1
"""Of saved vectors; raise it when texts are composed or cut in another way."""
MOST_CHARACTERS = 32_000
"""Of a document that are embedded: 8,191 tokens of English, the window of ada-002; models with less see less."""
BLOCK = 256
"""Entities embedded between two writes: what a stopped run keeps."""
PART = 32
"""Some entities embedded before it is said how far they are."""
NUMBER_BYTES = 4
PATIENCE_SECONDS, PAUSE_SECONDS = 600.0, 0.5
"""How long another process that embeds the same entities is waited for, and how long between two looks."""
VECTORS, CHUNKS, SOME = "vectors", "chunks.sqlite", "entities.sqlite"
CHUNKED, CHUNK, OVERLAP = 50, 256, 51
"""Entities whose chunks are compared, characters of a chunk, and those that it shares with the next (STaRK's code)."""
TOP = 3
"""Chunks in the mean of `top3`."""
ELSEWHERE = "copy the knowledge base to a disk that takes it"
REMEDY = "delete the file, and it is made again"

Aggregation = Literal["max", "top3"]

LOG = getLogger("heliograph.skb")


@dataclass(frozen=True, slots=True)
class Instruction:
    """What stands before a query, and before a document, when it is embedded."""

    query: str = ""
    document: str = ""


TASK = "Given a query, retrieve the entities of a knowledge base whose descriptions and relations meet it"
INSTRUCTIONS = {
    "gritlm": Instruction(f"<|user|>\n{TASK}\n<|embed|>\n", "<|embed|>\n"),
    "llm2vec": Instruction(f"{TASK}: "),
    "voyage": Instruction(
        "Represent the query for retrieving supporting documents: ", "Represent the document for retrieval: "
    ),
}
"""By a part of a model's name, as the models were trained with them or their API adds them; others have none."""


def instruction_of(model: str, query: "str | Instruction | None" = None) -> Instruction:
    """Return the instruction of a model; `query` stands in place of what queries of it begin with, or of all of it."""
    if isinstance(query, Instruction):
        return query
    known = next((each for part, each in INSTRUCTIONS.items() if part in model.casefold()), Instruction())
    return known if query is None else Instruction(query, known.document)


def instruction_beside(model: str, query: str | None = None) -> str | Instruction | None:
    """Return what the folder of a model says of its instruction, with `query` in its place, or else `query`.

    Where it says what one of both begins with, and not the other, the other is what is known of the model.
    """
    try:
        said = json.loads((expanded(model) / PROMPTS_FILE).read_text(encoding="utf8"))["prompts"]
        asked = str(said.get("query") or "")
        told = next((str(said[name]) for name in ("document", "passage", "corpus") if said.get(name)), "")
    except (OSError, *MALFORMED):
        asked = told = ""
    if not model or not (asked or told):
        return query
    known = instruction_of(model)
    return Instruction(asked or known.query if query is None else query, told or known.document)


class DenseRetriever:
    """Rank entities by the dot product of unit vectors, one per entity (STaRK's VSS).

    An entity is its name, document, aliases and relations on one line, cut to MOST_CHARACTERS and to the window of the
    model. Vectors are kept beside the base, mapped into memory, and written in blocks: a run that was stopped goes on
    after the last.

    Args:
        base: whose candidates are ranked.
        embedder: makes the vectors.
        instruction: what stands before a query, or before documents too; None is what the model was trained with.
        say: hears progress.
        patience: seconds that another process is waited for which is writing the vectors.

    Raises:
        ModelError: at a query, the embedder cannot be asked.
        StoreFull | StoreLocked: at the first query, the vectors cannot be kept, or another process still writes them.
    """

    def __init__(
        self,
        base: BuiltKnowledgeBase,
        embedder: Embedder,
        instruction: str | Instruction | None = None,
        say: Say = lambda _said: None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._base, self._embedder, self._query, self._say = base, embedder, instruction, say
        self._patience = patience
        self._candidates, self._turn = Candidates(base), asyncio.Lock()
        self._vectors = dict[str, Vectors]()
        self._kept: KeptVectors | None = None

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return the k entities whose vectors are nearest to that of a query, equal ones by number.

        Raises:
            UnknownName: the base has no such type.
        """
        scope = self._candidates.scope(type)
        if k < 1:
            return ()
        found = await self.scores(query, scope)
        return await asyncio.to_thread(self._nearest, found, k, type)

    async def scores(self, query: str, scope: str = "") -> EntityScores:
        """Return the dot products of all entities of an index with a query; none for one that says nothing."""
        numbers = await asyncio.to_thread(self._candidates.numbers, scope)
        if not len(numbers) or not query.strip():
            return NO_SCORES
        async with self._turn:
            if scope not in self._vectors:
                self._vectors[scope] = await self._opened(scope, numbers)
        (asked,) = await self._embedder.embed([(await self.instruction()).query + query])
        return EntityScores(numbers, await asyncio.to_thread(np.matmul, self._vectors[scope], asked))

    async def scores_among(self, query: str, numbers: Numbers) -> EntityScores:
        """Return the dot products of some entities with a query; these alone are embedded, once, and kept."""
        if not len(numbers) or not query.strip():
            return NO_SCORES
        (asked,) = await self._embedder.embed([(await self.instruction()).query + query])
        async with self._turn:
            vectors = await self._embedded(numbers)
        return EntityScores(numbers, await asyncio.to_thread(np.matmul, vectors, asked))

    async def instruction(self) -> Instruction:
        """Return what stands before texts."""
        return instruction_of(await asyncio.to_thread(lambda: self._embedder.name), self._query)

    def _nearest(self, found: EntityScores, k: int, type: str) -> tuple[Scored[int], ...]:
        return found.among(self._candidates.of_type(found.numbers, type)).best(k)

    async def _embedded(self, numbers: Numbers) -> Vectors:
        """Return the vectors of some entities; a disk that keeps none costs the time to make them again.

        Raises:
            StoreDamaged: the base itself cannot be read.
            ModelError: the embedder cannot be asked.
        """
        model, width = await asyncio.to_thread(lambda: (self._embedder.name, self._embedder.dimensions))
        before, state = (await self.instruction()).document, await asyncio.to_thread(base_state, self._base)
        of = f"{FORMAT} {model} {before!r} {state}"
        keyed = [(sha256(f"{of}\0{each}".encode()).digest(), each) for each in numbers.tolist()]
        if self._kept is None:
            place = self._base.folder / INDEXES / SOME
            self._kept = KeptVectors(place, lambda: width, REMEDY, partial(_are_not_kept, "entities", place))
        return (await self._kept.filled(keyed, self._in_parts)).vectors

    async def _in_parts(self, numbers: Sequence[int]) -> Vectors:
        """Embed entities, and say how far it is where that takes long."""
        before, pace = (await self.instruction()).document, Pace("entities embedded", len(numbers), self._say)
        found = list[Vectors]()
        for start in range(0, len(numbers), PART):
            if start:
                pace.done(start)
            texts = await related_documents(self._base, numbers[start : start + PART])
            found.append(await embed_fitting(self._embedder, [before + on_one_line(each) for each in texts]))
        return np.concatenate(found).astype(np.float32, copy=False)

    async def _opened(self, scope: str, numbers: Numbers) -> Vectors:
        """Return the vectors of an index from its folder, after what it lacks was added."""
        instruction = await self.instruction()
        model, width = await asyncio.to_thread(lambda: (self._embedder.name, self._embedder.dimensions))
        by = sha256(f"{model}\0{instruction.document}".encode()).hexdigest()[:12]
        short = re.sub(r"\W+", "-", model)[:40].strip("-")
        folder = self._base.folder / INDEXES / self._candidates.index_name(f"dense-{short}-{by}", scope)
        state = f"{FORMAT} {model} {instruction.document!r} {await asyncio.to_thread(base_state, self._base)}"
        file = VectorFile(folder, state, len(numbers), width)
        if (kept := await asyncio.to_thread(file.read)) is not None:
            return kept
        lock = WriterLock(folder, ELSEWHERE)
        try:
            await self._acquire(lock)
        except (StoreFull, StoreLocked):
            raise
        except StoreError as err:
            LOG.warning("the vectors of %s are not kept (%s); they will be made again next time", folder, err)
            return np.concatenate([each async for each in self._blocks(numbers, 0)])
        try:
            async for block in self._blocks(numbers, await asyncio.to_thread(file.begin)):
                await asyncio.to_thread(file.append, block)
            return await asyncio.to_thread(file.mapped)
        finally:
            lock.release()

    async def _acquire(self, lock: WriterLock) -> None:
        """Take the lock of a folder; what another process is writing there is waited for, and used."""
        until, told = monotonic() + self._patience, False
        while True:
            try:
                return await asyncio.to_thread(lock.acquire)
            except StoreLocked:
                if monotonic() >= until:
                    raise
            if not told:
                self._say("another process embeds the entities; waiting for it")
                told = True
            await asyncio.sleep(PAUSE_SECONDS)

    async def _blocks(self, numbers: Numbers, done: int) -> AsyncIterator[Vectors]:
        """Yield the vectors of entities from a place on."""
        before, pace = (await self.instruction()).document, Pace("entities embedded", len(numbers) - done, self._say)
        for start in range(done, len(numbers), BLOCK):
            part = numbers[start : start + BLOCK].tolist()
            texts = [before + on_one_line(each) for each in await related_documents(self._base, part)]
            yield (await embed_fitting(self._embedder, texts)).astype(np.float32, copy=False)
            pace.done(start + len(part) - done)


class VectorFile:
    """Vectors that are added to a file, shape (rows, width); it is whole when it has all its rows."""

    def __init__(self, folder: Path, state: str, rows: int, width: int) -> None:
        self._folder, self._path, self._state, self._shape = folder, folder / VECTORS, state, (rows, width)

    def read(self) -> Vectors | None:
        """Return the vectors, mapped into memory; None where they are of another state or not all there."""
        try:
            if (
                self._said() == self._state
                and self._path.stat().st_size == NUMBER_BYTES * self._shape[0] * self._shape[1]
            ):
                return self.mapped()
        except OSError:
            LOG.info("no vectors can be read at %s; they are made now", self._folder)
        return None

    def mapped(self) -> Vectors:
        """Return all vectors, mapped into memory."""
        try:
            return np.memmap(self._path, np.float32, "r", shape=self._shape)
        except (OSError, ValueError) as err:
            raise StoreError(f"{self._path} cannot be read ({err}); {REMEDY}") from err

    def begin(self) -> int:
        """Return how many rows are there to go on after; those of another state are removed, and one cut short."""
        row = NUMBER_BYTES * self._shape[1]
        try:
            if self._said() != self._state:
                self._path.unlink(missing_ok=True)
                (self._folder / FINGERPRINT).write_text(self._state, encoding="utf8")
            with self._path.open("ab") as file:
                rows = min(file.tell() // row, self._shape[0])
                file.truncate(rows * row)
        except OSError as err:
            raise storage_error(err, self._path, ELSEWHERE) from err
        return rows

    def append(self, vectors: Vectors) -> None:
        """Add rows.

        Raises:
            StoreFull | StoreError: they cannot be written; those before are kept.
        """
        try:
            with self._path.open("ab") as file:
                file.write(vectors.tobytes())
        except OSError as err:
            raise storage_error(err, self._path, ELSEWHERE) from err

    def _said(self) -> str:
        path = self._folder / FINGERPRINT
        return path.read_text(encoding="utf8", errors="replace") if path.is_file() else ""


class MultiVectorRetriever:
    """Rank the first CHUNKED entities of dense retrieval again by their chunks (STaRK's MultiVSS).

    A chunk scores its dot product with the query, and an entity the greatest of its chunks (`max`, the default of
    STaRK's eval.py) or the mean of the three greatest (`top3`, what the paper says). Chunks are embedded when their
    entity is first found, and kept beside the base.
    """

    def __init__(
        self, base: BuiltKnowledgeBase, dense: DenseRetriever, embedder: Embedder, aggregation: Aggregation
    ) -> None:
        self._base, self._dense, self._embedder, self._aggregation = base, dense, embedder, aggregation
        self._kept: Embedder | None = None

    async def retrieve(self, query: str, k: int, type: str = "") -> tuple[Scored[int], ...]:
        """Return the k best entities; what is past the first CHUNKED follows as dense retrieval ranks it.

        Raises:
            UnknownName: the base has no such type.
        """
        found = await self._dense.retrieve(query, max(k, CHUNKED), type)
        if k < 1 or not found:
            return ()
        instruction, first = await self._dense.instruction(), [each.item for each in found[:CHUNKED]]
        every = [
            [instruction.document + chunk for chunk in chunks_of(on_one_line(each))]
            for each in await related_documents(self._base, first)
        ]
        (asked,) = await self._embedder.embed([instruction.query + query])
        vectors = await self._embedded([chunk for chunks in every for chunk in chunks])
        ends = np.cumsum([len(chunks) for chunks in every])[:-1]
        scores = [self._aggregated(each) for each in np.split(vectors @ asked, ends)]
        return reranked(found, scores, k)

    def _aggregated(self, scores: NDArray[np.float32]) -> float:
        return float(np.sort(scores)[-(1 if self._aggregation == "max" else TOP) :].mean())

    async def _embedded(self, chunks: Sequence[str]) -> Vectors:
        """Embed chunks; a disk that keeps no vectors costs the time to make them again."""
        if self._kept is None:
            place = self._base.folder / INDEXES / CHUNKS
            unused = partial(_are_not_kept, "chunks", place)
            self._kept = await asyncio.to_thread(CachedEmbedder, self._embedder, place, REMEDY, unused)
        return await self._kept.embed(chunks)


def _are_not_kept(what: str, place: Path, why: StoreError) -> None:
    LOG.warning("the vectors of %s are not kept in %s (%s)", what, place, why)


def chunks_of(text: str) -> tuple[str, ...]:
    """Return a text in pieces of CHUNK characters, each with the last OVERLAP of the one before; at least one."""
    return tuple(text[start : start + CHUNK] for start in range(0, max(len(text) - OVERLAP, 1), CHUNK - OVERLAP))


def on_one_line(document: str) -> str:
    """Return the beginning of a document without line breaks ("compact" in STaRK's code)."""
    return " ".join(document[: 2 * MOST_CHARACTERS].split())[:MOST_CHARACTERS]


async def embed_fitting(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Embed texts; one that a server has no room for is cut to its half until it fits.

    Raises:
        ModelError: the embedder cannot be asked.
    """
    try:
        return await embedder.embed(texts)
    except ContextOverflow:
        if len(texts) == 1 and len(texts[0]) < 2:
            raise
    parts = [[text] for text in texts] if len(texts) > 1 else [[texts[0][: len(texts[0]) // 2]]]
    return np.concatenate([await embed_fitting(embedder, part) for part in parts])
