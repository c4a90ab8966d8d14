"""Systems sorted by the average of the ten (OMG-QA, Table 9), what stands beside it, and who did not run."""

from eval.omgqa.measures import AVERAGE
from eval.omgqa.reporting.figures import Scored, Standing
from eval.omgqa.reporting.tables import (
    ABSTAINED,
    ANSWERED,
    CITED,
    RETRIEVED_DOCUMENTS,
    RETRIEVED_EVIDENCE,
    Row,
    Table,
    count,
    picked,
)

MEASURED = (AVERAGE, *RETRIEVED_DOCUMENTS, *RETRIEVED_EVIDENCE, *ANSWERED)
NAMED = 5
"""Systems that a note names before it counts the rest."""
NOTHING_RAN = "No system has answered a question yet."


def ranking(scored: Scored) -> Table:
    """Return the ten of each system, with the unjudged rate and bpref beside the precision of evidence."""
    return Table(
        "ranking",
        "Systems by the average of the ten (Table 9)",
        ("rank", "system", *MEASURED),
        tuple(
            Row((count(rank), each.system, *picked(each.figures, MEASURED)), (each.system,))
            for rank, each in enumerate(scored.standings, 1)
        ),
        NOTHING_RAN,
        note=_seeds(scored),
        charted=(AVERAGE,),
    )


def beside(scored: Scored) -> Table:
    """Return citations by claim and abstention, and how much each system was asked."""
    return Table(
        "beside",
        "Citations by claim, abstention, and what was asked",
        ("rank", "system", *CITED, *ABSTAINED, "questions", "seeds"),
        tuple(
            Row(
                (
                    count(rank),
                    each.system,
                    *picked(each.figures, (*CITED, *ABSTAINED)),
                    count(len(each.questions)),
                    count(len(each.seeds)),
                ),
                (each.system,),
            )
            for rank, each in enumerate(scored.standings, 1)
        ),
        NOTHING_RAN,
        note=_unanswered(scored),
    )


def lacking(scored: Scored) -> Table:
    """Return the systems that lack something, and those that have not run, with what they lack."""
    ran = {each.system: each for each in scored.standings}
    rows = (
        Row((name, "; ".join(system.lacking) or "nothing: it has not run yet", count(_answered(ran.get(name)))))
        for name, system in sorted(scored.results.systems.items())
        if system.lacking or name not in ran
    )
    return Table(
        "lacking",
        "Systems that lack something",
        ("system", "lacks", "questions"),
        tuple(rows),
        "Every system of the grid has run, and none lacks anything.",
    )


def _answered(standing: Standing | None) -> int:
    return len(standing.questions) if standing else 0


def _seeds(scored: Scored) -> str:
    several = any(len(each.seeds) > 1 for each in scored.standings)
    return "± is the sample standard deviation between seeds." if several else ""


def _unanswered(scored: Scored) -> str:
    """Say who did not answer all questions: means are over those that were."""
    all_of = len(scored.results.questions)
    those = [each.system for each in scored.standings if len(each.questions) < all_of]
    more = [f"{len(those) - NAMED:,} more"] if len(those) > NAMED else []
    named = ", ".join([*those[:NAMED], *more])
    return f"Means are over answered questions; of {all_of:,} not all were answered by {named}." if those else ""
