"""Fakes that satisfy the Protocols: in memory, deterministic, and they remember what they were asked."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError
from typing import Any, TypeVar

from agent.library import Library
from agent.services import Services
from heliograph.errors import PageUnavailable, SearchUnavailable, UnknownName
from heliograph.protocols import Span, SpanKind
from heliograph.types import (
    Brief,
    CitedMarker,
    Claim,
    Document,
    Draft,
    DraftClaim,
    Evidence,
    EvidenceId,
    Form,
    FormChoice,
    Hit,
    Indexed,
    Judgment,
    Modality,
    Need,
    Observation,
    Page,
    PageKey,
    Plan,
    Query,
    Quote,
    Refusal,
    RoundRecord,
    Scored,
    SearchResult,
    TableEvidence,
    TextEvidence,
    Verdict,
    modality_of,
)
from indexers.parser import page_key, segments

T = TypeVar("T")
WIKI = "varn"


def make_page(title: str, *paragraphs: str, html: str | None = None) -> Page:
    """Make a page of paragraphs, or of `html` as it stands."""
    body = html if html is not None else "".join(f"<p>{text}</p>" for text in paragraphs)
    return Page(WIKI, title, "1", f"zim://{WIKI}/{title}", body, "2026-11-21T00:00:00+00:00")


def key_of(title: str) -> PageKey:
    """Return the key of a page made by `make_page`."""
    return page_key(WIKI, title, "1")


def paragraph(title: str, number: int = 1) -> EvidenceId:
    """Return the id of a paragraph in the lead of a page made by `make_page`."""
    return EvidenceId(f"{key_of(title)}#s0/p{number}")


def brief(question: str, *needs: str, form: Form = "short") -> Brief:
    """Return the brief of a question and of the needs that a plan adds."""
    return Brief(form, (Need(question), *(Need(need, "plan") for need in needs)))


def not_installed(name: str) -> str:
    """Stand for `importlib.metadata.version` where a package is missing."""
    raise PackageNotFoundError(name)


@dataclass(slots=True)
class FakeClock:
    """A clock that stands still unless it is moved, or moves by `step` at each reading."""

    time: float = 1000.0
    step: float = 0.0

    def now(self) -> float:
        now = self.time
        self.time += self.step
        return now


@dataclass(slots=True)
class FakeSpan:
    """An open span that keeps its output."""

    name: str
    output: object = None

    def result(self, output: object) -> None:
        self.output = output


@dataclass(slots=True)
class FakeRecorder:
    """A recorder that runs every effect and keeps the spans in memory."""

    clock: FakeClock = field(default_factory=FakeClock)
    run: str = "run-1"
    spans: list[FakeSpan] = field(default_factory=list)

    @asynccontextmanager
    async def span(self, kind: SpanKind, name: str, given: object) -> AsyncIterator[Span]:
        opened = FakeSpan(name)
        self.spans.append(opened)
        yield opened

    async def effect(
        self, kind: SpanKind, name: str, given: object, returns: Any, call: Callable[[], Awaitable[T]]
    ) -> T:
        return await call()

    def now(self) -> float:
        return self.clock.now()


@dataclass(slots=True)
class FakeSearch:
    """A search engine with a list of titles for each query, and words in place of others; `fault` makes it fail.

    `answers` are titles of pages whose tables answer what they are found for, and how probably.
    """

    titles: Mapping[str, Sequence[str]]
    name: str = "fake"
    fault: str = ""
    asked: list[str] = field(default_factory=list)
    most_queries: int | None = None
    takes_questions: bool = False
    instead: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, float] = field(default_factory=dict)

    async def search(self, query: Query, limit: int) -> SearchResult:
        self.asked.append(query.text)
        if self.fault:
            raise SearchUnavailable(self.fault)
        found = self.titles.get(query.text, ())
        hits = tuple(
            Hit(title, rank, WIKI, self.answers.get(title, 0.0)) for rank, title in enumerate(found[:limit], start=1)
        )
        return SearchResult(query, hits, len(found), self.instead.get(query.text, ""))


@dataclass(slots=True)
class FakePages:
    """A reader of the pages given, one at a time; others are missing. Each reading moves the clock by `seconds`."""

    pages: Mapping[str, Page]
    clock: FakeClock = field(default_factory=FakeClock)
    seconds: float = 0.0
    asked: list[str] = field(default_factory=list)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def fetched(self) -> int:
        return sum(title in self.pages for title in self.asked)

    async def kept(self, key: PageKey) -> Page:
        found = [page for page in self.pages.values() if page_key(page.wiki, page.title, page.revision) == key]
        if not found:
            raise UnknownName(f"no page {key} is kept")
        return found[0]

    async def read(self, hit: Hit) -> Page:
        async with self.turn:
            self.asked.append(hit.title)
            await asyncio.sleep(0)
            self.clock.time += self.seconds
        if hit.title not in self.pages:
            raise PageUnavailable(f'no page "{hit.title}"')
        return self.pages[hit.title]


@dataclass(slots=True)
class FakeIndex:
    """An index that finds every piece of the modality within the pages, in the order of ids."""

    documents: dict[PageKey, Document] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def add(self, documents: Sequence[Document]) -> Indexed:
        new = [document for document in documents if document.key not in self.documents]
        self.documents.update({document.key: document for document in new})
        return Indexed(sum(len(document.leaves) for document in new))

    async def retrieve(
        self, query: str, modality: Modality, k: int, within: Sequence[PageKey]
    ) -> tuple[Scored[EvidenceId], ...]:
        self.asked.append(query)
        pieces = (piece for key in within if key in self.documents for piece in _pieces(self.documents[key]))
        found = sorted(piece.id for piece in pieces if modality_of(piece) == modality)
        return tuple(Scored(name, 0.5) for name in found[:k])


def _pieces(document: Document) -> tuple[Evidence, ...]:
    rows = [row for leaf in document.leaves if isinstance(leaf, TableEvidence) for row in segments(leaf)]
    return (*document.leaves, *rows)


@dataclass(slots=True)
class FakePlanner:
    """A planner that has further needs written down, and asks what the rewriter asks."""

    needs: Sequence[str] = ()

    async def plan(self, question: str, form: FormChoice) -> Plan:
        further = tuple(Need(text, "plan") for text in self.needs)
        return Plan("short" if form == "auto" else form, (Need(question), *further))


@dataclass(slots=True)
class FakeRewriter:
    """A rewriter that has the queries of each round written down; after the last it has none."""

    rounds: Sequence[Sequence[str]]
    memories: list[tuple[RoundRecord, ...]] = field(default_factory=list)

    async def rewrite(self, question: str, memory: Sequence[RoundRecord]) -> tuple[Query, ...]:
        self.memories.append(tuple(memory))
        asked = self.rounds[len(memory)] if len(memory) < len(self.rounds) else ()
        return tuple(map(Query, asked))


@dataclass(slots=True)
class FakeReranker:
    """Documents in the order in which they were found."""

    limits: list[int] = field(default_factory=list)

    async def rerank(
        self, question: str, results: Sequence[SearchResult], read: Collection[tuple[str, str]], limit: int
    ) -> tuple[Hit, ...]:
        self.limits.append(limit)
        hits = {hit.page: hit for result in results for hit in result.hits if hit.page not in read}
        return tuple(hits.values())[:limit]


@dataclass(slots=True)
class FakeScorer:
    """Evidence with the scores given; a piece without one gets `other`."""

    scores: Mapping[EvidenceId, float] = field(default_factory=dict)
    other: float = 0.5

    async def rerank(
        self, question: str, evidence: Sequence[Evidence], known: Sequence[Evidence], round: int
    ) -> tuple[Observation, ...]:
        return tuple(
            Observation(piece.id, modality_of(piece), self.scores.get(piece.id, self.other), round)
            for piece in evidence
        )


@dataclass(slots=True)
class FakeReflector:
    """A reflector that has its verdicts written down; the last one is repeated."""

    verdicts: Sequence[Verdict] = (Verdict(False, missing=("everything",)),)
    seen: list[tuple[EvidenceId, ...]] = field(default_factory=list)
    asked: list[tuple[str, ...]] = field(default_factory=list)

    async def reflect(
        self,
        needs: Sequence[Need],
        evidence: Sequence[Scored[Evidence]],
        memory: Sequence[RoundRecord],
        read: Collection[PageKey],
        queries: Sequence[str],
    ) -> Verdict:
        self.seen.append(tuple(scored.item.id for scored in evidence))
        self.asked.append(tuple(queries))
        return self.verdicts[min(len(memory), len(self.verdicts) - 1)]


@dataclass(slots=True)
class FakeAnswerer:
    """An answerer that quotes the best paragraph, or has nothing to say."""

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        for scored in evidence:
            if isinstance(scored.item, TextEvidence):
                return Draft((DraftClaim(scored.item.text, (Quote(scored.item.id, scored.item.text),)),))
        return Draft((), "nothing was found")

    async def repair(
        self, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
    ) -> tuple[DraftClaim | None, ...]:
        return (None,) * len(refused)


@dataclass(slots=True)
class FakeVerifier:
    """A verifier that believes every claim, or none."""

    believes: bool = True

    async def verify(self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]) -> tuple[Judgment, ...]:
        verdict = "supported" if self.believes else "unsupported"
        return tuple(
            Judgment(
                Claim(claim.text, tuple(CitedMarker(1 + place, verdict) for place in range(len(claim.quotes))), verdict)
            )
            for claim in claims
        )


def make_services(read: Sequence[Page], found: Mapping[str, Sequence[str]], **changes: Any) -> Services:
    """Build services of fakes over some pages and the titles that each query finds; one round a query."""
    recorder = FakeRecorder()
    parts: dict[str, Any] = {
        "recorder": recorder,
        "searches": (FakeSearch(found),),
        "pages": FakePages({page.title: page for page in read}, recorder.clock),
        "library": Library(),
        "index": FakeIndex(),
        "planner": FakePlanner(),
        "rewriter": FakeRewriter([[query] for query in found]),
        "document_reranker": FakeReranker(),
        "evidence_reranker": FakeScorer(),
        "reflector": FakeReflector(),
        "answerer": FakeAnswerer(),
        "verifier": lambda _question: FakeVerifier(),
    }
    return Services(**{**parts, **changes})
