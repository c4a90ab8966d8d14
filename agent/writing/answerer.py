"""The answer by a language model (OMG-QA, section 3: the answerer with citation attributions).

A model never sees or writes evidence ids, markers or addresses: it names handles, quotes and calculations, and code
turns them into the source's own words and into values (`agent.writing.claims`, `agent.writing.calculations`).
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from agent.checking.repair import repaired
from agent.language.addresses import tellable
from agent.language.at_once import all_at_once
from agent.language.framing import EvidenceFrames, Frame, question_part
from agent.llm.counting import PICTURE_TOKENS
from agent.writing.blocks import BlockBuilder, Labels, Part, joined
from agent.writing.calculations import Outcomes, Value, carried_out, known_values, mended
from agent.writing.claims import ClaimReader
from agent.writing.replies import WrittenAnswer, WrittenBlocks, WrittenSummary
from agent.writing.report import (
    Section,
    section_blocks,
    section_part,
    sections_of,
    summary_part,
    summary_prompt,
    written_needs,
)
from heliograph.errors import ModelError, ModelMalformed, SearchUnavailable
from heliograph.protocols import LLM, Answerer
from heliograph.types import Brief, Draft, DraftClaim, Evidence, ImageEvidence, Picture, Prompt, Refusal, Scored
from prompts import render_prompt
from prompts.harmless import harmless

MOST_PICTURES = 4
UNCITED = "no claim of the language model cites words that stand in the evidence"

CALCULATING_ROOM = 3_000
"""Tokens of a prompt from which on a model is told how to name calculations: in less, evidence needs the room more."""
Pictures = Callable[[ImageEvidence], Awaitable[Picture]]
"""Reads a picture as bytes; raises SearchUnavailable where there is none. A model is never given an address."""


@dataclass(frozen=True, slots=True)
class Task:
    """What every call of one answer is given: the brief in words, the evidence, pictures, and values known before."""

    brief: Brief
    asked: str
    frame: Frame
    pictures: Mapping[str, bytes]
    known: Outcomes

    def prompt(self, name: str, system: str, *last: str) -> Prompt:
        """Return a call: what all calls of the answer share comes first, so that a prefix cache serves it."""
        parts = [self.asked, self.frame.text]
        if self.pictures:
            parts.append(render_prompt("attached_pictures", handles=", ".join(self.pictures)))
        return Prompt(name, system, (*parts, *last), tuple(self.pictures.values()))

    @property
    def values(self) -> tuple[str, ...]:
        """The known values as a part of a prompt, if there are any."""
        told = [f"{{{name}}} = {value.text}" for name, value in self.known.items() if isinstance(value, Value)]
        return (render_prompt("known_values", values="\n".join(map(harmless, told))),) if told else ()


@dataclass(frozen=True, slots=True)
class Failure:
    """A part of a report that could not be written."""

    error: ModelError


class LanguageAnswerer:
    """Have a model write claims from the evidence, in the form of the brief; what is computed, code computes.

    A short or long answer is one call. A report is a call per section, side by side, and one for its summary. Where
    calculations could not be carried out, one more call asks for them again. One answerer serves one run.

    Args:
        extractive: answers where there is no evidence, and computes values that the model is offered.
        pictures: reads pictures for a model that sees; without it images are told by caption and alternative text.
    """

    def __init__(self, llm: LLM, extractive: Answerer, pictures: Pictures | None = None) -> None:
        self._llm = llm
        self._extractive = extractive
        self._pictures = pictures
        self._frames = EvidenceFrames(llm)

    async def answer(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Return the model's claims that cite words of the evidence; none, with a reason of ours, where it abstains.

        Claims, headings and captions with web addresses are left out (`agent.language.addresses`).

        Raises:
            ModelError: the model cannot be asked, or no claim of it cites what stands in the evidence.
        """
        if not evidence:
            return await self._extractive.answer(brief, evidence)
        system = _system(brief, self._llm.room)
        match brief.form:
            case "short":
                draft = await self._short(await self._task(brief, evidence, system), system)
            case "long":
                draft = await self._long(await self._task(brief, evidence, system), system)
            case "report":
                draft = await self._report(await self._task(brief, evidence, system), system)
        return tellable(draft, brief.question)

    async def repair(
        self, refused: Sequence[Refusal], evidence: Sequence[Scored[Evidence]]
    ) -> tuple[DraftClaim | None, ...]:
        """Have refused claims rewritten from what they cite (`agent.checking.repair`).

        Raises:
            ModelError: the model cannot be asked.
        """
        return await repaired(self._llm, refused, evidence)

    async def _task(self, brief: Brief, evidence: Sequence[Scored[Evidence]], system: str) -> Task:
        """Frame the evidence, with room for what the last part of any call may take."""
        computed = await self._extractive.answer(brief, evidence) if brief.form != "report" else Draft(())
        known, asked = known_values(computed.claims), _asked(brief)
        images = [scored.item for scored in evidence if isinstance(scored.item, ImageEvidence)]
        seen = min(MOST_PICTURES, len(images)) if self._pictures else 0
        longest = Task(brief, asked, Frame("", {}), {}, known).values
        frame = self._frames.frame(evidence, system, asked, asked, *longest, reserved=seen * PICTURE_TOKENS)
        return Task(brief, asked, frame, await self._attached(frame), known)

    async def _short(self, task: Task, system: str) -> Draft:
        reply = await self._llm.ask(task.prompt("write_answer", system, *task.values), WrittenAnswer)
        if reply.abstain and not reply.claims:
            return _abstention(task)
        (outcomes,) = await mended((carried_out(reply.calculations, task.frame),), task.frame, self._llm, task.asked)
        builder = _builder(task, outcomes)
        part = Part() if reply.abstain else builder.sentences(reply.claims, reply.pictures)
        return _draft(task, part, bool(reply.claims) and not reply.abstain, reply.not_answered)

    async def _long(self, task: Task, system: str) -> Draft:
        reply = await self._llm.ask(task.prompt("write_text", system, *task.values), WrittenBlocks)
        if reply.abstain:
            return _abstention(task)
        (outcomes,) = await mended((carried_out(reply.calculations, task.frame),), task.frame, self._llm, task.asked)
        part = _builder(task, outcomes).part([block for block in reply.blocks if block.kind != "heading"])
        return _draft(task, part, bool(reply.blocks), reply.not_answered)

    async def _report(self, task: Task, system: str) -> Draft:
        sections = sections_of(task.brief)
        replies = await all_at_once(self._section(task, system, section) for section in sections)
        failed = [reply.error for reply in replies if isinstance(reply, Failure)]
        if len(failed) == len(sections):
            raise failed[0]
        written = [reply if isinstance(reply, WrittenBlocks) else WrittenBlocks(blocks=[]) for reply in replies]
        computed = [carried_out(reply.calculations, task.frame) for reply in written]
        outcomes = await mended(computed, task.frame, self._llm, task.asked)
        labels = Labels(task.brief.needs, task.frame)
        made = [
            section_blocks(section, reply, values, task.frame, task.brief.needs, labels)
            for section, reply, values in zip(sections, written, outcomes, strict=True)
        ]
        parts = [part for part, _ in made if part.blocks or part.left_out]
        claims = [claim for part in parts for claim in part.claims]
        if not claims:
            if any(reply.blocks for reply in written):
                raise ModelMalformed(UNCITED)
            return _abstention(task)
        missing = [
            _unwritten(task.brief.needs[place].text, reply)
            for (_, unanswered), reply in zip(made, replies, strict=True)
            for place in sorted(unanswered)
        ]
        return joined([await self._summary(task, claims, labels), *parts], not_found=missing)

    async def _section(self, task: Task, system: str, section: Section) -> WrittenBlocks | Failure:
        """Have needs written about; one part that fails must not cost the others, and its needs are named."""
        last = section_part(section, task.brief.needs)
        try:
            return await self._llm.ask(task.prompt("write_section", system, last), WrittenBlocks)
        except ModelError as err:
            return Failure(err)

    async def _summary(self, task: Task, claims: Sequence[DraftClaim], labels: Labels) -> Part:
        """Have title and summary written; a report whose summary fails has none."""
        try:
            reply = await self._llm.ask(summary_prompt(task.asked, claims), WrittenSummary)
        except ModelError:
            reply = WrittenSummary()
        return summary_part(reply, claims, task.brief, labels)

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


def _system(brief: Brief, room: int) -> str:
    """Return the instructions for a form: the same for every question, so that a prefix cache serves them."""
    citing, calculating = render_prompt("citing"), render_prompt("calculating") if room >= CALCULATING_ROOM else ""
    match brief.form:
        case "short":
            return render_prompt("write_answer", citing=citing, calculating=calculating)
        case "long":
            return render_prompt("write_text", blocks=render_prompt("blocks"), citing=citing, calculating=calculating)
        case "report":
            blocks = render_prompt("blocks")
            return render_prompt("write_section", blocks=blocks, citing=citing, calculating=calculating)


def _asked(brief: Brief) -> str:
    """Return the part of a prompt that says what is asked: the question and, where there are more, all needs."""
    question = question_part(brief.question)
    places = written_needs(brief)
    if len(places) < 2:
        return question
    needs = "\n".join(
        f"[N{place + 1}] {harmless(brief.needs[place].text)}"
        f"{' (little was found for it)' if place in brief.open and place else ''}"
        for place in places
    )
    return f"{question}\n\n{render_prompt('the_needs', needs=needs)}"


def _builder(task: Task, outcomes: Outcomes) -> BlockBuilder:
    labels = Labels(task.brief.needs, task.frame)
    return BlockBuilder(task.frame, ClaimReader(task.frame, {**task.known, **outcomes}), task.brief.needs, labels)


def _draft(task: Task, part: Part, written: bool, not_answered: Collection[int]) -> Draft:
    """Return an answer of one reply.

    Raises:
        ModelMalformed: the model wrote something, and no claim of it cites words that stand in the evidence.
    """
    if not part.claims and written and not part.left_out:
        raise ModelMalformed(UNCITED)
    needs = task.brief.needs
    missing = [needs[place].text for place in written_needs(task.brief) if place + 1 in not_answered]
    if not part.claims:
        return joined([part], _abstention(task).reason, missing)
    return joined([part], not_found=missing)


def _abstention(task: Task) -> Draft:
    """Return a draft without claims that names the needs behind the question, for which the abstention stands."""
    reason = render_prompt("model_abstained", pieces=len(task.frame.handles))
    needs = (task.brief.needs[place].text for place in written_needs(task.brief) if place)
    return Draft((), reason, (), tuple(needs))


def _unwritten(need: str, reply: WrittenBlocks | Failure) -> str:
    return need if isinstance(reply, WrittenBlocks) else f"{need} (the language model failed at this part)"
