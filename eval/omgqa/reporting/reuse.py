"""What systems that share a home folder and a judge took from each other: pages, vectors and judgements."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, fields

from eval.omgqa.judging.answers import Answered, answer_cases
from eval.omgqa.judging.cases import Case, Shown
from eval.omgqa.pooling import relevancy_case
from eval.omgqa.records import Pair
from eval.omgqa.reporting.figures import Figure, Scored
from eval.omgqa.reporting.ranking import NOTHING_RAN
from eval.omgqa.reporting.tables import Row, Table, count
from eval.omgqa.results import JudgedRun, Results
from heliograph.types import EvidenceId, VectorUse

COLUMNS = (
    "system",
    "pages",
    "fetched",
    "pages reused",
    "embeddings",
    "in the index",
    "in the cache",
    "embedded",
    "embeddings reused",
    "judgements",
    "judged",
    "judgements reused",
)
EVERY = "all"
UNKNOWN = VectorUse(0, 0)
"""Stands in sums for what an answer does not tell, which leaves the figures of its system empty."""
NOTE = (
    "What several answers need is new to the one that came first and reused by the others. Embeddings are those of the "
    "texts and pictures of pages: they stand in the index, or in the cache from another index or page, or are embedded."
)
UNTOLD = " Embeddings of answers that do not tell how many they needed are left empty."


@dataclass(frozen=True, slots=True)
class Reuse:
    """What answers needed of pages, vectors and judgements, and what of each was new.

    `pages` were read; `fetched` came from a source, some that could not be read among them. Of `needed` vectors the
    cache was `asked` for some, and a model `embedded` some of these. Of `cases` to be judged, `judged` had not been
    judged before. `untold` counts answers that do not tell of vectors.
    """

    pages: int = 0
    fetched: int = 0
    needed: int = 0
    asked: int = 0
    embedded: int = 0
    cases: int = 0
    judged: int = 0
    untold: int = 0


def reuse(scored: Scored) -> Table:
    """Return how much each system reused of what was there when it came, and all together."""
    found = reuse_by_system(scored.results)
    names = tuple(each.system for each in scored.standings)
    rows = [_row(name, (name,), found[name]) for name in names]
    total = _total(found.values())
    return Table(
        "reuse",
        "What was reused",
        COLUMNS,
        (*rows, _row(EVERY, names, total)) if rows else (),
        NOTHING_RAN,
        note=NOTE + (UNTOLD if total.untold else ""),
    )


def reuse_by_system(results: Results) -> dict[str, Reuse]:
    """Count what the answers of each system needed, and what was new, in the order in which they were asked."""
    decided = {each.pair for each in results.pool if each.judge == results.judge}
    seen: set[Case] = set()
    found: dict[str, list[Reuse]] = {}
    for each in sorted(results.runs, key=_when):
        cases = {case for case in _cases(each, results) if _needs_word(case, each, decided)}
        found.setdefault(each.run.system, []).append(_reuse(each, len(cases), len(cases - seen)))
        seen |= cases
    return {system: _total(those) for system, those in found.items()}


def _when(each: JudgedRun) -> tuple[str, str, str, int, str]:
    """Order answers by the names of their runs, which begin with the time; where there are none, by what was asked."""
    run = each.run
    return run.run, run.system, run.question, run.seed, run.answer


def _reuse(each: JudgedRun, cases: int, judged: int) -> Reuse:
    usage, pages = each.run.usage, len(each.run.documents)
    vectors = usage.vectors or UNKNOWN
    untold = int(usage.vectors is None and pages > 0)
    return Reuse(pages, usage.pages_read, vectors.needed, vectors.asked, usage.embedded, cases, judged, untold)


def _cases(each: JudgedRun, results: Results) -> Iterator[Case]:
    """Yield what is judged of an answer and what it found; evidence stands for itself by its id."""
    asked = results.questions[each.run.question]
    yield from answer_cases(Answered(each.run, asked.question, _by_name))
    for unit in (*each.judged.retrieved, *each.judged.cited):
        yield relevancy_case(asked, unit, _by_name)


def _needs_word(case: Case, each: JudgedRun, decided: Set[Pair]) -> bool:
    """Tell whether the judge had to decide a case: of pairs that authors labelled only those that it decided too."""
    return case.task != "relevancy" or Pair(each.run.question, case.evidence[0].id) in decided


def _by_name(evidence: EvidenceId) -> Shown:
    return Shown(evidence, "text", (), "")


def _total(several: Iterable[Reuse]) -> Reuse:
    those = list(several)
    return Reuse(**{field.name: sum(getattr(each, field.name) for each in those) for field in fields(Reuse)})


def _row(name: str, systems: tuple[str, ...], of: Reuse) -> Row:
    vectors = (
        *map(count, (of.needed, of.needed - of.asked, of.asked - of.embedded, of.embedded)),
        _share(of.needed, of.embedded),
    )
    cells = (
        *(count(of.pages), count(of.fetched), _share(of.pages, of.fetched)),
        *(Figure(None) if of.untold else each for each in vectors),
        *(count(of.cases), count(of.judged), _share(of.cases, of.judged)),
    )
    return Row((name, *cells), systems)


def _share(needed: int, new: int) -> Figure:
    """Return the share that was there; a page that was fetched and could not be read makes it no less than none."""
    return Figure(max(0.0, 1 - new / needed) if needed else None)
