"""The answer by a language model (OMG-QA, section 3: the answerer with citation attributions).

A model never sees or writes evidence ids, markers or addresses: it names handles and quotes, and code turns them into
the source's own words (`agent.language.claims`).
"""

from collections.abc import Awaitable, Callable, Sequence

from agent.checking.repair import repaired
from agent.language.addresses import tellable
from agent.language.claims import claims_of
from agent.language.framing import EvidenceFrames, Frame, question_part
from agent.language.replies import WrittenAnswer
from agent.llm.counting import PICTURE_TOKENS
from heliograph.errors import ModelMalformed, SearchUnavailable
from heliograph.protocols import LLM, Answerer
from heliograph.types import Brief, Draft, DraftClaim, Evidence, ImageEvidence, Picture, Prompt, Refusal, Scored
from prompts import render_prompt
from prompts.harmless import harmless

MOST_PICTURES = 4

Pictures = Callable[[ImageEvidence], Awaitable[Picture]]
"""Reads a picture as bytes; raises SearchUnavailable where there is none. A model is never given an address."""


class LanguageAnswerer:
    """Have a model write claims from the evidence; what is computed, code computes.

    The draft of `extractive` is made first. Where it computes a value, that claim leads the answer: a model is not
    asked when the computation is the whole draft, and else writes what the question goes on to ask. One answerer serves
    one run.

    Args:
        pictures: reads pictures for a model that sees; without it images are told by caption and alternative text.
    """

    def __init__(self, llm: LLM, extractive: Answerer, pictures: Pictures | None = None) -> None:
        self._llm = llm
        self._extractive = extractive
        self._pictures = pictures
        self._frames = EvidenceFrames(llm)

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Return the model's claims that cite words of the evidence; none, with a reason of ours, where it abstains.

        Claims with web addresses are left out (`agent.language.addresses`).

        Raises:
            ModelError: the model cannot be asked, or no claim of it cites what stands in the evidence.
        """
        question = brief.question
        draft = await self._extractive.answer(brief, evidence)
        computed = tuple(claim for claim in draft.claims if claim.computation is not None)
        if not evidence or (computed and len(computed) == len(draft.claims)):
            return tellable(draft, question)
        reply, frame = await self._written(question, evidence, computed)
        claims = claims_of(reply, frame)
        if reply.claims and not reply.abstain and not claims:
            raise ModelMalformed("no claim of the language model cites words that stand in the evidence")
        reason = "" if claims else render_prompt("model_abstained", pieces=len(frame.handles))
        return tellable(Draft((*computed, *claims), reason), question)

    async def repair(
        self, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
    ) -> tuple[DraftClaim | None, ...]:
        """Have refused claims rewritten from what they cite (`agent.checking.repair`).

        Raises:
            ModelError: the model cannot be asked.
        """
        return await repaired(self._llm, refused, evidence)

    async def _written(
        self, question: str, evidence: Sequence[Scored[Evidence]], computed: Sequence[DraftClaim]
    ) -> tuple[WrittenAnswer, Frame]:
        system, asked = render_prompt("write_answer"), question_part(question)
        stated = " ".join(harmless(claim.text) for claim in computed)
        values = (render_prompt("known_values", claims=stated),) if computed else ()
        images = [scored.item for scored in evidence if isinstance(scored.item, ImageEvidence)]
        seen = min(MOST_PICTURES, len(images)) if self._pictures else 0
        frame = self._frames.frame(evidence, system, asked, *values, reserved=seen * PICTURE_TOKENS)
        shown = await self._attached(frame)
        parts = (asked, frame.text, *values)
        if shown:
            parts += (render_prompt("attached_pictures", handles=", ".join(shown)),)
        return await self._llm.ask(Prompt("write_answer", system, parts, tuple(shown.values())), WrittenAnswer), frame

    async def _attached(self, frame: Frame) -> dict[str, bytes]:
        """Return the pictures of the first images shown, by handle; an image without a picture keeps its words."""
        pictures: dict[str, bytes] = {}
        for handle, piece in frame.handles.items():
            if self._pictures is None or len(pictures) == MOST_PICTURES:
                break
            if isinstance(piece, ImageEvidence):
                try:
                    pictures[handle] = (await self._pictures(piece)).data
                except SearchUnavailable:
                    continue
        return pictures
