"""The evidence of one question: what was judged or found, each piece once, and numbers by which answers name it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eval.omgqa.dataset import node_of
from eval.omgqa.judged import Labels, Unit
from eval.omgqa.records import Judgement, OmgDocument, OmgLeaf
from eval.omgqa.reporting.figures import ScoredRun
from eval.omgqa.reporting.page.markup import Markup, tag
from eval.omgqa.reporting.page.places import Places
from eval.omgqa.reporting.page.tables import scrolling
from eval.omgqa.reporting.pool import modality_of_unit
from heliograph.types import EvidenceId, PageKey
from indexers.parser import page_name, page_of, parse_id

EXCERPT = 160
"""Characters of a piece of evidence that are shown."""
OTHERS = 100
"""Pieces of a question that are listed though they are irrelevant and no answer found them."""
Judge = tuple[str, str]
"""A judge, and the hash of what it is told to do."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The evidence of a question in the order of the page: relevant first, then what answers found, then the rest.

    `unlisted` pieces have a judgement and no number.
    """

    question: str
    numbers: Mapping[Unit, int]
    labels: Labels
    judgements: Mapping[Unit, Mapping[Judge, Judgement]]
    unlisted: int

    @property
    def said(self) -> str:
        """How much evidence there is, in words."""
        relevant, irrelevant = len(self.labels.relevant), len(self.labels.irrelevant)
        every = len(self.numbers) + self.unlisted
        return f"Evidence: {every:,} pieces, {relevant:,} of them relevant and {irrelevant:,} irrelevant"

    def number(self, evidence: EvidenceId) -> int:
        """Return the number of a piece; where tables are judged whole, a row's is that of its table."""
        return self.numbers[evidence] if evidence in self.numbers else self.numbers[parse_id(evidence).leaf]

    def mark(self, evidence: EvidenceId) -> str:
        """Return the number with + for relevant, − for irrelevant and ? for what was not judged."""
        unit = evidence if evidence in self.numbers else parse_id(evidence).leaf
        sign = "+" if unit in self.labels.relevant else "−" if unit in self.labels.irrelevant else "?"
        return f"{self.numbers[unit]}{sign}"


def pieces(question: str, judgements: Iterable[Judgement], labels: Labels, runs: Sequence[ScoredRun]) -> Pieces:
    """Collect what stands in the pool, and what answers found that does not.

    Where all of a page is labelled, much is irrelevant that nobody found: of that the first are listed.
    """
    words: dict[Unit, dict[Judge, Judgement]] = {}
    for word in judgements:
        words.setdefault(word.evidence, {})[word.judge, word.prompt] = word
    found = _found(runs, {*words, *labels.relevant, *labels.irrelevant})
    called = {unit for unit, said in words.items() if any(each.relevant for each in said.values())}
    wanted = found | labels.relevant | called
    others = sorted((labels.irrelevant | words.keys()) - wanted)

    def order(unit: Unit) -> tuple[bool, bool, bool, str]:
        return unit not in labels.relevant, unit not in found, unit not in labels.irrelevant, unit

    listed = sorted([*wanted, *others[:OTHERS]], key=order)
    numbers = {unit: number for number, unit in enumerate(listed, 1)}
    return Pieces(question, numbers, labels, words, len(others[OTHERS:]))


def _found(runs: Sequence[ScoredRun], judged: set[Unit]) -> set[Unit]:
    """Return the units of answers; what they cite of a unit, such as a row of its table, is none of its own."""
    found: set[Unit] = set()
    for each in runs:
        found.update(each.judged.retrieved, each.judged.cited, *each.judged.rounds)
    known = found | judged
    for each in runs:
        named = (*each.run.retrieved, *each.run.cited, *(piece for there in each.run.rounds for piece in there))
        for piece in named:
            leaf = parse_id(piece).leaf
            found.add(leaf if piece not in known and leaf in known else piece)
    return found


def evidence_markup(found: Pieces, documents: Mapping[PageKey, OmgDocument], places: Places) -> Markup:
    """Draw the pool of a question with each judgement, and an excerpt of what is at hand."""
    if not found.numbers:
        return tag("p", "No evidence was found or judged.", class_="note")
    judges = sorted({judge for words in found.judgements.values() for judge in words})
    texts = {leaf.id: leaf.text for page in _pages(found) for leaf in _leaves(documents, page)}
    columns = ["#", "page", "node", "modality", *map(_judge, judges), *(["says"] if texts else [])]
    rows = [
        tag("tr", *_cells(unit, found, judges, texts), id=places.evidence(found.question, number))
        for unit, number in found.numbers.items()
    ]
    table = tag(
        "table",
        tag("caption", "Evidence, found or judged"),
        tag("thead", tag("tr", *(tag("th", column, scope="col") for column in columns))),
        tag("tbody", *rows),
        class_="pool",
    )
    more = f"{found.unlisted:,} more were judged, which no answer here found and none called relevant."
    return tag("div", scrolling("Evidence", table), *([tag("p", more, class_="note")] if found.unlisted else []))


def title_of(page: PageKey) -> str:
    """Return the title of a page."""
    return page_name(page).title


def _cells(unit: Unit, found: Pieces, judges: list[Judge], texts: Mapping[Unit, str]) -> Iterable[Markup]:
    yield tag("td", str(found.numbers[unit]))
    yield tag("th", title_of(page_of(unit)), scope="row")
    yield tag("td", node_of(unit))
    yield tag("td", modality_of_unit(unit))
    words = found.judgements.get(unit, {})
    for judge in judges:
        yield _word(words.get(judge))
    if texts:
        yield tag("td", _excerpt(texts.get(parse_id(unit).leaf, "")))


def _word(judgement: Judgement | None) -> Markup:
    if judgement is None:
        return tag("td", "–")
    sure = "" if judgement.confidence is None else f" {judgement.confidence:.2f}"
    word, look = ("relevant", "y") if judgement.relevant else ("irrelevant", "x")
    return tag("td", word + sure, class_=look)


def _judge(judge: Judge) -> str:
    name, prompt = judge
    return f"{name} {prompt[:8]}".strip()


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else text[:EXCERPT].rstrip() + "…"


def _pages(found: Pieces) -> Iterable[PageKey]:
    return dict.fromkeys(page_of(unit) for unit in found.numbers)


def _leaves(documents: Mapping[PageKey, OmgDocument], page: PageKey) -> Iterable[OmgLeaf]:
    document = documents.get(page)
    return document.leaves if document else ()


def marks(found: Pieces, evidence: Iterable[EvidenceId]) -> str:
    """Write pieces by their marks, best first, each once: rows may share the number of their table."""
    return " ".join(dict.fromkeys(map(found.mark, evidence))) or "nothing"
