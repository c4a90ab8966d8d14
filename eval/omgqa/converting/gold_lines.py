"""gold.jsonl: a supporting fact a line, written, and read with file, line and field of what is wrong."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from eval.lines import read_placed_lines
from eval.omgqa.converting.gold import GoldFact, GoldImage, GoldRow, GoldTable, GoldText
from eval.omgqa.line_shapes import Said
from heliograph.errors import UsageError

Kind = Literal["text", "table", "row", "image"]
_KINDS: dict[type[GoldFact], Kind] = {GoldText: "text", GoldTable: "table", GoldRow: "row", GoldImage: "image"}
_FIELDS: dict[Kind, frozenset[str]] = {
    "text": frozenset({"text"}),
    "table": frozenset({"section", "header", "first"}),
    "row": frozenset({"section", "header", "number", "cells"}),
    "image": frozenset({"file"}),
}
"""What a line has besides question, kind and title."""


class GoldLine(BaseModel):
    """A supporting fact; `kind` says which of the other fields it has."""

    model_config = ConfigDict(strict=True, extra="forbid")

    question: Said
    kind: Kind
    title: Said
    text: Said | None = None
    section: str | None = None
    header: tuple[str, ...] | None = None
    first: tuple[str, ...] | None = None
    number: int | None = Field(default=None, ge=1)
    cells: tuple[str, ...] | None = None
    file: Said | None = None

    @model_validator(mode="after")
    def _it_has_the_fields_of_its_kind(self) -> Self:
        given = {name for name, value in self if value is not None} - {"question", "kind", "title"}
        if given != _FIELDS[self.kind]:
            raise ValueError(f"a fact of kind {self.kind} has {', '.join(sorted(_FIELDS[self.kind]))}, and no more")
        return self

    def record(self) -> GoldFact:
        """Return the fact."""
        section, header = self.section or "", self.header or ()
        match self.kind:
            case "text":
                return GoldText(self.question, self.title, self.text or "")
            case "table":
                return GoldTable(self.question, self.title, section, header, self.first or ())
            case "row":
                return GoldRow(self.question, self.title, section, header, self.number or 1, self.cells or ())
            case "image":
                return GoldImage(self.question, self.title, self.file or "")


def read_gold(path: Path, questions: Iterable[str]) -> tuple[GoldFact, ...]:
    """Read the facts of some questions in the order of the file.

    Raises:
        UsageError: the file cannot be read or holds nothing, or a line is no fact or is of none of the questions.
    """
    known, facts = frozenset(questions), list[GoldFact]()
    for place, line in read_placed_lines(path, GoldLine):
        if line.question not in known:
            raise UsageError(f"{place}: question: there is no question {line.question!r}; name the file that it is in")
        facts.append(line.record())
    if not facts:
        raise UsageError(f"{path} has no facts; convert the data set again, or name another file")
    return tuple(facts)


def gold_line(fact: GoldFact) -> str:
    """Write a fact as a line that reads back as the same."""
    fields = asdict(fact)
    named = {"question": fields.pop("question"), "kind": _KINDS[type(fact)], **fields}
    return json.dumps(named, ensure_ascii=False) + "\n"
