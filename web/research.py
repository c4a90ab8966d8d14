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
from heliograph.types import Answer, EvidenceId, FormChoice
from heliograph.types.streaming import Answered, Begun, Claimed, EvidenceFound, Progressed, StreamEvent
from web.faults import failed
from web.happenings import Happening, Kept, Understood
from web.kept_question import KeptQuestion
from web.researcher import Researcher
from web.sessions import Sessions

LOG = getLogger("heliograph.web")
EVIDENCE = "evidence"
"""The kind of thing that sessions remember to have shown."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was typed, and by whom; `kept` is where it stands in a conversation that is kept.

    `form` is that of its answer, None where the server's settings decide.
    """

    typed: str
    owner: str
    kept: KeptQuestion | None = None
    form: FormChoice | None = None


async def research(
    asked: Asked, session: Session, researcher: Researcher, sessions: Sessions
) -> AsyncGenerator[Happening, None]:
    """Yield what happens until the question is answered or has failed; the answer comes after its turn is kept."""
    try:
        if asked.kept:
            await asked.kept.stands.wait()
        understood = await understand(valid_question(asked.typed), session.turns, researcher.stand_alone())
        yield Understood(asked.typed, understood.asked, understood.open_words)
        async with aclosing(researcher.stream(understood.asked, session.earlier, session.scope, asked.form)) as events:
            async for event in events:
                if isinstance(event, Begun):
                    await _own(asked, understood.asked, event.run, sessions)
                elif shown := tuple(_shown(event)):
                    await asyncio.to_thread(sessions.show, asked.owner, EVIDENCE, shown)
                if isinstance(event, Answered) and asked.kept:
                    for told in await _keep(asked.kept, understood.asked, event.answer):
                        yield told
                yield event
    except HeliographError as err:
        yield failed(err)


async def _own(asked: Asked, stands_alone: str, run: str, sessions: Sessions) -> None:
    """Give a run to who asked, and name it where the question is kept."""
    await asyncio.to_thread(sessions.own_run, run, asked.owner)
    if asked.kept:
        await asked.kept.begun(stands_alone, run)


async def _keep(kept: KeptQuestion, stands_alone: str, answer: Answer) -> tuple[Happening, ...]:
    """Keep a turn; where the disk is full or the conversation was deleted, that is told before the answer."""
    try:
        turn = await kept.answered(stands_alone, answer)
    except (StoreError, UnknownName) as err:
        LOG.warning("the answer of run %s is not kept in its conversation: %s", answer.run, err)
        return Progressed(f"this answer is not kept in its conversation: {err}"), Kept(kept.conversation, 0)
    return (Kept(kept.conversation, turn.number),)


def _shown(event: StreamEvent) -> Iterator[EvidenceId]:
    """Yield the evidence that its reader may ask for from now on."""
    match event:
        case EvidenceFound(evidence=found):
            yield from (observation.evidence for observation in found)
        case Claimed(told=told):
            yield from (citation.evidence for citation in told.citations)
        case Answered(answer=answer):
            yield from (citation.evidence for citation in answer.citations)
