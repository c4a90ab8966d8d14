"""OTT-QA (Chen et al. 2021) and HybridQA (Chen et al. 2020): gold rows, and the passages that their cells link to.

The questions are asked of the pages of the corpus, each title with its passage as its lead and its tables under
headings; none are written here, since the corpus is not a question's own.
"""

from collections.abc import Iterator
from pathlib import Path

from eval.drawing import ALL, Draw
from eval.omgqa.converting.conversion import Conversion
from eval.omgqa.converting.gold import GoldFact, GoldRow, GoldText
from eval.omgqa.converting.titles import page_title
from eval.omgqa.converting.writing_pages import one_line
from eval.omgqa.records import OmgQuestion
from eval.ott.corpus import OttCorpus
from eval.ott.questions import AnswerNode, OttQuestion, draw_questions
from eval.ott.reading import read_corpus

UNTRACED = "their answers were traced to no row and no passage"
OUTSIDE = "their gold table, row or passage is not in the corpus"


def convert_ott(questions: Path, data: Path, source: str, draw: Draw = ALL) -> Conversion:
    """Convert questions of OTT-QA's form; every row in which or behind which the answer stands is gold.

    Of an answer in a passage, both the row and the passage are gold, as for `eval.ott.outcome.gold_node`.

    Raises:
        UsageError: a file cannot be read, a line has another shape, or two questions have one id.
    """
    read = draw_questions(questions, draw)
    corpus = read_corpus(data, "full")
    traced = [question for question in read if question.answer_nodes]
    asked = [question for question in traced if all(_is_in(node, question, corpus) for node in question.answer_nodes)]
    known = {question.id for question in asked}
    return Conversion(
        tuple(
            OmgQuestion(each.id, one_line(each.question), (each.answer,), (), ("text", "table"), source)
            for each in asked
        ),
        tuple(dict.fromkeys(fact for question in asked for fact in _facts(question, corpus))),
        (),
        "row",
        {
            UNTRACED: [question.id for question in read if not question.answer_nodes],
            OUTSIDE: [question.id for question in traced if question.id not in known],
        },
    )


def _is_in(node: AnswerNode, question: OttQuestion, corpus: OttCorpus) -> bool:
    there = node.passage_id is None or corpus.passages.position(node.passage_id) is not None
    return there and node.row < len(corpus.rows_of(question.gold_table))


def _facts(question: OttQuestion, corpus: OttCorpus) -> Iterator[GoldFact]:
    table = corpus.tables[corpus.numbers[question.gold_table]]
    for node in question.answer_nodes:
        cells = tuple(map(one_line, table.rows[node.row]))
        header = tuple(map(one_line, table.header))
        yield GoldRow(question.id, page_title(table.title), one_line(table.section_title), header, node.row + 1, cells)
        if node.passage_id is not None and (at := corpus.passages.position(node.passage_id)) is not None:
            passages = corpus.passages
            yield GoldText(question.id, page_title(passages.titles[at]), one_line(passages.texts[at]))
