"""The answer in a few words without a language model: for measures that compare it with a short gold answer."""

from collections.abc import Iterator, Sequence

from agent.extractive.answers import LIKELY, SURE, Candidate, candidates, new_cells
from agent.extractive.composer import Composer, Plan
from agent.extractive.coverage import Match, Run
from agent.extractive.focus import Focus
from agent.extractive.hops import is_called, new_names
from heliograph.text.words import akin, content_stems, stems
from heliograph.types import Evidence, Scored, TableSegment


class ExtractiveReader:
    """Answer as `ExtractiveAnswerer` does, by the same plan, but by a value, a cell or a few words of its quote."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def read(self, question: str, evidence: Sequence[Scored[Evidence]]) -> str:
        """Return the short answer; nothing where the answerer abstains."""
        plan = await self._composer.plan(question, evidence)
        return short_answer(plan) if plan.has_answer else ""


def short_answer(plan: Plan) -> str:
    """Return what is of the kind asked for in the sentence or row that answers best, or else all of it.

    A computed value is the answer where the question does not go on from it, and so is what a trained reader took.
    """
    if plan.answer is not None:
        return plan.answer.text
    if not plan.runs:
        return plan.computed.answer if plan.computed else ""
    best = max(plan.runs[-1].matches, key=lambda match: (match.holds, match.cosine))
    asked = plan.focus.asked
    found = _called(plan.focus, best) if asked.kind == "open" else candidates(asked, plan.focus.question, best.unit)
    likely = max((each for each in found if each.weight > 0), key=lambda each: each.weight, default=None)
    return likely.text if likely else best.unit.quote


def _called(focus: Focus, match: Match) -> Iterator[Candidate]:
    """Yield what is called by the noun that is asked for: cells of its column, or names right behind it."""
    noun, run = focus.asked.noun, Run((match,))
    if isinstance(run.evidence, TableSegment):
        yield from _cells(focus, run.evidence)
        return
    names = sorted(
        new_names(run, frozenset(stems(focus.question))), key=lambda name: (run.quote.find(name), -len(name))
    )
    yield from (Candidate(name, SURE) for name in names if is_called(name, run, noun))


def _cells(focus: Focus, row: TableSegment) -> Iterator[Candidate]:
    """Yield cells whose column the question says; what is asked for it mostly says first ("What is the height of")."""
    asked = stems(focus.question)
    for header, cell in new_cells(focus.question, row):
        named = content_stems(header)
        places = [place for place, word in enumerate(asked) if any(akin(word, other) for other in named)]
        if places:
            yield Candidate(cell, SURE if focus.asked.noun & frozenset(named) else LIKELY / (1 + places[0]))
