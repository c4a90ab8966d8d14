"""A knowledge base as a wiki that the agent searches and reads: an entity is a page, a triple a row of its table.

So a path is cited by its rows, one a triple, and what is true of citations of rows is true of those of paths: they are
checked, shown, exported and replayed as such.
"""

import asyncio
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from heliograph.errors import (
    HeliographError,
    PageUnavailable,
    SearchUnavailable,
    StoreError,
    UnknownEntity,
    UsageError,
)
from heliograph.types import Attribute, Entity, Hit, ImageEvidence, Page, Picture, Query, SearchResult
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tools.skb.entity_documents import spelled_out
from tools.skb.systems import SystemModels, label_of, plan_retriever
from tools.zim.archive import utc_now

if TYPE_CHECKING:
    from tools.skb.planning.answers import PlannedAnswer
    from tools.skb.planning.retrieval import PlanRetriever

PAGE_FORM = 1
"""Number of the form of pages: those that were kept in another one are made anew."""
MOST_TRIPLES = 40
"""Triples of a page, per relation and direction."""
ANSWERS = 100
"""Answers of a question that are looked at, the most probable ones."""
SHOWN, LIKELY = 8, 0.02
"""Of these the first that are among its hits, with the entities of their paths, and the probability that they have."""
QUESTION_WORDS = 4
"""Words that a question has at least; what has fewer is looked for by words alone."""
SURE_TYPE = 0.7
"""How probable the type of the answers is, of which a page is made."""
MOST_LEFT = 2
"""Words of a question that a plan leaves, where all that meets it answers."""
DOCUMENT, MOST_CHARACTERS = "What is said of it", 600
"""Name of the column of documents, and what it shows of each."""
KEPT = 64
"""Pages of answers that are kept from the search until they are read."""
TOLD = 8
"""Hexadecimal digits that tell a page of answers from others of the same plan."""
TRIPLES, ATTRIBUTES = "Relations", "Attributes"
"""Headings of the tables."""


@dataclass(frozen=True, slots=True)
class _Answers:
    """What was found for a question.

    Attributes:
        met: answers that meet its most probable plan; none where that requires nothing but that something is not so,
            passes over a name, or asks for an improbable type, and only those that the texts speak for where they are
            many or much of the question is left to these.
        likely: the most probable answers of all plans.
        by_texts: whether words of the question are left to the texts.
        probability: how probable it is that what meets the plan is what the question asks for; 0 where much of the
            question is left to the texts.
    """

    met: Sequence["PlannedAnswer"]
    likely: Sequence["PlannedAnswer"]
    by_texts: bool = False
    probability: float = 0.0


class KnowledgeBasePages:
    """A built knowledge base as a document search and a page source; nothing is opened before the first use.

    A question is planned (`PlanRetriever`), which needs no language model. What meets its most probable plan is a page
    by itself: a table with a row for each answer, whose columns are the paths and attributes that the plan asks for.
    Behind it are found the entities of the answers and of their paths, and those that have words of the question. The
    page of an entity is called by its name, with its type behind it where others have the name, and else with its id;
    one of answers by the plan, and this object that found them has it: a run that was killed before it was read goes on
    without.

    Args:
        path: the folder of the base.
        now: the instant, ISO 8601.

    Raises (from everything but the constructor):
        UsageError: the folder is missing, or no knowledge base.
        StoreDamaged: a file of it is missing or damaged.
    """

    most_queries: int | None = None

    def __init__(self, path: Path, now: Callable[[], str] = utc_now) -> None:
        self.path = path
        self.name = f"skb:{path.stem}"
        self._now, self._models = now, SystemModels()
        self._kept: dict[str, _Answers] = {}

    @cached_property
    def base(self) -> BuiltKnowledgeBase:
        """The base, open."""
        return open_base(self.path)

    @cached_property
    def _plans(self) -> "PlanRetriever":
        return plan_retriever(self.base, self._models)

    @property
    def wiki(self) -> str:
        """What pages are told by."""
        return f"{self.base.name} knowledge base"

    @cached_property
    def edition(self) -> str:
        """What changes when pages may hold something else: with the base, with what plans, and with their form."""
        said = f"{PAGE_FORM} {self.base.description.digest} {label_of('plan', self._models)}"
        return sha256(said.encode()).hexdigest()[:16]

    def open(self) -> None:
        """Open the base now, so that a bad one is found at once."""
        _ = self.base

    async def search(self, query: Query, limit: int) -> SearchResult:
        """Return the entities of the most probable answers and of their paths, then those found by words.

        A query in quotation marks asks for the entities of this name alone.

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
            if len(text.split()) >= QUESTION_WORDS:
                answers = await self._answers(text)
                titles = [self._keep(answers)] if answers.met else []
                probability = answers.probability
                found = [number for each in answers.likely for number in _joined(each)]
            found += [each.item for each in await self.base.search(text, limit)]
        numbers = list(dict.fromkeys(found))[:limit]
        titles += [await self.title(each) for each in await self.base.entities(numbers)]
        shares = (probability, *(0.0 for _ in titles))
        named = zip(titles[:limit], shares, strict=False)
        hits = tuple(Hit(title, rank, self.wiki, share) for rank, (title, share) in enumerate(named, start=1))
        return SearchResult(query, hits, len(hits))

    async def title(self, entity: Entity) -> str:
        """Return what the page of an entity is called: the first form that leads back to it."""
        by_id = f"{entity.name} ({entity.id})"
        for title in (entity.name, f"{entity.name} ({entity.type})"):
            found = await self._titled(title)
            if found and found.number == entity.number:
                return title
        return by_id

    async def fetch(self, title: str) -> Page:
        """Return the page of an entity: its document, a table of attributes, and one of its triples; or of answers.

        Raises:
            PageUnavailable: no entity, or more than one, has this title, and no answers that were found are called so;
                or the base cannot be read.
        """
        try:
            return await self._fetch(title)
        except (StoreError, UsageError) as err:
            raise PageUnavailable(f"{title[:100]!r} of {self.name} cannot be read: {err}") from err

    async def _fetch(self, title: str) -> Page:
        if title in self._kept:
            return await self._answers_page(title, self._kept[title])
        entity = await self._titled(title)
        if entity is None:
            lost = re.search(r" \(answers [0-9a-f]+\)$", title)
            hint = "its answers are no longer kept, ask again" if lost else "look with heliograph skb search"
            raise PageUnavailable(f"{self.wiki} has no entity called {title[:100]!r}; {hint}")
        document, attributes = await asyncio.gather(
            self.base.document(entity.number), self.base.attributes(entity.number)
        )
        triples = await self.base.triples(entity.number, limit=MOST_TRIPLES)
        linked = await self._links({number for each in triples for number in (each.source, each.target)})
        rows = [
            (linked[each.source], escape(spelled_out(each.relation)), linked[each.target], escape(each.text))
            for each in triples
        ]
        parts = (
            *_paragraphs(entity, document),
            *_table(ATTRIBUTES, ("Attribute", entity.name), _attribute_rows(attributes)),
            *_table(TRIPLES, ("From", "Relation", "To", DOCUMENT), rows),
        )
        return self._page(await self.title(entity), parts)

    async def _answers_page(self, title: str, found: "_Answers") -> Page:
        """Return the page of answers; their documents stand there where the texts have to tell the rest."""
        from tools.skb.planning.answers import path_columns

        answers = found.met
        plan = answers[0].plan
        columns = path_columns(plan, self.base.graph)
        attributes = tuple(dict.fromkeys(name for each in answers for name in each.attributes))
        linked = await self._links({number for each in answers for number in _joined(each)})
        documents = await asyncio.gather(*(self.base.document(each.entity.number) for each in answers))
        rows = [
            (
                linked[each.entity.number],
                *(
                    ", ".join(linked[number] for number in path.entities[-2::-1]) if path else ""
                    for path in each.joined
                ),
                *(escape(column.value) for column in columns if column.negated),
                *(escape(_said(each.attributes[name])) if name in each.attributes else "" for name in attributes),
                *([escape(" ".join(document[:MOST_CHARACTERS].split()))] if found.by_texts else []),
            )
            for each, document in zip(answers, documents, strict=True)
        ]
        told = (DOCUMENT,) if found.by_texts else ()
        header = (plan.type, *(each.name for each in columns), *attributes, *told)
        return self._page(title, _table(plan.type, header, rows))

    async def _answers(self, question: str) -> "_Answers":
        from heliograph.text.words import stems
        from tools.skb.planning.answer_types import asked_phrases
        from tools.skb.planning.answers import left_over, planned_answers

        planned, answers = await planned_answers(self.base, self._plans, question, ANSWERS)
        likely = [each for each in answers[:SHOWN] if each.probability >= LIKELY]
        first = next(
            (each for each in planned.plans[:1] if each.order or any(one.operator != "not" for one in each.conditions)),
            None,
        )
        if first is None or any(each.whole for each in first.unused):
            return _Answers((), likely)
        shares = zip(planned.plans, planned.probabilities, strict=True)
        if sum(share for plan, share in shares if plan.type == first.type) < SURE_TYPE:
            return _Answers((), likely)
        met, left = [each for each in answers if each.plan is first], left_over(planned, first, self.base.graph)
        if len(met) < len(first.scored.entities) or len(left) > MOST_LEFT:
            met = [each for each in met if each.probability > met[0].probability / 2]
        probability = planned.probabilities[0] if len(left) <= MOST_LEFT else 0.0
        if any(stem in left for stem in stems(asked_phrases(question)[0])):
            probability /= 2
        return _Answers(met, likely, by_texts=bool(left), probability=probability)

    def _keep(self, answers: "_Answers") -> str:
        """Keep the answers that meet a plan until their page is read, and return its title.

        It has only words of the plan: what is quoted from the page would seem to say those of the question. Other
        questions with the same answers have the same page.
        """
        from tools.skb.planning.answers import plan_title

        shown = [(each.entity.id, [path.entities for path in each.paths]) for each in answers.met]
        digest = sha256(f"{answers.by_texts} {shown}".encode("utf-8", "replace")).hexdigest()[:TOLD]
        title = f"{plan_title(answers.met[0].plan, self.base.graph)} (answers {digest})"
        self._kept.pop(title, None)
        while len(self._kept) >= KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[title] = answers
        return title

    def _page(self, title: str, parts: Sequence[str]) -> Page:
        head = f"<html><head><title>{escape(title)}</title></head><body><h1>{escape(title)}</h1>"
        return Page(self.wiki, title, self.edition, "", "".join((head, *parts, "</body></html>")), self._now())

    async def picture(self, image: ImageEvidence) -> Picture:
        """Raise PageUnavailable: entities have no pictures."""
        raise PageUnavailable(f"{image.place.title} is an entity of {self.wiki}, which has no pictures")

    async def _links(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the names of entities as links to their pages, by their numbers."""
        entities = await self.base.entities(sorted(numbers))
        titles = await asyncio.gather(*map(self.title, entities))
        return {
            each.number: f'<a href="./{quote(title.replace(" ", "_"), safe="")}">{escape(each.name)}</a>'
            for each, title in zip(entities, titles, strict=True)
        }

    async def _titled(self, title: str) -> Entity | None:
        """Return the entity of a title: its name, with its type or its id behind it where others have the name."""
        named = await self.base.named(title)
        if len(named) == 1:
            return named[0]
        for place in (found.start() for found in re.finditer(r" \(", title) if title.endswith(")")):
            name, beside = title[:place], title[place + 2 : -1]
            alike = [each for each in await self.base.named(name) if each.type == beside]
            if len(alike) == 1:
                return alike[0]
            with suppress(UnknownEntity):
                entity = await self.base.entity(beside)
                if entity.name == name:
                    return entity
        return None


def _joined(answer: "PlannedAnswer") -> list[int]:
    """Return an answer and the entities of its paths, the answer first."""
    return [answer.entity.number, *(number for path in answer.paths for number in path.entities)]


def _paragraphs(entity: Entity, document: str) -> list[str]:
    """Return the document as paragraphs; the first says what the entity is."""
    also = f", also called {', '.join(entity.aliases)}" if entity.aliases else ""
    lead = f"{entity.name} ({entity.type}){also}."
    return [f"<p>{escape(' '.join(text.split()))}</p>" for text in (lead, *document.split("\n")) if text.strip()]


def _attribute_rows(attributes: Mapping[str, Attribute]) -> list[tuple[str, str]]:
    return [(escape(spelled_out(name)), escape(_said(value))) for name, value in attributes.items()]


def _table(heading: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table under a heading, nothing without rows; cells are HTML."""
    if not rows:
        return []
    named = "".join(f"<th>{escape(each)}</th>" for each in header)
    filled = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return [
        f"<h2>{escape(heading)}</h2><table><tr>{named}</tr>",
        *(f"<tr>{row}</tr>" for row in filled),
        "</table>",
    ]


def _said(value: Attribute) -> str:
    return f"{value:.15g}" if isinstance(value, float) else value
