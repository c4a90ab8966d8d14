"""MultimodalQA in the nouns of OTT-QA: HELIOS asks it of all tables and texts, without the images (section 5)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from eval.drawing import Draw, in_order
from eval.lines import read_lines
from eval.ott.corpus import CellLink, OttCorpus, OttTable, Passages, make_corpus
from eval.ott.mmqa_lines import CellLine, QuestionLine, TableLine, TextLine
from eval.ott.questions import AnswerNode, OttQuestion
from eval.ott.texts import Texts
from heliograph.errors import UsageError

MmqaSplit = Literal["train", "dev"]


@dataclass(frozen=True, slots=True)
class MmqaQuestions:
    """The questions that tables and text answer, and how many were left out because they need images."""

    questions: tuple[OttQuestion, ...]
    left_out: int


def read_mmqa_corpus(folder: Path) -> OttCorpus:
    """Read MMQA_tables.jsonl and MMQA_texts.jsonl, packed by gzip or not.

    A table's name is its section title, and short rows are filled with empty cells. A text is a paragraph, so that a
    link leads to every text under the title that it names; to a title without texts it leads nowhere.

    Raises:
        UsageError: a file is missing or damaged, a line has another shape, or an id comes twice.
    """
    lines = list(read_lines(_file(folder, "tables"), TableLine))
    if len({line.id for line in lines}) < len(lines):
        raise UsageError(f"{_file(folder, 'tables')} has an id twice; fetch the file again")
    passages = _passages(_file(folder, "texts"))
    return make_corpus([_table(line) for line in lines], passages, list(_links(lines, _titled(passages))))


def read_mmqa_questions(folder: Path, split: MmqaSplit, corpus: OttCorpus, first: int | None = None) -> MmqaQuestions:
    """Read MMQA_train.jsonl or MMQA_dev.jsonl in the order of the sha256 of ids, the `first` ones only.

    The gold table is the one that a question was written around. Of a text that holds the answer, the nodes are the
    cells of that table that link to it.

    Raises:
        UsageError: the file is missing or damaged, a line has another shape, or two have one id.
    """
    path = _file(folder, split)
    lines = list(read_lines(path, QuestionLine))
    kept = [_question(line, corpus) for line in lines if not line.needs_images]
    asked = in_order(kept, lambda question: question.id, path, Draw(first=first))
    return MmqaQuestions(asked, len(lines) - len(kept))


def _file(folder: Path, name: str) -> Path:
    plain, packed = folder / f"MMQA_{name}.jsonl", folder / f"MMQA_{name}.jsonl.gz"
    return packed if packed.exists() else plain


def _table(line: TableLine) -> OttTable:
    grid = line.table
    width = max([len(grid.header), *map(len, grid.table_rows)])
    header = [column.column_name for column in grid.header]
    rows = tuple(_filled([cell.text for cell in row], width) for row in grid.table_rows)
    return OttTable(line.id, line.url, line.title, grid.table_name, _filled(header, width), rows)


def _filled(texts: Sequence[str], width: int) -> tuple[str, ...]:
    return (*texts, *[""] * (width - len(texts)))


def _passages(path: Path) -> Passages:
    found = sorted(read_lines(path, TextLine), key=lambda line: line.id)
    ids = tuple(line.id for line in found)
    if len(set(ids)) < len(ids):
        raise UsageError(f"{path} has an id twice; fetch the file again")
    return Passages(ids, tuple(line.title for line in found), Texts.pack(line.text for line in found))


def _titled(passages: Passages) -> Mapping[str, Sequence[str]]:
    titled: dict[str, list[str]] = defaultdict(list)
    for passage_id, title in zip(passages.ids, passages.titles, strict=True):
        titled[_spaced(title)].append(passage_id)
    return dict(titled)


def _links(lines: Sequence[TableLine], titled: Mapping[str, Sequence[str]]) -> Iterator[CellLink]:
    for row, cells in enumerate(cells for line in lines for cells in line.table.table_rows):
        for column, cell in enumerate(cells):
            yield from (CellLink(row, column, passage_id) for passage_id in _targets(cell, titled))


def _targets(cell: CellLine, titled: Mapping[str, Sequence[str]]) -> Sequence[str]:
    found = (passage_id for link in cell.links for passage_id in titled.get(_spaced(link.wiki_title), ()))
    return tuple(dict.fromkeys(found))


def _spaced(title: str) -> str:
    return title.replace("_", " ")


def _question(line: QuestionLine, corpus: OttCorpus) -> OttQuestion:
    table = line.metadata.table_id
    cells = [
        AnswerNode(answer.text, row, column, None)
        for answer in line.answers
        for row, column in answer.table_indices or ()
    ]
    texts = {instance.doc_id for answer in line.answers for instance in answer.text_instances}
    answers = tuple(answer.text for answer in line.answers)
    return OttQuestion(line.qid, line.question, answers, table, (*cells, *_text_nodes(table, texts, corpus)))


def _text_nodes(table: str, texts: set[str], corpus: OttCorpus) -> Iterator[AnswerNode]:
    ids, titles = corpus.passages.ids, corpus.passages.titles
    for number, row in enumerate(corpus.rows_of(table)):
        for column, passage in corpus.links_of(row):
            if ids[passage] in texts:
                yield AnswerNode(titles[passage], number, column, ids[passage])
