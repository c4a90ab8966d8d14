"""Evidence round by round (OMG-QA, Table 5, drawn out): what of the final evidence was there after each round."""

from statistics import fmean

from eval.omgqa.reporting.figures import Scored, ScoredRun, Standing, over_seeds
from eval.omgqa.reporting.tables import Row, Table, count, picked


def rounds(scored: Scored) -> Table:
    """Return RER and F1-ER after each round; a run that ended before it keeps what it had."""
    return Table(
        "rounds",
        "Evidence round by round (Table 5)",
        ("system", "round", "RER", "F1-ER", "runs that came so far"),
        tuple(row for each in scored.standings for row in _rows(each)),
        "No system was judged round by round.",
        note="A run that ended earlier keeps the evidence that it had.",
        charted=("RER", "F1-ER"),
        grouped=1,
    )


def _rows(standing: Standing) -> list[Row]:
    curved = [each for each in standing.runs if each.recalls]
    most = max((len(each.recalls) for each in curved), default=0)
    return [_row(standing.system, curved, number) for number in range(1, most + 1)]


def _row(system: str, curved: list[ScoredRun], number: int) -> Row:
    figures = over_seeds(curved, lambda those: _after(those, number))
    came = sum(len(each.recalls) >= number for each in curved)
    return Row((system, count(number), *picked(figures, ("RER", "F1-ER")), count(came)), (system,))


def _after(runs: list[ScoredRun], number: int) -> dict[str, float]:
    return {
        "RER": fmean(each.recalls[min(number, len(each.recalls)) - 1] for each in runs),
        "F1-ER": fmean(each.f1s[min(number, len(each.f1s)) - 1] for each in runs),
    }
