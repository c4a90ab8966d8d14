"""All tables of a report, in their order."""

from dataclasses import dataclass

from eval.omgqa.reporting.cost import cost
from eval.omgqa.reporting.cuts import CUTS, cut
from eval.omgqa.reporting.figures import Scored, scored
from eval.omgqa.reporting.modalities import modalities
from eval.omgqa.reporting.pool import agreement, judges, statistics
from eval.omgqa.reporting.ranking import beside, correctness, lacking, ranking
from eval.omgqa.reporting.reuse import reuse
from eval.omgqa.reporting.rounds import rounds
from eval.omgqa.reporting.tables import Table
from eval.omgqa.results import Results


@dataclass(frozen=True, slots=True)
class Report:
    """Measured results, and the tables made of them."""

    scored: Scored
    tables: tuple[Table, ...]

    @property
    def headline(self) -> str:
        """What is reported, in one line."""
        results, standings = self.scored.results, self.scored.standings
        answers = sum(len(each.runs) for each in standings)
        unasked = f", {len(results.unasked):,} more were not asked" if results.unasked else ""
        return (
            f"{answers:,} answers of {len(standings):,} of {len(results.systems):,} systems "
            f"to {len(results.questions):,} questions, judged by {results.judge}{unasked}"
        )


def report(results: Results) -> Report:
    """Measure results and cut them as the tables of OMG-QA do."""
    measured = scored(results)
    return Report(
        measured,
        (
            ranking(measured),
            correctness(measured),
            beside(measured),
            lacking(measured),
            *(cut(each, measured) for each in CUTS),
            rounds(measured),
            modalities(measured),
            cost(measured),
            reuse(measured),
            agreement(measured),
            judges(measured),
            statistics(measured),
        ),
    )
