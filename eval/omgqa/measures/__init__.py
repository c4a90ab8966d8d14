"""The measures of OMG-QA, section 4.1, and those that belong beside them, one a file, each of one question; pure.

A question for which nothing is relevant tells nothing of retrieval or citation: of it only abstention and correctness
count.
"""

from collections.abc import Callable, Iterable, Mapping
from statistics import fmean

from eval.omgqa.judged import Judged
from eval.omgqa.measures.abstention import false_abstention, true_abstention
from eval.omgqa.measures.bpref import bpref
from eval.omgqa.measures.citation_completeness import citation_completeness
from eval.omgqa.measures.citation_precision import citation_precision
from eval.omgqa.measures.citation_recall import citation_recall
from eval.omgqa.measures.correct_use import correct_use
from eval.omgqa.measures.correctness import (
    correct,
    correct_by_judge,
    coverage,
    selective_accuracy,
    selective_accuracy_by_judge,
)
from eval.omgqa.measures.document_f1 import document_f1
from eval.omgqa.measures.document_precision import document_precision
from eval.omgqa.measures.document_recall import document_recall
from eval.omgqa.measures.effective_use import effective_use
from eval.omgqa.measures.evidence_f1 import evidence_f1
from eval.omgqa.measures.evidence_precision import evidence_precision
from eval.omgqa.measures.evidence_recall import evidence_recall
from eval.omgqa.measures.first_leaves import FIRST, of_first_leaves
from eval.omgqa.measures.relevance_of_used import relevance_of_used
from eval.omgqa.measures.round_curve import f1_curve, recall_curve
from eval.omgqa.measures.unjudged import unjudged

__all__ = [
    "ABSTENTION",
    "AVERAGE",
    "BESIDE",
    "CORRECTNESS",
    "TEN",
    "average",
    "f1_curve",
    "means",
    "measures_of",
    "recall_curve",
]

Measure = Callable[[Judged], float | None]
TEN: Mapping[str, Measure] = {
    "PDR": document_precision,
    "RDR": document_recall,
    "F1-DR": document_f1,
    "PER": evidence_precision,
    "RER": evidence_recall,
    "F1-ER": evidence_f1,
    "ERU": effective_use,
    "RUE": relevance_of_used,
    "CUE": correct_use,
    "CCM": citation_completeness,
}
"""The ten of OMG-QA in the order of its Table 9."""
AVERAGE = "Avg"
"""The mean of the ten, by which Table 9 is sorted."""
BESIDE: Mapping[str, Measure] = {
    "unjudged": unjudged,
    "bpref": bpref,
    f"PER@{FIRST}": of_first_leaves(evidence_precision),
    f"RER@{FIRST}": of_first_leaves(evidence_recall),
    f"F1-ER@{FIRST}": of_first_leaves(evidence_f1),
    "citation precision": citation_precision,
    "citation recall": citation_recall,
}
"""Printed beside them."""
ABSTENTION: Mapping[str, Measure] = {"true abstention": true_abstention, "false abstention": false_abstention}
CORRECTNESS: Mapping[str, Measure] = {
    "correct": correct,
    "coverage": coverage,
    "selective accuracy": selective_accuracy,
    "correct by judge": correct_by_judge,
    "selective accuracy by judge": selective_accuracy_by_judge,
}
"""Of every question that has them, whatever evidence is relevant."""


def measures_of(judged: Judged) -> dict[str, float]:
    """Return the measures that one question has, by name."""
    every = {**({**TEN, **BESIDE} if judged.answerable else {}), **ABSTENTION, **CORRECTNESS}
    found = {name: measure(judged) for name, measure in every.items()}
    return {name: value for name, value in found.items() if value is not None}


def means(questions: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Average each measure over the questions that have it, and the ten of these averages, where all are there."""
    values: dict[str, list[float]] = {}
    for question in questions:
        for name, value in question.items():
            values.setdefault(name, []).append(value)
    averaged = {name: fmean(values[name]) for name in (*TEN, *BESIDE, *ABSTENTION, *CORRECTNESS) if name in values}
    return averaged if (ten := average(averaged)) is None else {**averaged, AVERAGE: ten}


def average(measures: Mapping[str, float]) -> float | None:
    """Return the mean of the ten; None where one of them was not judged."""
    return fmean(measures[name] for name in TEN) if all(name in measures for name in TEN) else None
