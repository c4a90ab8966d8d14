"""What the chat page asks: questions as jobs, and their events."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from agent.question import MAX_CHARACTERS, valid_question
from heliograph.types import FormChoice
from heliograph.version import VERSION
from web.desk import Job, new_job
from web.kept_question import KeptQuestion
from web.office import AtHand, Reader
from web.page_json import PageEvents
from web.reply import Json
from web.research import Asked
from web.sse import event, kept_alive

router = APIRouter(prefix="/api")
LONGEST_NUMBER = 10
"""Digits from which on the number of an event is none of ours."""


class Question(BaseModel):
    """A question from the page; `instead` names one without an answer, which is forgotten for it."""

    model_config = ConfigDict(extra="forbid")

    question: str
    conversation: str | None = None
    preset: str | None = None
    form: FormChoice | None = None
    instead: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")] | None = None


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
        "bases": list(office.bases.names),
        "rounds": told.rounds,
        "longest_question": MAX_CHARACTERS,
        "remembers": staff.remembers,
    }


@router.post("/questions", status_code=202)
async def ask(asked: Question, office: AtHand, owner: Reader) -> Json:
    """Accept a question, and keep it in its conversation or in a new one."""
    valid_question(asked.question)
    session = await asyncio.to_thread(office.session, owner, asked.conversation)
    kept = KeptQuestion(new_job(), asked.question, session)
    job = await office.accept_kept(Asked(asked.question, owner, kept, asked.form), asked.preset, asked.instead or "")
    return {"job": job.id, "conversation": job.conversation}


@router.get("/jobs")
async def jobs(office: AtHand, owner: Reader) -> Json:
    """List what is being answered."""
    return {"jobs": [{"job": job.id} for job in office.desk.jobs(owner)]}


@router.get("/jobs/{name}/events")
async def events(
    name: str, office: AtHand, owner: Reader, last_event_id: Annotated[str, Header()] = "0"
) -> StreamingResponse:
    """Tell what happened and happens, behind the event that the page heard last."""
    known = last_event_id.isascii() and last_event_id.isdecimal() and len(last_event_id) < LONGEST_NUMBER
    after = int(last_event_id) if known else 0
    lines = kept_alive(_told(office.desk.job(name, owner), after, office.staff.home))
    return StreamingResponse(lines, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


@router.delete("/jobs/{name}", status_code=204)
async def stop(name: str, office: AtHand, owner: Reader) -> None:
    """Stop a question."""
    office.desk.stop(office.desk.job(name, owner))


async def _told(job: Job, after: int, home: Path) -> AsyncIterator[bytes]:
    page = PageEvents(home)
    async for number, happening in job.events():
        told = await asyncio.to_thread(page.event, happening)
        if told is not None and number > after:
            name, data = told
            yield event(data, name, number)
