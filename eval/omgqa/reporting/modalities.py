"""Systems by how many modalities a question needs: text, tables, images."""

from eval.omgqa.measures import AVERAGE
from eval.omgqa.reporting.figures import Scored, ScoredRun, Standing, figures
from eval.omgqa.reporting.tables import RETRIEVED_EVIDENCE, Row, Table, count, picked

MEASURED = (AVERAGE, *RETRIEVED_EVIDENCE)


def modalities(scored: Scored) -> Table:
    """Return the average of the ten and evidence retrieval of each system for one modality, for two, for three."""
    return Table(
        "modalities",
        "By the number of modalities that a question needs",
        ("system", "modalities", *MEASURED, "questions"),
        tuple(row for each in scored.standings for row in _rows(each, scored)),
        "No answered question says which modalities it needs.",
        charted=("F1-ER",),
        grouped=1,
    )


def needed(scored: Scored, question: str) -> int:
    """Return how many modalities a question needs, 0 where that is not known."""
    known = scored.results.questions.get(question)
    return len(set(known.modalities)) if known else 0


def _rows(standing: Standing, scored: Scored) -> list[Row]:
    by_number: dict[int, list[ScoredRun]] = {}
    for each in standing.runs:
        by_number.setdefault(needed(scored, each.run.question), []).append(each)
    return [_row(standing.system, many, by_number[many]) for many in sorted(by_number) if many]


def _row(system: str, many: int, runs: list[ScoredRun]) -> Row:
    asked = len({each.run.question for each in runs})
    return Row((system, count(many), *picked(figures(runs), MEASURED), count(asked)), (system,), modalities=many)
