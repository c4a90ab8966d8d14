"""What figures lead to: the questions of each system, and each question with its evidence and its answers."""

from collections.abc import Iterable, Mapping

from eval.omgqa.judged import Labels
from eval.omgqa.measures import AVERAGE, average
from eval.omgqa.records import Judgement, OmgDocument
from eval.omgqa.reporting.cost import COSTS, DIGITS
from eval.omgqa.reporting.figures import Figure, Scored, ScoredRun, Standing
from eval.omgqa.reporting.modalities import needed
from eval.omgqa.reporting.page.answers import answer_markup
from eval.omgqa.reporting.page.evidence import evidence_markup, pieces
from eval.omgqa.reporting.page.markup import Markup, foreign, tag
from eval.omgqa.reporting.page.places import Places
from eval.omgqa.reporting.page.tables import scrolling
from eval.omgqa.reporting.tables import (
    ABSTAINED,
    ANSWERED,
    CITED,
    RETRIEVED_DOCUMENTS,
    RETRIEVED_EVIDENCE,
)
from heliograph.types import PageKey

MEASURED = (AVERAGE, *RETRIEVED_DOCUMENTS, *RETRIEVED_EVIDENCE, *ANSWERED, *CITED, *ABSTAINED)
ROUNDS = 3
"""Rounds of which the table of a system has a column; answers show all."""

Answers = Mapping[str, list[tuple[str, ScoredRun]]]
"""Anchors and answers by question."""


def systems_markup(scored: Scored, places: Places) -> Markup:
    """List the systems by rank, each with the measures of all its answers."""
    return tag("div", *(_system(each, scored, places) for each in scored.standings))


def questions_markup(scored: Scored, documents: Mapping[PageKey, OmgDocument], places: Places) -> Markup:
    """List the questions by id."""
    answers: dict[str, list[tuple[str, ScoredRun]]] = {}
    for standing in scored.standings:
        for number, each in enumerate(standing.runs):
            answers.setdefault(each.run.question, []).append((places.answer(standing.system, number), each))
    judged: dict[str, list[Judgement]] = {}
    for judgement in scored.results.pool:
        judged.setdefault(judgement.question, []).append(judgement)
    return tag(
        "div",
        *(_question(id, scored, answers.get(id, []), judged.get(id, []), documents, places) for id in places.questions),
    )


def _system(standing: Standing, scored: Scored, places: Places) -> Markup:
    by_number: dict[int, list[Markup]] = {}
    for number, each in enumerate(standing.runs):
        row = _answer_row(each, places.answer(standing.system, number))
        by_number.setdefault(needed(scored, each.run.question), []).append(row)
    heads = ("question", "seed", *MEASURED, *_round_heads(), *COSTS)
    table = tag(
        "table",
        tag("caption", f"Answers of {standing.system}"),
        tag(
            "thead",
            tag(
                "tr", *(tag("th", head, scope="col", class_="n" if place else None) for place, head in enumerate(heads))
            ),
        ),
        *(
            tag("tbody", *by_number[many], id=places.system(standing.system, many) if many else None)
            for many in sorted(by_number)
        ),
        class_="sorts",
    )
    rank, overall = places.systems[standing.system], standing.figures.get(AVERAGE, Figure(None))
    return tag(
        "details",
        tag("summary", f"{rank}. {standing.system} ", tag("span", f"{AVERAGE} {overall}", class_="soft")),
        tag("div", scrolling(f"Answers of {standing.system}", table), id=places.system(standing.system)),
    )


def _round_heads() -> Iterable[str]:
    return (f"{name} after {number}" for name in ("RER", "F1-ER") for number in range(1, ROUNDS + 1))


def _answer_row(each: ScoredRun, anchor: str) -> Markup:
    measures = each.measures if (ten := average(each.measures)) is None else {**each.measures, AVERAGE: ten}
    after = (
        curve[number] if number < len(curve) else None for curve in (each.recalls, each.f1s) for number in range(ROUNDS)
    )
    values = [*(measures.get(name) for name in MEASURED), *after]
    costs = (Figure(float(of(each.run)), digits=DIGITS.get(name, 0)) for name, of in COSTS.items())
    return tag(
        "tr",
        tag("th", tag("a", each.run.question, href=f"#{anchor}", dir="auto"), scope="row"),
        *(tag("td", str(cell), class_="n") for cell in (each.run.seed, *map(Figure, values), *costs)),
    )


def _question(
    id: str,
    scored: Scored,
    answers: list[tuple[str, ScoredRun]],
    judged: list[Judgement],
    documents: Mapping[PageKey, OmgDocument],
    places: Places,
) -> Markup:
    asked = scored.results.questions.get(id)
    found = pieces(id, judged, scored.labels.get(id, Labels()), [each for _, each in answers])
    about = [
        f"accepted: {' | '.join(asked.answers) or 'none, no page answers it'}" if asked else "",
        f"needs {', '.join(asked.modalities)}" if asked and asked.modalities else "",
        f"from {asked.source}" if asked else "",
    ]
    return tag(
        "details",
        tag("summary", foreign("strong", id), " ", foreign("span", asked.question if asked else "")),
        tag(
            "div",
            foreign("p", "; ".join(filter(None, about)), class_="soft"),
            tag("h3", "Answers"),
            *(answer_markup(each, anchor, found, places) for anchor, each in answers),
            tag("h3", "Evidence"),
            evidence_markup(found, documents, places),
            id=places.question(id),
        ),
    )
