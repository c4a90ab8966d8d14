"""Whether claims are supported by what they cite: code refuses what it can know, a language model judges the rest.

    what code finds                                                      verdict
    the evidence is not at hand                                          unchecked
    nothing is cited, or a quote is not in what it cites                 unsupported
    a quantity that stands nowhere (`agent.citations.quantities`)        unsupported
    a computation whose table does not give its value again              unsupported
    a computation that does, told in its words and the question's        computed
    a whole sentence, row, cell or caption of what is cited              quoted
    words that stand in what is cited, where a small model would judge   supported
    anything else                                                        the model's: supported, partial, unsupported

`partial` does not stay: like `unsupported` it is repaired or dropped; the reason tells a repair which detail to strike.
All claims of one call are judged in one prompt, or in as few as fit. A model that is asked sees what a reader sees
(`agent.checking.shown`). Small models refuse what stands there word for word: the first claim of an answer that its
model refuses against the words (`agent.citations.stands_in_words`) is asked about once more, alone, yes or no, and
that word counts.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from agent.checking.shown import AROUND_CHARACTERS, ClaimsFrame, Exhibit, exhibit_of, pages, show
from agent.citations import ExtractiveClaimVerifier
from agent.citations.computations import joined_tables, told_by
from agent.citations.grounds import Ground, ground_of
from agent.citations.quantities import missing_quantities
from agent.citations.verdicts import KEPT, worst
from agent.citations.verifier import (
    BARE,
    NOT_COMPUTED,
    is_extract,
    judgment,
    located_verdict,
    nowhere,
    stands_in_words,
    unfit,
)
from agent.language.addresses import holds_address
from agent.language.at_once import all_at_once
from agent.language.framing import question_part
from agent.language.replies import NOTE_CHARACTERS
from heliograph.errors import ModelMalformed
from heliograph.protocols import LLM
from heliograph.text.words import content_stems, stems
from heliograph.types import (
    ClaimVerdict,
    Computation,
    DraftClaim,
    Evidence,
    EvidenceId,
    Judgment,
    Prompt,
    TableEvidence,
)
from prompts import render_prompt
from prompts.harmless import clipped, harmless
from prompts.replies import MaxItems, MaxLength, Number, Said

MOST_JUDGED = 24
"""Claims of one prompt: the verdicts on more might not fit a reply."""
REASON_CHARACTERS = 2 * NOTE_CHARACTERS
"""Characters of a reason in which pieces have names."""
UNEXPLAINED = "the judge gave no reason"
CHOICES = ("yes", "no")


class JudgedClaim(Said):
    """What a judge says of one claim: why, and only then what."""

    claim: Number
    reason: Annotated[str, MaxLength(NOTE_CHARACTERS)]
    verdict: Literal["supported", "partial", "unsupported"]


class JudgedClaims(Said):
    """Verdicts, one a claim."""

    verdicts: Annotated[list[JudgedClaim], MaxItems(MOST_JUDGED)]


class JudgingClaimVerifier:
    """Check claims by code, and have a model judge what code leaves open (the table of this module).

    Figures of the `question` may stand in a claim without standing in its evidence. One verifier serves one answer,
    whose model is asked about a single claim at most once; several calls may run side by side.

    Args:
        small: the model refuses much that is right, so that a claim that its words speak for needs no vote of it.
    """

    def __init__(self, llm: LLM, question: str = "", *, small: bool = False) -> None:
        self._llm = llm
        self._question = question
        self._small = small
        self._asked_alone = False

    async def verify(self, claims: Sequence[DraftClaim], cited: Mapping[EvidenceId, Evidence]) -> tuple[Judgment, ...]:
        """Judge claims, in their order.

        Raises:
            ModelError: the model cannot be asked, or leaves out a claim twice.
        """
        found: list[Judgment | Exhibit] = []
        for claim in claims:
            grounds = [ground_of(quote, cited) for quote in claim.quotes]
            known = await asyncio.to_thread(by_code, claim, grounds, cited, self._question, small=self._small)
            if known is None and self._small and await asyncio.to_thread(_in_words, claim, cited, self._question):
                known = _overall(claim, "supported", "")
            found.append(await asyncio.to_thread(exhibit_of, claim, grounds, cited) if known is None else known)
        exhibits = [each for each in found if isinstance(each, Exhibit)]
        judged = await self._judged(exhibits)
        if not self._asked_alone:
            place = await asyncio.to_thread(self._doubtful, exhibits, judged, cited)
            if place is not None:
                self._asked_alone = True
                judged[place] = await self._alone(exhibits[place], judged[place])
        left = iter(judged)
        return tuple(next(left) if isinstance(each, Exhibit) else each for each in found)

    def _doubtful(
        self, exhibits: Sequence[Exhibit], judged: Sequence[Judgment], cited: Mapping[EvidenceId, Evidence]
    ) -> int | None:
        """Return the place of the first claim that the model refuses and words speak for."""
        return next(
            (
                place
                for place, (exhibit, said) in enumerate(zip(exhibits, judged, strict=True))
                if said.claim.verdict not in KEPT and _in_words(exhibit.claim, cited, self._question)
            ),
            None,
        )

    async def _alone(self, exhibit: Exhibit, refused: Judgment) -> Judgment:
        """Ask about one claim, yes or no; it stays refused, for the reason given before, where that is no."""
        system, asked = render_prompt("assess_support"), question_part(self._question)
        last = (render_prompt("the_claim", claim=harmless(exhibit.claim.text)), render_prompt("is_it_supported"))
        shown = await asyncio.to_thread(show, self._llm, [exhibit], AROUND_CHARACTERS, system, asked, *last)
        prompt = Prompt("is_it_supported", system, (asked, shown.frame.text, *last))
        yes, _ = await self._llm.choose(prompt, CHOICES)
        return _overall(exhibit.claim, "supported", "") if yes >= 0.5 else refused

    async def _judged(self, exhibits: Sequence[Exhibit]) -> list[Judgment]:
        system, asked = render_prompt("judge_claims"), question_part(self._question)
        parts = await asyncio.to_thread(
            lambda: list(pages(self._llm, exhibits, MOST_JUDGED, AROUND_CHARACTERS, system, asked))
        )
        judged = await all_at_once(self._part(part, system, asked) for part in parts)
        return [each for part in judged for each in part]

    async def _part(self, shown: ClaimsFrame, system: str, asked: str) -> list[Judgment]:
        """Ask about all claims of one prompt, and once more about those that are left out."""
        found = await self._ask(shown, system, asked)
        left = [place for place in range(len(shown.exhibits)) if place not in found]
        if left:
            exhibits = [shown.exhibits[place] for place in left]
            shown_again = await asyncio.to_thread(show, self._llm, exhibits, AROUND_CHARACTERS, system, asked)
            again = await self._ask(shown_again, system, asked)
            found |= {left[place]: judged for place, judged in again.items()}
        if len(found) < len(shown.exhibits):
            raise ModelMalformed(
                f"the judge gave {len(found)} of {len(shown.exhibits)} claims a verdict; ask a stronger model"
            )
        return [found[place] for place in range(len(shown.exhibits))]

    async def _ask(self, shown: ClaimsFrame, system: str, asked: str) -> dict[int, Judgment]:
        """Return judgments by the place of their claim; of several on one claim the worst."""
        reply = await self._llm.ask(
            Prompt("judge_claims", system, (asked, shown.frame.text, shown.claims)), JudgedClaims
        )
        found: dict[int, JudgedClaim] = {}
        for each in reply.verdicts:
            place = each.claim - 1
            known = found.get(place, each)
            if 0 <= place < len(shown.exhibits):
                found[place] = each if worst(each.verdict, known.verdict) == each.verdict else known
        return {place: _told(shown, shown.exhibits[place], each) for place, each in found.items()}


def by_code(
    claim: DraftClaim,
    grounds: Sequence[Ground],
    cited: Mapping[EvidenceId, Evidence],
    question: str,
    *,
    small: bool = False,
) -> Judgment | None:
    """Return what code can know of a claim; None where that is nothing, and a model is to judge it.

    A `small` model is not asked about the words around a value that a computation gives.
    """
    if reason := unfit(grounds):
        quoted = worst(*map(located_verdict, grounds))
        verdicts = [*map(located_verdict, grounds), *(("unchecked",) if claim.computation else ())]
        return judgment(claim.text, verdicts, quoted, reason)
    if claim.computation is not None:
        return _computed(claim, claim.computation, grounds, cited, question, small=small)
    if not grounds:
        return judgment(claim.text, (), "unsupported", BARE)
    if missing := missing_quantities(claim.text, grounds, question):
        return _overall(claim, "unsupported", nowhere(missing))
    return _overall(claim, "quoted", "") if is_extract(claim.text, grounds) else None


def _in_words(claim: DraftClaim, cited: Mapping[EvidenceId, Evidence], question: str) -> bool:
    grounds = [ground_of(quote, cited) for quote in claim.quotes]
    return claim.computation is None and stands_in_words(claim.text, grounds, question)


def _computed(
    claim: DraftClaim,
    computation: Computation,
    grounds: Sequence[Ground],
    cited: Mapping[EvidenceId, Evidence],
    question: str,
    *,
    small: bool,
) -> Judgment | None:
    checked = ExtractiveClaimVerifier(question).check(claim, cited)
    table, kept = cited.get(computation.table), checked.claim.verdict in KEPT
    if (kept and small) or not isinstance(table, TableEvidence):
        return checked
    told = told_by(computation, table, joined_tables(computation, cited))
    if not told:
        return _overall(claim, "unsupported", NOT_COMPUTED)
    if kept:  # words of its own may say of the value what is not so: that it is the least where it is the greatest
        own = frozenset(content_stems(claim.text)) - frozenset(stems(" ".join((*told, computation.column, question))))
        turned = computation.operation == "comparison"  # the same words say the opposite: "No, A is denser than B"
        return None if own or turned else checked
    missing = missing_quantities(claim.text, grounds, *told, question)
    return _overall(claim, "unsupported", nowhere(missing)) if missing else None


def _told(shown: ClaimsFrame, exhibit: Exhibit, said: JudgedClaim) -> Judgment:
    """Return a judge's word as a judgment, with names for its handles; a computation that holds stays one."""
    told = "" if holds_address(said.reason) else shown.reason(said.reason, exhibit)
    reason = clipped(harmless(told), REASON_CHARACTERS)
    return _overall(exhibit.claim, said.verdict, reason or UNEXPLAINED)


def _overall(claim: DraftClaim, verdict: ClaimVerdict, reason: str) -> Judgment:
    """Return a judgment in which every citation has the verdict of the claim."""
    computed: ClaimVerdict = "computed" if verdict in KEPT else verdict
    verdicts = [verdict] * len(claim.quotes) + [computed] * (claim.computation is not None)
    return judgment(claim.text, verdicts, computed if claim.computation else verdict, reason)
