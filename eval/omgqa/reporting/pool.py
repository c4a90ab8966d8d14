"""The pool: what questions need (OMG-QA, Table 8), who judged how much, and how far judges agree (Table 7)."""

from collections import Counter
from collections.abc import Iterable
from statistics import fmean

from eval.omgqa.judged import Unit
from eval.omgqa.judging.alignment import TASKS, Alignment, CaseName, alignments, spoken, task_name
from eval.omgqa.judging.cases import Task, Word
from eval.omgqa.records import AUTHORS, Pair
from eval.omgqa.reporting.figures import Figure, Scored
from eval.omgqa.reporting.modalities import needed
from eval.omgqa.reporting.tables import Row, Table, count
from eval.omgqa.results import Results
from heliograph.types import MODALITIES, Modality


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
    """Return who decided how much of each task, each prompt by its hash."""
    return Table(
        "judges",
        "Judges of the pool and of the answers",
        ("task", "judge", "prompt", "cases", "yes", "confidence"),
        tuple(
            Row((task_name(task), judge, prompt or "–", count(len(those)), _share(those), _confidence(those)))
            for (task, judge, prompt), those in _words_by_prompt(scored.results).items()
        ),
        "Nothing was judged yet.",
        note=(
            "Prompt is the sha256 of what the judge is told to do; people have none. Confidence is a mean. "
            f"The measures are by the words of {scored.results.judge} alone; on the relevancy of evidence, by the "
            f"labels of {AUTHORS} where a question has them."
        ),
        grouped=1,
    )


def agreement(scored: Scored) -> Table:
    """Return how far each two judges agree on the cases that both decided, task by task."""
    results = scored.results
    found = alignments(spoken(results.pool, results.said))
    return Table(
        "agreement",
        "Agreement of judges (Table 7)",
        ("task", "first", "second", "cases", "agreement", "kappa", "only first says yes", "only second does"),
        tuple(_agreement_row(each, results) for each in found),
        "No case was decided by two judges.",
        note=(
            "A row rests on the cases that both decided, equal ones counted once: as many as its column says. "
            "Kappa is Cohen's, and has no value where both only ever say one word."
        ),
        grouped=1,
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


def _share(words: list[Word]) -> Figure:
    return Figure(sum(each.yes for each in words) / len(words))


def _confidence(words: list[Word]) -> Figure:
    told = [each.confidence for each in words if each.confidence is not None]
    return Figure(fmean(told) if told else None)


def _words_by_prompt(results: Results) -> dict[tuple[Task, str, str], list[Word]]:
    """Return all words by task, judge and prompt, in the order of Table 7: on relevancy those of the pool."""
    found: dict[tuple[Task, str, str], list[Word]] = {}
    for each in results.pool:
        found.setdefault(("relevancy", each.judge, each.prompt), []).append(Word(each.relevant, each.confidence))
    for asked, said in results.said.items():
        if said.task != "relevancy":
            found.setdefault((said.task, asked.judge, asked.prompt), []).append(said.word)
    return {key: found[key] for key in sorted(found, key=lambda key: (TASKS.index(key[0]), *key[1:]))}


def _agreement_row(found: Alignment, results: Results) -> Row:
    counts = found.agreement
    cells = (
        task_name(found.task),
        found.first,
        found.second,
        count(counts.cases),
        Figure(counts.agreement),
        Figure(counts.kappa),
        count(counts.only_first),
        count(counts.only_second),
    )
    return Row(cells, disputed=tuple(sorted({id for case in found.disputed for id in _question_of(case, results)})))


def _question_of(case: CaseName, results: Results) -> tuple[str, ...]:
    """Return the question of a case, none where no answer of the report has it."""
    match case:
        case Pair():
            return (case.question,)
        case str():
            return (results.asked[case].question,) if case in results.asked else ()
