"""The question set as files: questions, the articles as documents, and a judgement of every leaf of them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from demo_labels import HALVES, Label
from demo_leaves import articles, holds, leaves_of, named, said_nearby

from eval.omgqa.dataset import document_line, judgement_line
from eval.omgqa.records import AUTHORS, Judgement
from eval.omgqa.trees import omg_document
from heliograph.types import Document, EvidenceId, ImageEvidence, Leaf


def write_set(out: Path, labels: Sequence[Label]) -> None:
    """Write questions.jsonl, documents.jsonl and pool.jsonl of each half into a folder of its own."""
    documents = articles()
    lines = [document_line(omg_document(document)) for document in documents]
    for half in HALVES:
        folder, asked = out / half, [label for label in labels if label.half == half]
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / "questions.jsonl", (question_line(label, documents) for label in asked))
        _write(folder / "documents.jsonl", lines)
        pool = (judgement_line(each) for label in asked for each in judgements(label, documents))
        _write(folder / "pool.jsonl", pool)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(lines), encoding="utf8")


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
