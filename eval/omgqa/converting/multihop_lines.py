"""The records of MuSiQue's and HotpotQA's released files, and of a corpus beside them."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, model_validator

from eval.omgqa.line_shapes import Said


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True)


class ParagraphLine(_Strict):
    """A paragraph of MuSiQue, one of several that may have its title."""

    title: Said
    paragraph_text: str
    is_supporting: bool


class MusiqueLine(_Strict):
    """A question of MuSiQue; those of MuSiQue-Full may be unanswerable."""

    id: Said
    question: Said
    answer: Said
    answer_aliases: list[str] = Field(default=[])
    answerable: bool = Field(default=True)
    paragraphs: list[ParagraphLine]


class HotpotLine(_Strict):
    """A question of HotpotQA; a supporting fact is a title and a sentence, counted from 0."""

    id: Said = Field(alias="_id")
    question: Said
    answer: Said
    supporting_facts: list[tuple[Said, NonNegativeInt]]
    context: list[tuple[Said, list[str]]]


class CorpusLine(_Strict):
    """A paragraph of a corpus, as text or in sentences."""

    title: Said
    text: str | None = Field(default=None)
    sentences: list[str] | None = Field(default=None)

    @model_validator(mode="after")
    def _it_has_a_text(self) -> Self:
        if (self.text is None) == (self.sentences is None):
            raise ValueError("it has either text or sentences")
        return self

    @property
    def paragraph(self) -> str:
        """The text, in one piece."""
        return self.text if self.text is not None else "".join(self.sentences or ())
