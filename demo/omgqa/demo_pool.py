"""Labels to lines of the question file and to judgements of every leaf of the articles."""

import json
from collections.abc import Iterator, Sequence

from demo_labels import Label
from demo_leaves import holds, leaves_of, named, said_nearby
from eval.omgqa.records import AUTHORS, Judgement
from heliograph.types import Document, EvidenceId, ImageEvidence, Leaf


def question_line(label: Label, documents: Sequence[Document]) -> str:
    """Write a question with the ids of its evidence, in the order of the articles."""
    relevant = _relevant(label, leaves_of(documents))
    fields = {
        "id": label.id,
        "question": label.question,
        "answers": label.answers,
        "evidence": relevant,
        "modalities": label.modalities,
        "source": f"{AUTHORS}, {label.pipeline}, {label.half}",
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def judgements(label: Label, documents: Sequence[Document]) -> Iterator[Judgement]:
    """Judge every leaf: relevant is what the label names, irrelevant all else.

    What the label leaves open has no judgement. Nor has an image where the text around it, which is shown beside it,
    states a fact that the image does not show.
    """
    leaves = leaves_of(documents)
    relevant = set(_relevant(label, leaves))
    unsettled = {leaf.id for piece in label.open for leaf in named(piece, leaves)}
    for leaf in leaves:
        if leaf.id in relevant or not (leaf.id in unsettled or _borrows(leaf, label)):
            yield Judgement(label.id, leaf.id, leaf.id in relevant, AUTHORS)


def _relevant(label: Label, leaves: Sequence[Leaf]) -> list[EvidenceId]:
    pieces = [piece for fact in label.facts for piece in fact.evidence]
    found = {leaf.id for piece in pieces for leaf in named(piece, leaves)}
    return [leaf.id for leaf in leaves if leaf.id in found]


def _borrows(leaf: Leaf, label: Label) -> bool:
    if not isinstance(leaf, ImageEvidence):
        return False
    shown = said_nearby(leaf)
    return any(holds(shown, fact.says) for fact in label.facts)
