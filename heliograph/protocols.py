"""Every seam of Heliograph. I/O is async, pure computation is sync."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from heliograph.types import (
    ChatRequest,
    Claim,
    Document,
    Draft,
    DraftClaim,
    Edge,
    Evidence,
    EvidenceId,
    Hit,
    ImageEvidence,
    Modality,
    ModelRole,
    Observation,
    Page,
    PageKey,
    Past,
    Picture,
    Prompt,
    Query,
    Reply,
    RoundRecord,
    Scored,
    SearchResult,
    TableSegment,
    Verdict,
    WordSpan,
)

T = TypeVar("T")
Vectors = NDArray[np.float32]
"""Shape (n, dimensions), rows of length 1."""

SpanKind = Literal["CHAIN", "AGENT", "LLM", "TOOL", "RETRIEVER", "RERANKER", "EMBEDDING", "GUARDRAIL", "EVALUATOR"]


class Clock(Protocol):
    """Seconds since the epoch, UTC."""

    def now(self) -> float: ...


class Span(Protocol):
    """An open trace event."""

    def result(self, output: object) -> None:
        """Say what came out; plain JSON values and Heliograph's nouns are accepted."""


class Recorder(Protocol):
    """Trace and record every effect of one run, or give recorded effects back (replay)."""

    run: str

    def span(self, kind: SpanKind, name: str, given: object) -> AbstractAsyncContextManager[Span]:
        """Open an event around a step of our own; its children nest in it."""

    async def effect(
        self, kind: SpanKind, name: str, given: object, returns: Any, call: Callable[[], Awaitable[T]]
    ) -> T:
        """Run `call`, record its result as type `returns`; in replay return the record and never run it.

        Raises:
            ReplayMiss: the record holds no such call; the message names it.
        """

    def now(self) -> float:
        """Return the recorded clock."""


class DocumentSearch(Protocol):
    """A search engine over the pages of one wiki.

    `most_queries` bounds what it is asked in one round; such an engine is not asked how many pages hold a word either.
    None leaves it open.
    """

    name: str
    most_queries: int | None

    async def search(self, query: Query, limit: int) -> SearchResult: ...


class PageSource(Protocol):
    """Pages of one wiki by title; `edition` changes when the same title may hold other text."""

    @property
    def wiki(self) -> str: ...

    @property
    def edition(self) -> str: ...

    async def fetch(self, title: str) -> Page:
        """Raises PageUnavailable: missing, empty, or a redirect loop."""


class PageReader(Protocol):
    """Pages through the page store: each is fetched once, ever."""

    async def read(self, hit: Hit) -> Page:
        """Raises PageUnavailable: missing, empty, or a redirect loop."""

    async def kept(self, key: PageKey) -> Page:
        """Return a page that was read before, by any run; raises UnknownName where the store has it no more."""

    @property
    def fetched(self) -> int:
        """How many pages came from a source and not from the store."""


class PageStore(Protocol):
    """Pages once read, content-addressed."""

    def find(self, wiki: str, edition: str, title: str) -> Page | None: ...

    def put(self, page: Page, edition: str, asked: str) -> PageKey:
        """Keep a page under its canonical title and under the title it was asked by."""

    def get(self, key: PageKey) -> Page: ...


class DocumentReranker(Protocol):
    """Order found pages by their promise for the question, before any is read."""

    async def rerank(
        self, question: str, results: Sequence[SearchResult], read: Collection[tuple[str, str]], limit: int
    ) -> tuple[Hit, ...]:
        """Rank the pages that the results of all rounds name, those already `read` (wiki and title) left out."""


class QueryRewriter(Protocol):
    """Turn the question and the memory of past rounds into search queries."""

    async def rewrite(self, question: str, memory: Sequence[RoundRecord]) -> tuple[Query, ...]: ...


class Embedder(Protocol):
    """Texts to unit vectors; `name` changes when the vectors would."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> Vectors: ...


class WordAligner(Protocol):
    """How well texts say each word of a question, by token vectors (late interaction)."""

    async def align(
        self, question: str, words: Sequence[WordSpan], texts: Sequence[str]
    ) -> tuple[tuple[float, ...], ...]:
        """Return for each text one similarity a word, in [-1, 1]."""


class ImageEmbedder(Protocol):
    """Images and texts to unit vectors of one space (CLIP)."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed_images(self, images: Sequence[bytes]) -> Vectors: ...

    async def embed_texts(self, texts: Sequence[str]) -> Vectors: ...


class EvidenceIndex(Protocol):
    """Modality-specific indexes over the leaves and rows of documents."""

    async def add(self, documents: Sequence[Document]) -> int:
        """Index what is new and return how many texts were embedded (0 when all were known)."""

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]: ...


class EvidenceReranker(Protocol):
    """Score evidence against the original question, absolutely: the same pair always scores the same."""

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        """`known` are pieces already in the ledger, through whose links second hops are scored."""


class Remembering(Protocol):
    """A service that keeps something over the rounds of a run, which a resumed run has to be told again."""

    def restore(self, past: Past) -> None:
        """Take up what the rounds before the cut have done."""


class Reflector(Protocol):
    """Judge whether the evidence answers the question, and name what is missing."""

    async def reflect(
        self, question: str, evidence: Sequence[Scored[Evidence]], memory: Sequence[RoundRecord]
    ) -> Verdict: ...


class Answerer(Protocol):
    """Write claims, each with the words it rests on."""

    async def answer(self, question: str, evidence: Sequence[Scored[Evidence]]) -> Draft: ...

    async def repair(self, claim: DraftClaim, evidence: Sequence[Scored[Evidence]]) -> DraftClaim | None:
        """Rewrite an unsupported claim once; None where that cannot be done."""


class ClaimVerifier(Protocol):
    """Check one claim against what it cites."""

    async def verify(self, claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], first_marker: int) -> Claim: ...


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

    role: ModelRole

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


class EntityLinker(Protocol):
    """Pages that the cells of a row may name (HELIOS, section 4.1)."""

    def link(self, segment: TableSegment) -> tuple[Scored[PageKey], ...]: ...


class EdgeIndex(Protocol):
    """Late-interaction search over edges (HELIOS, equation 4)."""

    async def retrieve(self, query: str, k: int) -> tuple[Edge, ...]: ...


class Pictures(Protocol):
    """Pictures of the pages that a run may read."""

    async def picture(self, image: ImageEvidence) -> Picture:
        """Return the picture, re-encoded, with licence and attribution.

        Raises:
            PageUnavailable: it is missing, too large, no picture, or elsewhere.
        """


class PictureSource(Pictures, Protocol):
    """Pictures of the pages of one wiki, only ever from its own file hosts."""

    @property
    def wiki(self) -> str: ...


class EpisodicMemory(Protocol):
    """Rounds of this run, and in later releases of past questions."""

    def recall(self, question: str) -> tuple[RoundRecord, ...]: ...
