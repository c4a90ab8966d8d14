"""Queries with the entities that answer them: JSON Lines, or the CSV files and splits that STaRK publishes."""

import csv
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from eval.lines import read_placed_lines
from eval.stark.query_plan import QueryPlan
from heliograph.errors import UsageError
from heliograph.storage import MALFORMED, plain_file
from memory.trace.disk import write_lines

QUERIES, HUMAN_QUERIES = "stark_qa.csv", "stark_qa_human_generated_eval.csv"
COLUMNS = ("id", "query", "answer_ids")
HUMAN = "human"
SPLITS = ("train", "val", "test", "test-0.1", HUMAN)
"""The splits that STaRK has; test-0.1 is a part of test, the tenth that language models are judged on."""
ALL = "all"
_OTHER_NAMES = {"human_generated_eval": HUMAN}

Placed = tuple[str, "StarkQuery"]
"""A query and where it stands, `FILE:LINE`."""


@dataclass(frozen=True, slots=True)
class Composition:
    """How many words of a query state relations and attributes, and how many what documents say (STaRK, Figure 5)."""

    relational: Annotated[int, Field(ge=0)]
    textual: Annotated[int, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class StarkQuery:
    """A query and the ids of all entities that answer it, as its file lists them: an id may be repeated.

    `kind` is the template it was made from; `answer_type` is the type of its answers; `plan` is what a constructed one
    asks for, and `composition` how its words divide. All may be unknown.
    """

    id: str
    text: str
    answers: tuple[str, ...]
    split: str
    kind: str = ""
    answer_type: str = ""
    plan: QueryPlan | None = None
    composition: Composition | None = None


def read_queries(path: Path) -> tuple[StarkQuery, ...]:
    """Read the queries of a file of JSON Lines, of a CSV file, or of a folder of STaRK's form, in their order.

    A folder has `stark_qa/stark_qa.csv`, `split/NAME.index`, `stark_qa/stark_qa_human_generated_eval.csv`, or some of
    them; ids of the human set get the prefix `human-`. A line without an id is known by its number.

    Raises:
        UsageError: a file cannot be read, a line is no query, or two queries have one id; file and line are named.
    """
    if path.is_dir():
        placed = _read_folder(path)
    elif path.suffix == ".csv":
        placed = _read_csv(path, HUMAN if path.name == HUMAN_QUERIES else "")
    else:
        placed = _read_json_lines(path)
    places = dict[str, str]()
    queries = list[StarkQuery]()
    for place, query in placed:
        if query.id in places:
            raise UsageError(f"{place}: {places[query.id]} has the id {query.id!r} too; give each query one of its own")
        places[query.id] = place
        queries.append(query)
    return tuple(queries)


def of_split(queries: Sequence[StarkQuery], split: str) -> tuple[StarkQuery, ...]:
    """Return the queries of a split, with those of its parts such as test-0.1, or those of `all`.

    Queries that name no split at all are those of any.

    Raises:
        UsageError: there are none.
    """
    split = split if any(each.split for each in queries) else ALL
    found = tuple(each for each in queries if split == ALL or f"{each.split}-".startswith(f"{split}-"))
    if not found:
        known = ", ".join(dict.fromkeys(each.split for each in queries if each.split)) or "none with a name"
        raise UsageError(f'no queries of the split "{split}"; the splits are {known}; {ALL} stands for every query')
    return found


def convert_queries(path: Path, out: Path) -> int:
    """Write queries as JSON Lines that `read_queries` reads, the file whole or not at all; return how many.

    Raises:
        UsageError: as `read_queries`.
        StoreError: `out` cannot be written.
    """
    queries = read_queries(path)
    write_lines(out, map(query_line, queries), "name another file")
    return len(queries)


def query_line(query: StarkQuery) -> str:
    """Return a query as one line of JSON; what is unknown is left out."""
    record = {"id": query.id, "query": query.text, "answer_ids": query.answers}
    known = {name: value for name in ("split", "kind", "answer_type") if (value := getattr(query, name))}
    several = {"plan": query.plan, "composition": query.composition}
    stated = {name: asdict(value) for name, value in several.items() if value is not None}
    if query.plan and not query.plan.properties:
        del stated["plan"]["properties"]
    return json.dumps({**record, **known, **stated}, ensure_ascii=False) + "\n"


class _QueryLine(BaseModel):
    model_config = ConfigDict(strict=True)

    id: int | str | None = None
    query: str = Field(min_length=1, validation_alias=AliasChoices("query", "question"))
    answer_ids: list[int | str] = Field(validation_alias=AliasChoices("answer_ids", "answers"))
    split: str = ""
    kind: str = ""
    answer_type: str = ""
    plan: QueryPlan | None = None
    composition: Composition | None = None


def _read_json_lines(path: Path) -> Iterator[Placed]:
    for place, line in read_placed_lines(path, _QueryLine):
        id = place.rpartition(":")[2] if line.id is None else str(line.id)
        split = _OTHER_NAMES.get(line.split, line.split)
        answers = tuple(map(str, line.answer_ids))
        beside = (line.kind, line.answer_type, line.plan, line.composition)
        yield place, StarkQuery(id, line.query, answers, split, *beside)


def _read_folder(folder: Path) -> Iterator[Placed]:
    table, human = (_table(folder, name) for name in (QUERIES, HUMAN_QUERIES))
    if not (table.is_file() or human.is_file()):
        raise UsageError(f"{folder} has no {table.relative_to(folder)}; name a folder of STaRK's queries, or a file")
    if table.is_file():
        found = list(_read_csv(table, ""))
        splits = _read_splits(folder / "split", {query.id for _, query in found})
        yield from ((place, replace(query, split=splits.get(query.id, ""))) for place, query in found)
    if human.is_file():
        for place, query in _read_csv(human, HUMAN):
            yield place, replace(query, id=f"{HUMAN}-{query.id}")


def _table(folder: Path, name: str) -> Path:
    """Return where a table of a folder is: upstream has it in `stark_qa`; beside the splits is accepted too."""
    return folder / name if (folder / name).is_file() else folder / "stark_qa" / name


def _read_splits(folder: Path, known: Collection[str]) -> Mapping[str, str]:
    """Return the split of each query that is in one; test-0.1 goes before test, of which it is a part."""
    splits = dict[str, str]()
    for split in SPLITS:
        path = folder / f"{split}.index"
        for number, id in enumerate(_index_lines(path), start=1):
            before = splits.get(id, "")
            if id and id not in known:
                raise UsageError(f"{path}:{number}: there is no query {id}; fetch {QUERIES} and its splits together")
            if before and not split.startswith(f"{before}-"):
                raise UsageError(f"{path}:{number}: the query {id} is in {before}.index too; it may be in one of them")
            if id:
                splits[id] = split
    return splits


def _index_lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in plain_file(path).read_text(encoding="utf-8-sig").splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as err:
        raise UsageError(f"{path} cannot be read ({err}); a line of it is the id of a query") from err


def _read_csv(path: Path, split: str) -> Iterator[Placed]:
    number = 0
    try:
        with plain_file(path).open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, strict=True)
            lacking = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if lacking:
                raise UsageError(f"{path}:1: no column {lacking[0]}; the columns are {','.join(COLUMNS)}")
            for row in rows:
                number = rows.line_num
                yield f"{path}:{number}", _csv_query(row, f"{path}:{number}", split)
    except FileNotFoundError as err:
        raise UsageError(f"no file {path}; name the file, or the folder that it is in") from err
    except OSError as err:
        raise UsageError(f"{path} cannot be read ({err.strerror or err}); name a CSV file") from err
    except (csv.Error, UnicodeDecodeError) as err:
        raise UsageError(f"{path} cannot be read after line {number}: {err}; fetch it again") from err


def _csv_query(row: Mapping[str, str | None], place: str, split: str) -> StarkQuery:
    id, text, answers = (row[name] or "" for name in COLUMNS)
    if not id or not text:
        raise UsageError(f"{place}: no {'query' if id else 'id'}; a line has {','.join(COLUMNS)}")
    return StarkQuery(id, text, _answer_ids(answers, place), split)


def _answer_ids(text: str, place: str) -> tuple[str, ...]:
    """Read a list of ids as JSON, never as the Python that it is.

    Raises:
        UsageError: it is something else.
    """
    try:
        found = json.loads(text)
    except MALFORMED:
        found = None
    if not isinstance(found, list) or not all(type(each) in (int, str) for each in found):
        raise UsageError(f"{place}: answer_ids: {text[:60]!r} is no list of ids such as [12, 345]")
    return tuple(map(str, found))
