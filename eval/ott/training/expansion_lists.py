"""Lists for the retrievers of expanded queries: a question with a node, and what lies one edge on (appendix B.3)."""

import random

from eval.ott.corpus import NO_PASSAGE, OttCorpus, passages_of
from eval.ott.nodes import line_of_passage, segment_line
from eval.ott.training.edge_lists import Retrieved
from eval.ott.training.node_lists import Pool, pooled

NOTHING = Pool((), (), ())


def passage_pool(corpus: OttCorpus, asked: Retrieved, draw: random.Random) -> Pool:
    """Pool passages for f_{S→P}: from one gold row, drawn, to its passages with the answer.

    Wrong are first the other passages of that row, then those of the edges that BM25 finds.
    """
    gold = asked.gold
    rows = sorted({row for row, _ in gold.edges})
    if not rows:
        return NOTHING
    row = draw.choice(rows)
    right = [passage for passage in passages_of(corpus.edges, row) if (row, passage) in gold.edges]
    ranked = [edge for edge in asked.edges if edge[1] != NO_PASSAGE]
    near = (*passages_of(corpus.edges, row), *(passage for found, passage in ranked if found in gold.table))
    far = [passage for found, passage in ranked if found not in gold.table]
    return pooled(
        asked,
        (line_of_passage(corpus, each) for each in right),
        (line_of_passage(corpus, each) for each in near if each not in gold.passages),
        (line_of_passage(corpus, each) for each in far if each not in gold.passages),
        segment_line(corpus, row),
    )


def segment_pool(corpus: OttCorpus, asked: Retrieved, draw: random.Random) -> Pool:
    """Pool table segments for f_{P→S}: from one passage, drawn, to the rows with the answer that link it.

    Wrong are first the rows of the gold table that BM25 finds and its others, then rows that it finds elsewhere.
    """
    gold, linking = asked.gold, dict[int, list[int]]()
    for row in sorted(asked.gold.rows):
        for passage in passages_of(corpus.edges, row):
            linking.setdefault(passage, []).append(row)
    if not linking:
        return NOTHING
    passage = draw.choice(sorted(linking))
    ranked = [row for row, _ in asked.edges]
    near = (*(row for row in ranked if row in gold.table), *gold.table)
    far = [row for row in ranked if row not in gold.table]
    return pooled(
        asked,
        (segment_line(corpus, row) for row in linking[passage]),
        (segment_line(corpus, row) for row in near if row not in gold.rows),
        (segment_line(corpus, row) for row in far),
        line_of_passage(corpus, passage),
    )
