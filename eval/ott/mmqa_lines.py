"""The lines of MultimodalQA's released files (Talmor et al. 2021), as far as tables and text need them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

Part = Literal["table", "text", "image"]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class LinkLine(_Strict):
    """A link in a cell, by the title of the page that it leads to."""

    wiki_title: str


class CellLine(_Strict):
    """A cell with its links."""

    text: str
    links: list[LinkLine] = Field(default=[])


class ColumnLine(_Strict):
    """A column's name."""

    column_name: str


class GridLine(_Strict):
    """The cells of a table, which need not be a rectangle."""

    table_rows: list[list[CellLine]]
    table_name: str
    header: list[ColumnLine]


class TableLine(_Strict):
    """A line of MMQA_tables.jsonl."""

    id: str
    title: str
    url: str
    table: GridLine


class TextLine(_Strict):
    """A line of MMQA_texts.jsonl: one paragraph of a page."""

    id: str
    title: str
    url: str
    text: str


class TextInstanceLine(_Strict):
    """A paragraph that holds an answer."""

    doc_id: str


class AnswerLine(_Strict):
    """One item of an answer: its paragraphs, and its cells as row and column from 0."""

    answer: str | int | float
    text_instances: list[TextInstanceLine] = Field(default=[])
    table_indices: list[tuple[NonNegativeInt, NonNegativeInt]] | None = Field(default=None)

    @property
    def text(self) -> str:
        """The item as it is written."""
        return str(self.answer)


class MetadataLine(_Strict):
    """The kinds of sources that a question needs, and the table that it was written around."""

    modalities: list[Part]
    table_id: str


class ContextLine(_Strict):
    """A source that supports the answer."""

    doc_id: str
    doc_part: Part


class QuestionLine(_Strict):
    """A line of MMQA_train.jsonl or MMQA_dev.jsonl; the test questions have no answers."""

    qid: str
    question: str
    answers: list[AnswerLine] = Field(min_length=1)
    metadata: MetadataLine
    supporting_context: list[ContextLine]

    @property
    def needs_images(self) -> bool:
        """Whether the question cannot be answered from tables and text."""
        return "image" in {*self.metadata.modalities, *(source.doc_part for source in self.supporting_context)}
