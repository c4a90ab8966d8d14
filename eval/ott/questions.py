"""Questions with their gold table and the nodes that hold the answer, as OTT-QA traced them."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from eval.lines import read_lines
from heliograph.errors import UsageError


@dataclass(frozen=True, slots=True)
class AnswerNode:
    """Where the answer stands: in a cell of the gold table, or in the passage that the cell links to.

    Rows and columns count from 0, the header not counted; `text` is the cell's text or the passage's title.
    """

    text: str
    row: int
    column: int
    passage_id: str | None


@dataclass(frozen=True, slots=True)
class OttQuestion:
    """A question and its gold; an answer of several items is a list, any of which is looked for."""

    id: str
    question: str
    answers: tuple[str, ...]
    gold_table: str
    answer_nodes: tuple[AnswerNode, ...]

    @property
    def answer(self) -> str:
        """The answer as one text, as a reader would give it."""
        return ", ".join(self.answers)


def read_questions(path: Path, first: int | None = None) -> tuple[OttQuestion, ...]:
    """Read questions in the order of the sha256 of their ids, the `first` ones only.

    Raises:
        UsageError: the file cannot be read, a line is no question, or two have one id.
    """
    questions = tuple(_question(line) for line in read_lines(path, _QuestionLine))
    twice = [id for id, times in Counter(question.id for question in questions).items() if times > 1]
    if twice:
        raise UsageError(f"{path} has two questions of question_id {twice[0]!r}; give each one of its own")
    return in_order(questions, first)


def in_order(questions: Iterable[OttQuestion], first: int | None = None) -> tuple[OttQuestion, ...]:
    """Order questions by the sha256 of their ids, so that the `first` ones are a sample that anybody can draw."""
    ordered = sorted(questions, key=lambda question: hashlib.sha256(question.id.encode()).hexdigest())
    return tuple(ordered[:first])


class _NodeLine(BaseModel):
    model_config = ConfigDict(strict=True)

    node_text: str
    row: int = Field(ge=0)
    col: int = Field(ge=0)
    passage_id: str | None
    where: Literal["table", "passage"]

    @model_validator(mode="after")
    def _a_passage_is_named_where_the_answer_is_in_one(self) -> Self:
        if (self.where == "passage") != (self.passage_id is not None):
            raise ValueError(f'where is "{self.where}" and passage_id is {self.passage_id!r}')
        return self


class _QuestionLine(BaseModel):
    model_config = ConfigDict(strict=True)

    question_id: str
    question: str
    answer: str
    gold_table: str
    answer_nodes: list[_NodeLine]


def _question(line: _QuestionLine) -> OttQuestion:
    return OttQuestion(
        id=line.question_id,
        question=line.question,
        answers=(line.answer,),
        gold_table=line.gold_table,
        answer_nodes=tuple(
            AnswerNode(node.node_text, node.row, node.col, node.passage_id) for node in line.answer_nodes
        ),
    )
