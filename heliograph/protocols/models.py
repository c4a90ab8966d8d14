"""The seams to models: vectors, words, pictures and language."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from heliograph.types import (
    ChatRequest,
    Evidence,
    EvidenceHop,
    ModelRole,
    Prompt,
    ReadAnswer,
    Reply,
    Scored,
    Slots,
    TableQuestion,
)

T = TypeVar("T")
Vectors = NDArray[np.float32]
"""Shape (n, dimensions), rows of length 1."""


class Embedder(Protocol):
    """Texts to unit vectors; `name` changes when the vectors would."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> Vectors: ...


class TokenEncoder(Protocol):
    """Texts to one unit vector a token (HELIOS, equations 2 and 3); `name` changes when the vectors would."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def encode_queries(self, texts: Sequence[str]) -> tuple[Vectors, ...]: ...

    async def encode_documents(self, texts: Sequence[str]) -> tuple[Vectors, ...]: ...


class PairScorer(Protocol):
    """All-to-all interaction: how well each text answers the question, read together; greater is better."""

    @property
    def name(self) -> str: ...

    async def score(self, question: str, texts: Sequence[str]) -> tuple[float, ...]: ...


class AnswerReader(Protocol):
    """What evidence says in answer to a question, word for word."""

    async def read(
        self, question: str, evidence: Sequence[Scored[Evidence]], hops: Sequence[Scored[EvidenceHop]] = ()
    ) -> tuple[ReadAnswer, ...]:
        """Return different answers, the most probable first; none where nothing was read.

        Both pieces of a hop are read together, beside the evidence.
        """


class QuestionParser(Protocol):
    """What calculation over a table a question asks for."""

    async def parse(self, given: Sequence[TableQuestion]) -> tuple[Slots, ...]:
        """Return how probable each filling of the slots of each question is."""


class ImageEmbedder(Protocol):
    """Images and texts to unit vectors of one space (CLIP)."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed_images(self, images: Sequence[bytes]) -> Vectors: ...

    async def embed_texts(self, texts: Sequence[str]) -> Vectors: ...


class ChatModel(Protocol):
    """One model of one OpenAI-compatible server; `name` tells it from others in the trace."""

    name: str

    async def chat(self, request: ChatRequest) -> Reply:
        """Ask once, without repairs.

        Raises:
            ModelError: the server is unreachable, silent, overloaded, or the prompt too long for it.
        """


class LLM(Protocol):
    """A chat model for one role, whose replies have a shape or are no replies."""

    @property
    def role(self) -> ModelRole: ...

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        """Return a reply as `reply`, a pydantic model.

        Raises:
            ModelError: typed by cause, ModelMalformed after the repairs there are.
        """

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        """Return the probability of each choice; they sum to 1.

        Raises:
            ModelError: as `ask`.
        """

    def count(self, text: str) -> int:
        """Return how many tokens a text takes, never too few."""

    @property
    def room(self) -> int:
        """How many tokens a prompt may have, the reply's share taken off."""
