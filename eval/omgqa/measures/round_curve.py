"""Evidence by round: how much of the final evidence each round had found (OMG-QA, Table 5, round by round)."""

from dataclasses import replace

from eval.omgqa.judged import Judged
from eval.omgqa.measures.evidence_f1 import evidence_f1
from eval.omgqa.measures.evidence_recall import evidence_recall


def recall_curve(judged: Judged) -> tuple[float, ...]:
    """Return RER after each round."""
    return tuple(evidence_recall(replace(judged, retrieved=after)) for after in judged.rounds)


def f1_curve(judged: Judged) -> tuple[float, ...]:
    """Return F1-ER after each round."""
    return tuple(evidence_f1(replace(judged, retrieved=after)) for after in judged.rounds)
