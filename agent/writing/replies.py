"""What a writing model may say. Limits stand in the schema that guides it; our code enforces them.

Whatever a model leaves out is empty, and a block that is no block of ours is none: one slip must not cost an answer.
"""

from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import Field, field_validator, model_validator

from agent.language.replies import Said, text_of

S = TypeVar("S", bound=Said)

MOST_CLAIMS = 8
MOST_CITATIONS = 6
MOST_BLOCKS = 16
MOST_ITEMS = 12
"""Claims of one block."""
MOST_CALCULATIONS = 8
MOST_LACKING = 6
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


def _at_most(items: int) -> Any:
    """Return a field for a list that may be left out."""
    return Field(default_factory=list, json_schema_extra={"maxItems": items})


_Name = Annotated[str, text_of(NAME_CHARACTERS)]
_Label = Annotated[str, text_of(LABEL_CHARACTERS)]


class CitedWords(Said):
    """The handle of a piece, and words that stand in it."""

    handle: _Name
    quote: Annotated[str, text_of(QUOTE_CHARACTERS)]


class WrittenClaim(Said):
    """What a sentence rests on, and the sentence; `{c1}` in it stands for the value of the calculation of that name.

    The words come first: a small model that has copied them says what they say.
    """

    citations: list[CitedWords] = _at_most(MOST_CITATIONS)
    text: Annotated[str, text_of(CLAIM_CHARACTERS)]


class WrittenCondition(Said):
    """A condition on the cells of one column."""

    column: _Label
    relation: Annotated[str, Field(json_schema_extra={"enum": list(RELATIONS)})] = "is"
    value: _Label = ""


class WrittenJoin(Said):
    """A second table, and the two columns whose cells say the same."""

    table: _Name
    column: _Label
    other: _Label


class WrittenCalculation(Said):
    """A calculation by names: which operation, over which table, column and rows."""

    name: _Name
    operation: Annotated[str, Field(json_schema_extra={"enum": list(OPERATIONS)})]
    table: _Name
    column: _Label = ""
    rows: list[_Label] = _at_most(MOST_TABLE_ROWS)
    where: list[WrittenCondition] = _at_most(4)
    among: list[WrittenCondition] = _at_most(4)
    other: _Label = ""
    time: _Label = ""
    relation: Annotated[str, Field(json_schema_extra={"enum": list(RELATIONS)})] = "above"
    value: _Label = ""
    position: int = 1
    descending: bool = True
    join: list[WrittenJoin] = _at_most(1)


class WrittenCalculations(Said):
    """Calculations that were asked for once more."""

    calculations: list[WrittenCalculation] = _at_most(MOST_CALCULATIONS)


class WrittenHeading(Said):
    """The heading of a section, and the number of the need that the section answers."""

    kind: Literal["heading"]
    need: int = 0
    text: _Label = ""


class WrittenText(Said):
    """Sentences that are read one after the other, or one below the other in a list."""

    kind: Literal["paragraph", "list", "calculation"]
    need: int = 0
    claims: list[WrittenClaim] = _at_most(MOST_ITEMS)


class MarkedCell(Said):
    """The cell that a reader of a table looks for."""

    row: _Name
    column: _Label


class WrittenTable(Said):
    """A table made of cells of the evidence: rows by their handles, columns by their names."""

    kind: Literal["table"]
    need: int = 0
    caption: _Label = ""
    columns: list[_Label] = _at_most(MOST_TABLE_COLUMNS)
    rows: list[_Name] = _at_most(MOST_TABLE_ROWS)
    marked: list[MarkedCell] = _at_most(4)


class WrittenFigure(Said):
    """A picture of the evidence, by the handle of its piece."""

    kind: Literal["figure"]
    need: int = 0
    picture: _Name


WrittenBlock = WrittenText | WrittenTable | WrittenFigure | WrittenHeading
_KINDS = frozenset(("paragraph", "list", "calculation", "table", "figure", "heading"))
_KIND_OF = {"claims": "paragraph", "rows": "table", "picture": "figure"}
"""The kind of a block that names none, by the field that only this kind has."""


def _told(reply: S) -> S:
    """Return a reply that has a field of its own; a part of a broken reply has none, and is no reply."""
    if not reply.model_fields_set:
        raise ValueError("none of its fields is there")
    return reply


class WrittenAnswer(Said):
    """An answer of a few sentences, or the word that the evidence allows none."""

    abstain: bool = False
    calculations: list[WrittenCalculation] = _at_most(MOST_CALCULATIONS)
    claims: list[WrittenClaim] = _at_most(MOST_CLAIMS)
    pictures: list[_Name] = _at_most(2)
    not_answered: list[int] = _at_most(12)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        return _told(self)


class Lacking(Said):
    """Something that was asked for and not found, and the number of the need that asks for it."""

    need: int = 0
    text: _Label = ""


class WrittenBlocks(Said):
    """A longer text in blocks, or the word that the evidence allows none."""

    reply_tokens: ClassVar[int] = 4_096

    abstain: bool = False
    calculations: list[WrittenCalculation] = _at_most(MOST_CALCULATIONS)
    blocks: list[WrittenBlock] = _at_most(MOST_BLOCKS)
    not_found: list[Lacking] = _at_most(MOST_LACKING)
    not_answered: list[int] = _at_most(12)

    @field_validator("not_found", mode="before")
    @classmethod
    def _with_needs(cls, named: Any) -> Any:
        """Take a bare phrase for something that was not found."""
        return (
            [{"text": each} if isinstance(each, str) else each for each in named] if isinstance(named, list) else named
        )

    @field_validator("blocks", mode="before")
    @classmethod
    def _known_blocks(cls, blocks: Any) -> Any:
        """Name the kind of blocks that name none, and leave out what is no block of ours."""
        if not isinstance(blocks, list):
            return blocks
        named = [_with_kind(block) if isinstance(block, dict) else block for block in blocks]
        return [block for block in named if not isinstance(block, dict) or block.get("kind") in _KINDS]

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        return _told(self)


class SummaryClaim(Said):
    """A sentence of a summary, and the numbers of the sentences that it sums up."""

    text: Annotated[str, text_of(CLAIM_CHARACTERS)]
    sentences: list[int] = _at_most(MOST_CITATIONS)


class WrittenSummary(Said):
    """The title of a report, its summary, and what the question asks for and no section tells."""

    title: _Label = ""
    claims: list[SummaryClaim] = _at_most(MOST_CLAIMS)
    not_found: list[_Label] = _at_most(MOST_LACKING)


def _with_kind(block: dict[str, Any]) -> dict[str, Any]:
    if block.get("kind") in _KINDS:
        return block
    kind = next((kind for name, kind in _KIND_OF.items() if name in block), block.get("kind"))
    return {**block, "kind": kind}
