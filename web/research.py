"""One question of a conversation: understood, researched, its turn kept, and all of it told as it happens."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from logging import getLogger

from agent.chat.session import Session
from agent.chat.understanding import understand
from agent.question import valid_question
from heliograph.errors import HeliographError, StoreError, UnknownName
from heliograph.types import Answer, EvidenceId
from heliograph.types.streaming import Answered, Begun, Claimed, EvidenceFound, Progressed, StreamEvent
from web.faults import failure_code
from web.happenings import Failed, Happening, Kept, Understood
from web.researcher import Researcher
from web.sessions import Sessions

LOG = getLogger("heliograph.web")
EVIDENCE = "evidence"
"""The kind of thing that sessions remember to have shown."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was typed, by whom, and in which conversation; None begins one, and unless `kept` none is."""

    typed: str
    owner: str
    conversation: str | None = None
    kept: bool = True


async def research(
    asked: Asked, session: Session, researcher: Researcher, sessions: Sessions
) -> AsyncGenerator[Happening, None]:
    """Yield what happens until the question is answered or has failed; the answer comes after its turn is kept."""
    try:
        understood = await understand(valid_question(asked.typed), session.turns, researcher.stand_alone())
        yield Understood(asked.typed, understood.asked, understood.open_words)
        async with aclosing(researcher.stream(understood.asked, session.earlier, session.scope)) as events:
            async for event in events:
                if isinstance(event, Begun):
                    await asyncio.to_thread(sessions.own_run, event.run, asked.owner)
                elif shown := tuple(_shown(event)):
                    await asyncio.to_thread(sessions.show, asked.owner, EVIDENCE, shown)
                if isinstance(event, Answered) and asked.kept:
                    for told in await asyncio.to_thread(_keep, asked, understood.asked, event.answer, session):
                        yield told
                yield event
    except HeliographError as err:
        yield Failed(str(err), failure_code(err))


def _keep(asked: Asked, stands_alone: str, answer: Answer, session: Session) -> tuple[Happening, ...]:
    """Keep a turn; where the disk is full or the conversation was deleted, that is told before the answer."""
    try:
        session.answered(asked.typed, stands_alone, answer)
    except (StoreError, UnknownName) as err:
        LOG.warning("the answer of run %s is not kept in its conversation: %s", answer.run, err)
        return Progressed(f"this answer is not kept in its conversation: {err}"), Kept(asked.conversation or "", 0)
    assert session.conversation is not None, "an answered turn stands in a conversation"
    return (Kept(session.conversation.id, session.last.number),)


def _shown(event: StreamEvent) -> Iterator[EvidenceId]:
    """Yield the evidence that its reader may ask for from now on."""
    match event:
        case EvidenceFound(evidence=found):
            yield from (observation.evidence for observation in found)
        case Claimed(told=told):
            yield from (citation.evidence for citation in told.citations)
        case Answered(answer=answer):
            yield from (citation.evidence for citation in answer.citations)
