"""A knowledge base as a wiki that the agent searches and reads: an entity is a page, a triple a row of its table.

A path is therefore cited by rows, one per triple, and whatever holds for citations of rows holds for paths: they are
checked, shown, exported and replayed as rows are.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from html import escape
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from heliograph.errors import (
    HeliographError,
    PageUnavailable,
    SearchUnavailable,
    StoreError,
    UsageError,
)
from heliograph.types import Attribute, Entity, Hit, ImageEvidence, Page, Picture, Query, SearchResult, Triple
from indexers.pace import Say
from indexers.skb.adjacency import WAYS
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tools.skb.entity_documents import spelled_out
from tools.skb.lookup import entity_of_title, title_of
from tools.skb.planning.conditions import attribute_text, column_name
from tools.skb.row_paths import DIGEST_DIGITS, TRIPLE_HEADER, BaseName, folder_digest
from tools.skb.systems import SystemModels, label_of, plan_retriever
from tools.zim.archive import utc_now

if TYPE_CHECKING:
    from tools.skb.planning.answers import AnswerTable, PlannedAnswer
    from tools.skb.planning.retrieval import PlanRetriever

PAGE_FORM = 3
"""Version of the form of pages; pages kept in an earlier form are made again."""
MIN_QUESTION_WORDS = 3
"""Words from which on a query is planned; a shorter one is only searched for by its words."""
MAX_ANSWERS = 100
"""Answers of a plan that are ranked, which bounds the rows of a page of answers."""
MAX_LIKELY, MIN_PROBABILITY = 8, 0.02
"""Answers that are hits themselves, with the entities of their paths, and the probability that each has at least."""
MAX_KEPT = 64
"""Pages of answers that wait to be read; the oldest goes first."""
TRIPLES_PER_RELATION, MAX_ROWS = 40, 400
"""Triples on the page of an entity: per relation and direction, and altogether; and rows of its attributes."""
MAX_DOCUMENT, MAX_CELL = 50_000, 600
"""Characters that a page shows of a document, and a cell of a text."""
MAX_PATH = 200
"""Characters of a path in a message."""
DOCUMENT, TRIPLES, ATTRIBUTES = "What is said of it", "Relations", "Attributes"
"""The column of documents, and the headings of the tables of an entity."""


class KnowledgeBasePages:
    """A built knowledge base as a document search and a page source; nothing is opened before the first use.

    A question is planned (`PlanRetriever`), which needs no language model. The answers of its most probable plan make a
    page: a table with a row per answer, whose columns are the paths and attributes that the plan asks for
    (`answer_table`). The hits after it are the entities of the likely answers and of their paths, then entities that
    have words of the question.

    The page of an entity is called by its name, followed by its type or else its id where other entities share the
    name. A page of answers is called by its plan. Only the object that found the answers has that page, for a while: a
    run that was stopped before it read the page goes on without it.

    Args:
        path: the folder of the base.
        now: returns the instant, ISO 8601.
        beside: folders of other bases that are read together with this one, and must not have its names.

    Raises (from everything but the constructor):
        UsageError: the folder is missing, or no knowledge base.
        StoreDamaged: a file of it is missing or damaged.
    """

    most_queries: int | None = None
    takes_questions = True

    def __init__(self, path: Path, now: Callable[[], str] = utc_now, beside: Collection[Path] = ()) -> None:
        self.path, self._beside, self._now = path, beside, now
        self._digest = folder_digest(path)
        shared = any(each.stem == path.stem for each in beside)
        self.name = f"skb:{path.stem} ({self._digest})" if shared else f"skb:{path.stem}"
        self._listeners = list[Say]()
        self._models = SystemModels(say=self._say)
        self._kept: dict[str, AnswerTable] = {}

    @cached_property
    def base(self) -> BuiltKnowledgeBase:
        """The base, open."""
        return _opened(self.path)

    @cached_property
    def _plans(self) -> "PlanRetriever":
        return plan_retriever(self.base, self._models)

    @cached_property
    def wiki(self) -> str:
        """What its pages say they are of: the name of the base, with a digest of its folder where others share it."""
        shared = any(_opened(each).name == self.base.name for each in self._beside)
        return BaseName(self.base.name, self._digest if shared else "").wiki

    @cached_property
    def edition(self) -> str:
        """What changes when pages may hold something else: with the base, with what plans, and with their form."""
        said = f"{PAGE_FORM} {self.base.description.digest} {label_of('plan', self._models)}"
        return sha256(said.encode()).hexdigest()[:16]

    def open(self) -> None:
        """Open the base now, so that a bad one is found at once."""
        _ = self.wiki

    def with_progress(self, say: Say) -> "SearchWithProgress":
        """Return its search, which tells `say` how far the index is that a first question waits for."""
        return SearchWithProgress(self, say)

    @contextmanager
    def reporting_to(self, say: Say) -> Iterator[None]:
        """Tell `say` progress until the block ends, whichever question makes it."""
        self._listeners.append(say)
        try:
            yield
        finally:
            self._listeners.remove(say)

    def _say(self, said: str) -> None:
        for each in dict.fromkeys(self._listeners):
            each(f"{self.name}: {said}")

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Return the page of answers, the entities of likely answers and of their paths, then those found by words.

        A query in quotation marks finds the entities of this name and nothing else.

        Raises:
            SearchUnavailable: the base cannot be read, or a model or an index that plans need cannot be had.
        """
        try:
            return await self._search(query, limit)
        except HeliographError as err:
            raise SearchUnavailable(f"{self.name} cannot be searched: {err}") from err

    async def _search(self, query: Query, limit: int) -> SearchResult:
        text = query.text.strip()
        if not text.strip('"') or limit < 1:
            return SearchResult(query, (), 0)
        titles, found, probability = list[str](), list[int](), 0.0
        if len(text) > 1 and text[0] == text[-1] == '"':
            found = [each.number for each in await self.base.named(text[1:-1])]
        else:
            if len(text.split()) >= MIN_QUESTION_WORDS:
                table, answers = await self._answers(text)
                if table:
                    titles, probability = [self._keep(table)], max(table.probability, MIN_PROBABILITY)
                found = [number for each in answers for number in _entities_of(each)]
            found += [each.item for each in await self.base.search(text, limit)]
        numbers = list(dict.fromkeys(found))[:limit]
        titles += [await title_of(self.base, each) for each in await self.base.entities(numbers)]
        shares = chain((probability,), repeat(0.0))
        named = zip(titles[:limit], shares, strict=False)
        hits = tuple(Hit(title, rank, self.wiki, share) for rank, (title, share) in enumerate(named, start=1))
        return SearchResult(query, hits, len(hits))

    async def _answers(self, question: str) -> "tuple[AnswerTable | None, list[PlannedAnswer]]":
        """Return the table of answers to a question, if it is understood, and its likely answers."""
        from tools.skb.planning.answers import answer_table, planned_answers  # with bm25s it takes 0.4 s to import

        planned, answers = await planned_answers(self.base, self._plans, question, MAX_ANSWERS)
        likely = [each for each in answers[:MAX_LIKELY] if each.probability >= MIN_PROBABILITY]
        return answer_table(planned, answers, self.base.graph), likely

    def _keep(self, table: "AnswerTable") -> str:
        """Keep a table of answers until its page is read, and return the title of that page.

        The title has only words of the plan: a quote from the page would otherwise seem to say those of the question.
        Questions with the same answers share a page.
        """
        title = f"{table.title} (answers {table.digest[:DIGEST_DIGITS]})"
        self._kept.pop(title, None)
        while len(self._kept) >= MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[title] = table
        return title

    async def fetch(self, title: str) -> Page:
        """Return the page of an entity, with its document, attributes and triples; or a page of answers.

        Raises:
            PageUnavailable: no entity, or more than one, has this title, and no answers are kept under it; or the base
                cannot be read.
        """
        try:
            if title in self._kept:
                return await self._answers_page(title, self._kept[title])
            entity = await entity_of_title(self.base, title)
            if entity is None:
                lost = re.search(r" \(answers [0-9a-f]+\)$", title)
                hint = "its answers are no longer kept, ask again" if lost else "look with heliograph skb search"
                raise PageUnavailable(f"{self.wiki} has no entity called {title[:100]!r}; {hint}")
            return await self._entity_page(entity)
        except (StoreError, UsageError) as err:
            raise PageUnavailable(f"{title[:100]!r} of {self.name} cannot be read: {err}") from err

    async def _entity_page(self, entity: Entity) -> Page:
        document, attributes = await asyncio.gather(
            self.base.document(entity.number), self.base.attributes(entity.number)
        )
        every = await self.base.triples(entity.number, limit=TRIPLES_PER_RELATION)
        triples = _first_of_each_relation(entity.number, every)
        linked = await self._links({number for each in triples for number in (each.source, each.target)})
        rows = [
            (linked[each.source], escape(spelled_out(each.relation)), linked[each.target], _cell(each.text))
            for each in triples
        ]
        there = self._degree(entity.number)
        parts = (
            *_paragraphs(entity, document),
            *_attribute_table(entity, attributes),
            *_table(TRIPLES, (*TRIPLE_HEADER, DOCUMENT), rows, _cut_rows(len(rows), there)),
        )
        return self._page(await title_of(self.base, entity), parts)

    def _degree(self, number: int) -> int:
        """Return how many triples an entity has; one with itself counts once."""
        spans = {way: self.base.graph.rows[way].span(number) for way in WAYS}
        both = self.base.graph.rows["out"].neighbours[slice(*spans["out"])] == number
        return sum(end - begin for begin, end in spans.values()) - int(both.sum())

    async def _answers_page(self, title: str, table: "AnswerTable") -> Page:
        """Return the page of answers, with their documents where the texts have to tell the rest."""
        linked = await self._links({number for row in table.rows for number in chain((row.entity,), *row.paths)})
        rows = [
            (
                linked[row.entity],
                *(", ".join(linked[number] for number in path) for path in row.paths),
                *(escape(column.value) for column in table.columns if column.negated),
                *(_cell(row.attributes.get(name, "")) for name in table.attributes),
                *([_cell(await self.base.document(row.entity))] if table.needs_texts else []),
            )
            for row in table.rows
        ]
        header = (
            table.type,
            *(each.name for each in table.columns),
            *table.attributes,
            *([DOCUMENT] if table.needs_texts else []),
        )
        note = f"Computed from the {self.wiki}; each row is a path of its relations."
        if len(rows) < table.found:
            note += f" The likeliest {len(rows):,} of {table.found:,} are shown."
        return self._page(title, _table(table.type, header, rows, note))

    def _page(self, title: str, parts: Sequence[str]) -> Page:
        head = f"<html><head><title>{escape(title)}</title></head><body><h1>{escape(title)}</h1>"
        return Page(self.wiki, title, self.edition, "", "".join((head, *parts, "</body></html>")), self._now())

    async def picture(self, image: ImageEvidence) -> Picture:
        """Raise PageUnavailable: entities have no pictures."""
        raise PageUnavailable(f"{image.place.title} is an entity of {self.wiki}, which has no pictures")

    async def _links(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the names of entities as links to their pages, by their numbers."""
        entities = await self.base.entities(sorted(numbers))
        titles = await asyncio.gather(*(title_of(self.base, each) for each in entities))
        return {
            each.number: f'<a href="./{quote(title.replace(" ", "_"), safe="")}">{escape(each.name)}</a>'
            for each, title in zip(entities, titles, strict=True)
        }


class SearchWithProgress:
    """The search of a knowledge base for one run, which hears its progress."""

    def __init__(self, pages: KnowledgeBasePages, say: Say) -> None:
        self.name, self.most_queries, self.takes_questions = pages.name, pages.most_queries, pages.takes_questions
        self._pages, self._say = pages, say

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Search as the base does.

        Raises:
            SearchUnavailable: as `KnowledgeBasePages.search`.
        """
        with self._pages.reporting_to(self._say):
            return await self._pages.search(query, limit)


def _opened(path: Path) -> BuiltKnowledgeBase:
    """Open a base; a path that no file system has room for is none of a base."""
    try:
        return open_base(path)
    except OSError as err:
        said = str(path)[:MAX_PATH] + "…" * (len(str(path)) > MAX_PATH)
        raise UsageError(f"no knowledge base can be read at {said}: {err.strerror}; name one as skb:PATH") from err


def _entities_of(answer: "PlannedAnswer") -> list[int]:
    """Return an answer and the entities of its paths, the answer first."""
    return [answer.entity.number, *(number for path in answer.paths for number in path.entities)]


def _first_of_each_relation(number: int, triples: Sequence[Triple]) -> list[Triple]:
    """Return at most MAX_ROWS triples of an entity in their order, as many of each relation and direction as fit."""
    seen, placed = Counter[tuple[str, bool]](), list[tuple[int, int]]()
    for place, each in enumerate(triples):
        kind = each.relation, each.source == number
        placed.append((seen[kind], place))
        seen[kind] += 1
    return [triples[place] for place in sorted(place for _, place in sorted(placed)[:MAX_ROWS])]


def _paragraphs(entity: Entity, document: str) -> list[str]:
    """Return the document as paragraphs; the first says what the entity is, the last what is left out."""
    also = f", also called {_shortened(', '.join(entity.aliases), MAX_CELL)}" if entity.aliases else ""
    shown = _shortened(document, MAX_DOCUMENT)
    cut = f"The document is cut here, after {MAX_DOCUMENT:,} of {len(document):,} characters."
    texts = (
        f"{entity.name} ({entity.type}){also}.",
        *shown.split("\n"),
        cut if len(document) > MAX_DOCUMENT else "",
    )
    return [f"<p>{escape(' '.join(text.split()))}</p>" for text in texts if text.strip()]


def _attribute_table(entity: Entity, attributes: Mapping[str, Attribute]) -> list[str]:
    rows = [
        (_cell(column_name(name)), _cell(attribute_text(value))) for name, value in islice(attributes.items(), MAX_ROWS)
    ]
    return _table(ATTRIBUTES, ("Attribute", entity.name), rows, _cut_rows(len(rows), len(attributes)))


def _cut_rows(shown: int, there: int) -> str:
    """Return a note on the rows that a table leaves out; empty where it leaves none."""
    return f"{shown:,} of {there:,} rows are shown." if shown < there else ""


def _table(heading: str, header: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> list[str]:
    """Return a table under a heading and a note, nothing without rows; cells are HTML."""
    if not rows:
        return []
    named = "".join(f"<th>{escape(each)}</th>" for each in header)
    filled = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return [
        f"<h2>{escape(heading)}</h2>",
        *([f"<p>{escape(note)}</p>"] if note else []),
        f"<table><tr>{named}</tr>",
        *(f"<tr>{row}</tr>" for row in filled),
        "</table>",
    ]


def _cell(text: str) -> str:
    """Return a text for a cell as HTML on one line."""
    return escape(" ".join(_shortened(text, MAX_CELL).split()))


def _shortened(text: str, length: int) -> str:
    """Return the beginning of a text up to the end of a word, with an ellipsis where it goes on."""
    if len(text) <= length:
        return text
    head = text[:length]
    return f"{head[: head.rfind(' ')] if ' ' in head else head} …"
