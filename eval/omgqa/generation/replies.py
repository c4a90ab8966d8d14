"""What a model may say when it makes questions: one shape a task, whose limits the schema tells it."""

from typing import Annotated

from pydantic import Field

from agent.language.replies import ANSWER_CHARACTERS, Said
from heliograph.types import Modality

MOST_PIECES = 8
MOST_NODES = 6
MOST_QUESTIONS = 3
QUESTION_CHARACTERS = 400


class WrittenQuestion(Said):
    """A question, its answer, and the handles of the pieces that it was made from."""

    question: Annotated[str, Field(json_schema_extra={"maxLength": QUESTION_CHARACTERS})]
    answer: Annotated[str, Field(json_schema_extra={"maxLength": ANSWER_CHARACTERS})]
    pieces: Annotated[
        list[Annotated[str, Field(json_schema_extra={"maxLength": 12})]],
        Field(json_schema_extra={"maxItems": MOST_PIECES}),
    ]


class NamedNode(Said):
    """A number of a table of contents, and what is to be read there."""

    number: int
    modality: Modality


class ContentsQuestion(Said):
    """A question, and the nodes that answer it."""

    question: Annotated[str, Field(json_schema_extra={"maxLength": QUESTION_CHARACTERS})]
    nodes: Annotated[list[NamedNode], Field(json_schema_extra={"maxItems": MOST_NODES})]


class ContentsQuestions(Said):
    """Questions about one page."""

    questions: Annotated[list[ContentsQuestion], Field(json_schema_extra={"maxItems": MOST_QUESTIONS})]
