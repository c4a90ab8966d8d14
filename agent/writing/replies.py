"""What a writing model may say.

Whatever a model leaves out is empty, and what is wrong in a list is left out: one slip must not cost an answer.
"""

import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from prompts.replies import MaxItems, MaxLength, Number, OrElse, Said

MOST_CLAIMS = 8
MOST_FEW_CLAIMS = 3
"""Of a model with a small context."""
MOST_CITATIONS = 6
MOST_BLOCKS = 16
MOST_ITEMS = 12
"""Claims of one block."""
MOST_CALCULATIONS = 8
MOST_NOT_FOUND = 12
"""Things that one reply names as not found."""
MOST_TABLE_ROWS = 30
MOST_TABLE_COLUMNS = 8
CLAIM_CHARACTERS = 800
QUOTE_CHARACTERS = 600
LABEL_CHARACTERS = 120
"""Of headings, captions, titles and names of columns."""
NAME_CHARACTERS = 24
OPERATIONS = (
    "count", "sum", "mean", "median", "max", "min", "ordinal", "rank", "difference", "ratio", "percentage", "change",
    "date_difference", "comparison", "filter", "join",
)  # fmt: skip
RELATIONS = ("is", "is_not", "contains", "above", "at_least", "below", "at_most")


_Name = Annotated[str, MaxLength(NAME_CHARACTERS)]
_Label = Annotated[str, MaxLength(LABEL_CHARACTERS)]
_NEED = re.compile(r"N?\d+")
_Need = Annotated[Number, OrElse(0)]
"""The number of a need; 0 is none."""
_Term = Annotated[str, Field(max_length=NAME_CHARACTERS)]
_Cell = Annotated[str, Field(max_length=LABEL_CHARACTERS)]
"""Of calculations, which are refused where they go past a limit: cut, they would calculate something else."""


class CitedWords(Said):
    """The handle of a piece, and words that stand in it."""

    handle: _Name
    quote: Annotated[str, MaxLength(QUOTE_CHARACTERS)]


class WrittenClaim(Said):
    """One sentence and what it rests on; `{c1}` in it stands for the value of the calculation of that name."""

    text: Annotated[str, MaxLength(CLAIM_CHARACTERS)]
    citations: Annotated[list[CitedWords], MaxItems(MOST_CITATIONS, least=0)] = []


class WrittenCondition(Said):
    """A condition on the cells of one column."""

    column: _Cell
    relation: Annotated[str, Field(json_schema_extra={"enum": list(RELATIONS)})] = "is"
    value: _Cell = ""


class WrittenJoin(Said):
    """A second table, and the two columns whose cells say the same."""

    table: _Term
    column: _Cell
    other: _Cell


class WrittenCalculation(Said):
    """A calculation by names: which operation, over which table, column and rows."""

    name: _Term
    operation: Annotated[str, Field(json_schema_extra={"enum": list(OPERATIONS)})]
    table: _Term
    column: _Cell = ""
    rows: Annotated[list[_Cell], Field(max_length=MOST_TABLE_ROWS)] = []
    where: Annotated[list[WrittenCondition], Field(max_length=4)] = []
    among: Annotated[list[WrittenCondition], Field(max_length=4)] = []
    other: _Cell = ""
    time: _Cell = ""
    relation: Annotated[str, Field(json_schema_extra={"enum": list(RELATIONS)})] = "above"
    value: _Cell = ""
    position: Number = 1
    descending: bool = True
    join: Annotated[list[WrittenJoin], Field(max_length=1)] = []


class WrittenCalculations(Said):
    """Calculations that were asked for once more."""

    calculations: Annotated[list[WrittenCalculation], MaxItems(MOST_CALCULATIONS)] = []


class WrittenHeading(Said):
    """The heading of a section, and the number of the need that the section answers."""

    kind: Literal["heading"]
    need: _Need = 0
    text: _Label = ""


class WrittenText(Said):
    """Sentences that are read one after the other, or one below the other in a list."""

    kind: Literal["paragraph", "list", "calculation"]
    need: _Need = 0
    claims: Annotated[list[WrittenClaim], MaxItems(MOST_ITEMS)] = []


class MarkedCell(Said):
    """The cell that a reader of a table looks for."""

    row: _Name
    column: _Label


class WrittenTable(Said):
    """A table made of cells of the evidence: rows by their handles, columns by their names."""

    kind: Literal["table"]
    need: _Need = 0
    caption: _Label = ""
    columns: Annotated[list[_Label], MaxItems(MOST_TABLE_COLUMNS, least=0)] = []
    rows: Annotated[list[_Name], MaxItems(MOST_TABLE_ROWS)] = []
    marked: Annotated[list[MarkedCell], MaxItems(4, least=0)] = []


class WrittenFigure(Said):
    """A picture of the evidence, by the handle of its piece."""

    kind: Literal["figure"]
    need: _Need = 0
    picture: _Name


WrittenBlock = WrittenText | WrittenTable | WrittenFigure | WrittenHeading
_KINDS = frozenset(("paragraph", "list", "calculation", "table", "figure", "heading"))
_KIND_OF = {"claims": "paragraph", "rows": "table", "picture": "figure"}
"""The kind of a block that names none, by the field that only this kind has."""


class NotFound(Said):
    """Something that was asked for and not found, by the number of its need; without a text that is all of the need."""

    need: _Need = 0
    text: _Label = ""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, named: Any) -> Any:
        """Take a bare number, or "N2", for a need of which nothing was found, and a bare phrase for a part."""
        if isinstance(named, str) and not _NEED.fullmatch(named):
            return {"text": named}
        return {"need": named} if isinstance(named, str | int | float) else named


_NotFoundList = Annotated[list[NotFound], MaxItems(MOST_NOT_FOUND, least=0)]


class WrittenAnswer(Said):
    """An answer of a few sentences, or the word that the evidence allows none."""

    abstain: bool = False
    calculations: Annotated[list[WrittenCalculation], MaxItems(MOST_CALCULATIONS, least=0)] = []
    claims: Annotated[list[WrittenClaim], MaxItems(MOST_CLAIMS)] = []
    pictures: Annotated[list[_Name], MaxItems(2, least=0)] = []
    not_found: _NotFoundList = []


class FewClaims(Said):
    """An answer as a model with a small context is asked for it: no claims where the evidence allows none."""

    claims: Annotated[list[WrittenClaim], MaxItems(MOST_FEW_CLAIMS)] = []


class WrittenBlocks(Said):
    """A longer text in blocks, or the word that the evidence allows none."""

    reply_tokens: ClassVar[int] = 4_096

    abstain: bool = False
    calculations: Annotated[list[WrittenCalculation], MaxItems(MOST_CALCULATIONS, least=0)] = []
    blocks: Annotated[list[WrittenBlock], MaxItems(MOST_BLOCKS)] = []
    not_found: _NotFoundList = []

    @field_validator("blocks", mode="before")
    @classmethod
    def _with_kinds(cls, blocks: Any) -> Any:
        """Name the kind of blocks that name none."""
        named = isinstance(blocks, list)
        return [_with_kind(block) if isinstance(block, dict) else block for block in blocks] if named else blocks


class SummaryClaim(Said):
    """A sentence of a summary, and the numbers of the sentences that it sums up."""

    text: Annotated[str, MaxLength(CLAIM_CHARACTERS)]
    sentences: Annotated[list[Number], MaxItems(MOST_CITATIONS, least=0)] = []


class WrittenSummary(Said):
    """The title of a report, its summary, and what the question asks for and no section tells."""

    title: _Label = ""
    claims: Annotated[list[SummaryClaim], MaxItems(MOST_CLAIMS)] = []
    not_found: Annotated[list[_Label], MaxItems(MOST_NOT_FOUND, least=0)] = []


def _with_kind(block: dict[str, Any]) -> dict[str, Any]:
    if block.get("kind") in _KINDS:
        return block
    kind = next((kind for name, kind in _KIND_OF.items() if name in block), block.get("kind"))
    return {**block, "kind": kind}
