"""Plan and reflection without a language model: the parts of the wording, and how probably the evidence answers."""

import asyncio
import re
from collections.abc import Collection, Sequence

from agent.extractive.asked import topic_of
from agent.extractive.composer import Composer
from agent.extractive.hops import bridges_of
from agent.extractive.leads import leads
from agent.extractive.spelling import respelled, respellings
from heliograph.protocols import DocumentSearch
from heliograph.types import (
    Evidence,
    FormChoice,
    Need,
    NeedVerdict,
    PageKey,
    Plan,
    RoundRecord,
    Scored,
    Verdict,
)

SUFFICIENT = 0.8
"""Confidence from which a further round is not worth its pages."""
BRIDGES = 2
"""Names of what the question describes of which one reflection makes needs."""


class ExtractivePlanner:
    """Take the question for the first need, and its second question, where it has one, for another.

    Words that none of the `sources` knows are read as those that they propose.
    """

    def __init__(self, sources: Sequence[DocumentSearch] = ()) -> None:
        self._sources = sources

    async def plan(self, question: str, form: FormChoice) -> Plan:
        """Return a plan without queries: those are made of the question's rare words."""
        read = await respellings(question, self._sources)
        question = respelled(question, read)
        parts = (part for part in split_questions(question) if part and part != question)
        needs = (Need(question), *(Need(part, "plan") for part in parts))
        broad = form not in ("auto", "short") or (form == "auto" and topic_of(question))
        return Plan("long" if broad else "short", needs, respelled=read)


class ExtractiveReflector:
    """Judge evidence by the answer that could be composed of it (OMG-QA, section 3: the evaluation module)."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer

    async def reflect(
        self,
        needs: Sequence[Need],
        evidence: Sequence[Scored[Evidence]],
        memory: Sequence[RoundRecord],  # noqa: ARG002 - what was asked and missed before makes no difference
        read: Collection[PageKey],
        queries: Sequence[str],  # noqa: ARG002 - nor what this round asked
    ) -> Verdict:
        """Return sufficient where an answer has a confidence of SUFFICIENT; else which words of the question lack.

        Of a thing that the question describes and evidence names, what is missing is a need of its own.
        """
        question = needs[0].text
        plan = await self._composer.plan(question, evidence, needs[0].table)
        sufficient = plan.has_answer and plan.confidence >= SUFFICIENT
        named = (
            () if sufficient else await asyncio.to_thread(bridges_of, plan.question, [each.item for each in evidence])
        )
        missing = " ".join(plan.missing)
        return Verdict(
            sufficient=sufficient,
            missing=plan.missing,
            leads=leads(question, evidence, read),
            feedback=f"confidence {plan.confidence:.2f}",
            needs=tuple(NeedVerdict(place, sufficient) for place in range(len(needs))),
            born=tuple(Need(f"{name}: {missing}", "bridge") for name in named[:BRIDGES]) if missing else (),
        )


_SECOND = re.compile(
    r",? and (?P<second>(?:(?:in|by|for|on|to|at) )?(?:who|whom|when|where|how|which|what|why)\b)", re.IGNORECASE
)
FIRST_WORDS = 4
"""Words of a question before which no second one hangs on it: "When and where …"."""


def split_questions(question: str) -> tuple[str, str]:
    """Split off a second question that hangs on the first: "Which is the largest, and who found it?"; empty if none."""
    found = _SECOND.search(question)
    if found is None or len(question[: found.start()].split()) < FIRST_WORDS:
        return question, ""
    return question[: found.start()], question[found.start("second") :]
