"""What may be wrong with the labels, each fault as a line."""

import ast
import json
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import get_args

from demo_labels import HERE, Fact, Label, Piece
from demo_leaves import articles, drawn_words, holds, leaves_of, named, said

from eval.accepted import normal
from heliograph.types import EvidenceId, Leaf, Modality, modality_of

LEAST = {3: 26, 2: 30, 0: 6}
"""How many questions there are at least by the number of modalities that they need; 0 have no answer."""
LEAST_ANSWERED = 66
MOST_OVERLAP = 0.6
"""Questions that share more of their words than this (Jaccard, words of four letters and more) count as one."""
CONSTANTS = {2.0, 31.0, 1000.0, 365.25}
"""Figures that a sum may use and no leaf says: of a half, a month, metres, a year."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True)
class Corpus:
    """The leaves with what they say."""

    leaves: tuple[Leaf, ...]
    words: dict[EvidenceId, str]

    @cached_property
    def by_id(self) -> dict[EvidenceId, Leaf]:
        """Return leaves by id."""
        return {leaf.id: leaf for leaf in self.leaves}

    def holding(self, words: Iterable[str]) -> set[EvidenceId]:
        """Return the leaves that hold all words."""
        wanted = tuple(words)
        return {leaf for leaf, text in self.words.items() if holds(text, wanted)}

    def ids(self, pieces: Iterable[Piece]) -> set[EvidenceId]:
        """Return the leaves that pieces name."""
        return {leaf.id for piece in pieces for leaf in named(piece, self.leaves)}

    def relevant(self, label: Label) -> set[EvidenceId]:
        """Return the evidence of all facts."""
        return self.ids(piece for fact in label.facts for piece in fact.evidence)


def corpus() -> Corpus:
    """Read the articles."""
    leaves, drawn = leaves_of(articles()), drawn_words()
    return Corpus(leaves, {leaf.id: said(leaf, drawn) for leaf in leaves})


def faults(labels: Sequence[Label], known: Corpus) -> Iterator[str]:
    """Yield everything that is wrong with the labels."""
    yield from _counts(labels)
    yield from _twins(labels)
    for label in labels:
        yield from (f"{label.id}: {fault}" for fault in _label_faults(label, known))


def _counts(labels: Sequence[Label]) -> Iterator[str]:
    needs = Counter(len(label.modalities) if label.facts else 0 for label in labels)
    yield from (f"only {needs[n]} questions of {n} modalities" for n, least in LEAST.items() if needs[n] < least)
    if needs[2] + needs[3] < LEAST_ANSWERED:
        yield f"only {needs[2] + needs[3]} questions with an answer"
    yield from (f"two questions are {name}" for name, count in Counter(each.id for each in labels).items() if count > 1)


def _twins(labels: Sequence[Label]) -> Iterator[str]:
    own = {label.id: _content_words(label.question) for label in labels}
    for one, other in combinations(own, 2):
        if _overlap(own[one], own[other]) > MOST_OVERLAP:
            yield f"{one} and {other} ask nearly the same"
    for place, question in _asked_elsewhere():
        words = _content_words(question)
        yield from (f"{one} asks nearly what {place} asks" for one in own if _overlap(own[one], words) > MOST_OVERLAP)


def _asked_elsewhere() -> Iterator[tuple[str, str]]:
    demo = HERE.parent
    for path in sorted([*demo.glob("questions*.jsonl"), *(demo / "development").glob("*.jsonl")]):
        for line in path.read_text(encoding="utf8").splitlines():
            entry = json.loads(line)
            yield f"{Path(path).name} {entry['id']}", entry["question"]


def _content_words(question: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{4,}", question.lower()))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _label_faults(label: Label, known: Corpus) -> Iterator[str]:
    if not label.facts:
        yield from _unanswerable_faults(label, known)
        return
    for fact in label.facts:
        yield from _fact_faults(fact, known)
    pages = {piece.title for fact in label.facts for piece in fact.evidence}
    if (label.pipeline == "contents") != (len(pages) == 1):
        yield f"is of {label.pipeline}, and its evidence is of {len(pages)} pages"
    yield from _naming_faults(label.open, known)
    if both := known.ids(label.open) & known.relevant(label):
        yield f"{sorted(both)} are both evidence and open"
    yield from _modality_faults(label, known)
    yield from _answer_faults(label, known)


def _unanswerable_faults(label: Label, known: Corpus) -> Iterator[str]:
    if label.answers or label.computed or label.modalities or not label.absent:
        yield "has no facts, so it has neither answer nor modalities, and says what is absent"
    for group in label.absent:
        yield from (f"{leaf} holds {group}" for leaf in sorted(known.holding(group)))


def _fact_faults(fact: Fact, known: Corpus) -> Iterator[str]:
    yield from _naming_faults((*fact.evidence, *fact.aside), known)
    evidence, holding = known.ids(fact.evidence), known.holding(fact.says)
    yield from (f"{leaf} does not say {fact.says}" for leaf in sorted(evidence - holding))
    for leaf in sorted(holding - evidence - known.ids(fact.aside)):
        yield f"{leaf} says {fact.says} and is no evidence: {known.words[leaf][:500]}"


def _naming_faults(pieces: Iterable[Piece], known: Corpus) -> Iterator[str]:
    for piece in pieces:
        if (count := len(named(piece, known.leaves))) != 1:
            yield f"{count} leaves are {piece.title}, {piece.modality}, {piece.contains!r}"


def _modality_faults(label: Label, known: Corpus) -> Iterator[str]:
    """Hold a modality for needed where a fact stands in it alone; the evidence of one then lacks part of the answer."""
    stand = [{modality_of(known.by_id[leaf]) for leaf in known.ids(fact.evidence)} for fact in label.facts]
    needed: set[Modality] = {each for each in get_args(Modality) if {each} in stand}
    if needed != set(label.modalities) or len(needed) < 2:
        yield f"needs {sorted(needed)} and is said to need {sorted(label.modalities)}"


def _answer_faults(label: Label, known: Corpus) -> Iterator[str]:
    text = " ; ".join(known.words[leaf] for leaf in sorted(known.relevant(label)))
    if not label.answers:
        yield "has no answer"
    if not label.computed:
        yield from (f"no evidence says {each!r}" for each in label.answers if not holds(text, [_bare(each)]))
        return
    try:
        value = computed(label.computed, text)
    except (ValueError, SyntaxError) as err:
        yield str(err)
        return
    yield from (f"{label.computed} = {value}, not {each!r}" for each in label.answers if not _says(each, value))


def _bare(answer: str) -> str:
    """Return the figure of an answer with a unit, which a table says in the head of its column; else the answer."""
    found = re.fullmatch(r"([\d,.]+)\D*", answer)
    return found[1] if found else answer


def computed(how: str, text: str) -> float:
    """Work out a sum, the figures of which stand in `text`.

    Raises:
        ValueError: a figure does not stand there.
        SyntaxError: it is no sum.
    """
    return _value(ast.parse(how, mode="eval").body, text)


def _value(node: ast.expr, text: str) -> float:
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, text), _value(right, text))
        case ast.Constant(value=int() | float() as number):
            if number not in CONSTANTS and not any(holds(text, [form]) for form in _forms(number)):
                raise ValueError(f"no evidence says {number}")
            return float(number)
    raise ValueError(f"{ast.unparse(node)} is no sum of figures")


def _forms(number: float) -> tuple[str, ...]:
    return f"{number:g}", f"{number:.1f}", f"{number:.2f}", str(number)


def _says(answer: str, value: float) -> bool:
    """Tell whether an answer gives a value: in words, or in figures to as many places as it writes."""
    if found := re.search(r"\d+(?:\.(\d+))?", normal(answer)):
        return bool(abs(float(found[0]) - value) <= 0.5 * 10 ** -len(found[1] or "") + 1e-9)
    return value in range(len(NUMBERS)) and NUMBERS[int(value)] in answer.lower().split()
