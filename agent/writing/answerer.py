"""The answer by a language model (OMG-QA, section 3: the answerer with citation attributions).

A model never sees or writes evidence ids, markers or addresses: it names handles, quotes and calculations, and code
turns them into the source's own words and into values (`agent.writing.claims`, `agent.writing.calculations`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat, starmap

from agent.checking.repair import repaired
from agent.language.addresses import tellable
from agent.language.at_once import all_at_once
from agent.language.framing import EvidenceFrames, Frame, question_part
from agent.llm.counting import PICTURE_TOKENS
from agent.writing.blocks import BlockBuilder, Labels, Part, joined
from agent.writing.calculations import REASON_CHARACTERS, Outcomes, Value, carried_out, known_values, mended
from agent.writing.claims import CITES_NOTHING, ClaimReader
from agent.writing.replies import FewClaims, WrittenAnswer, WrittenBlocks, WrittenSummary
from agent.writing.report import (
    Section,
    need_line,
    not_found_in,
    outline_part,
    own_first,
    reading_order,
    section_blocks,
    section_part,
    sections_of,
    summary_part,
    summary_prompt,
    told_in_part,
    unanswered_needs,
    without_kin,
    without_repeats,
    written_needs,
)
from heliograph.errors import ModelError, ModelMalformed, SearchUnavailable
from heliograph.protocols import LLM, Answerer
from heliograph.types import (
    Brief,
    Computation,
    Draft,
    DraftClaim,
    Evidence,
    ImageEvidence,
    Picture,
    Prompt,
    Refusal,
    Scored,
)
from prompts import render_prompt
from prompts.harmless import clipped, harmless

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
        """The known values as a part of a prompt, if there are any; cells that are shown are not told twice."""
        told = [
            f"{{{name}}} = {self._told(value)}"
            for name, value in self.known.items()
            if isinstance(value, Value) and not self._is_shown(value.computation)
        ]
        return (render_prompt("known_values", values="\n".join(told)),) if told else ()

    def _told(self, value: Value) -> str:
        handles = (handle for handle, piece in self.frame.handles.items() if piece.id == value.computation.table)
        table = next(handles, "a table that is not shown")
        how = clipped(harmless(value.description.removesuffix(".").removesuffix(f": {value.text}")), REASON_CHARACTERS)
        return f"{harmless(value.text)} ({table}: {how})"

    def _is_shown(self, computation: Computation) -> bool:
        """Tell whether a value is the cells of rows that the frame shows."""
        shown = {piece.id for piece in self.frame.handles.values()}
        return computation.operation == "filter" and shown.issuperset(computation.rows)


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
        small: a short answer is asked for in few words, as claims alone, by the question before and behind the
            evidence: a small model that is told of needs, calculations and pictures answers none of the question.
    """

    def __init__(
        self, llm: LLM, extractive: Answerer, pictures: Pictures | None = None, *, small: bool = False
    ) -> None:
        self._llm = llm
        self._extractive = extractive
        self._pictures = pictures
        self._small = small

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
            case "short" if self._small:
                draft = await self._few_claims(brief, evidence)
            case "short":
                draft = await self._short(await self._task(brief, evidence, system), system)
            case "long":
                draft = await self._long(await self._task(brief, evidence, system), system)
            case "report":
                draft = await self._report(brief, evidence, system)
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
        computed = await self._extractive.answer(brief, evidence)
        pieces, asked = {scored.item.id: scored.item for scored in evidence}, _asked(brief)
        known = await asyncio.to_thread(known_values, computed.claims, pieces)
        longest = Task(brief, asked, Frame("", {}), {}, known).values
        reserved = self._reserved(evidence)
        beside = (system, *self._asked_again(asked), *longest)
        frames = EvidenceFrames(self._llm)
        frame = await asyncio.to_thread(frames.frame, evidence, *beside, reserved=reserved)
        return Task(brief, asked, frame, await self._attached(frame), known)

    def _asked_again(self, asked: str) -> tuple[str, ...]:
        """Return what is asked as often as a prompt may say it: once more where calculations are asked for again."""
        return (asked,) * (2 if self._llm.room >= CALCULATING_ROOM else 1)

    def _reserved(self, evidence: Sequence[Scored[Evidence]]) -> int:
        """Return the tokens kept for pictures of the evidence."""
        images = sum(isinstance(scored.item, ImageEvidence) for scored in evidence)
        return min(MOST_PICTURES, images) * PICTURE_TOKENS if self._pictures else 0

    async def _few_claims(self, brief: Brief, evidence: Sequence[Scored[Evidence]]) -> Draft:
        """Have a small model write claims and nothing else; what code computes, code answers."""
        computed = await self._extractive.answer(brief, evidence)
        if any(claim.computation for claim in computed.claims):
            return computed
        system, asked = render_prompt("write_answer_small"), question_part(brief.question)
        frames, reserved = EvidenceFrames(self._llm), self._reserved(evidence)
        frame = await asyncio.to_thread(frames.frame, evidence, system, asked, asked, reserved=reserved)
        task = Task(brief, asked, frame, await self._attached(frame), {})
        reply = await self._llm.ask(task.prompt("write_answer", system, asked), FewClaims)
        return _draft(task, _builder(task, {}).sentences(reply.claims, ()), bool(reply.claims))

    async def _short(self, task: Task, system: str) -> Draft:
        reply = await self._llm.ask(task.prompt("write_answer", system, *task.values), WrittenAnswer)
        if reply.abstain:
            return _draft(task, Part(), False, reply)
        (outcomes,) = await mended((carried_out(reply, task.frame),), task.frame, self._llm, task.asked)
        part = _builder(task, outcomes).sentences(reply.claims, reply.pictures)
        return _draft(task, part, bool(reply.claims), reply)

    async def _long(self, task: Task, system: str) -> Draft:
        reply = await self._llm.ask(task.prompt("write_text", system, *task.values), WrittenBlocks)
        if reply.abstain:
            return _draft(task, Part(), False, reply)
        (outcomes,) = await mended((carried_out(reply, task.frame),), task.frame, self._llm, task.asked)
        part = _builder(task, outcomes).part([block for block in reply.blocks if block.kind != "heading"])
        return _draft(task, part, bool(reply.blocks), reply)

    async def _report(self, brief: Brief, evidence: Sequence[Scored[Evidence]], system: str) -> Draft:
        sections = sections_of(brief)
        tasks = await self._tasks(brief, evidence, system, sections)
        replies = await all_at_once(map(self._section, tasks, repeat(system), sections))
        failed = [reply.error for reply in replies if isinstance(reply, Failure)]
        if len(failed) == len(sections):
            raise failed[0]
        written = [reply if isinstance(reply, WrittenBlocks) else WrittenBlocks(blocks=[]) for reply in replies]
        outcomes = await self._calculated(written, tasks)
        labels = Labels(brief.needs, Frame("", {scored.item.id: scored.item for scored in evidence}))
        made = [
            section_blocks(section, reply, values, task.frame, brief.needs, labels)
            for section, reply, values, task in zip(sections, written, outcomes, tasks, strict=True)
        ]
        told = await asyncio.to_thread(without_repeats, [part for part, _ in made], brief)
        parts = [part for part in told if part.blocks or part.not_said]
        claims = [claim for part in parts for claim in part.claims]
        if not claims:
            if any(reply.blocks for reply in written):
                raise ModelMalformed(UNCITED)
            return _abstention(brief, tasks)
        said, needs = [claim.text for claim in claims], brief.needs
        lost = [
            (needs[place].text, reply)
            for (_, missing), reply in zip(made, replies, strict=True)
            for place in sorted(missing)
        ]
        lacking = [
            text
            for section, reply, (_, missing) in zip(sections, written, made, strict=True)
            for text in (*told_in_part(section, reply, missing, needs), *not_found_in(reply, needs, said, labels))
        ]
        summary, named = await self._summary(brief, parts, labels, [*(text for text, _ in lost), *lacking])
        rest = filter(None, (labels.honest(text, said) for text in named))
        return joined([summary, *parts], not_found=without_kin(starmap(_unwritten, lost), (*lacking, *rest)))

    async def _tasks(
        self, brief: Brief, evidence: Sequence[Scored[Evidence]], system: str, sections: Sequence[Section]
    ) -> tuple[Task, ...]:
        """Frame the evidence once for all sections; where it does not fit, for each the best of its own needs first.

        Pieces stand in the order of their pages, so that a section of a page can be read on.
        """
        asked = _asked(brief)
        beside = (system, *self._asked_again(asked))

        def framed(pieces: Sequence[Scored[Evidence]]) -> Frame:
            reserved = self._reserved(pieces)
            first = EvidenceFrames(self._llm).frame(pieces, *beside, reserved=reserved)
            fitting = {piece.id for piece in first.handles.values()}
            ordered = reading_order([scored for scored in pieces if scored.item.id in fitting])
            return EvidenceFrames(self._llm).frame(ordered, *beside, reserved=reserved, left_out=first.left_out)

        shared = await asyncio.to_thread(framed, evidence)
        if not (shared.left_out and brief.found):
            task = Task(brief, asked, shared, await self._attached(shared), {})
            return (task,) * len(sections)
        frames = await asyncio.to_thread(lambda: [framed(own_first(section, brief, evidence)) for section in sections])
        return tuple([Task(brief, asked, frame, await self._attached(frame), {}) for frame in frames])

    async def _calculated(self, written: Sequence[WrittenBlocks], tasks: Sequence[Task]) -> tuple[Outcomes, ...]:
        """Carry out what sections calculate, and ask again for what failed, in one call where they share a frame."""
        computed = [carried_out(reply, task.frame) for reply, task in zip(written, tasks, strict=True)]
        if all(task.frame is tasks[0].frame for task in tasks):
            return await mended(computed, tasks[0].frame, self._llm, tasks[0].asked)
        each = [
            await mended((one,), task.frame, self._llm, task.asked) for one, task in zip(computed, tasks, strict=True)
        ]
        return tuple(outcomes for (outcomes,) in each)

    async def _section(self, task: Task, system: str, section: Section) -> WrittenBlocks | Failure:
        """Have needs written about; one part that fails must not cost the others, and its needs are named."""
        last = section_part(section, task.brief)
        try:
            return await self._llm.ask(task.prompt("write_section", system, last), WrittenBlocks)
        except ModelError as err:
            return Failure(err)

    async def _summary(
        self, brief: Brief, parts: Sequence[Part], labels: Labels, lost: Sequence[str]
    ) -> tuple[Part, Sequence[str]]:
        """Have title and summary written, and what no section tells named; a report whose summary fails has none."""
        try:
            reply = await self._llm.ask(summary_prompt(_asked(brief), parts, self._llm), WrittenSummary)
        except ModelError:
            reply = WrittenSummary(claims=[])
        said = [claim for part in parts for claim in part.claims]
        return summary_part(reply, said, brief, labels, lost), reply.not_found

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
    if brief.form == "report":
        return f"{question}\n\n{outline_part(brief)}"
    needs = "\n".join(need_line(brief, place) for place in places)
    return f"{question}\n\n{render_prompt('the_needs', needs=needs)}"


def _builder(task: Task, outcomes: Outcomes) -> BlockBuilder:
    labels = Labels(task.brief.needs, task.frame)
    return BlockBuilder(task.frame, ClaimReader(task.frame, {**task.known, **outcomes}), task.brief.needs, labels)


def _draft(task: Task, part: Part, written: bool, reply: WrittenAnswer | WrittenBlocks | None = None) -> Draft:
    """Return an answer of one reply, which may name what it did not find; one without claims is an abstention.

    Raises:
        ModelMalformed: the model wrote something, and no claim of it cites words that stand in the evidence.
    """
    if not part.claims and written and all(each.reason == CITES_NOTHING for each in part.not_said):
        raise ModelMalformed(UNCITED)
    abstention = Draft(()) if part.claims else _abstention(task.brief, (task,))
    lacking = abstention.not_found
    if reply is not None and reply.not_found:
        needs, said = task.brief.needs, [claim.text for claim in part.claims]
        places = unanswered_needs(reply, [place for place in written_needs(task.brief) if place or part.claims])
        told = {block.need for block in part.blocks}
        missing = (f"{needs[place].text}{' (in part)' if place in told else ''}" for place in sorted(places))
        named = not_found_in(reply, needs, said, Labels(needs, task.frame))
        lacking = without_kin((*lacking, *missing), named)
    return joined([part], abstention.reason, lacking)


def _abstention(brief: Brief, tasks: Sequence[Task]) -> Draft:
    """Return a draft without claims that names the needs behind the question, for which the abstention stands."""
    pieces = {piece.id for task in tasks for piece in task.frame.handles.values()}
    reason = render_prompt("model_abstained", pieces=len(pieces))
    needs = (brief.needs[place].text for place in written_needs(brief) if place)
    return Draft((), reason, (), tuple(needs))


def _unwritten(need: str, reply: WrittenBlocks | Failure) -> str:
    return need if isinstance(reply, WrittenBlocks) else f"{need} (the language model failed at this part)"
