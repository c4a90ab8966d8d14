"""`POST /v1/chat/completions` and `GET /v1/models`: research for whatever speaks to OpenAI's servers."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.responses import Response

from agent.chat.session import Session
from heliograph.types import Answer
from heliograph.types.streaming import Answered, Claimed, Planned, Progressed
from memory.conversations import Turn
from web.desk import Job
from web.errands import errand_of, errand_reply
from web.faults import Fault, fault_body, fault_from, fault_response
from web.happenings import Failed, Happening, Stopped
from web.office import AtHand, Office, Program
from web.openai_replies import Completion
from web.openai_requests import ChatCompletionRequest
from web.reply import Json
from web.research import Asked
from web.sse import event, kept_alive
from web.wrapped_questions import question_in

router = APIRouter(prefix="/v1")
DONE = b"data: [DONE]\n\n"
REMEMBERED = 10_000


class AnswersGiven:
    """The last answers given to programs: they send back text alone, and a follow-up needs what the text rested on."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._given: OrderedDict[str, Turn] = OrderedDict()

    def keep(self, owner: str, typed: str, answer: Answer, sent: str) -> None:
        """Remember an answer by the text that was sent of it."""
        cited = tuple(citation.evidence for citation in answer.citations)
        turn = Turn(1, typed, answer.question, answer.run, answer.answer, answer.abstained, cited)
        key = _key(owner, sent)
        self._given[key] = turn
        self._given.move_to_end(key)  # one given again is no older than the others of now
        while len(self._given) > self._most:
            self._given.popitem(last=False)

    def turn(self, owner: str, number: int, question: str, text: str) -> Turn:
        """Return an exchange as a turn, with its evidence where we gave the answer to this owner."""
        given = self._given.get(_key(owner, text))
        return replace(given, number=number) if given else Turn(number, question, question, "", text, False)


@router.get("/models")
async def models(office: AtHand) -> Json:
    """List what can be asked: one model a preset."""
    listed = [
        {"id": name, "object": "model", "created": 0, "owned_by": "heliograph"} for name in office.staff.researchers
    ]
    return {"object": "list", "data": listed}


@router.get("/models/{name}")
async def model(name: str, office: AtHand) -> Json:
    """Return one model."""
    office.researcher(name)
    return {"id": name, "object": "model", "created": 0, "owned_by": "heliograph"}


@router.post("/chat/completions")
async def complete(asked: ChatCompletionRequest, request: Request, office: AtHand, owner: Program) -> Response:
    """Answer the last message, understood from those before it."""
    question = asked.question
    office.researcher(asked.model)
    completion = Completion(asked.model, str(request.base_url))
    if errand := errand_of(question, asked.instructions):
        return _said(completion, errand_reply(errand, question), asked.stream)
    asked.check_form()
    question = question_in(question)
    given: AnswersGiven = request.app.state.given
    session = Session(office.staff.home, owner)
    session.turns = tuple(
        given.turn(owner, number, question_in(earlier), answer)
        for number, (earlier, answer) in enumerate(asked.exchanges, start=1)
    )
    job = office.accept(Asked(question, owner, form=asked.heliograph.form), session, asked.model)
    remember = _Remembering(given, owner, question)
    if asked.stream:
        lines = kept_alive(_streamed(job, office, completion, asked, remember))
        return StreamingResponse(lines, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
    return await _whole(job, office, completion, request, remember)


class _Remembering:
    """Where the answer to one question is remembered."""

    def __init__(self, given: AnswersGiven, owner: str, typed: str) -> None:
        self._given, self._owner, self._typed = given, owner, typed

    def __call__(self, answer: Answer, sent: str) -> None:
        self._given.keep(self._owner, self._typed, answer, sent)


async def _whole(
    job: Job, office: Office, completion: Completion, request: Request, remember: _Remembering
) -> Response:
    """Wait for the answer; a client that hangs up stops the work."""
    listening = asyncio.create_task(_last(job))
    leaving = asyncio.create_task(_gone(request))
    try:
        await asyncio.wait({listening, leaving}, return_when=asyncio.FIRST_COMPLETED)
        last = listening.result() if listening.done() else Stopped()
    finally:
        office.desk.stop(job)
        for task in (listening, leaving):
            task.cancel()
    if isinstance(last, Answered):
        reply = completion.whole(last.answer)
        remember(last.answer, completion.text)
        return JSONResponse(reply)
    return fault_response(_fault(last))


async def _streamed(
    job: Job, office: Office, completion: Completion, asked: ChatCompletionRequest, remember: _Remembering
) -> AsyncIterator[bytes]:
    """Yield a short answer claim by claim, any other by its parts when all are checked, since a claim tells no heading.

    A client that hangs up stops the work.
    """
    try:
        yield event(completion.begin())
        by_claims = True
        async for _, happening in job.events():
            match happening:
                case Planned(form=form):
                    by_claims = form == "short"
                case Claimed(told=told) if by_claims:
                    yield event(completion.claim(told))
                case Claimed(told=told) if asked.heliograph.progress:
                    yield event(completion.thought(told.sentence))
                case Progressed(text) if asked.heliograph.progress:
                    yield event(completion.thought(text))
                case Answered(answer):
                    for chunk in completion.answer(answer):
                        yield event(chunk)
                    remember(answer, completion.text)
                    yield event(completion.end(answer))
                    if asked.stream_options and asked.stream_options.include_usage:
                        yield event(completion.cost(answer))
                    yield DONE
                case Failed() | Stopped():
                    yield event(fault_body(_fault(happening)))
    finally:
        office.desk.stop(job)


async def _last(job: Job) -> Happening:
    last: Happening = Stopped()
    async for _, happening in job.events():
        if isinstance(happening, Answered | Failed | Stopped):
            last = happening
    return last


async def _gone(request: Request) -> None:
    """Wait until the client has hung up; its body was read before."""
    with suppress(asyncio.CancelledError):
        while (await request.receive())["type"] != "http.disconnect":
            pass


def _fault(happening: Happening) -> Fault:
    if isinstance(happening, Failed):
        return fault_from(happening)
    return Fault(503, "stopped", "the question was stopped before it was answered; ask it again")


def _said(completion: Completion, text: str, stream: bool) -> Response:
    if not stream:
        return JSONResponse(completion.said(text))
    chunks = (completion.begin(), completion.words(text), completion.end(None))
    return StreamingResponse(_written(chunks), media_type="text/event-stream")


async def _written(chunks: tuple[Json, ...]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield event(chunk)
    yield DONE


def _key(owner: str, text: str) -> str:
    return sha256(f"{owner}\n{text.strip()}".encode()).hexdigest()
