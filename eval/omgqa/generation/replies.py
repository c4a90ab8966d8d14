"""What a model may say when it makes questions: one shape a task, whose limits the schema tells it."""

from typing import Annotated

from agent.language.replies import ANSWER_CHARACTERS
from heliograph.types import Modality
from prompts.replies import MaxItems, MaxLength, Number, Said

MOST_PIECES = 8
MOST_NODES = 6
MOST_QUESTIONS = 3
QUESTION_CHARACTERS = 400


class WrittenQuestion(Said):
    """A question, its answer, and the handles of the pieces that it was made from."""

    question: Annotated[str, MaxLength(QUESTION_CHARACTERS)]
    answer: Annotated[str, MaxLength(ANSWER_CHARACTERS)]
    pieces: Annotated[
        list[Annotated[str, MaxLength(12)]],
        MaxItems(MOST_PIECES),
    ]


class NamedNode(Said):
    """A number of a table of contents, and what is to be read there."""

    number: Number
    modality: Modality


class ContentsQuestion(Said):
    """A question, and the nodes that answer it."""

    question: Annotated[str, MaxLength(QUESTION_CHARACTERS)]
    nodes: Annotated[list[NamedNode], MaxItems(MOST_NODES)]


class ContentsQuestions(Said):
    """Questions about one page."""

    questions: Annotated[list[ContentsQuestion], MaxItems(MOST_QUESTIONS)]
