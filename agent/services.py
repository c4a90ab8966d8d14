"""What the nodes call: one service a seam, built in app.py, handed over as LangGraph's context."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agent.library import Library
from agent.meter import Meter
from heliograph.protocols import (
    Answerer,
    ClaimVerifier,
    DocumentReranker,
    DocumentSearch,
    EpisodicMemory,
    EvidenceIndex,
    EvidenceReranker,
    PageReader,
    PathSearch,
    Pictures,
    Planner,
    QueryRewriter,
    Recorder,
    Reflector,
    TableTextSearch,
)
from heliograph.types import CitationPolicy, EvidenceId, FormChoice, Observation, ToldClaim
from memory.ledger import QUOTAS, Quotas
from tools.arithmetic import TableReader
from tools.refinement import ListwiseRefiner


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one question may go; None means no budget.

    The final evidence is of at most `evidence_k` pieces and `evidence_tokens` tokens.
    """

    rounds: int = 3
    pages_per_round: int = 10
    retrieve_k: int = 20
    evidence_k: int = 200
    evidence_tokens: int = 4096
    max_seconds: float | None = None
    max_pages: int | None = None

    def pages_left(self, read: int) -> int:
        """Return how many pages this round may still read."""
        return self.budget_left(read, self.pages_per_round)

    def budget_left(self, read: int, most: int) -> int:
        """Return how many of `most` pages the budget of the whole question still allows."""
        return most if self.max_pages is None else max(0, min(most, self.max_pages - read))

    def spent(self, read: int, seconds: float) -> bool:
        """Tell whether a budget is used up."""
        out_of_time = self.max_seconds is not None and seconds >= self.max_seconds
        return out_of_time or (self.max_pages is not None and read >= self.max_pages)


@dataclass(frozen=True, slots=True)
class GraphTools:
    """The table-text graph of a question (HELIOS): `full` expands and refines what `light` retrieves.

    `linked_pages` is how many pages a round may read because rows link to them. Without `refiner` code alone refines:
    the `reader` of tables.
    """

    search: TableTextSearch
    tier: Literal["light", "full"]
    linked_pages: int
    refiner: ListwiseRefiner | None = None
    reader: TableReader | None = None


async def nothing_to_prepare() -> None:
    """Do nothing before the first step."""


@dataclass(frozen=True, slots=True)
class Turn:
    """From where on a run goes another way: before the `time`-th coming to a step, other services take over.

    `begin` is awaited before they do.
    """

    node: str
    time: int
    services: "Services"
    begin: Callable[[], Awaitable[None]] = nothing_to_prepare


@dataclass(slots=True)
class LastChoice:
    """The final choice of evidence made last, and what of: several steps in a row ask for the same one.

    Both are one value, so that a step which looks while a thread writes never takes one for the other's.
    """

    made: tuple[tuple[object, ...], tuple[Observation, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class Services:
    """Everything with an effect or a model behind it; each call that takes effect goes through the recorder.

    `verifier` makes the verifier of a question: names of the question may stand in claims. `pictures` reads pictures of
    every source; without it citations of images carry no licence. `fallback` is searched when every source fails.
    `earlier` names evidence of earlier turns; without a `memory` past questions propose nothing and none is kept.
    `tell` hears each claim of the answer once it is checked, in their order. `graph` is None where the table-text graph
    is off, `paths` where no knowledge base is made of the pages. `prepare` is awaited before the first step. `turns`
    say from which steps on others take over, in the order in which a run comes to them.
    `last_choice` belongs to `agent.selection`.
    """

    recorder: Recorder
    searches: Sequence[DocumentSearch]
    pages: PageReader
    library: Library
    index: EvidenceIndex
    planner: Planner
    rewriter: QueryRewriter
    document_reranker: DocumentReranker
    evidence_reranker: EvidenceReranker
    reflector: Reflector
    answerer: Answerer
    verifier: Callable[[str], ClaimVerifier]
    limits: Limits = Limits()
    form: FormChoice = "auto"
    policy: CitationPolicy = "repair"
    quotas: Quotas = field(default_factory=lambda: QUOTAS)
    mode: Literal["llm", "extractive"] = "extractive"
    meter: Meter = field(default_factory=Meter)
    pictures: Pictures | None = None
    graph: GraphTools | None = None
    paths: PathSearch | None = None
    fallback: Sequence[DocumentSearch] = ()
    earlier: Sequence[EvidenceId] = ()
    memory: EpisodicMemory | None = None
    prepare: Callable[[], Awaitable[None]] = nothing_to_prepare
    notes: tuple[str, ...] = ()
    progress: Callable[[str], None] = lambda _: None
    tell: Callable[[ToldClaim], None] = lambda _: None
    turns: Sequence[Turn] = ()
    last_choice: LastChoice = field(default_factory=LastChoice)

    async def aclose(self) -> None:
        """Let go of what was opened for this question alone, as the base of its pages; it is opened again if asked."""
        for each in (self, *(turn.services for turn in self.turns)):
            if each.paths is not None:
                await each.paths.aclose()
