"""Systems sorted by the average of the ten (OMG-QA, Table 9), what stands beside it, and who did not run."""

from collections.abc import Sequence

from eval.omgqa.measures import AVERAGE
from eval.omgqa.reporting.figures import Scored, Standing
from eval.omgqa.reporting.tables import (
    ABSTAINED,
    ANSWERED,
    BY_JUDGE,
    BY_STRINGS,
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
UNASKED = "No judge was asked; heliograph eval omgqa correctness asks a model."
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


def correctness(scored: Scored) -> Table:
    """Return how many answers are right, by accepted strings and by a judge, of all questions and of those answered."""
    judge = scored.results.correctness
    return Table(
        "correctness",
        "Correctness, coverage, and selective accuracy",
        ("rank", "system", *BY_STRINGS, *BY_JUDGE, "answers", "questions"),
        tuple(
            Row(
                (
                    count(rank),
                    each.system,
                    *picked(each.figures, (*BY_STRINGS, *BY_JUDGE)),
                    count(sum(not run.run.abstained for run in each.runs)),
                    count(len(each.questions)),
                ),
                (each.system,),
            )
            for rank, each in enumerate(scored.standings, 1)
        ),
        NOTHING_RAN,
        note=(
            "Correct is the share of questions with known answers whose answer states one of them; coverage the share "
            "of all questions that were answered; selective accuracy the share of these answers that are right, an "
            f"answer to a question that has none being wrong. {f'The judge is {judge}.' if judge else UNASKED}"
        ),
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
    """Return the systems that lack something, and those that have not run; what several lack is said once."""
    ran = {each.system: each for each in scored.standings}
    alike: dict[tuple[str, int], list[str]] = {}
    for name, system in sorted(scored.results.systems.items()):
        if system.lacking or name not in ran:
            lacks = "; ".join(system.lacking) or "nothing: it has not run yet"
            alike.setdefault((lacks, _answered(ran.get(name))), []).append(name)
    every = len(scored.results.systems)
    rows = (Row((_named(names, every, "all"), lacks, count(answers))) for (lacks, answers), names in alike.items())
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
    named = _named(those, len(scored.standings), "any of the")
    return f"Means are over answered questions; of {all_of:,} not all were answered by {named}." if those else ""


def _named(systems: Sequence[str], every: int, whole: str) -> str:
    """Name systems, the first few of many, and all of so many as a `whole`."""
    if len(systems) == every > 1:
        return f"{whole} {every:,} systems"
    more = [f"{len(systems) - NAMED:,} more"] if len(systems) > NAMED else []
    return ", ".join([*systems[:NAMED], *more])
