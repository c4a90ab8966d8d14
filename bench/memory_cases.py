"""Questions that memory is measured on, and how good an answer to one is: of the demo sets, of HybridQA and OTT-QA."""

import json
import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.offline.dataset import GoldQuestion, read_gold
from eval.offline.metrics import outcome
from eval.ott.outcome import gold_node, says
from eval.ott.questions import OttQuestion, read_questions
from heliograph.types import Answer, Evidence, EvidenceId
from indexers.parser import page_name

Find = Callable[[EvidenceId], Evidence]


@dataclass(frozen=True, slots=True)
class Gold:
    """How good an answer is: gold pages in the first round and in any, gold evidence in the final one and its rank."""

    first: bool
    pages: bool
    evidence: bool
    rank: float
    expected: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A question, and how its answer is measured; `answerable` ones have gold evidence."""

    id: str
    question: str
    answerable: bool
    measure: Callable[[Answer, Find], Gold]


def demo_cases(files: Sequence[Path], first: int) -> list[Case]:
    """Return the `first` questions of each file."""
    return [demo_case(path, question) for path in files for question in read_gold(path)[:first]]


def table_pairs(data: Path, questions: Path, first: int) -> list[tuple[Case, Case]]:
    """Return two questions on one table each, of the `first` tables by name that several questions ask of."""
    with lzma.open(data / "tables.jsonl.xz", "rt", encoding="utf8") as lines:
        titles = {table["table_id"]: table["title"] for table in map(json.loads, lines)}
    by_table: dict[str, list[Case]] = {}
    for question in read_questions(questions):
        by_table.setdefault(question.gold_table, []).append(ott_case(question, titles[question.gold_table]))
    asked_of_often = [cases for _, cases in sorted(by_table.items()) if len(cases) > 1]
    return [(cases[0], cases[1]) for cases in asked_of_often[:first]]


def demo_case(path: Path, question: GoldQuestion) -> Case:
    def measure(answer: Answer, find: Find) -> Gold:
        names = [seen.evidence for seen in answer.evidence] + [cited.evidence for cited in answer.citations]
        found = outcome(question, answer, {name: find(name) for name in names})
        return Gold(
            first=set(question.documents) <= _titles(answer, 1),
            pages=found.documents,
            evidence=found.evidence,
            rank=found.rank,
            expected=found.expected,
        )

    return Case(f"{path.stem}/{question.id}", question.question, question.answerable, measure)


def ott_case(question: OttQuestion, page: str) -> Case:
    """Return a question on a table, whose page has the title `page`; expected is the answer in what is cited."""

    def measure(answer: Answer, find: Find) -> Gold:
        final = [find(seen.evidence) for seen in answer.evidence]
        places = [place for place, piece in enumerate(final, 1) if gold_node(question, page, piece)]
        return Gold(
            first=page in _titles(answer, 1),
            pages=page in _titles(answer, 3),
            evidence=bool(places),
            rank=1 / places[0] if places else 0.0,
            expected=says(question.answer, [find(cited.evidence) for cited in answer.citations]),
        )

    return Case(question.id, question.question, True, measure)


def _titles(answer: Answer, rounds: int) -> set[str]:
    return {page_name(key).title for record in answer.rounds[:rounds] for key in record.documents}
