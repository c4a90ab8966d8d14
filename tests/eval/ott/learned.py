"""What tests of trainings have: questions over drawn tables, enough over the small corpus to learn from, and a stop."""

import signal
import subprocess
import sys
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from eval.ott.corpus import CellLink, OttCorpus, OttTable, Passages, make_corpus
from eval.ott.judging import gold_of
from eval.ott.questions import AnswerNode, OttQuestion
from eval.ott.texts import Texts
from eval.ott.training.edge_lists import DEVELOPMENT, Retrieved
from tests.eval.ott.lights import BY_WHOM, WHEN

ANSWER = "brass"
WORDS = ("lamp", "reef", "keeper", ANSWER)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A corpus, and questions about it with some ranking of its edges."""

    corpus: OttCorpus
    questions: tuple[Retrieved, ...]


@st.composite
def drawn_questions(draw: st.DrawFn) -> Drawn:
    """Draw tables of one column, each cell with links, and a question for each table, gold where `ANSWER` is said."""
    words = st.sampled_from(WORDS)
    texts = draw(st.lists(st.tuples(words, words), min_size=1, max_size=6))
    ids = tuple(f"/wiki/P{number}" for number in range(len(texts)))
    rows = st.tuples(words, st.sets(st.sampled_from(ids), max_size=4).map(sorted))
    tables = draw(st.lists(st.lists(rows, min_size=1, max_size=4), min_size=1, max_size=3))
    cells = [cell for table in tables for cell in table]
    corpus = make_corpus(
        [
            OttTable(f"T{number}_0", "", f"Table {number}", "", ("Part",), tuple((text,) for text, _ in table))
            for number, table in enumerate(tables)
        ],
        Passages(ids, tuple(f"P{number}" for number in range(len(ids))), Texts.pack(map(" ".join, texts))),
        [CellLink(row, 0, target) for row, (_, targets) in enumerate(cells) for target in targets],
    )
    said = dict(zip(ids, texts, strict=True))
    return Drawn(corpus, tuple(_asked(draw, f"T{at}_0", table, said, corpus) for at, table in enumerate(tables)))


def _asked(draw: st.DrawFn, table: str, rows: list, said: dict[str, tuple[str, str]], corpus: OttCorpus) -> Retrieved:
    cells = [AnswerNode(text, row, 0, None) for row, (text, _) in enumerate(rows) if text == ANSWER]
    passages = [
        AnswerNode(target, row, 0, target)
        for row, (_, targets) in enumerate(rows)
        for target in targets
        if ANSWER in said[target]
    ]
    question = OttQuestion(table, "Which metal ?", (ANSWER,), table, (*cells, *passages))
    order = draw(st.permutations(range(len(corpus.edges))))
    return Retrieved(question, gold_of(question, corpus), corpus.edges[np.array(order, np.int64)])


def many_questions(learned: int) -> tuple[OttQuestion, ...]:
    """Return as many questions as are held out for development, and so many more to learn from."""
    kinds = (BY_WHOM, WHEN)
    return tuple(replace(kinds[at % 2], id=f"q{at}") for at in range(DEVELOPMENT + learned))


def interrupted_after_an_epoch(*arguments: object) -> int:
    """Run `heliograph` in a process of its own, interrupt it where an epoch has ended, and return its exit code."""
    command = [sys.executable, "-m", "app", *map(str, arguments)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as cut:
        assert cut.stderr is not None
        for line in cut.stderr:
            if line.startswith("after 1 epochs"):
                cut.send_signal(signal.SIGINT)
        return cut.wait()
