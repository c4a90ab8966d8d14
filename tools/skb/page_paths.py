"""A small knowledge base of the pages at hand, and what meets the plan of a question over it: rows that are paths.

Nothing is kept: the base is made in a temporary folder, and again when pages are added. Imports bm25s (0.4 s) when the
first question is planned.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING
from weakref import finalize

from heliograph.errors import HeliographError
from heliograph.protocols import Embedder
from heliograph.storage import storage_error
from heliograph.text.units import header_words
from heliograph.text.words import akin_to_any, content_stems, stems
from heliograph.types import Document, DraftCell, Entity, EvidenceId, FoundPaths, PageKey, Quote
from heliograph.unsaid import unsaid
from indexers.skb.adjacency import Numbers
from indexers.skb.base_building import build_base
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tools.arithmetic.plans import LIMIT, CandidateCondition
from tools.skb.candidates import NO_SCORES, EntityScores
from tools.skb.page_facts import PageFacts, StatedValue
from tools.skb.planning.answer_types import asked_phrases
from tools.skb.planning.conditions import column_name
from tools.skb.planning.model import read_plan_model

if TYPE_CHECKING:
    from tools.skb.planning.answers import PlannedAnswer
    from tools.skb.planning.plans import Plan
    from tools.skb.planning.retrieval import PlannedQuery, PlanRetriever, TableParser

MOST_ROWS = 30
"""Rows that are shown: what more entities meet is hardly asked for."""
SURE = 0.5
"""How probable the answers are by all plans that lead to them."""
MOST_LEFT = 2
"""Words of a question that neither a plan nor what its rows rest on says."""
MOST_ORDERED = 0.5
"""Share of the entities of a type that have what the first of them is told by."""
_COMPARING = frozenset(
    stems("less least fewer greater greatest larger largest biggest smaller smallest longer longest later latest")
    + stems("earlier earliest wider widest higher highest heavier heaviest past round first last degrees year")
)
"""Stems of what conditions and orders say, beside those that no plan has to say."""


class NoVectors:
    """A `VectorScorer` that scores nothing: to embed all that a few pages name costs more than it finds."""

    async def scores(self, query: str, scope: str = "") -> EntityScores:  # noqa: ARG002 - the seam has both
        """Return no scores."""
        return NO_SCORES

    async def scores_among(self, query: str, numbers: Numbers) -> EntityScores:  # noqa: ARG002 - the seam has both
        """Return no scores."""
        return NO_SCORES


class PagePaths:
    """Plans questions over what pages state (`PathSearch`); the base of the pages asked last is kept.

    Args:
        embedder: compares questions with relations and attributes.
        parser: fills the slots of questions over tables.
    """

    def __init__(self, embedder: Embedder, parser: "TableParser") -> None:
        self._embedder, self._parser = embedder, parser
        self._turn = asyncio.Lock()
        self._pages: tuple[PageKey, ...] = ()
        self._made: _PageBase | None = None

    async def paths(self, question: str, documents: Sequence[Document]) -> FoundPaths:
        """Return what meets the most probable plan of a question, each row with the words that state its steps.

        A disk that is full or a model that is missing does not cost the question its answer: the result says so.
        """
        async with self._turn:
            try:
                return await (await self._base_of(documents)).paths(question, self._embedder, self._parser)
            except HeliographError as err:
                return FoundPaths(failure=str(err))

    async def _base_of(self, documents: Sequence[Document]) -> "_PageBase":
        """Return the base of pages: the one that is kept, or a new one in its place."""
        keys = tuple(document.key for document in documents)
        if self._made is None or keys != self._pages:
            await self._close()
            self._made, self._pages = await asyncio.to_thread(_PageBase, documents), keys
        return self._made

    async def aclose(self) -> None:
        """Close the base that is kept, and remove its folder; the next question makes another."""
        async with self._turn:
            await self._close()

    async def _close(self) -> None:
        if self._made is not None:
            made, self._made = self._made, None
            await asyncio.to_thread(made.close)


class _PageBase:
    """The base of some pages in a folder that is removed when it is closed, or else with it.

    Raises:
        StoreError: the disk is full, or takes no folder.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.facts = PageFacts(documents)
        self._base: BuiltKnowledgeBase | None = None
        self._plans: PlanRetriever | None = None
        self._removed: finalize[[Path], _PageBase] | None = None
        self._ids = [each.id for each in self.facts.entities()]
        if any(True for _ in self.facts.triples()):
            folder = _temporary_folder()
            self._removed = finalize(self, rmtree, folder, ignore_errors=True)
            try:
                build_base(self.facts, folder / "pages", unsaid)
                self._base = open_base(folder / "pages")
            except HeliographError:
                self.close()
                raise

    def close(self) -> None:
        """Let go of the base and remove its folder; it blocks, so call it in a thread."""
        self._base = self._plans = None
        if self._removed:
            self._removed()

    async def paths(self, question: str, embedder: Embedder, parser: "TableParser") -> FoundPaths:
        """Return what meets a question's most probable plan; no rows where it is not sure enough."""
        if self._base is None:
            return FoundPaths()
        if self._plans is None:
            self._plans = await asyncio.to_thread(_retriever, self._base, embedder, parser)
        from tools.skb.planning.answers import answer_of  # what takes long to import was imported in that thread

        planned = await self._plans.plan(question)
        if not planned.plans:
            return FoundPaths()
        plan, told, refused = await asyncio.to_thread(self._chosen, planned)
        if refused:
            return told
        entities = await self._base.entities(plan.scored.entities.tolist())
        columns: dict[str, None] = {}
        answers = [await answer_of(self._base, each, told.probability, plan) for each in entities]
        rows = [await self._row(each, columns) for each in answers]
        if len(await asyncio.to_thread(self._unsaid, planned, plan, rows)) > MOST_LEFT:
            return told
        header = (plan.type, *columns)
        blank = DraftCell("")
        return replace(told, header=header, rows=tuple(tuple(row.get(each, blank) for each in header) for row in rows))

    def _chosen(self, planned: "PlannedQuery") -> tuple["Plan", FoundPaths, bool]:
        """Return the likeliest plan, what is told of it without its rows, and whether it is refused."""
        from tools.skb.planning.answers import plan_title

        assert self._base is not None  # what is planned has a base
        plan, share = _likeliest(planned)
        told = FoundPaths(plan_title(plan, self._base.graph), probability=share)
        return plan, told, self._is_refused(planned, plan, share)

    def _is_refused(self, planned: "PlannedQuery", plan: "Plan", share: float) -> bool:
        """Tell whether a plan is not sure, requires nothing, goes far, denies, or passes over a name or a figure."""
        from tools.skb.planning.answers import left_over, required_paths

        assert self._base is not None  # what is planned has a base
        paths = required_paths(plan)
        return (
            share < SURE
            or not (plan.order or plan.conditions)
            or len(plan.scored.entities) > MOST_ROWS
            or any(each.whole for each in plan.unused)
            or any(one.operator == "not" for one in plan.conditions)
            or any(map(str.isdecimal, left_over(planned, plan, self._base.graph)))
            or (len(paths) > 1 and any(len(each.requirement.hops) > 1 for each in paths))
            or not self._is_ordered(plan)
            or not self._are_told(plan, planned.query)
            or not self._is_asked(plan.united or (plan.type,), planned.query)
        )

    def _unsaid(self, planned: "PlannedQuery", plan: "Plan", rows: Sequence[Mapping[str, DraftCell]]) -> frozenset[str]:
        """Return the stems of a question that neither its plan says nor each row, by its words, title or caption."""
        from tools.skb.planning.answers import left_over

        assert self._base is not None  # what is planned has a base
        left = left_over(planned, plan, self._base.graph) - _COMPARING - self._kinds(plan)
        quotes = [[cell.quote for cell in row.values() if cell.quote] for row in rows]
        said = [" ".join(f"{each.text} {self.facts.around(each.evidence)}" for each in several) for several in quotes]
        known = [frozenset(stems(text)) for text in said]
        return frozenset(each for each in left if not all(akin_to_any(each, words) for words in known))

    def _is_asked(self, types: Sequence[str], question: str) -> bool:
        """Tell whether answers are of the type that a question asks for, where it says one of the base."""
        assert self._base is not None  # what is planned has a base
        said = frozenset(stems(asked_phrases(question)[-1]))
        asked = [each for each in self._base.entity_types if said.issuperset(stems(each)[-1:])]
        return not asked or not set(types).isdisjoint(asked)

    def _are_told(self, plan: "Plan", question: str) -> bool:
        """Tell whether a question says a word of each attribute that a plan limits, and none is limited twice.

        A range has two bounds. An attribute of the answers themselves may be meant by its unit alone: "over 1000 km".
        """
        asked, limits = frozenset(stems(question)), set[int]()
        joined = {
            column_name(name): each.column for known in self.facts.stated.values() for name, each in known.items()
        }
        for one in plan.conditions:
            if not isinstance(one.condition, CandidateCondition) or one.condition.said != LIMIT:
                continue
            name = plan.header[one.condition.column]
            own = name.removeprefix(joined.get(name, ""))
            said = any(akin_to_any(word, asked) for word in content_stems(header_words(own)))
            unit = not joined.get(name) and " " in one.condition.value
            if (one.condition.column in limits and one.operator != "at_most") or not (said or unit):
                return False
            limits.add(one.condition.column)
        return True

    def _kinds(self, plan: "Plan") -> frozenset[str]:
        """Return the stems of what pages call the answers, and what their cells lead to."""
        assert self._base is not None  # what is planned has a base
        numbers = plan.scored.entities
        around = self._base.graph.neighbours(numbers, "", "out", "")
        ids = [self._ids[each] for each in (*numbers.tolist(), *around.tolist())]
        return frozenset(stems(" ".join(kind for id in ids for kind in self.facts.kinds(id))))

    def _is_ordered(self, plan: "Plan") -> bool:
        """Tell whether most entities of the type have what a plan orders by: the first of a few is not the first."""
        if not plan.order:
            return True
        name = plan.order.partition(" ")[2]
        own = [self.facts.stated[each.id] for each in self.facts.entities() if each.type == plan.type]
        return sum(name in map(column_name, known) for known in own) >= MOST_ORDERED * len(own)

    async def _row(self, answer: "PlannedAnswer", columns: dict[str, None]) -> dict[str, DraftCell]:
        """Return the cells of an answer by the names of their columns, which are added to those that there are."""
        row = dict[str, DraftCell]()
        for path in answer.paths:
            steps = zip(reversed(path.triples), reversed(path.entities[:-1]), strict=True)
            for triple, other in steps:
                quote = Quote(EvidenceId(triple.evidence), triple.text)
                row.setdefault(answer.plan.type, DraftCell(answer.entity.name, quote))
                end = await self._entity(other)
                column = end.type if triple.relation == answer.plan.type else triple.relation
                row.setdefault(column, DraftCell(end.name, quote))
        for name, stated in self._stated(answer).items():
            if stated.link:
                row.setdefault(stated.column, DraftCell(stated.through, stated.link))
            row[name] = DraftCell(stated.value, stated.quote)
            row.setdefault(answer.plan.type, DraftCell(answer.entity.name, stated.link or stated.quote))
        columns |= dict.fromkeys(name for name in row if name != answer.plan.type)
        return row

    def _stated(self, answer: "PlannedAnswer") -> dict[str, StatedValue]:
        known = self.facts.stated[answer.entity.id]
        return {name: each for name, each in known.items() if column_name(name) in answer.attributes}

    async def _entity(self, number: int) -> Entity:
        assert self._base is not None  # numbers come from it
        (entity,) = await self._base.entities([number])
        return entity


def _temporary_folder() -> Path:
    try:
        return Path(mkdtemp(prefix="heliograph-pages-"))
    except OSError as err:
        where = Path(err.filename or "a temporary folder")
        raise storage_error(err, where, "set TMPDIR to another place") from err


def _likeliest(planned: "PlannedQuery") -> tuple["Plan", float]:
    """Return a plan that leads to the most probable answers, and how probable these are.

    It is the one that passes over or denies fewest names, and of those the shortest.
    """
    together: dict[tuple[int, ...], list[tuple[Plan, float]]] = defaultdict(list)
    for plan, share in zip(planned.plans, planned.probabilities, strict=True):
        together[tuple(plan.scored.entities.tolist())].append((plan, share))
    best = max(together.values(), key=lambda several: sum(share for _, share in several))
    plan, _ = min(best, key=lambda pair: (_missed(pair[0]), _length(pair[0]), -pair[1]))
    return plan, sum(share for _, share in best)


def _missed(plan: "Plan") -> int:
    return sum(each.whole for each in plan.unused) + sum(one.operator == "not" for one in plan.conditions)


def _length(plan: "Plan") -> int:
    from tools.skb.planning.answers import required_paths

    return sum(len(each.requirement.hops) for each in required_paths(plan))


def _retriever(base: BuiltKnowledgeBase, embedder: Embedder, parser: "TableParser") -> "PlanRetriever":
    from tools.skb.lexical_retrieval import DocumentBm25, NeighbourBm25, TripleBm25
    from tools.skb.planning.retrieval import PlanRetriever, WordScorers

    return PlanRetriever(
        base,
        WordScorers(NeighbourBm25(base), DocumentBm25(base), TripleBm25(base)),
        vectors=NoVectors(),
        embedder=embedder,
        parser=parser,
        model=read_plan_model(),
    )
