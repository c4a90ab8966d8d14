"""OMG-QA's data as JSON lines, read and written; whatever is wrong is named with file, line and field."""

import json
from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from eval.lines import read_lines, read_placed_lines
from eval.omgqa.judged import Labels, Unit
from eval.omgqa.line_shapes import DocumentLine, JudgementLine, QuestionLine
from eval.omgqa.records import Judgement, OmgDocument, OmgQuestion
from heliograph.errors import UsageError
from heliograph.types import PageKey
from indexers.parser import page_of

Nodes = Callable[[PageKey], Container[str] | None]
"""What a document holds, by what names its pieces within it; None where the document is not at hand."""


def read_omg_questions(path: Path) -> tuple[OmgQuestion, ...]:
    """Read questions in the order of the file.

    Raises:
        UsageError: the file cannot be read, a line is no question, or two have one id; file, line and field are named.
    """
    questions = tuple(line.record() for line in read_lines(path, QuestionLine))
    refuse_twice((question.id for question in questions), path, "questions", "id")
    return questions


def read_documents(path: Path) -> Mapping[PageKey, OmgDocument]:
    """Read documents by their keys.

    Raises:
        UsageError: the file cannot be read, a line is no document, or two have one key.
    """
    documents = tuple(line.record() for line in read_lines(path, DocumentLine))
    refuse_twice((document.key for document in documents), path, "documents", "key")
    return {document.key: document for document in documents}


def read_judgements(path: Path, questions: Iterable[str], nodes: Nodes = lambda _: None) -> tuple[Judgement, ...]:
    """Read a pool with its labels.

    Args:
        path: the file.
        questions: ids of the questions that may be judged.
        nodes: what a document holds; None of one that is not at hand, whose nodes are believed.

    Raises:
        UsageError: the file cannot be read or holds nothing, a line is no judgement, names a question or a node that
            is not there, or one judge has two words on one pair.
    """
    known, judgements = frozenset(questions), list[Judgement]()
    for place, line in read_placed_lines(path, JudgementLine):
        if line.question not in known:
            raise UsageError(f"{place}: question: there is no question {line.question!r}; name the file that it is in")
        held = nodes(PageKey(line.document))
        if held is not None and line.node not in held:
            raise UsageError(f"{place}: node: {line.document} has no node {line.node}; pool its present state anew")
        judgements.append(line.record())
    if not judgements:
        raise UsageError(f"{path} has no judgements; pool and judge some runs first, or name another file")
    refuse_twice(
        ((each.question, each.evidence, each.judge) for each in judgements),
        path,
        "judgements",
        "question, node and judge",
    )
    return tuple(judgements)


def labels_by(judge: str, judgements: Iterable[Judgement]) -> Mapping[str, Labels]:
    """Return what one judge said, by question."""
    sets: dict[str, tuple[set[Unit], set[Unit]]] = {}
    for judgement in judgements:
        if judgement.judge == judge:
            sets.setdefault(judgement.question, (set(), set()))[not judgement.relevant].add(judgement.evidence)
    return {question: Labels(frozenset(relevant), frozenset(others)) for question, (relevant, others) in sets.items()}


def refuse_twice(keys: Iterable[Hashable], path: Path, things: str, named: str) -> None:
    """Refuse a file in which two things have one key.

    Raises:
        UsageError: two have; the first such key is named.
    """
    seen = set[Hashable]()
    for key in keys:
        if key in seen:
            raise UsageError(f"{path} has two {things} of one {named}: {key}; leave one of them out")
        seen.add(key)


def question_line(question: OmgQuestion) -> str:
    """Write a question as a line that reads back as the same; without evidence of its own it is labelled apart."""
    labelled_apart = question.answers and not question.evidence
    return _line(**asdict(question) | ({"evidence": None} if labelled_apart else {}))


def document_line(document: OmgDocument) -> str:
    """Write a document as a line that reads back as the same."""
    return _line(
        document=document.key,
        title=document.title,
        sections=[asdict(section) for section in document.sections],
        leaves=[
            {
                "number": leaf.number,
                "node": node_of(leaf.id),
                "section": leaf.section,
                "modality": leaf.modality,
                "text": leaf.text,
            }
            for leaf in document.leaves
        ],
    )


def judgement_line(judgement: Judgement) -> str:
    """Write a judgement as a line that reads back as the same."""
    return _line(
        question=judgement.question,
        document=page_of(judgement.evidence),
        node=node_of(judgement.evidence),
        label="relevant" if judgement.relevant else "irrelevant",
        judge=judgement.judge,
        prompt=judgement.prompt,
        confidence=judgement.confidence,
    )


def node_of(evidence: Unit) -> str:
    """Return what names a piece of evidence within its document."""
    return evidence.partition("#")[2]


def _line(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"
