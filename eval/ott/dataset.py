"""Questions with their gold table and the nodes that hold the answer (../data/ott of the OTT-QA release)."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from heliograph.errors import UsageError


@dataclass(frozen=True, slots=True)
class AnswerNode:
    """Where the answer stands: a row of the gold table (from 0), or the page that a cell of it links to."""

    row: int
    page: str | None


@dataclass(frozen=True, slots=True)
class OttQuestion:
    """A question, its answer, the page and the section heading of its gold table, and the answer's nodes."""

    id: str
    question: str
    answer: str
    page: str
    nodes: tuple[AnswerNode, ...]


def read_questions(path: Path, titles: dict[str, str], first: int | None = None) -> tuple[OttQuestion, ...]:
    """Read questions ordered by the sha256 of their ids, the `first` ones only; `titles` maps tables to pages.

    Raises:
        UsageError: the file cannot be read or is no question file.
    """
    try:
        records = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
        ordered = sorted(records, key=lambda record: hashlib.sha256(record["question_id"].encode()).hexdigest())
        return tuple(_question(record, titles) for record in ordered[:first])
    except (OSError, json.JSONDecodeError, KeyError) as err:
        raise UsageError(f"{path} is not a file of OTT-QA questions: {err!r}") from err


def _question(record: dict[str, object], titles: dict[str, str]) -> OttQuestion:
    nodes = record["answer_nodes"]
    assert isinstance(nodes, list)
    return OttQuestion(
        id=str(record["question_id"]),
        question=str(record["question"]),
        answer=str(record["answer"]),
        page=titles[str(record["gold_table"])],
        nodes=tuple(AnswerNode(node["row"], _page(node["passage_id"])) for node in nodes),
    )


def _page(passage: str | None) -> str | None:
    return None if passage is None else unquote(passage.split("/wiki/", 1)[-1]).replace("_", " ")
