"""BM25 as the published baseline of the corpus has it, so that its figures test ours.

usage: python -m tests.eval.ott.bm25 OTT_FOLDER QUESTIONS.jsonl full|small|mini linked|unlinked
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import bm25s
import numpy as np
import Stemmer
from bm25s.stopwords import STOPWORDS_EN

from eval.ott.corpus import NO_PASSAGE, OttCorpus
from eval.ott.questions import OttQuestion, read_questions
from eval.ott.ranking import CUT, Ranking, Unit
from eval.ott.reading import Scope, read_corpus
from eval.ott.results import QuestionResult, Summary, summarise
from eval.ott.scoring import Scorer
from eval.ott.title_links import title_edges

Tokens = list[int]


class Words:
    """Texts to stems, numbered as they come."""

    def __init__(self) -> None:
        self.stems: dict[str, int] = {}
        self._stem = Stemmer.Stemmer("english").stemWord
        self._known: dict[str, int | None] = dict.fromkeys(STOPWORDS_EN)

    def tokens(self, text: str) -> Tokens:
        numbers = map(self._number, re.findall(r"(?u)\b\w\w+\b", text.lower()))
        return [number for number in numbers if number is not None]

    def _number(self, word: str) -> int | None:
        if word not in self._known:
            self._known[word] = self.stems.setdefault(self._stem(word), len(self.stems))
        return self._known[word]


def bm25(corpus: OttCorpus, questions: Sequence[OttQuestion], edges: np.ndarray | None) -> list[QuestionResult]:
    """Rank edges, or nodes where there are none, and measure."""
    words = Words()
    rows = [words.tokens(corpus.row_text(row)) for row in range(corpus.rows)]
    passages = [words.tokens(corpus.passage_text(passage)) for passage in range(len(corpus.passages.ids))]
    asked = [words.tokens(question.question) for question in questions]
    if edges is None:
        units = [*map(Unit, range(len(rows))), *(Unit(None, (passage,)) for passage in range(len(passages)))]
        documents, scorer = rows + passages, Scorer(corpus, "node")
    else:
        pairs = edges.tolist()
        units = [Unit.edge(row, passage) for row, passage in pairs]
        documents = [rows[row] + (passages[passage] if passage != NO_PASSAGE else []) for row, passage in pairs]
        scorer = Scorer(corpus, "edge")
    return [
        QuestionResult(question.id, ranking, scorer.retrieval(question, ranking), {})
        for question, ranking in zip(questions, _rankings(documents, words.stems, asked, units), strict=True)
    ]


def baseline(corpus: OttCorpus, questions: Sequence[OttQuestion], linked: bool, nodes: bool = False) -> Summary:
    """Run the baseline of one track."""
    edges = corpus.edges if linked else title_edges(corpus)
    return summarise(bm25(corpus, questions, None if nodes else edges), questions)


def _rankings(
    documents: list[Tokens], stems: dict[str, int], asked: Sequence[Tokens], units: Sequence[Unit]
) -> Iterator[Ranking]:
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(bm25s.tokenization.Tokenized(documents, dict(stems)), show_progress=False, create_empty_token=False)
    for query in asked:
        scores = index.get_scores_from_ids(query)
        yield tuple(units[at] for at in np.argsort(-scores, kind="stable")[:CUT])


def main() -> None:
    folder, file, scope, track = sys.argv[1:]
    assert scope in get_args(Scope)
    assert track in ("linked", "unlinked")
    corpus, questions = read_corpus(Path(folder), scope), read_questions(Path(file))
    for nodes in (True, False):
        summary = baseline(corpus, questions, track == "linked", nodes)
        percent = {name: round(100 * value, 2) for name, value in summary.metrics.items()}
        print("nodes" if nodes else "edges", json.dumps(percent))


if __name__ == "__main__":
    main()
