"""Compare the plans of STaRK's MAG queries with readings by hand, over a base that stands in for MAG.

usage: python -m bench.mag_plans generate READINGS.jsonl FOLDER [--plain]
       heliograph skb build FOLDER BASE.skb --candidates paper
       python -m bench.mag_plans ask READINGS.jsonl BASE.skb [--out PLANS.jsonl]

A reading is a line of JSON: `id`, `query`, `shape` (a key of SHAPES), `mentions` (each with `type` and `text`, as the
query writes it), for papers that cite a `way` (`out`: what the paper cites, `in`: what cites it, `any`), `unsure`
where the query alone does not tell which words name the field, and `optional`, words that may name one, too.

The stand-in has MAG's types and relations, every name of the readings, MOST_LIKE times as many names made of their
parts, and words of the queries as fields. Of each query one paper meets all that it asks for, and others a part of it.
Its size, its neighbours and its abstracts are not MAG's: it shows which names and relations a plan has, no Hit@1.
"""

import argparse
import asyncio
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

from heliograph.text.words import stems
from indexers.skb.entity_texts import folded
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from indexers.skb.stark_folder import MAG_RELATIONS, MAG_TYPES
from memory.trace.disk import write_lines
from tools.skb.planning.conditions import PathCondition
from tools.skb.planning.linking import EntityMention, link_entities
from tools.skb.planning.plans import Plan
from tools.skb.planning.retrieval import PlanRetriever
from tools.skb.systems import retriever_named
from tools.zim.spelling import dictionary

AUTHOR, INSTITUTION, FIELD, PAPER = MAG_TYPES
AFFILIATED, CITES, TOPIC, WRITES = MAG_RELATIONS
MOST_LIKE = 20
"""Names made of the parts of others, per name."""
OF_OWN_FIELD = 0.5
"""How probably a paper that says the words of a query is of a field that is among them."""
OTHERS = 10
"""Words of an abstract that are of other queries."""
FRAME = 0.01
"""Share of the queries from which a word belongs to the frame of queries, and names no field."""
COMMON, SHORTEST = 20_000, 4
"""Uses from which a word of the dictionary is a common one, and letters of a word that names a field."""
_WORD = re.compile(r"\w[\w’'-]*")

_OFFICIAL = {each.split("___")[1]: each for each in MAG_RELATIONS}

Hops = tuple[tuple[str, str], ...]
"""Relations with their directions, from what is named to the papers."""


class Required(NamedTuple):
    """What a plan requires: the type and the folded name of an entity, and the hops from it."""

    type: str
    name: str
    hops: Hops


class Chosen(NamedTuple):
    """What a plan chose, and the words that it chose it for."""

    required: Required
    mention: EntityMention


BY_AUTHOR: Hops = ((WRITES, "out"),)
OF_FIELD: Hops = ((TOPIC, "in"),)
CITED: Hops = ((CITES, "any"),)
OF_INSTITUTION: Hops = ((AFFILIATED, "in"), (WRITES, "out"))
SHARED_AUTHOR: Hops = ((WRITES, "in"), (WRITES, "out"))
SHARED_FIELD: Hops = ((TOPIC, "out"), (TOPIC, "in"))
SHAPES: Mapping[str, tuple[tuple[str, Hops], ...]] = {
    "AP": ((AUTHOR, BY_AUTHOR),),
    "FP": ((FIELD, OF_FIELD),),
    "PP": ((PAPER, CITED),),
    "IAP": ((INSTITUTION, OF_INSTITUTION),),
    "PAP": ((PAPER, SHARED_AUTHOR),),
    "PAPFP": ((PAPER, SHARED_AUTHOR), (PAPER, SHARED_FIELD)),
    "IAPF": ((INSTITUTION, OF_INSTITUTION), (FIELD, OF_FIELD)),
}
"""The seven templates of MAG (STaRK, appendix A.3)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A query as somebody read it."""

    id: str
    query: str
    shape: str
    names: tuple[tuple[str, str], ...]
    way: str
    unsure: bool
    optional: tuple[str, ...]

    @property
    def required(self) -> tuple[Required, ...]:
        """What its plan has to require."""
        named = {type: folded(name) for type, name in self.names}
        return tuple(Required(type, named[type], hops) for type, hops in SHAPES[self.shape])

    @property
    def rest(self) -> str:
        """The query without what it names."""
        text = self.query
        for _, name in self.names:
            text = text.replace(name, " … ")
        return text


def read_readings(path: Path) -> list[Reading]:
    """Return the readings of a file."""
    return [
        Reading(
            one["id"],
            one["query"],
            one["shape"],
            tuple((each["type"], each["text"]) for each in one["mentions"]),
            one.get("way", ""),
            one.get("unsure", False),
            tuple(one.get("optional", ())),
        )
        for one in map(json.loads, path.read_text(encoding="utf8").splitlines())
    ]


class StandIn:
    """The records of a base that stands in for MAG, drawn for some readings."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._random = random.Random(58)
        self._rests = [each.rest for each in readings]
        self._words = [_WORD.findall(each) for each in self._rests]
        self._own_fields = list(self._topics())
        self._names = {type: self._names_of(readings, type) for type in MAG_TYPES}
        self._ids = {type: [f"{type} {at}" for at in range(len(names))] for type, names in self._names.items()}
        self._frequent = [1 / (1 + at) for at in range(len(self._ids[FIELD]))]
        self.entities, self.triples = list[dict[str, str]](), dict[tuple[str, str, str], None]()
        for type, names in self._names.items():
            for id, name in zip(self._ids[type], names.values(), strict=True):
                self._add(id, type, name)
        for author in self._ids[AUTHOR] if self._ids[INSTITUTION] else ():
            self._join(author, AFFILIATED, self._any(INSTITUTION))
        for number, each in enumerate(readings):
            self._add_answers(number, each.required)

    def _names_of(self, readings: Sequence[Reading], type: str) -> dict[str, str]:
        """Return the names of a type, folded too: those of readings, the most frequent first, and then others."""
        named = [name for each in readings for kind, name in each.names if kind == type]
        said = Counter(map(folded, named))
        found = dict(sorted({folded(name): name for name in named}.items(), key=lambda each: -said[each[0]]))
        wanted = len(found) * (1 + MOST_LIKE)
        halves = [self._halves(name.split()) for name in found.values()]
        if type == FIELD:
            optional = [name for each in readings for name in each.optional]
            others = (*optional, *chain.from_iterable(self._own_fields))
            found |= {folded(name): name for name in others if folded(name) not in found}
        for _ in range(10 * wanted if halves else 0):
            name = " ".join((*self._random.choice(halves)[0], *self._random.choice(halves)[1]))
            if len(found) < wanted:
                found.setdefault(folded(name), name)
        return found

    def _halves(self, words: list[str]) -> tuple[list[str], list[str]]:
        cut = self._random.randint(1, max(1, len(words) - 1))
        return words[:cut], words[cut:] or words

    def _topics(self) -> Iterator[list[str]]:
        """Yield a word of each query and two in a row, of those that few queries say and that are no common words."""
        counts = Counter(stem for each in self._rests for stem in set(stems(each)))
        most, known = max(1.0, FRAME * len(self._rests)), dictionary()

        def tells(word: str) -> bool:
            is_rare = all(counts[each] <= most for each in stems(word)) and known[word.casefold()] < COMMON
            return len(word) >= SHORTEST and is_rare

        for text in self._rests:
            found = [(each.start(), each.end(), each[0]) for each in _WORD.finditer(text) if tells(each[0])]
            alone = [word for _, _, word in found]
            pairs = [text[one[0] : two[1]] for one, two in pairwise(found) if two[0] - one[1] == 1]
            yield [self._random.choice(several) for several in (alone, pairs) if several]

    def _add_answers(self, number: int, required: Sequence[Required]) -> None:
        """Add a paper that meets a query, and some that meet only its relations, only its words, or one of two."""
        rest = self._words[number]
        parts = [(required, rest), (required, ()), (required, ()), ((), rest), ((), rest)]
        parts += [((each,), rest) for each in required if len(required) > 1 for _ in range(2)]
        for place, (several, said) in enumerate(parts):
            title = [*self._random.sample(rest, min(3, len(rest))), *self._random.choice(self._words)[-5:]]
            self._add(f"answer {number} {place}", PAPER, " ".join(title), said)
            for each in several:
                self._meet(f"answer {number} {place}", each)
            for name in self._own_fields[number] if said else ():
                if self._random.random() < OF_OWN_FIELD:
                    self._meet(f"answer {number} {place}", Required(FIELD, folded(name), OF_FIELD))

    def _meet(self, paper: str, required: Required) -> None:
        start = self._ids[required.type][list(self._names[required.type]).index(required.name)]
        if required.hops == CITED:
            self._join(*self._random.choice([(start, CITES, paper), (paper, CITES, start)]))
            return
        here = start
        for relation, direction in required.hops:
            last = (relation, direction) == required.hops[-1]
            there = paper if last else self._any(FIELD if relation == TOPIC else AUTHOR)
            self._join(*((here, relation, there) if direction == "out" else (there, relation, here)))
            here = there

    def _add(self, id: str, type: str, name: str, said: Sequence[str] | None = None) -> None:
        """Add an entity, with an abstract if it says words; of a paper also who writes it, its fields and citations."""
        text = f"paper title: {name}\nabstract: {self._abstract(said)}" if said is not None else ""
        self.entities.append({"id": id, "type": type, "name": name, "text": text})
        if type == PAPER:
            for _ in range(self._random.randint(1, 2)):
                self._join(self._any(AUTHOR), WRITES, id)
            for topic in self._random.choices(self._ids[FIELD], self._frequent, k=self._random.randint(2, 3)):
                self._join(id, TOPIC, topic)
            for _ in range(self._random.randint(0, 1)):
                self._join(id, CITES, self._any(PAPER))

    def _abstract(self, said: Sequence[str]) -> str:
        """Return half of some words among OTHERS of other queries, in no order."""
        others = (self._random.choice(self._random.choice(self._words)) for _ in range(OTHERS))
        words = [*self._random.sample(said, len(said) // 2), *others]
        self._random.shuffle(words)
        return " ".join(words)

    def _any(self, type: str) -> str:
        return self._random.choice(self._ids[type])

    def _join(self, source: str, relation: str, target: str) -> None:
        if source != target:
            self.triples[source, relation, target] = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a plan has the mentions and the shape of a reading, and what is not as it was read.

    `but_fields` says whether it has both when further fields whose whole names the query says are left out.
    """

    mentions: bool
    shape: bool
    but_fields: bool
    causes: tuple[str, ...]


def compare(reading: Reading, chosen: Sequence[Chosen], linked: Sequence[tuple[str, str]]) -> Comparison:
    """Compare what a plan chose with a reading; fields that the reading has as optional do not count.

    Args:
        linked: types and folded names of all that the query was found to mention by whole names.
    """
    optional = {Required(FIELD, folded(each), OF_FIELD) for each in reading.optional}
    own = [each for each in chosen if each.required not in optional]
    said = {each.name for each in reading.required}
    least = [
        each for each in own if each.required.name in said or each.required.hops != OF_FIELD or not each.mention.whole
    ]
    turned = _is_turned(reading, own)
    causes = [*_missed(reading.required, own, linked), *_extra(said, own), *(["cites the other way"] if turned else [])]
    mentions, shape = _as_read(reading, own)
    return Comparison(mentions, shape and not turned, all(_as_read(reading, least)) and not turned, tuple(causes))


def _as_read(reading: Reading, own: Sequence[Chosen]) -> tuple[bool, bool]:
    found, wanted = [_either_way(each.required) for each in own], reading.required
    return (
        {each[:2] for each in found} == {each[:2] for each in wanted},
        sorted(each.hops for each in found) == sorted(each.hops for each in wanted),
    )


def _is_turned(reading: Reading, own: Sequence[Chosen]) -> bool:
    ways = {each.required.hops[-1][1] for each in own if _either_way(each.required).hops == CITED}
    return reading.way in ("in", "out") and bool(ways) and ways != {reading.way}


def _either_way(required: Required) -> Required:
    is_cited = len(required.hops) == 1 and required.hops[0][0] == CITES
    return required._replace(hops=CITED) if is_cited else required


def _missed(wanted: Sequence[Required], own: Sequence[Chosen], linked: Sequence[tuple[str, str]]) -> Iterator[str]:
    found = [_either_way(each.required) for each in own]
    for each in wanted:
        kinds = [one for one in found if one.name == each.name]
        if each in found:
            continue
        if each[:2] not in linked:
            yield f"{each.type} not linked"
        elif not kinds:
            yield f"{each.type} passed over"
        elif all(one.type != each.type for one in kinds):
            yield f"{each.type} taken for another type"
        else:
            yield "one relation of two" if any(one in wanted for one in kinds) else f"{each.type} by another relation"


def _extra(names: Collection[str], own: Sequence[Chosen]) -> Iterator[str]:
    for required, mention in own:
        if required.name not in names:
            how = "no words" if mention.is_described else "a whole name" if mention.whole else "a part of a name"
            yield f"extra {required.type}, by {how}"


class Asked(NamedTuple):
    """A reading, how the likeliest plan of its query compares, and the conditions of that."""

    reading: Reading
    told: Comparison
    plan: Sequence[str]


async def ask(readings: Sequence[Reading], base: BuiltKnowledgeBase) -> list[Asked]:
    """Return for each reading its likeliest plan, and how that compares."""
    planner = retriever_named("plan", base)
    assert isinstance(planner, PlanRetriever)
    found = []
    for each in readings:
        planned = await planner.plan(each.query, PAPER)
        linked = [number for one in link_entities(base, each.query) if one.whole for number in one.entities]
        names = [(one.type, folded(one.name)) for one in await base.entities(linked)]
        chosen = await _chosen(planned.plans[0], base) if planned.plans else []
        told = compare(each, chosen, names)
        plan = [f"{one.mention.text} | {one.required.type} {one.required.hops}" for one in chosen]
        found.append(Asked(each, told, plan))
    return found


async def _chosen(plan: Plan, base: BuiltKnowledgeBase) -> list[Chosen]:
    found = []
    for one in plan.conditions:
        condition = one.condition
        if isinstance(condition, PathCondition):
            start = condition.requirement.start
            entity = (await base.entities(start[:1]))[0]
            hops = tuple(
                (_OFFICIAL.get(hop.relation, hop.relation), hop.direction) for hop in condition.requirement.hops
            )
            denied = (("not", ""),) if one.operator == "not" else ()
            name = folded(entity.name if len(start) == 1 else condition.mention.text)
            found.append(Chosen(Required(entity.type, name, (*denied, *hops)), condition.mention))
    return found


def table(found: Sequence[Asked]) -> Iterator[str]:
    """Yield a table of the shapes, and the causes."""
    shapes, causes = defaultdict[str, list[Comparison]](list), defaultdict[str, Counter[str]](Counter)
    for each in found:
        shape = each.reading.shape + "?" * each.reading.unsure
        for name in (shape, "all"):
            shapes[name].append(each.told)
            causes[name].update(each.told.causes)
    yield "| shape | queries | mentions | shape | both | both, further fields aside |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, several in sorted(shapes.items()):
        right = [(each.mentions, each.shape, each.mentions and each.shape, each.but_fields) for each in several]
        yield f"| {name} | {len(several)} | {' | '.join(str(sum(each)) for each in zip(*right, strict=True))} |"
    for name, counted in sorted(causes.items()):
        yield f"{name}: " + ", ".join(f"{cause} {count}" for cause, count in counted.most_common())


def _line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def main() -> None:
    """Generate the stand-in, or ask it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("generate", "ask"))
    parser.add_argument("readings", type=Path)
    parser.add_argument("place", type=Path, help="folder of the records, or the base")
    parser.add_argument("--plain", action="store_true", help="name relations without the types that they join")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    readings = read_readings(args.readings)
    if args.what == "generate":
        made = StandIn(readings)
        names = {each: each.split("___")[1] if args.plain else each for each in MAG_RELATIONS}
        triples = ({"source": one, "relation": names[two], "target": three} for one, two, three in made.triples)
        write_lines(args.place / "entities.jsonl", map(_line, made.entities), "name another folder")
        write_lines(args.place / "relations.jsonl", map(_line, triples), "name another folder")
        return
    found = asyncio.run(ask(readings, open_base(args.place)))
    if args.out:
        records = ({**asdict(one.reading), **asdict(one.told), "plan": one.plan} for one in found)
        write_lines(args.out, map(_line, records), "name another file")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
