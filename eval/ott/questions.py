"""Questions with their gold table and the nodes that hold the answer, as OTT-QA traced them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from eval.drawing import Draw, in_order
from eval.lines import read_lines


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
    return draw_questions(path, Draw(first=first))


def draw_questions(path: Path, draw: Draw) -> tuple[OttQuestion, ...]:
    """Read what is drawn of the questions of a file; raises as `read_questions`."""
    return in_order(map(_question, read_lines(path, _QuestionLine)), lambda question: question.id, path, draw)


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
