"""Word alignment by late interaction: how well a text says each word of a question (HELIOS, equation 4).

Token vectors of the embedding model are compared in place of one vector a text, so that "how wide" finds
"in diameter" and a question about a cost finds nothing where no cost stands.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import StoreDamaged
from heliograph.types import WordSpan
from indexers.database import PURGE, connected, create
from indexers.models.onnx import OnnxEmbedder, TokenVectors

SCHEMA = "CREATE TABLE IF NOT EXISTS alignments (key BLOB PRIMARY KEY, similarities BLOB NOT NULL) WITHOUT ROWID"


class OnnxWordAligner:
    """Align words of a question with texts, keeping what was aligned in a SQLite file; `remedy` mends a damaged one.

    Raises:
        ModelMissing: the model cannot be loaded.
        StoreDamaged | StoreFull | StoreLocked: the file cannot be used.
    """

    def __init__(self, embedder: OnnxEmbedder, path: Path, remedy: str = PURGE) -> None:
        self.aligned = 0
        self._embedder = embedder
        self._path, self._remedy = path, remedy
        self._created = False

    async def align(
        self, question: str, words: Sequence[WordSpan], texts: Sequence[str]
    ) -> tuple[tuple[float, ...], ...]:
        """Return for each text one similarity a word, in [-1, 1]: that of the text's closest token."""
        return await asyncio.to_thread(self._align, question, words, texts)

    def _align(self, question: str, words: Sequence[WordSpan], texts: Sequence[str]) -> tuple[tuple[float, ...], ...]:
        if not self._created:
            create(self._path, SCHEMA, self._remedy)
            self._created = True
        keys = [self._key(question, words, text) for text in texts]
        known = self._known(keys, len(words))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            fresh = self._compute(question, words, missing)
            self._keep(fresh)
            known.update(fresh)
        return tuple(_rounded(known[key]) for key in keys)

    def _compute(self, question: str, words: Sequence[WordSpan], texts: dict[bytes, str]) -> dict[bytes, bytes]:
        self.aligned += len(texts)
        asked, *found = self._embedder.token_vectors((question, *texts.values()))
        spoken = _word_rows(asked, words)
        return {
            key: similarities(asked, spoken, text).astype(np.float32).tobytes()
            for key, text in zip(texts, found, strict=True)
        }

    def _known(self, keys: Sequence[bytes], words: int) -> dict[bytes, bytes]:
        with connected(self._path, self._remedy) as connection:
            select = "SELECT key, similarities FROM alignments WHERE key = ?"
            rows = (connection.execute(select, (key,)).fetchone() for key in keys)
            found = dict(filter(None, rows))
        if not all(isinstance(similar, bytes) and len(similar) == 4 * words for similar in found.values()):
            raise StoreDamaged(f"{self._path} holds an alignment that was cut; {self._remedy}")
        return found

    def _keep(self, fresh: dict[bytes, bytes]) -> None:
        with connected(self._path, self._remedy) as connection:
            connection.executemany("INSERT OR REPLACE INTO alignments VALUES (?, ?)", fresh.items())

    def _key(self, question: str, words: Sequence[WordSpan], text: str) -> bytes:
        spans = ",".join(f"{word.start}-{word.end}" for word in words)
        said = "\0".join((self._embedder.name, question, spans, text))
        return hashlib.sha256(said.encode("utf-8", "replace")).digest()


def similarities(asked: TokenVectors, words: Sequence[Sequence[int]], text: TokenVectors) -> NDArray[np.float32]:
    """Compare words, given as token rows of the question, with all tokens of a text but its two end marks.

    A word of several tokens gets the mean over its tokens; a word without a token gets 0.
    """
    if len(text.offsets) <= 2:
        return np.zeros(len(words), dtype=np.float32)
    best = (asked.vectors @ text.vectors[1:-1].T).max(axis=1)
    return np.asarray([best[list(rows)].mean() if rows else 0.0 for rows in words], dtype=np.float32)


def _word_rows(asked: TokenVectors, words: Sequence[WordSpan]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            row
            for row, (start, end) in enumerate(asked.offsets)
            if start < end and start >= word.start and end <= word.end
        )
        for word in words
    )


def _rounded(similar: bytes) -> tuple[float, ...]:
    return tuple(round(float(value), 4) for value in np.frombuffer(similar, dtype=np.float32))
