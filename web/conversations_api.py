"""The conversations of the page: listed, shown with what has no answer, renamed, exported, deleted."""

import asyncio
import json
from typing import Annotated, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from agent.markdown_answer import markdown_answer, one_line
from agent.path_citations import path_lines
from agent.record import answer_json as answer_record
from heliograph.errors import HeliographError
from memory.conversations import TITLE_CHARACTERS, Conversation, Turn, Unanswered
from memory.episodes import EpisodeStore, Which
from web.office import AtHand, Office, Reader
from web.page_json import answer_json
from web.reply import Json

router = APIRouter(prefix="/api/conversations")


class Title(BaseModel):
    """Another title of a conversation."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=TITLE_CHARACTERS)]


@router.get("")
async def conversations(office: AtHand, owner: Reader) -> Json:
    """List conversations, the one used last first."""
    kept = await asyncio.to_thread(office.conversations(owner).all)
    return {"conversations": [_conversation(each) for each in reversed(kept)]}


@router.get("/{name}")
async def conversation(name: str, office: AtHand, owner: Reader) -> Json:
    """Return a conversation with its answers, and the questions that have none."""
    kept = await asyncio.to_thread(office.conversation, owner, name)
    asked = await asyncio.to_thread(office.conversations(owner).asked, kept.id)
    turns = [
        await asyncio.to_thread(_turn, each, office) if isinstance(each, Turn) else _open(each, office, owner)
        for each in asked
    ]
    return {**_conversation(kept), "turns": turns}


@router.patch("/{name}")
async def rename(name: str, title: Title, office: AtHand, owner: Reader) -> Json:
    """Give a conversation another title."""
    kept = await asyncio.to_thread(office.conversation, owner, name)
    return _conversation(await asyncio.to_thread(office.conversations(owner).rename, kept.id, title.title))


@router.delete("/{name}", status_code=204)
async def forget(name: str, office: AtHand, owner: Reader) -> None:
    """Delete a conversation and stop what is asked in it; its runs are kept until `heliograph store purge --runs`.

    It goes first, so that nothing more is accepted in it; what is remembered of its questions goes when none runs.
    """
    kept = await asyncio.to_thread(office.conversation, owner, name)
    await asyncio.to_thread(office.conversations(owner).delete, kept.id)
    await office.desk.end_all(owner, kept.id)
    await asyncio.to_thread(EpisodeStore(office.staff.home).forget, Which(conversation=kept.id))


@router.get("/{name}/export")
async def export(name: str, office: AtHand, owner: Reader, format: Literal["md", "json"] = "md") -> Response:
    """Return a conversation as a file."""
    kept = await asyncio.to_thread(office.conversation, owner, name)
    asked = await asyncio.to_thread(office.conversations(owner).asked, kept.id)
    written = await asyncio.to_thread(_exported, kept.title, asked, office, format)
    kind = "text/markdown" if format == "md" else "application/json"
    named = f'attachment; filename="conversation-{kept.id}.{format}"'
    return Response(written, media_type=f"{kind}; charset=utf-8", headers={"Content-Disposition": named})


def _exported(title: str, asked: tuple[Turn | Unanswered, ...], office: Office, form: str) -> str:
    """Write out all questions; an answer whose run was removed is its text alone."""
    if form == "json":
        return "[" + ",\n".join(_record(each, office) for each in asked) + "]\n"
    return f"# {one_line(title)}\n\n" + "\n---\n\n".join(_markdown(each, office) for each in asked)


def _record(turn: Turn | Unanswered, office: Office) -> str:
    if isinstance(turn, Unanswered):
        left = {"run": turn.run, "question": turn.asked or turn.typed, "answer": None, "problem": _reason(turn)}
        return json.dumps(left, ensure_ascii=False)
    try:
        return answer_record(office.answer(turn.run))
    except HeliographError as err:
        left = {"run": turn.run, "question": turn.asked, "answer": turn.answer, "problem": str(err)}
        return json.dumps(left, ensure_ascii=False)


def _markdown(turn: Turn | Unanswered, office: Office) -> str:
    if isinstance(turn, Unanswered):
        return f"**{one_line(turn.asked or turn.typed)}**\n\n({one_line(_reason(turn))})\n"
    try:
        answer = office.answer(turn.run)
        return markdown_answer(answer, path_lines(answer, office.staff.home))
    except HeliographError as err:
        return f"**{one_line(turn.asked)}**\n\n{one_line(turn.answer)}\n\n({one_line(str(err))})\n"


def _conversation(kept: Conversation) -> Json:
    return {"id": kept.id, "title": kept.title, "started": kept.started, "questions": kept.questions}


def _reason(question: Unanswered) -> str:
    """Say in a line why a question has no answer."""
    match question.ending:
        case "failed":
            return f"it failed: {question.message}"
        case "stopped":
            return "it was stopped before there was an answer"
        case "open":
            return "it has no answer"


def _open(question: Unanswered, office: Office, owner: str) -> Json:
    """Return a question without an answer; where its job is known, that tells the rest."""
    return {
        "typed": question.typed,
        "asked": question.asked,
        "run": question.run,
        "question": question.name,
        "job": question.name if office.desk.knows(question.name, owner) else None,
        "ending": question.ending,
        "message": question.message,
        "code": question.code,
    }


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
        answer = office.answer(turn.run)
    except HeliographError as err:
        return {**shown, "answer": None, "text": turn.answer, "problem": str(err)}
    return {**shown, "answer": answer_json(answer, path_lines(answer, office.staff.home))}
