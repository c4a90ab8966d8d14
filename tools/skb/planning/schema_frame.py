"""What a language model is shown of a base to plan a query: types, attributes, relations, and entities it may name.

Handles are issued here; whatever a reply names is looked up among what was shown, and nowhere else. Of a large base it
is what is most like the query, less where the context is small.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from heliograph.errors import ContextOverflow, UnknownName
from heliograph.protocols import LLM
from heliograph.text.words import content_stems
from heliograph.types import Attribute, Direction, Entity, Hop, Prompt
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from tools.refinement.framing import MARGIN, question_part
from tools.skb.entity_documents import spelled_out, spelled_triple
from tools.skb.planning.conditions import column_name
from tools.skb.planning.linking import EntityMention
from tools.skb.planning.plans import SAID, Phrases

MOST_RELATIONS, MOST_TYPES, MOST_NAMED = 80, 60, 24
"""Kinds of relations, types and entities that are shown."""
MOST_ATTRIBUTES, EXAMPLES = 12, 2
"""Attributes of a type, and examples of each."""
MENTIONED = 0.2
"""How much nearer a relation is of whose ends one has the type of something that the query names in full."""
NAME_CHARACTERS, VALUE_CHARACTERS, MENTION_CHARACTERS = 80, 24, 60
SMALLEST = 1 / 16
"""Share of all this that is shown at least; a model without room for it is not asked."""

_ARROWS: Mapping[Direction, tuple[str, str]] = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}
"""How a relation is drawn by the way it is followed, from its left end to its right one."""

Kind = tuple[str, str, str]
"""Source type, relation and target type."""


@dataclass(frozen=True, slots=True)
class ShownRelation:
    """A kind of relation; one that joins entities of one type is shown once for each way to follow it.

    `way` is how it is followed from a type that is its source and its target.
    """

    source: str
    relation: str
    target: str
    way: Direction = "out"

    def hop(self, type: str) -> Hop | None:
        """Return how it is followed from a type; None where it does not begin there."""
        if type == self.source:
            return Hop(self.relation, self.way, self.target)
        return Hop(self.relation, "in", self.source) if type == self.target else None

    @property
    def line(self) -> str:
        """The relation as it is shown."""
        first, relation, second = (_named(each) for each in (self.source, self.relation, self.target))
        tail, head = _ARROWS[self.way]
        return f"{first} {tail}{relation}{head} {second}"


@dataclass(frozen=True, slots=True)
class ShownEntity:
    """An entity, and the words of the query that may name it."""

    mention: EntityMention
    entity: Entity

    @property
    def line(self) -> str:
        """The entity as it is shown."""
        said = clipped(harmless(self.mention.text), MENTION_CHARACTERS)
        return f'"{said}": {_named(self.entity.name)} ({_named(self.entity.type)})'


@dataclass(frozen=True)
class SchemaFrame:
    """What is shown, the most like the query first where not all of it is.

    Attributes:
        types: their entities, counted; `answers` are those that may be asked for.
        attributes: columns of a type, each with examples.
    """

    types: Mapping[str, int]
    answers: tuple[str, ...]
    attributes: Mapping[str, Mapping[str, Sequence[str]]]
    relations: tuple[ShownRelation, ...]
    entities: tuple[ShownEntity, ...]

    def share(self, share: float) -> "SchemaFrame":
        """Return its first part."""
        kept = self.relations[: max(1, int(len(self.relations) * share))]
        ends = {end for each in kept for end in (each.source, each.target)}
        first = {*self.answers[: max(1, int(len(self.answers) * share))], *ends}
        return replace(
            self,
            types={name: count for name, count in self.types.items() if name in first},
            answers=tuple(each for each in self.answers if each in first),
            attributes={
                name: dict(list(columns.items())[: max(1, int(len(columns) * share))])
                for name, columns in self.attributes.items()
                if name in first
            },
            relations=kept,
            entities=self.entities[: max(4, int(len(self.entities) * share))],
        )

    def type(self, said: str) -> str:
        """Return the type of answers that is called so.

        Raises:
            UnknownName: no such type is shown as one that may answer.
        """
        wanted = _folded(said)
        found = next((each for each in self.answers if _folded(_named(each)) == wanted), None)
        if found is None:
            raise UnknownName(f"no type {said!r} may answer; name one of {', '.join(map(_named, self.answers))}")
        return found

    def prompt(self, query: str, llm: LLM) -> Prompt:
        """Return the prompt for a plan of a query.

        Raises:
            ContextOverflow: the model has no room for it.
        """
        system, asked = render_prompt("plan_entity_query"), question_part(query)
        entities = render_prompt("the_mentioned_entities", entities="\n".join(self._entity_lines) or "none")
        rest = "" if len(self.answers) != 1 else f"The answers are of the type {_named(self.answers[0])}."
        schema = render_prompt("the_schema", schema="\n".join(self._schema_lines), rest=rest).strip()
        if sum(map(llm.count, (system, schema, entities, asked))) + MARGIN > llm.room:
            raise ContextOverflow("a plan does not fit the prompt; set a larger context_tokens for the model")
        return Prompt("plan_entity_query", system, (schema, entities, asked))

    def fitting(self, query: str, llm: LLM) -> tuple["SchemaFrame", Prompt]:
        """Return as much of it as a model has room for, with its prompt.

        Raises:
            ContextOverflow: not even a small part fits.
        """
        share = 1.0
        while True:
            shown = self if share == 1 else self.share(share)
            try:
                return shown, shown.prompt(query, llm)
            except ContextOverflow:
                if share <= SMALLEST:
                    raise
                share /= 2

    @cached_property
    def _schema_lines(self) -> tuple[str, ...]:
        return (*self._type_lines, *(f"[H{number}] {each.line}" for number, each in enumerate(self.relations, 1)))

    @cached_property
    def _type_lines(self) -> tuple[str, ...]:
        return tuple(
            f"{_named(name)} ({count}){': ' if columns else ''}{', '.join(columns)}"
            for name, count in self.types.items()
            for columns in [[f"{_named(each)} ({', '.join(told)})" for each, told in self._columns(name)]]
        )

    def _columns(self, type: str) -> Iterator[tuple[str, list[str]]]:
        for name, examples in self.attributes.get(type, {}).items():
            yield name, [clipped(harmless(each), VALUE_CHARACTERS) for each in examples]

    @cached_property
    def _entity_lines(self) -> tuple[str, ...]:
        return tuple(f"[N{number}] {each.line}" for number, each in enumerate(self.entities, 1))


def is_called(name: str, said: str) -> bool:
    """Say whether what a reply names is this, as it was shown."""
    return _folded(_named(name)) == _folded(said)


def nearest_relations(
    kinds: Sequence[Kind], query: str, mentions: Sequence[str], phrases: Phrases
) -> tuple[ShownRelation, ...]:
    """Return the kinds of relations most like a query; of few all, in their order.

    Args:
        mentions: types of what the query names in full.
        phrases: knows the vectors of the query and of each `relation_phrase`, where there are more than are shown.
    """
    if len(kinds) > MOST_RELATIONS:
        said = frozenset(content_stems(query))

        def nearness(kind: Kind) -> float:
            words = content_stems(spelled_out(kind[1]))
            share = sum(word in said for word in words) / max(1, len(words))
            near = MENTIONED * (not {kind[0], kind[2]}.isdisjoint(mentions))
            return phrases.likeness(query, relation_phrase(kind)) + SAID * share + near

        kinds = sorted(kinds, key=lambda each: -nearness(each))[:MOST_RELATIONS]
    return tuple(
        ShownRelation(*kind, way)
        for kind in kinds
        for way in (("out", "in", "both") if kind[0] == kind[2] else ("out",))
    )


@dataclass(frozen=True, slots=True)
class AttributeExamples:
    """The first different values of an attribute, and the share of the entities that have one."""

    values: tuple[str, ...]
    share: float


def attribute_examples(attributes: Sequence[Mapping[str, Attribute]]) -> Mapping[str, AttributeExamples]:
    """Return the attributes of some entities of a type, by the names of their columns."""
    found = dict[str, list[str]]()
    for own in attributes:
        for name, value in own.items():
            said = f"{value:.12g}" if isinstance(value, float) else value
            found.setdefault(column_name(name), []).append(said)
    return {
        name: AttributeExamples(tuple(dict.fromkeys(values))[:EXAMPLES], len(values) / len(attributes))
        for name, values in found.items()
    }


def nearest_attributes(columns: Mapping[str, AttributeExamples], query: str) -> Mapping[str, Sequence[str]]:
    """Return the attributes that a query says a word of, then those that most entities have."""
    said = frozenset(content_stems(query))

    def nearness(name: str) -> float:
        words = content_stems(name)
        return sum(word in said for word in words) / max(1, len(words)) + columns[name].share

    order = list(columns) if len(columns) <= MOST_ATTRIBUTES else sorted(columns, key=nearness, reverse=True)
    return {name: columns[name].values for name in order[:MOST_ATTRIBUTES]}


def relation_phrase(kind: Kind) -> str:
    """Return a kind of relations in words."""
    return spelled_triple(*kind).phrase


def _named(name: str) -> str:
    return clipped(harmless(name), NAME_CHARACTERS)


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())
