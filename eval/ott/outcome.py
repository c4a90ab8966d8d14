"""What is measured of the agent's answer to one OTT-QA question; pure.

- page: the gold table's page is among the documents read
- node: a gold row, or the page of a gold passage, is among the final evidence
- strict: and the answer stands in it; a row may be gold by the passage that it links
- answer: the answer's words stand, in this order, in a piece that the answer cites
- held: the same for any piece of the final evidence, cited or not
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval.ott.judging import Verdicts
from eval.ott.questions import OttQuestion
from eval.ott.reading import page_title
from heliograph.types import Evidence, TableSegment, TextEvidence
from indexers.render import render


@dataclass(frozen=True, slots=True)
class OttOutcome:
    """The measures of one question."""

    page: bool
    node: bool
    strict: bool
    answer: bool
    held: bool
    abstained: bool
    seconds: float
    documents: int


def judge_evidence(question: OttQuestion, page: str, pieces: Sequence[Evidence]) -> Verdicts:
    """Judge pieces of evidence; `page` is the title of the page that the gold table stands on."""
    return Verdicts(
        says=tuple(says(question.answer, [piece]) for piece in pieces),
        gold=tuple(gold_node(question, page, piece) for piece in pieces),
    )


def gold_node(question: OttQuestion, page: str, piece: Evidence) -> bool:
    """Tell whether a piece is a gold row, or stands in the lead of a gold passage's page.

    `page` is the title of the page that the gold table stands on.
    """
    match piece:
        case TableSegment(place=place, number=number):
            rows = {node.row + 1 for node in question.answer_nodes}
            return place.title == page and number in rows
        case TextEvidence(place=place):
            passages = (node.passage_id for node in question.answer_nodes)
            return place.title in {page_title(passage) for passage in passages if passage is not None}
    return False


def says(answer: str, pieces: Iterable[Evidence]) -> bool:
    """Tell whether the words of an answer stand together in one of the pieces; an empty answer stands nowhere."""
    wanted = f" {' '.join(_words(answer))} "
    return wanted.strip() != "" and any(wanted in f" {' '.join(_words(render(piece)))} " for piece in pieces)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
