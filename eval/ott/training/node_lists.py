"""Lists of single nodes to learn from, each epoch drawn anew, and the lists of the node reranker (appendix B.2)."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from eval.ott.corpus import NO_PASSAGE, OttCorpus, passages_of
from eval.ott.matching import matchable, says
from eval.ott.nodes import line_of_passage, segment_line
from eval.ott.training.edge_lists import HARDEST, POSITIVES, DrawnLists, Retrieved, asked_as, decontextualised, drawn
from indexers.models.training.examples import Candidate, Example
from tools.expansion import expanded_query

NEAR, NEGATIVES = 5, 8
"""Wrong nodes of one list that stand near the gold ones, and in all: the rest comes from elsewhere."""
DEVELOPED_NODES = 20
"""The hardest wrong nodes near the gold ones, and elsewhere, that a development question has beside the right ones."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Lines that a list is drawn from: right ones, and wrong ones of the gold table and of others, the hardest first.

    `seed` is the line of the node that the question is expanded by; empty where the question stands by itself.
    """

    positives: tuple[str, ...]
    near: tuple[str, ...]
    far: tuple[str, ...]
    seed: str = ""


Pooling = Callable[[Retrieved, random.Random], Pool]
"""Makes the pool of a question. Whether it has positives must not depend on chance."""


class NodeLists(DrawnLists):
    """Lists of the questions whose pool has positives."""

    def __init__(self, questions: Sequence[Retrieved], corpus: OttCorpus, pooling: Pooling) -> None:
        super().__init__([asked for asked in questions if pooling(asked, random.Random(0)).positives])
        self._corpus, self._pooling = corpus, pooling

    def whole(self) -> tuple[Example, ...]:
        """Return the right nodes of each question and the hardest wrong ones, asked as in OTT-QA: for development."""
        return tuple(self._whole(asked) for asked in self._questions)

    def _list(self, asked: Retrieved, draw: random.Random) -> Example:
        pool = self._pooling(asked, draw)
        near = drawn(draw, pool.near, NEAR)
        far = drawn(draw, pool.far, NEGATIVES - len(near))
        return _example(
            asked_as(asked.question, self._corpus, draw), pool, drawn(draw, pool.positives, POSITIVES), near + far
        )

    def _whole(self, asked: Retrieved) -> Example:
        pool = self._pooling(asked, random.Random(asked.question.id))
        wrong = pool.near[:DEVELOPED_NODES] + pool.far[:DEVELOPED_NODES]
        return _example(decontextualised(asked.question, self._corpus, section=True), pool, pool.positives, wrong)


def _example(question: str, pool: Pool, positives: Iterable[str], negatives: Iterable[str]) -> Example:
    query = expanded_query(question, pool.seed) if pool.seed else question
    return Example(query, _alone(positives), _alone(negatives))


def _alone(lines: Iterable[str]) -> tuple[Candidate, ...]:
    return tuple((line,) for line in lines)


def seed_pool(corpus: OttCorpus, asked: Retrieved, _draw: random.Random) -> Pool:
    """Pool the nodes from which expansion should start: neighbours of the nodes that hold the answer.

    Right are the gold rows that link a passage with the answer, and the passages that a row with the answer links.
    Wrong are nodes of the edges that BM25 finds, unless they touch a node with the answer or say it themselves.
    """
    gold = asked.gold
    rows = dict.fromkeys(row for row, _ in sorted(gold.edges))
    linked = dict.fromkeys(passage for row in sorted(gold.rows) for passage in passages_of(corpus.edges, row))
    positives = [segment_line(corpus, row) for row in rows] + [line_of_passage(corpus, passage) for passage in linked]

    def lines(within: bool) -> Iterator[str]:
        for row, passage in asked.ranked.tolist():
            if (row in gold.table) is not within:
                continue
            if row not in gold.rows and gold.passages.isdisjoint(passages_of(corpus.edges, row)):
                yield segment_line(corpus, row)
            if passage not in linked and passage not in gold.passages and passage != NO_PASSAGE:
                yield line_of_passage(corpus, passage)

    return pooled(asked, positives, lines(within=True), lines(within=False))


def pooled(asked: Retrieved, positives: Iterable[str], near: Iterable[str], far: Iterable[str], seed: str = "") -> Pool:
    """Make a pool of lines, each once; of wrong ones the first that do not say the answer."""
    right = tuple(dict.fromkeys(positives))
    close = _wrong(asked, near, right)
    return Pool(right, close, _wrong(asked, far, (*right, *close)), seed)


def _wrong(asked: Retrieved, lines: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    answers, taken = [matchable(answer) for answer in asked.question.answers], set(known)
    hardest = islice((line for line in dict.fromkeys(lines) if line not in taken), HARDEST)
    return tuple(line for line in hardest if not any(says(matchable(line), answer) for answer in answers))
