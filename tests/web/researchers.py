"""A researcher that answers by a script, and a server around it on loopback."""

import asyncio
import socket
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from agent.chat.follow_ups import TrainedStandAlone
from agent.chat.understanding import StandAlone
from heliograph.errors import PageUnavailable, SearchUnavailable
from heliograph.types import (
    ANSWER_SCHEMA,
    Answer,
    Citation,
    CitedMarker,
    Claim,
    EvidenceId,
    FormChoice,
    ImageEvidence,
    MemoryScope,
    Picture,
    ToldClaim,
    Usage,
)
from heliograph.types.streaming import Answered, Begun, Claimed, Progressed, StreamEvent
from indexers.models.follow_ups import follow_up_reader
from web.desk import Desk
from web.office import Office
from web.researcher import About, Staff
from web.security import Guard, hosts
from web.server import application
from web.serving import listen
from web.sessions import Sessions

PIECE = EvidenceId("made.up:Orvo@7#s0/p1")
Script = Callable[[str, Sequence[EvidenceId]], AsyncGenerator[StreamEvent, None]]


def answer_to(question: str, *sentences: str, url: str = "https://made.up/Orvo?7", run: str = "run") -> Answer:
    """Return an answer of claims, each with a marker of its own; an abstention without sentences."""
    claims = tuple(
        Claim(text, (CitedMarker(number, "supported"),), "supported") for number, text in enumerate(sentences, start=1)
    )
    citations = tuple(
        Citation(number, PIECE, "text", "Orvo", "", "7", url, text, "CC BY", "the makers")
        for number, text in enumerate(sentences, start=1)
    )
    text = " ".join(f"{text} [{number}]" for number, text in enumerate(sentences, start=1))
    return Answer(
        schema=ANSWER_SCHEMA,
        run=run,
        question=question,
        answer=text or "Nothing was found.",
        abstained=not sentences,
        mode="extractive",
        stop_reason="sufficient" if sentences else "nothing_found",
        citations=citations,
        claims=claims,
        rounds=(),
        evidence=(),
        sources=(),
        notes=(),
        model_failures=(),
        usage=Usage(llm_calls=1, prompt_tokens=30, completion_tokens=7),
        seconds=0.5,
    )


async def told(answer: Answer) -> AsyncGenerator[StreamEvent, None]:
    """Yield the events of an answer."""
    yield Begun(answer.run)
    yield Progressed("round 1: searching")
    for number, claim in enumerate(answer.claims, start=1):
        sentence = f"{claim.text} [{number}]"
        yield Claimed(number, ToldClaim(sentence, claim, (answer.citations[number - 1],)))
    yield Answered(answer)


@dataclass(slots=True)
class Scripted:
    """Answers as its script says, and remembers what it was asked."""

    script: Script
    asked: list[tuple[str, tuple[EvidenceId, ...]]] = field(default_factory=list)
    forms: list[FormChoice | None] = field(default_factory=list)
    at_work: int = 0
    stopped: int = 0

    async def stream(
        self,
        question: str,
        earlier: Sequence[EvidenceId] = (),
        scope: MemoryScope | None = None,
        form: FormChoice | None = None,
    ) -> AsyncGenerator[StreamEvent, None]:
        self.asked.append((question, tuple(earlier)))
        self.forms.append(form)
        self.at_work += 1
        try:
            async for event in self.script(question, earlier):
                yield event
        except (asyncio.CancelledError, GeneratorExit):
            self.stopped += 1
            raise
        finally:
            self.at_work -= 1

    def stand_alone(self, progress: Callable[[str], None] = lambda _: None) -> StandAlone:
        return TrainedStandAlone(follow_up_reader(""))

    async def picture(self, image: ImageEvidence) -> Picture:
        raise PageUnavailable("there are no pictures here")


def office(home: Path, script: Script, desk: Desk | None = None, key: str = "") -> tuple[Office, Scripted]:
    """Return the parts of a server, and who answers there."""
    researcher = Scripted(script)
    about = About("extractive", "", ("made.up",), 3)
    names = ("heliograph", "heliograph-fast")
    staff = Staff(home, dict.fromkeys(names, researcher), dict.fromkeys(names, about), lambda: None, key)
    guard = Guard(hosts("127.0.0.1", ()), key)
    return Office(staff, desk or Desk(8, 200, 15), Sessions(home), guard), researcher


@contextmanager
def served(parts: Office) -> Iterator[str]:
    """Serve on a free port of loopback, in a thread; yield the address."""
    listening: socket.socket = listen("127.0.0.1", 0)
    server = uvicorn.Server(
        uvicorn.Config(application(parts), log_level="warning", timeout_graceful_shutdown=2, lifespan="on")
    )
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


async def failing(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    """Answer a question about Orvo; fail one about Tor, and work at any other without an end."""
    yield Begun(f"run {question}")
    if "Tor" in question:
        raise SearchUnavailable("the archive is gone")
    if "Orvo" not in question:
        await asyncio.sleep(600)
    async for event in told(answer_to(question, "Orvo is a moon.")):
        yield event
