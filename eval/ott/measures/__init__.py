"""The measures of HELIOS, section 5.1, one a file, each of one question and between 0 and 1; pure."""

from collections.abc import Mapping

from eval.ott.judging import Judged
from eval.ott.measures.answer_recall import answer_recall
from eval.ott.measures.exact_match import exact_match
from eval.ott.measures.f1 import f1
from eval.ott.measures.gold_edge import gold_edge, gold_strict
from eval.ott.measures.gold_table import gold_table
from eval.ott.measures.hits import TokenEnds, hits
from eval.ott.measures.ndcg import ndcg
from eval.ott.ranking import CUT

__all__ = [
    "CUTS",
    "NAMES",
    "SOMETIMES",
    "TokenEnds",
    "answer_recall",
    "exact_match",
    "f1",
    "gold_edge",
    "gold_strict",
    "gold_table",
    "hits",
    "measures_of",
    "ndcg",
]

CUTS = (2, 5, 10, 20, CUT)
"""The k at which recall is reported."""
NAMES = (
    *(f"AR@{k}" for k in CUTS),
    f"nDCG@{CUT}",
    "HITS@4K",
    *(f"gold_edge@{k}" for k in CUTS),
    *(f"gold_strict@{k}" for k in CUTS),
    *(f"gold_table@{k}" for k in CUTS),
    "EM",
    "F1",
)
"""The measures in the order of a report."""
SOMETIMES = frozenset({"HITS@4K", "EM", "F1"})
"""The measures that need a tokenizer or a reader's answers; the others are there for every run."""


def measures_of(judged: Judged) -> Mapping[str, float]:
    """Return the measures that every run has, by name."""
    return {
        **{f"AR@{k}": answer_recall(judged, k) for k in CUTS},
        f"nDCG@{CUT}": ndcg(judged, CUT),
        **{f"gold_edge@{k}": gold_edge(judged, k) for k in CUTS},
        **{f"gold_strict@{k}": gold_strict(judged, k) for k in CUTS},
        **{f"gold_table@{k}": gold_table(judged, k) for k in CUTS},
    }
