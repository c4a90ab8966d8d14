"""What the chat page asks: questions as jobs, their events, conversations, ratings."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from agent.markdown_answer import markdown_answer, one_line
from agent.question import MAX_CHARACTERS, valid_question
from agent.record import answer_json as answer_record
from heliograph.errors import HeliographError
from heliograph.version import VERSION
from memory.conversations import TITLE_CHARACTERS, Conversation, Turn
from web.desk import Job
from web.office import AtHand, Office, Reader
from web.page_json import Json, PageEvents, answer_json
from web.research import Asked
from web.sse import event, kept_alive

router = APIRouter(prefix="/api")
LONGEST_NUMBER = 10
"""Digits from which on the number of an event is none of ours."""


class Question(BaseModel):
    """A question from the page."""

    model_config = ConfigDict(extra="forbid")

    question: str
    conversation: str | None = None
    preset: str | None = None


class Title(BaseModel):
    """Another title of a conversation."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=TITLE_CHARACTERS)]


@router.get("/about")
async def about(office: AtHand, _owner: Reader) -> Json:
    """Say what can be asked here."""
    staff = office.staff
    told = staff.about[staff.default]
    return {
        "version": VERSION,
        "mode": told.mode,
        "model": told.model,
        "presets": list(staff.researchers),
        "preset": staff.default,
        "sources": list(told.sources),
        "rounds": told.rounds,
        "longest_question": MAX_CHARACTERS,
        "remembers": staff.remembers,
    }


@router.post("/questions", status_code=202)
async def ask(asked: Question, office: AtHand, owner: Reader) -> Json:
    """Accept a question."""
    valid_question(asked.question)
    session = await asyncio.to_thread(office.session, owner, asked.conversation)
    job = office.accept(Asked(asked.question, owner, asked.conversation), session, asked.preset)
    return {"job": job.id, "conversation": asked.conversation}


@router.get("/jobs")
async def jobs(office: AtHand, owner: Reader) -> Json:
    """List what is being answered."""
    listed = office.desk.jobs(owner)
    return {"jobs": [{"job": job.id, "question": job.question, "conversation": job.conversation} for job in listed]}


@router.get("/jobs/{name}/events")
async def events(
    name: str, office: AtHand, owner: Reader, last_event_id: Annotated[str, Header()] = "0"
) -> StreamingResponse:
    """Tell what happened and happens, behind the event that the page heard last."""
    known = last_event_id.isascii() and last_event_id.isdecimal() and len(last_event_id) < LONGEST_NUMBER
    after = int(last_event_id) if known else 0
    lines = kept_alive(_told(office.desk.job(name, owner), after))
    return StreamingResponse(lines, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


@router.delete("/jobs/{name}", status_code=204)
async def stop(name: str, office: AtHand, owner: Reader) -> None:
    """Stop a question."""
    office.desk.stop(office.desk.job(name, owner))


@router.get("/conversations")
async def conversations(office: AtHand, owner: Reader) -> Json:
    """List conversations, the one used last first."""
    kept = await asyncio.to_thread(office.session(owner, None).store.all)
    return {"conversations": [_conversation(each) for each in reversed(kept)]}


@router.get("/conversations/{name}")
async def conversation(name: str, office: AtHand, owner: Reader) -> Json:
    """Return a conversation with its answers."""
    session = await asyncio.to_thread(office.session, owner, name)
    assert session.conversation is not None, "a conversation that was taken up is there"
    turns = [await asyncio.to_thread(_turn, turn, office) for turn in session.turns]
    return {**_conversation(session.conversation), "turns": turns}


@router.patch("/conversations/{name}")
async def rename(name: str, title: Title, office: AtHand, owner: Reader) -> Json:
    """Give a conversation another title."""
    store = office.session(owner, None).store
    kept = await asyncio.to_thread(store.find, name)
    return _conversation(await asyncio.to_thread(store.rename, kept.id, title.title))


@router.delete("/conversations/{name}", status_code=204)
async def forget(name: str, office: AtHand, owner: Reader) -> None:
    """Delete a conversation and stop what is asked in it; its runs are kept until `heliograph store purge --runs`."""
    session = office.session(owner, None)
    kept = await asyncio.to_thread(session.store.find, name)
    await office.desk.stop_all(owner, kept.id)
    await asyncio.to_thread(session.forget, kept.id)


@router.get("/conversations/{name}/export")
async def export(name: str, office: AtHand, owner: Reader, format: Literal["md", "json"] = "md") -> Response:
    """Return a conversation as a file."""
    session = await asyncio.to_thread(office.session, owner, name)
    assert session.conversation is not None, "a conversation that was taken up is there"
    written = await asyncio.to_thread(_exported, session.conversation.title, session.turns, office, format)
    kind = "text/markdown" if format == "md" else "application/json"
    named = f'attachment; filename="conversation-{session.conversation.id}.{format}"'
    return Response(written, media_type=f"{kind}; charset=utf-8", headers={"Content-Disposition": named})


def _exported(title: str, turns: tuple[Turn, ...], office: Office, form: str) -> str:
    """Write out all turns; an answer whose run was removed is its text alone."""
    if form == "json":
        return "[" + ",\n".join(_record(turn, office) for turn in turns) + "]\n"
    return f"# {one_line(title)}\n\n" + "\n---\n\n".join(_markdown(turn, office) for turn in turns)


def _record(turn: Turn, office: Office) -> str:
    try:
        return answer_record(office.answer(turn.run))
    except HeliographError as err:
        left = {"run": turn.run, "question": turn.asked, "answer": turn.answer, "problem": str(err)}
        return json.dumps(left, ensure_ascii=False)


def _markdown(turn: Turn, office: Office) -> str:
    try:
        return markdown_answer(office.answer(turn.run))
    except HeliographError as err:
        return f"**{one_line(turn.asked)}**\n\n{one_line(turn.answer)}\n\n({one_line(str(err))})\n"


def _conversation(kept: Conversation) -> Json:
    return {"id": kept.id, "title": kept.title, "started": kept.started, "turns": kept.turns}


def _turn(turn: Turn, office: Office) -> Json:
    """Return a turn; an answer whose run was removed is its text alone."""
    shown: Json = {
        "number": turn.number,
        "typed": turn.typed,
        "asked": turn.asked,
        "run": turn.run,
        "thumb": office.thumb(turn.run),
    }
    try:
        answer = answer_json(office.answer(turn.run))
    except HeliographError as err:
        return {**shown, "answer": None, "text": turn.answer, "problem": str(err)}
    return {**shown, "answer": answer}


async def _told(job: Job, after: int) -> AsyncIterator[bytes]:
    page = PageEvents()
    async for number, happening in job.events():
        told = page.event(happening)
        if told is not None and number > after:
            name, data = told
            yield event(data, name, number)
