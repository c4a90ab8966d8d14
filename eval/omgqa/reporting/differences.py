"""A comparison for a terminal, as Markdown, and as JSON."""

import json
from dataclasses import asdict

from eval.omgqa.reporting.comparison import LOWER, Comparison, Paired, Side
from eval.omgqa.reporting.figures import Figure, Standing
from eval.omgqa.reporting.plain import escaped, printable, table_markdown, table_text
from eval.omgqa.reporting.tables import BY_JUDGE, BY_STRINGS, Row, Table, count, picked

SCHEMA = "heliograph.omgqa.comparison/1"
WORST = 10
"""Questions that are listed."""


def comparison_text(found: Comparison, most: int = WORST) -> str:
    """Return differences, and `most` questions that changed most."""
    heads = [printable(line) for line in _heads(found)]
    return "\n".join(heads) + "\n\n" + "\n\n".join(map(table_text, _tables(found, most))) + "\n"


def comparison_markdown(found: Comparison, most: int = WORST) -> str:
    """Return differences, and `most` questions that changed most, as Markdown."""
    heads = [f"- {escaped(line)}" for line in _heads(found)]
    return "\n".join(heads) + "\n\n" + "\n\n".join(map(table_markdown, _tables(found, most))) + "\n"


def comparison_json(found: Comparison) -> str:
    """Return a comparison with every question, schema `heliograph.omgqa.comparison/1`.

    - first, second: system and judge
    - questions: by id the measures of the first and of the second system, over their seeds; only what both answered
    - correctness: of the first and of the second system, over all that it was asked
    - alone: how many questions only the first and only the second answered; relabelled: of how many labels differ
    - measures: by name the means, the mean difference (first less second) with its 95% interval, counts of questions
    - by, changes: the measure, and the questions that changed in it, the greatest change first
    - seed, samples: of the bootstrap
    """
    record = {
        "schema": SCHEMA,
        "first": _side(found.first),
        "second": _side(found.second),
        "questions": {
            id: {"first": found.first_values[id], "second": found.second_values[id]} for id in found.questions
        },
        "correctness": {side: _correct(each) for side, each in zip(("first", "second"), found.standings, strict=True)},
        "alone": {"first": found.alone[0], "second": found.alone[1]},
        "relabelled": found.relabelled,
        "measures": {each.measure: _measure(each) for each in found.measures},
        "by": found.by,
        "changes": [asdict(each) for each in found.changes],
        "seed": found.seed,
        "samples": found.samples,
    }
    return json.dumps(record, indent=1, allow_nan=False) + "\n"


def _side(side: Side) -> dict[str, str]:
    return {"system": side.system, "judge": side.results.judge}


def _correct(standing: Standing) -> dict[str, float | None]:
    return {name: standing.figures[name].value for name in (*BY_STRINGS, *BY_JUDGE) if name in standing.figures}


def _measure(each: Paired) -> dict[str, float | bool]:
    return {
        "first": each.first,
        "second": each.second,
        "difference": each.interval.mean,
        "low": each.interval.low,
        "high": each.interval.high,
        "apart": each.apart,
        "better": each.better,
        "equal": each.equal,
        "worse": each.worse,
        "questions": each.questions,
    }


def _heads(found: Comparison) -> list[str]:
    heads = [
        f"first: {found.first.system}, judged by {found.first.results.judge}",
        f"second: {found.second.system}, judged by {found.second.results.judge}",
        f"{len(found.questions):,} questions that both answered",
    ]
    if any(found.alone):
        heads.append(f"left out: {found.alone[0]:,} that only the first answered, {found.alone[1]:,} only the second")
    if found.relabelled:
        heads.append(f"of {found.relabelled:,} questions the judgements differ: what is compared is not only systems")
    return heads


def _tables(found: Comparison, most: int) -> tuple[Table, Table, Table]:
    return _differences(found), _correctness(found), _changed(found, most)


def _correctness(found: Comparison) -> Table:
    return Table(
        "correctness",
        "Correctness, coverage, and selective accuracy, each over all that the system was asked",
        ("system", *BY_STRINGS, *BY_JUDGE),
        tuple(Row((each.system, *picked(each.figures, (*BY_STRINGS, *BY_JUDGE)))) for each in found.standings),
        "No system has answers.",
        note="The paired differences of selective accuracy are over the questions to which both gave an answer.",
    )


def _differences(found: Comparison) -> Table:
    return Table(
        "differences",
        "Paired differences, first less second",
        ("measure", "first", "second", "difference", "95% from", "to", "", "better", "equal", "worse", "questions"),
        tuple(map(_difference, found.measures)),
        "No question has a measure of both systems.",
        note=f"* The interval of {found.samples:,} draws of questions (seed {found.seed}) leaves out 0.",
    )


def _difference(each: Paired) -> Row:
    name = f"{each.measure} (less is better)" if each.measure in LOWER else each.measure
    interval = (each.interval.mean, each.interval.low, each.interval.high)
    cells = (
        name,
        Figure(each.first),
        Figure(each.second),
        *(Figure(value, signed=True) for value in interval),
        "*" if each.apart else "",
        *map(count, (each.better, each.equal, each.worse, each.questions)),
    )
    return Row(cells)


def _changed(found: Comparison, most: int) -> Table:
    more = len(found.changes) - most
    return Table(
        "changes",
        f"Questions that changed most in {found.by}",
        ("difference", "first", "second", "id", "question"),
        tuple(
            Row(
                (
                    Figure(each.first - each.second, signed=True),
                    Figure(each.first),
                    Figure(each.second),
                    each.question,
                    each.text,
                )
            )
            for each in found.changes[:most]
        ),
        "None.",
        note=f"{more:,} more changed." if more > 0 else "",
    )
