"""The trace of an answer for the page: all its spans in a few words, any of them in full, and the thumb for a run."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from memory.episodes import EpisodeStore
from memory.trace.encoding import Json as TraceJson
from memory.trace.encoding import listed
from memory.trace.opened import OpenedRun
from web.faults import Fault
from web.office import AtHand, Office, Reader, Refused
from web.reply import Json

router = APIRouter(prefix="/api/runs")
NOTHING = Fault(404, "not_found", "no such run of yours is here")
NOT_REMEMBERED = Fault(409, "memory_off", "runs are not remembered here; serve with --memory user to rate them")
SAID = ("span", "parent", "kind", "name", "start", "end", "tokens", "shows")


class Rating(BaseModel):
    """A thumb, or none."""

    model_config = ConfigDict(extra="forbid")

    thumb: Literal["up", "down"] | None


@router.get("/{run}/trace")
async def trace(run: str, office: AtHand, owner: Reader) -> Json:
    """Return all spans of a run, each before what is below it."""
    opened = await asyncio.to_thread(_opened, run, office, owner)
    tree = await asyncio.to_thread(opened.tree)
    return {"run": run, "spans": list(_flat(tree["spans"]))}


@router.get("/{run}/spans/{span}")
async def span(run: str, span: str, office: AtHand, owner: Reader) -> Json:
    """Return all that one span says; secrets are masked."""
    opened = await asyncio.to_thread(_opened, run, office, owner)
    detail = await asyncio.to_thread(opened.detail, span)
    reply = detail["reply"]
    return {
        "prompt": detail["prompt"],
        "reply": reply.get("text") if isinstance(reply, dict) else None,
        "documents": [_document(each) for each in listed(detail["documents"])] or None,
        "input": detail["input"],
        "output": detail["output"],
    }


@router.post("/{run}/rating", status_code=204)
async def rate(run: str, rating: Rating, office: AtHand, owner: Reader) -> None:
    """Keep the thumb for a run, or take it back."""
    if not await asyncio.to_thread(office.sessions.owns_run, run, owner):
        raise Refused(NOTHING)
    if not office.staff.remembers:
        raise Refused(NOT_REMEMBERED)
    await asyncio.to_thread(EpisodeStore(office.staff.home).rate, run, rating.thumb, owner)


def _opened(run: str, office: Office, owner: str) -> OpenedRun:
    if not office.sessions.owns_run(run, owner):
        raise Refused(NOTHING)
    return OpenedRun(office.run(run), office.staff.secrets)


def _flat(spans: TraceJson) -> Iterator[Json]:
    for each in listed(spans):
        if not isinstance(each, dict):
            continue
        error, given, glance = each["error"], each["given"], each["glance"]
        said = f"{error['type']}: {error['message']}" if isinstance(error, dict) else None
        glances = " → ".join(str(part) for part in (given, glance) if part)
        retries = len(listed(each["retries"]))
        yield {**{name: each[name] for name in SAID}, "glance": glances, "error": said, "retries": retries}
        yield from _flat(each["children"])


def _document(said: TraceJson) -> Json:
    found: Mapping[str, TraceJson] = said if isinstance(said, dict) else {}
    return {
        "id": found.get("id"),
        "title": found.get("title"),
        "score": found.get("score"),
        "text": found.get("content"),
    }
