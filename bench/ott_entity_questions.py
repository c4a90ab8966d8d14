"""Write the OTT-QA questions whose answer is an entity of a base, as queries of `heliograph eval stark run`.

usage: python -m bench.ott_entity_questions --data OTT_FOLDER --questions FILE --skb BASE --out FILE.jsonl [--first N]
                                            [--half development|held_out] [--linked]

An answer is an entity where the whole text of a cell that it was traced to is the answer, and the cell links pages:
these are the answers. Else it is one where it is the name or the title of a page, letter case and signs apart: of
several pages of one name those that the gold table links, else the one whose title it is. A name that several pages
share, none of which is told by this, is left out, and so is a figure that the gold table does not link: "13" names a
film. Both are counted; nobody chose the questions by hand. A half has all questions of a gold table or none, by the
sha256 of its id: what is chosen on development is asked once of the other. `--linked` leaves out answers that are named
only.

The base is made by: python OTT_FOLDER/pages.py full html > corpus.jsonl
                     heliograph snapshot build corpus.jsonl CORPUS.zim
                     heliograph skb build CORPUS.zim BASE
"""

import argparse
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from eval.ott.questions import OttQuestion, read_questions
from eval.ott.reading import TABLES, page_title
from eval.stark.queries import StarkQuery, query_line
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from memory.trace.disk import write_lines

CELL, TABLE, NAME = "cell", "table", "name"
"""Kinds of questions: the answer is a cell that links it, is linked elsewhere in the gold table, or is named only."""
HALVES = ("development", "held_out")
_WORD = re.compile(r"\w+")

Links = Sequence[Sequence[tuple[int, str]]]
"""Of each row of a table the column and the title of what it links."""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity of the base; `titled` says that the name it was looked up by is its whole title."""

    id: str
    type: str
    titled: bool


class EntityNames:
    """The entities of a base by the words of their names and titles."""

    def __init__(self, base: BuiltKnowledgeBase) -> None:
        self._types = dict[str, str]()
        self._named = defaultdict[str, dict[str, NamedEntity]](dict)
        for entity, _ in base.documents():
            self._types[entity.id] = entity.type
            for words in {words_of(entity.name), words_of(entity.id)} - {""}:
                self._named[words][entity.id] = NamedEntity(entity.id, entity.type, words == words_of(entity.id))

    def of(self, name: str) -> tuple[NamedEntity, ...]:
        """Return the entities of a name or title."""
        return tuple(self._named.get(words_of(name), {}).values())

    def type(self, id: str) -> str | None:
        """Return the type of an entity; None where the base lacks it."""
        return self._types.get(id)


def main() -> None:
    """Write the queries, and say how many there are of each kind, and why others are none."""
    ask = argparse.ArgumentParser()
    for name in ("data", "questions", "skb", "out"):
        ask.add_argument(f"--{name}", type=Path, required=True)
    ask.add_argument("--first", type=int)
    ask.add_argument("--half", choices=HALVES)
    ask.add_argument("--linked", action="store_true")
    args = ask.parse_args()
    questions = [
        each for each in read_questions(args.questions, args.first) if args.half in (None, half_of(each.gold_table))
    ]
    tables = table_links(args.data / TABLES, {each.gold_table for each in questions})
    names, counts = EntityNames(open_base(args.skb)), Counter[str]()
    found = entity_queries(questions, tables, names, counts)
    queries = [each for each in found if not (args.linked and each.kind == NAME)]
    write_lines(args.out, map(query_line, queries), "name another file")
    print(f"{args.out}: {len(queries):,} of {len(questions):,} questions; " + told(counts))


def half_of(table: str) -> str:
    """Return the half that all questions of a table are in."""
    return HALVES[sha256(table.encode()).digest()[0] % 2]


def entity_queries(
    questions: Sequence[OttQuestion], tables: Mapping[str, Links], names: EntityNames, counts: Counter[str]
) -> Iterator[StarkQuery]:
    """Yield the questions whose answer is an entity, and count all: by kind, or by why they are none."""
    for each in questions:
        kind, found = answers_of(each, tables.get(each.gold_table, ()), names)
        counts[kind] += 1
        if found:
            types = {names.type(one) or "" for one in found}
            yield StarkQuery(each.id, each.question, found, "", kind, types.pop() if len(types) == 1 else "")


def answers_of(question: OttQuestion, links: Links, names: EntityNames) -> tuple[str, tuple[str, ...]]:
    """Return the kind of a question and the ids of the entities that answer it; none where that is not to be told."""
    said = {words_of(each) for each in question.answers} - {""}
    nodes = [each for each in question.answer_nodes if each.passage_id is None]
    cells = {(each.row, each.column) for each in nodes if words_of(each.text) in said}
    inside = {(row, column, title) for row, several in enumerate(links) for column, title in several}
    linked = {title for row, column, title in inside if (row, column) in cells and names.type(title) is not None}
    if linked:
        return CELL, tuple(sorted(linked))
    found = {one for answer in question.answers for one in names.of(answer)}
    if not found:
        return "no entity", ()
    within = {one.id for one in found} & {title for _, _, title in inside}
    if within:
        return TABLE, tuple(sorted(within))
    if not any(map(str.isalpha, question.answer)):
        return "figure", ()
    titled = {one.id for one in found if one.titled} if len(found) > 1 else {one.id for one in found}
    return (NAME, tuple(titled)) if len(titled) == 1 else ("ambiguous", ())


def table_links(path: Path, wanted: Collection[str]) -> dict[str, Links]:
    """Read what the cells of some tables link, by the id of the table."""
    found = dict[str, Links]()
    with lzma.open(path, "rt", encoding="utf8") as lines:
        for table in map(json.loads, lines):
            if table["table_id"] in wanted:
                found[table["table_id"]] = [
                    [(column, page_title(target)) for column, target in row] for row in table["links"]
                ]
    return found


def told(counts: Counter[str]) -> str:
    """Return counts in words, the most frequent first."""
    return ", ".join(f"{kind} {count:,}" for kind, count in counts.most_common())


def words_of(text: str) -> str:
    """Return the words of a text, letter case and signs apart."""
    return " ".join(_WORD.findall(text.casefold()))


if __name__ == "__main__":
    main()
