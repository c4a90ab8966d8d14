"""People write queries about sampled entities, then say which entities answer them (STaRK, section 2.6, appendix C).

A query is kept as a draft as soon as it is written, and among the queries once its answers are filtered by hand.
"""

import json
import unicodedata
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from eval.drawing import digest_of
from eval.lines import read_lines
from eval.omgqa.judging.growing import GrowingLines, folder_of, open_growing
from eval.stark.people.entity_view import entity_view
from eval.stark.people.name_leaks import leaked_name
from eval.stark.queries import HUMAN, StarkQuery, query_line, read_queries
from heliograph.errors import UnknownEntity, UsageError
from heliograph.types import Entity
from indexers.pace import Say
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.lookup import look_up_entity

QUIT, SKIP, AGAIN, SHOW, DOCUMENT = "/quit", "/skip", "/again", "/show", "/document"
ASKED = "Write a query that this entity answers, without its name, in a line"
LOOKING = f"{DOCUMENT}   {SHOW} ENTITY   {QUIT}"
COMMANDS = f"{SKIP}   {LOOKING}"
JUDGED = f"Does it answer the query, in all that this asks for?   y yes   n no\n{AGAIN} write another query   {LOOKING}"
OTHERS = "Other entities that answer it, an id or a name in a line; an empty line ends"
ELSEWHERE = "name another file with --out"
DIGITS = 10
NO_TEXT = ("Cc", "Cs")
"""Control characters, such as those of arrow keys, and halves of characters."""

Ask = Callable[[str], str]
"""Shows a text and returns the line that is written after it; QUIT where there is nobody left to write one."""
Propose = Callable[[str, str], Awaitable[Sequence[int]]]
"""Finds entities of a type that may answer a query."""


@dataclass(frozen=True, slots=True)
class Collection:
    """The file of queries, and the drafts beside it by the id of their entity; an empty draft is one passed over."""

    skb: str
    queries: GrowingLines
    draft_lines: GrowingLines
    drafts: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)

    @property
    def pending(self) -> Mapping[str, str]:
        """Return the drafts whose answers are not filtered yet."""
        return {entity: text for entity, text in self.drafts.items() if text and query_id(text) not in self.written}

    def draft(self, entity: str, text: str) -> None:
        """Keep the text of a query about an entity, or that there is none.

        Raises:
            StoreFull | StoreError: it cannot be written.
        """
        self.draft_lines.append(_draft_line(self.skb, entity, text))
        self.drafts[entity] = text

    def add(self, query: StarkQuery) -> None:
        """Keep a query with its answers.

        Raises:
            StoreFull | StoreError: it cannot be written.
        """
        self.queries.append(query_line(query))
        self.written.add(query.id)


def query_id(text: str) -> str:
    """Return the id of a query of a person, by which files of several people can be put together."""
    return f"{HUMAN}-{digest_of(text)[:DIGITS]}"


def open_collection(out: Path, base: BuiltKnowledgeBase, stack: ExitStack) -> Collection:
    """Open a file of queries for this process alone; drafts stand in the folder `out.run` beside it.

    Raises:
        UsageError: a file holds something else, or drafts about another base.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    queries = open_growing(out, b'{"id": "', stack, ELSEWHERE)
    path = folder_of(out) / "drafts.jsonl"
    lines = open_growing(path, b'{"skb": "', stack, ELSEWHERE)
    found, skb = Collection(base.description.digest, queries, lines), base.description.digest
    for line in read_lines(path, _DraftLine):
        if line.skb != skb:
            raise UsageError(f"{path} has drafts about another knowledge base, or an older build; {ELSEWHERE}")
        found.drafts[line.entity] = line.query
    found.written.update(each.id for each in read_queries(out))
    return found


@dataclass(frozen=True, slots=True)
class CollectionSession:
    """One person at work.

    Attributes:
        ask: shows a text, and returns a line.
        propose: finds candidates for answers.
        filtering: whether answers are filtered at once, and those of earlier drafts first.
        say: hears what became of a query.
    """

    base: BuiltKnowledgeBase
    collection: Collection
    ask: Ask
    propose: Propose
    filtering: bool = True
    say: Say = lambda _said: None

    async def run(self, sampled: Sequence[int]) -> None:
        """Ask for a query about each of some entities, until somebody quits.

        Raises:
            StoreFull | StoreError: a line cannot be written; those before it are there.
        """
        for id in [*self.collection.pending] if self.filtering else ():
            if not await self._filter(await self.base.entity(id)):
                return
        todo = [each for each in await self.base.entities(sampled) if each.id not in self.collection.drafts]
        for place, entity in enumerate(todo, start=1):
            if not await self._collect(entity, f"{place} of {len(todo)}\n\n"):
                return

    async def _collect(self, entity: Entity, head: str = "") -> bool:
        """Ask for a query about an entity, and say whether to go on."""
        shown = f"{head}{await entity_view(self.base, entity)}"
        while True:
            text = " ".join((await self._line(shown, f"{ASKED}\n{COMMANDS}", entity)).split())
            if text == QUIT:
                return False
            if text == SKIP:
                self.collection.draft(entity.id, "")
                return True
            if not (fault := self._fault(entity, text)):
                self.collection.draft(entity.id, text)
                return await self._filter(entity) if self.filtering else True
            shown = fault

    def _fault(self, entity: Entity, text: str) -> str:
        if not text or text.startswith("/"):
            return f"{text[:40]!r} is no query" if text else "The query is empty"
        if any(unicodedata.category(each) in NO_TEXT for each in text):
            return "The query has characters that are no text"
        others = [each for id, each in self.collection.drafts.items() if id != entity.id]
        if text in others or query_id(text) in self.collection.written:
            return "This query is there already"
        name = leaked_name(entity, text)
        return f"Refused: the query says {name!r}, which names the answer; describe it otherwise" if name else ""

    async def _filter(self, entity: Entity) -> bool:
        """Have the answers of an entity's draft confirmed or rejected, and say whether to go on."""
        text = self.collection.drafts[entity.id]
        found = await self.propose(text, entity.type)
        candidates = await self.base.entities(list(dict.fromkeys([entity.number, *found])))
        candidates = tuple(sorted(candidates, key=lambda each: digest_of(f"{text} {each.id}")))
        answers = list[Entity]()
        for place, each in enumerate(candidates, start=1):
            head = f"{text}\n\n{place} of {len(candidates)}: {await entity_view(self.base, each)}"
            said = await self._choice(head, each)
            if said == QUIT:
                return False
            if said == AGAIN:
                return await self._collect(entity)
            answers += [each] if said == "y" else []
        others = await self._others(text)
        if others is None:
            return False
        self._add(entity, text, [*answers, *others])
        return True

    async def _choice(self, shown: str, entity: Entity) -> str:
        while (said := (await self._line(shown, JUDGED, entity)).casefold()) not in ("y", "n", QUIT, AGAIN):
            shown = f"{said[:40]!r} is neither y nor n"
        return said

    async def _others(self, text: str) -> list[Entity] | None:
        """Return answers that a person names; None where they quit."""
        found, shown = list[Entity](), text
        while said := await self._line(shown, OTHERS, None):
            if said == QUIT:
                return None
            try:
                each = await look_up_entity(self.base, said)
            except UnknownEntity as err:
                shown = str(err)
                continue
            types = self.base.description.candidate_types
            if types and each.type not in types:
                shown = f"{each.name} is of the type {each.type}, which may not answer in this base"
            else:
                found.append(each)
                shown = f"added: {each.name} ({each.type}, {each.id})"
        return found

    def _add(self, entity: Entity, text: str, answers: Sequence[Entity]) -> None:
        ids = tuple(dict.fromkeys(each.id for each in answers))
        if not ids:
            self.collection.draft(entity.id, "")
            self.say("nothing answers it: the query is dropped, as one without an answer measures nothing")
            return
        type = entity.type if all(each.type == entity.type for each in answers) else ""
        self.collection.add(StarkQuery(query_id(text), text, ids, HUMAN, answer_type=type))
        beside = "" if entity.id in ids else f", without {entity.name}, which it was written about"
        self.say(f"kept, answers: {len(ids):,}{beside}")

    async def _line(self, shown: str, asked: str, entity: Entity | None) -> str:
        """Return a line that is no wish to see something; such wishes are met."""
        while True:
            command, _, what = (said := self.ask(f"{shown}\n\n{asked}").strip()).partition(" ")
            if command == DOCUMENT and entity:
                shown = await self.base.document(entity.number) or "It has no document"
            elif command == SHOW:
                shown = await self._shown(what.strip())
            else:
                return said

    async def _shown(self, said: str) -> str:
        try:
            return await entity_view(self.base, await look_up_entity(self.base, said))
        except UnknownEntity as err:
            return str(err)


class _DraftLine(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    skb: str
    entity: Annotated[str, Field(min_length=1)]
    query: str


def _draft_line(skb: str, entity: str, text: str) -> str:
    return json.dumps({"skb": skb, "entity": entity, "query": text}, ensure_ascii=False) + "\n"
