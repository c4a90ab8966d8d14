"""Embeddings from a server that speaks OpenAI's API: vLLM, text-embeddings-inference, llama.cpp, or a hosted one."""

import asyncio
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from pydantic import BaseModel, ValidationError

from heliograph.errors import (
    ContextOverflow,
    ModelError,
    ModelMalformed,
    ModelOverloaded,
    ModelTimeout,
    ModelUnreachable,
    UsageError,
)
from heliograph.protocols import Vectors
from heliograph.reply_bytes import ENCODING, ReplyBytes
from indexers.models.first_use import on_first_use

if TYPE_CHECKING:
    import httpx

BATCH = 32
"""Texts in one request: text-embeddings-inference takes no more unless it is told to."""
SECONDS, AT_ONCE = 120.0, 8
MOST_BYTES = 64_000_000
"""Of a reply: 32 vectors of 8,192 numbers have some six million."""
_TOO_LONG = re.compile(r"context|too long|max\w* (?:\w+ )?(?:length|tokens)|token", re.I)


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Reply(BaseModel):
    data: list[_Row]


class EndpointEmbedder:
    """Embed texts by `POST base_url/embeddings`: unit vectors in float32, whatever length the server gives them.

    Nothing is sent before the first text, or before `dimensions` is asked for, which sends one. Keys go into the header
    and nowhere else, and redirections are not followed with them. `name` holds the server, since two servers may mean
    two things by one name.

    Args:
        base_url: with the version, as "http://127.0.0.1:8001/v1".
        seconds: deadline of one request.
        at_once: requests side by side.

    Raises:
        UsageError: here, without a model's name.
        ModelUnreachable | ModelTimeout | ModelOverloaded: as their names say.
        ContextOverflow: a text is longer than the model's context.
        ModelMalformed: what came back is no list of vectors of one length, one a text; ReplyTooLong: it has no end.
    """

    name: str
    dimensions: int = on_first_use(lambda self: len(self._sent(["dimensions"])[0]))

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        seconds: float = SECONDS,
        at_once: int = AT_ONCE,
        batch: int = BATCH,
    ) -> None:
        if not model:
            raise UsageError(f"{base_url} needs the name of its embedding model: set embed.model")
        self.name = f"{model} at {base_url.rstrip('/')}"
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._model = model
        self._key = api_key
        self._seconds = seconds
        self._at_once = at_once
        self._batch = batch
        self._turn = Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in the order given."""
        return await asyncio.to_thread(self._embed, texts)

    def close(self) -> None:
        """Close the connections that were kept open."""
        if "_client" in self.__dict__:
            self._client.close()

    def _embed(self, texts: Sequence[str]) -> Vectors:
        parts = [texts[start : start + self._batch] for start in range(0, len(texts), self._batch)]
        if not parts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with ThreadPoolExecutor(self._at_once) as pool:
            vectors = list(pool.map(self._sent, parts))
        lengths = {rows.shape[1] for rows in vectors} | ({self.dimensions} if "dimensions" in self.__dict__ else set())
        if len(lengths) > 1:
            raise ModelMalformed(f"{self.name} gave vectors of {sorted(lengths)} dimensions; is it one model?")
        (self.dimensions,) = lengths
        return np.concatenate(vectors)

    def _sent(self, texts: Sequence[str]) -> Vectors:
        """Send one request and return its vectors."""
        import httpx

        plain = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        body = {"model": self._model, "input": plain, "encoding_format": "float"}
        try:
            with self._client.stream("POST", self._url, json=body) as response:
                content = self._content(response)
        except httpx.TimeoutException as err:
            raise ModelTimeout(f"{self.name} did not answer within {self._seconds:g} s; see embed.seconds") from err
        except (httpx.TransportError, httpx.InvalidURL) as err:
            raise ModelUnreachable(f"{self.name} cannot be reached ({err}); is it running? See embed.base_url") from err
        if response.status_code != httpx.codes.OK:
            raise _refused(self.name, response.status_code, self._words(content))
        return self._vectors(content, len(plain))

    def _words(self, content: bytes) -> str:
        """Return what a server says in place of vectors, without the key, which some repeat."""
        words = content.decode("utf-8", "replace")
        return words.replace(self._key, "***") if self._key else words

    def _content(self, response: "httpx.Response") -> bytes:
        unpacking = ReplyBytes(self.name, response.headers.get("Content-Encoding", ""), MOST_BYTES)
        return b"".join(map(unpacking.unpacked, response.iter_raw()))

    def _vectors(self, content: bytes, count: int) -> Vectors:
        try:
            rows = sorted(_Reply.model_validate_json(content).data, key=lambda row: row.index)
        except ValidationError as err:
            raise ModelMalformed(f"{self.name} gave no embeddings; is {self._url} the right address?") from err
        lengths = {len(row.embedding) for row in rows}
        if [row.index for row in rows] != list(range(count)) or len(lengths) != 1 or 0 in lengths:
            raise ModelMalformed(
                f"{self.name} gave {len(rows)} vectors of {sorted(lengths)} dimensions for {count} texts"
            )
        vectors = np.asarray([row.embedding for row in rows], dtype=np.float64)
        sizes = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
        if not np.isfinite(sizes).all() or not sizes.all():
            raise ModelMalformed(f"{self.name} gave a vector without a direction")
        return np.asarray(vectors / sizes, dtype=np.float32)

    @cached_property
    def _client(self) -> "httpx.Client":
        import httpx

        headers = {"Accept-Encoding": ENCODING, **({"Authorization": f"Bearer {self._key}"} if self._key else {})}
        with self._turn:
            return httpx.Client(headers=headers, timeout=self._seconds)


def _refused(name: str, status: int, text: str) -> ModelError:
    said = " ".join(text.split())[:200]
    if status == 429 or status >= 500:
        return ModelOverloaded(f"{name} answers {status} ({said}); try again later, or lower embed.at_once")
    if status in (400, 413, 422) and _TOO_LONG.search(text):
        return ContextOverflow(f"{name} refuses a text as too long ({said}); start it with a longer context")
    if status in (400, 422):
        return ModelMalformed(f"{name} refuses the request ({status}: {said}); is it an embedding model?")
    return ModelUnreachable(f"{name} answers {status} ({said}); correct embed.base_url, embed.model or the key")
