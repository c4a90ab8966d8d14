"""What the figures of a system are of: a row for each of its answers, which leads to the answer."""

from collections.abc import Iterable

from eval.omgqa.measures import AVERAGE, average
from eval.omgqa.reporting.cost import COSTS, DIGITS
from eval.omgqa.reporting.figures import Figure, Scored, ScoredRun, Standing
from eval.omgqa.reporting.modalities import needed
from eval.omgqa.reporting.page.markup import Markup, tag
from eval.omgqa.reporting.page.places import Places
from eval.omgqa.reporting.page.tables import scrolling
from eval.omgqa.reporting.tables import (
    ABSTAINED,
    ANSWERED,
    BY_JUDGE,
    BY_STRINGS,
    CITED,
    RETRIEVED_DOCUMENTS,
    RETRIEVED_EVIDENCE,
)

MEASURED = (
    AVERAGE,
    *RETRIEVED_DOCUMENTS,
    *RETRIEVED_EVIDENCE,
    *ANSWERED,
    *CITED,
    *ABSTAINED,
    *BY_STRINGS,
    *BY_JUDGE,
)


def systems_markup(scored: Scored, places: Places) -> Markup:
    """List the systems by rank, each with the measures of all its answers."""
    return tag("div", *(_system(each, scored, places) for each in scored.standings))


def _system(standing: Standing, scored: Scored, places: Places) -> Markup:
    name, overall = standing.system, standing.figures.get(AVERAGE, Figure(None))
    return tag(
        "details",
        tag("summary", f"{places.systems[name]}. {name} ", tag("span", f"{AVERAGE} {overall}", class_="soft")),
        tag("div", scrolling(f"Answers of {name}", _table(standing, scored, places)), id=places.system(name)),
    )


def _table(standing: Standing, scored: Scored, places: Places) -> Markup:
    """Group answers by how many modalities their questions need; so many are an anchor of their own."""
    rounds = max((len(each.recalls) for each in standing.runs), default=0)
    rounds = rounds if rounds > 1 else 0  # after a single one stands what RER and F1-ER say
    by_number: dict[int, list[Markup]] = {}
    for number, each in enumerate(standing.runs):
        many = needed(scored, each.run.question)
        row = _row(each, many, rounds, places.answer(standing.system, number))
        by_number.setdefault(many, []).append(row)
    return tag(
        "table",
        tag("caption", f"Answers of {standing.system}"),
        tag("thead", tag("tr", tag("th", "question", scope="col"), *_heads(rounds))),
        *(
            tag("tbody", *by_number[many], id=places.system(standing.system, many) if many else None)
            for many in sorted(by_number)
        ),
        class_="sorts dense",
    )


def _heads(rounds: int) -> Iterable[Markup]:
    after = (f"{name} after {number}" for name in ("RER", "F1-ER") for number in range(1, rounds + 1))
    return (tag("th", head, scope="col", class_="n") for head in ("modalities", "seed", *MEASURED, *after, *COSTS))


def _row(each: ScoredRun, modalities: int, rounds: int, anchor: str) -> Markup:
    measures = each.measures if (ten := average(each.measures)) is None else {**each.measures, AVERAGE: ten}
    curves = (curve[number : number + 1] for curve in (each.recalls, each.f1s) for number in range(rounds))
    shares = [*(measures.get(name) for name in MEASURED), *(value[0] if value else None for value in curves)]
    costs = (Figure(float(of(each.run)), digits=DIGITS.get(name, 0)) for name, of in COSTS.items())
    cells = (modalities or "–", each.run.seed, *map(Figure, shares), *costs)
    return tag(
        "tr",
        tag("th", tag("a", each.run.question, href=f"#{anchor}"), scope="row"),
        *(tag("td", str(cell)) for cell in cells),
    )
