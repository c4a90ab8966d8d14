"""The pool: what questions need (OMG-QA, Table 8), who judged how much, and how far judges agree (Table 7)."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from statistics import fmean

from eval.omgqa.judged import Unit
from eval.omgqa.judging.agreement import agreement_of
from eval.omgqa.records import Judgement
from eval.omgqa.reporting.figures import Figure, Scored
from eval.omgqa.reporting.modalities import needed
from eval.omgqa.reporting.tables import Row, Table, count
from heliograph.types import MODALITIES, Modality

Word = tuple[str, Unit]
"""What is judged: a piece of evidence for a question."""


def statistics(scored: Scored) -> Table:
    """Return what the questions need and what was judged relevant, as Table 8 has it."""
    properties = _properties(scored) if scored.results.questions else ()
    return Table(
        "statistics",
        "Questions and their relevant evidence (Table 8)",
        ("property", "value"),
        tuple(Row(each) for each in properties),
        "There are no questions.",
    )


def judges(scored: Scored) -> Table:
    """Return who judged how much of the pool, each prompt by its hash."""
    by_judge: dict[tuple[str, str], list[Judgement]] = {}
    for each in scored.results.pool:
        by_judge.setdefault((each.judge, each.prompt), []).append(each)
    return Table(
        "judges",
        "Judges of the pool",
        ("judge", "prompt", "judgements", "relevant", "confidence"),
        tuple(
            Row((judge, prompt or "–", count(len(those)), _share(those), _confidence(those)))
            for (judge, prompt), those in sorted(by_judge.items())
        ),
        "Nothing was judged yet.",
        note="Prompt is the sha256 of what the judge is told to do; people have none. Confidence is a mean.",
    )


def agreement(scored: Scored) -> Table:
    """Return how far each two judges agree on the relevancy of the evidence that both judged."""
    words: dict[str, dict[Word, bool]] = {}
    for each in scored.results.pool:
        words.setdefault(each.judge, {})[each.question, each.evidence] = each.relevant
    pairs = ((first, second, _both(words[first], words[second])) for first, second in combinations(sorted(words), 2))
    return Table(
        "agreement",
        "Agreement of judges on relevancy (Table 7)",
        ("first", "second", "agreement", "kappa", "cases", "only first says relevant", "only second does"),
        tuple(_agreement_row(first, second, both, words) for first, second, both in pairs if both),
        "No evidence was judged by two judges.",
    )


def modality_of_unit(unit: Unit) -> Modality:
    """Tell the modality of a unit by the letter of its leaf."""
    leaf = unit.partition("#")[2].partition("/")[2]
    return "table" if leaf.startswith("t") else "image" if leaf.startswith("i") else "text"


def _properties(scored: Scored) -> Iterable[tuple[str, Figure]]:
    questions = scored.results.questions
    relevant = [scored.labels[id].relevant for id in sorted(questions) if id in scored.labels]
    answerable = [units for units in relevant if units]
    yield "questions", count(len(questions))
    yield "questions with relevant evidence", count(len(answerable))
    yield "words of a question, on average", _mean(len(each.question.split()) for each in questions.values())
    yield "relevant documents of an answerable question", _mean(_documents(units) for units in answerable)
    yield "relevant pieces of evidence of an answerable question", _mean(map(len, answerable))
    yield "judgements", count(len(scored.results.pool))
    known = Counter(needed(scored, id) for id in questions)
    for many in sorted(known.keys() - {0}):
        share = Figure(known[many] / (len(questions) - known[0]))
        yield f"share of questions that need {many} {'modality' if many == 1 else 'modalities'}", share
    kinds = Counter(modality_of_unit(unit) for units in answerable for unit in units)
    for modality in MODALITIES if answerable else ():
        yield f"share of relevant evidence that is {modality}", Figure(kinds[modality] / kinds.total())


def _documents(units: Iterable[Unit]) -> int:
    return len({unit.partition("#")[0] for unit in units})


def _mean(values: Iterable[int]) -> Figure:
    those = list(values)
    return Figure(fmean(those) if those else None, digits=1)


def _share(judgements: list[Judgement]) -> Figure:
    return Figure(sum(each.relevant for each in judgements) / len(judgements))


def _confidence(judgements: list[Judgement]) -> Figure:
    told = [each.confidence for each in judgements if each.confidence is not None]
    return Figure(fmean(told) if told else None)


def _both(first: dict[Word, bool], second: dict[Word, bool]) -> list[Word]:
    return sorted(first.keys() & second.keys())


def _agreement_row(first: str, second: str, both: list[Word], words: dict[str, dict[Word, bool]]) -> Row:
    found = agreement_of((words[first][word], words[second][word]) for word in both)
    disputed = sorted(
        {question for question, unit in both if words[first][question, unit] != words[second][question, unit]}
    )
    cells = (
        first,
        second,
        Figure(found.agreement),
        Figure(found.kappa),
        count(found.cases),
        count(found.only_first),
        count(found.only_second),
    )
    return Row(cells, disputed=tuple(disputed))
