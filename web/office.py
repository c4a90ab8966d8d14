"""What every route has at hand, and who asks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from agent.chat.session import Session
from heliograph.errors import HeliographError, StoreError, UnknownName
from heliograph.types import Answer, Rating
from memory.conversations import Conversation, ConversationStore
from memory.episodes import EpisodeStore, Which
from memory.pages import FilePageStore
from memory.trace import find_run, returned
from web.desk import Desk, Job, Work
from web.faults import Fault
from web.research import Asked, research
from web.researcher import Researcher, Staff
from web.security import Guard
from web.served_bases import ServedBases
from web.sessions import Sessions, owner_of

ANYBODY = "anybody on this machine"
"""The owner of what programs ask where no key is needed."""


class Refused(Exception):
    """A request that a route refuses; the application answers with the fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Office:
    """The server's parts: who answers, at which desk, for whom, and what guards it."""

    staff: Staff
    desk: Desk
    sessions: Sessions
    guard: Guard
    pages: FilePageStore = field(init=False)
    bases: ServedBases = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pages", FilePageStore(self.staff.home / "pages"))
        sources = (source for each in self.staff.about.values() for source in each.sources)
        object.__setattr__(self, "bases", ServedBases(sources))

    def researcher(self, preset: str | None) -> Researcher:
        """Return who answers under a preset, the default where none is named."""
        name = preset or self.staff.default
        if name not in self.staff.researchers:
            known = ", ".join(self.staff.researchers)
            raise Refused(Fault(404, "model_not_found", f"there is no model {name!r}; there are {known}", "model"))
        return self.staff.researchers[name]

    def session(self, owner: str, conversation: str | None) -> Session:
        """Take up a conversation of an owner, or none.

        Raises:
            UnknownName: the owner has no such conversation.
        """
        session = Session(self.staff.home, owner)
        if conversation is not None:
            with _of_the_page():
                session.go_on(conversation)
        return session

    def conversations(self, owner: str) -> ConversationStore:
        """Return the conversations of an owner."""
        return ConversationStore(self.staff.home, owner)

    def conversation(self, owner: str, name: str) -> Conversation:
        """Return a conversation of an owner; what was asked in it is not read, and may be damaged.

        Raises:
            UnknownName: the owner has no such conversation.
        """
        with _of_the_page():
            return self.conversations(owner).find(name)

    def browser(self, request: Request) -> str | None:
        """Return the owner that the cookie of a browser stands for; None where it has none of ours."""
        return self.sessions.owner(request.cookies.get(self.sessions.cookie))

    def run(self, name: str) -> Path:
        """Return the folder of a run.

        Raises:
            UnknownName: it was removed.
        """
        try:
            return find_run(self.staff.home, name)
        except UnknownName as err:
            raise UnknownName("the record of this run was removed; ask again for a new one") from err

    def answer(self, run: str) -> Answer:
        """Return the answer of a run, from its record.

        Raises:
            UnknownName: the run was removed, or has not come to an answer.
            StoreDamaged: the record cannot be read.
        """
        answer: Answer | None = returned(self.run(run), Answer)
        if answer is None:
            raise UnknownName(f"run {run} has not come to an answer; heliograph resume {run} finishes it")
        return answer

    def thumb(self, run: str) -> Rating | None:
        """Return the thumb that a run was given; None where it has none, is not remembered, or cannot be read."""
        if not self.staff.remembers:
            return None
        try:
            remembered = EpisodeStore(self.staff.home).matching(Which(run=run))
        except StoreError:
            return None
        return remembered[0].rating if remembered else None

    def accept(self, asked: Asked, session: Session, preset: str | None) -> Job:
        """Accept a question.

        Raises:
            ServerFull: all places are taken.
        """
        return self.desk.accept(asked.owner, asked.typed, self._work(asked, session, preset), asked.kept)

    async def accept_kept(self, asked: Asked, preset: str | None, instead: str) -> Job:
        """Accept a question of the page, which is kept in its conversation from now on, or begins one.

        Its job has its place before it is kept, so that whoever deletes the conversation meanwhile stops it. What it is
        asked instead of is stopped last: were the new one refused, that would go on, and none of its answers is kept
        once it was forgotten.

        Raises:
            ServerFull: all places are taken.
            UnknownName: the conversation is gone.
            QuestionGone: the question that it is asked instead of is not there.
            StoreError: the question cannot be kept.
        """
        assert asked.kept is not None, "a question of the page is kept"
        job = self.accept(asked, asked.kept.session, preset)
        try:
            await asked.kept.keep(instead)
        except HeliographError:
            self.desk.stop(job)
            raise
        if self.desk.knows(instead, asked.owner):
            self.desk.stop(self.desk.job(instead, asked.owner))
        return job

    def _work(self, asked: Asked, session: Session, preset: str | None) -> Work:
        researcher = self.researcher(preset)
        return lambda: research(asked, session, researcher, self.sessions)


@contextmanager
def _of_the_page() -> Iterator[None]:
    """Say in words of the page, not in those of the command line, that a conversation is gone."""
    try:
        yield
    except UnknownName as err:
        raise UnknownName("there is no such conversation here any more; begin a new one") from err


def office_of(request: Request) -> Office:
    """Return the parts of the server that answers."""
    office: Office = request.app.state.office
    return office


def reader_of(request: Request) -> str:
    """Return who asks from the page: the owner that its cookie stands for."""
    owner = office_of(request).browser(request)
    if owner is None:
        raise Refused(Fault(401, "no_session", "this page has no session any more; load it again"))
    return owner


def program_of(request: Request) -> str:
    """Return who asks by program: the holder of the key, or anybody on this machine where none is needed."""
    guard = office_of(request).guard
    return owner_of(guard.key) if guard.key else owner_of(ANYBODY)


def anyone_of(request: Request) -> tuple[str, ...]:
    """Return as whom somebody may read: as a browser that has a session, and as a program, whose answers link here."""
    own = office_of(request).browser(request)
    return (program_of(request),) if own is None else (own, program_of(request))


AtHand = Annotated[Office, Depends(office_of)]
Reader = Annotated[str, Depends(reader_of)]
Program = Annotated[str, Depends(program_of)]
Anyone = Annotated[tuple[str, ...], Depends(anyone_of)]
