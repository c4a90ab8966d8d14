"""MultimodalQA (Talmor et al. 2021): questions of texts, tables and images, each labelled with what supports it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from eval.drawing import ALL, Draw, in_order
from eval.lines import read_lines, read_placed_lines
from eval.omgqa.converting.conversion import Conversion
from eval.omgqa.converting.gold import GoldFact, GoldImage, GoldRow, GoldTable, GoldText
from eval.omgqa.converting.titles import page_title
from eval.omgqa.converting.writing_pages import PageWriter, WrittenCell, WrittenTable, one_line
from eval.omgqa.line_shapes import Said
from eval.omgqa.records import OmgQuestion
from eval.ott.mmqa_lines import ContextLine, QuestionLine, TableLine, TextLine
from heliograph.errors import UsageError
from heliograph.types import MODALITIES

UNSUPPORTED = "no supporting source is named"
OUTSIDE = "a supporting source is not in the folder"


class ImageLine(BaseModel):
    """A line of MMQA_images.jsonl: a picture of what a page is about; `path` is its file."""

    model_config = ConfigDict(strict=True)

    id: str
    title: Said
    url: str
    path: Said


Source = TypeVar("Source", TableLine, TextLine, ImageLine)


@dataclass(frozen=True, slots=True)
class _Sources:
    """What the folder holds, by its ids."""

    tables: Mapping[str, TableLine]
    texts: Mapping[str, TextLine]
    images: Mapping[str, ImageLine]


def convert_mmqa(questions: Path, data: Path, draw: Draw = ALL) -> Conversion:
    """Convert the questions of MMQA_train.jsonl or MMQA_dev.jsonl, and the pages of the folder's three files.

    Every source of the supporting context is a fact; rows with a cell that is the answer are facts besides. Pages name
    the files of pictures, which are released apart: without them an image is known by its caption.

    Raises:
        UsageError: a file is missing or damaged, a line has another shape, or an id comes twice.
    """
    sources = _Sources(
        _read(data, "tables", TableLine), _read(data, "texts", TextLine), _read(data, "images", ImageLine)
    )
    lines = in_order(read_lines(questions, QuestionLine), lambda line: line.qid, questions, draw)
    gold = {line.qid: tuple(dict.fromkeys(_facts(line, sources))) for line in lines}
    asked = [line for line in lines if line.supporting_context and None not in gold[line.qid]]
    known = {line.qid for line in asked}
    return Conversion(
        tuple(map(_question, asked)),
        tuple(fact for line in asked for fact in gold[line.qid] if fact is not None),
        _pages(sources).pages(),
        "leaf",
        {
            UNSUPPORTED: [line.qid for line in lines if not line.supporting_context],
            OUTSIDE: [line.qid for line in lines if line.supporting_context and line.qid not in known],
        },
    )


def _read(folder: Path, name: str, shape: type[Source]) -> Mapping[str, Source]:
    """Read a file of the folder by its ids, packed by gzip or not."""
    plain, packed = folder / f"MMQA_{name}.jsonl", folder / f"MMQA_{name}.jsonl.gz"
    found: dict[str, Source] = {}
    for place, line in read_placed_lines(packed if packed.exists() else plain, shape):
        if line.id in found:
            raise UsageError(f"{place}: id: {line.id!r} stands twice; fetch the file again")
        found[line.id] = line
    return found


def _question(line: QuestionLine) -> OmgQuestion:
    """Return the question; an answer of several items is one, as a reader would give it."""
    answer = ", ".join(item.text for item in line.answers)
    modalities = tuple(each for each in MODALITIES if each in line.metadata.modalities)
    return OmgQuestion(line.qid, one_line(line.question), (answer,), (), modalities, "MultimodalQA")


def _facts(line: QuestionLine, sources: _Sources) -> Iterator[GoldFact | None]:
    """Yield the facts of a question; None for one that is not in the folder."""
    for context in line.supporting_context:
        yield _source(line.qid, context, sources)
    rows = dict.fromkeys(row for answer in line.answers for row, _ in answer.table_indices or ())
    for row in rows:
        yield _row(line.qid, sources.tables.get(line.metadata.table_id), row)


def _source(question: str, context: ContextLine, sources: _Sources) -> GoldFact | None:
    match context.doc_part:
        case "text" if text := sources.texts.get(context.doc_id):
            return GoldText(question, page_title(text.title), one_line(text.text))
        case "image" if image := sources.images.get(context.doc_id):
            return GoldImage(question, page_title(image.title), image.path.rpartition("/")[2])
        case "table" if table := sources.tables.get(context.doc_id):
            first = table.table.table_rows[0] if table.table.table_rows else []
            return GoldTable(
                question, page_title(table.title), _section(table), _header(table), tuple(cell.text for cell in first)
            )
    return None


def _row(question: str, table: TableLine | None, row: int) -> GoldFact | None:
    if table is None or row >= len(table.table.table_rows):
        return None
    cells = tuple(one_line(cell.text) for cell in table.table.table_rows[row])
    return GoldRow(question, page_title(table.title), _section(table), _header(table), row + 1, cells)


def _section(table: TableLine) -> str:
    return one_line(table.table.table_name)


def _header(table: TableLine) -> tuple[str, ...]:
    return tuple(one_line(column.column_name) for column in table.table.header)


def _pages(sources: _Sources) -> PageWriter:
    writer = PageWriter()
    for text in sources.texts.values():
        writer.add_paragraph(text.title, text.text, text.url)
    for image in sources.images.values():
        writer.add_image(image.title, image.path, image.url)
    for table in sources.tables.values():
        rows = tuple(
            tuple(WrittenCell(cell.text, cell.links[0].wiki_title if cell.links else "") for cell in row)
            for row in table.table.table_rows
        )
        writer.add_table(table.title, WrittenTable(_section(table), _header(table), rows), table.url)
    return writer
