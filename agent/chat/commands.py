"""The commands of a chat: what stands behind an answer, and the conversation itself."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from agent.chat.kept import KeptAnswer, kept_answer
from agent.chat.session import Session
from agent.terminal import evidence_text
from heliograph.errors import UnknownName
from heliograph.types import RATINGS
from indexers.parser import page_name
from memory.episodes import EpisodeStore
from memory.pages import FilePageStore
from memory.trace import COLOURED, UNCOLOURED, find_run, load_trace, render_tree

Show = Callable[[Session, str, bool], str]
INKED = frozenset({"/trace"})
"""Commands whose colours are ours; what the others show is cleaned of all."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: what follows its name, what it is for, and what it shows; `show` hears whether colours are wanted."""

    given: str
    purpose: str
    show: Show


def obeyed(line: str, session: Session, coloured: bool) -> str:
    """Return what a command shows.

    Raises:
        UnknownName: there is no such command, or nothing by the name that follows it.
    """
    name, _, given = line.strip().partition(" ")
    command = COMMANDS.get(name.casefold())
    if command is None:
        raise UnknownName(f"there is no command {name!r}; there are {', '.join([*COMMANDS, '/quit'])}")
    return command.show(session, given.strip(), coloured)


def _help(_session: Session, _given: str, _coloured: bool) -> str:
    lines = [(f"{name} {command.given}".strip(), command.purpose) for name, command in COMMANDS.items()]
    lines.append(("/quit", "end the chat, as Ctrl-D does"))
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:<{width}}  {purpose}" for name, purpose in lines)


def _trace(session: Session, given: str, coloured: bool) -> str:
    run = session.run or session.last.run
    depth = int(given) if given.isdecimal() else None
    return render_tree(load_trace(find_run(session.home, run)), depth, ink=COLOURED if coloured else UNCOLOURED)


def _evidence(session: Session, given: str, _coloured: bool) -> str:
    cited = session.last.cited
    if not given.isdecimal() or not 1 <= int(given) <= len(cited):
        known = f"/evidence 1 to /evidence {len(cited)}" if len(cited) > 1 else "/evidence 1"
        problem = f"no cited piece has the number {given!r}" if given else "say which piece"
        raise UnknownName(f"{problem}; {known if cited else 'the answer cites nothing'}")
    return f"[{given}] {evidence_text(cited[int(given) - 1], FilePageStore(session.home / 'pages'))}"


def _sources(session: Session, _given: str, _coloured: bool) -> str:
    return "\n".join(_source_lines(kept_answer(session.home, session.last.run)))


def _source_lines(answer: KeptAnswer) -> Iterator[str]:
    if not answer.sources:
        yield "nothing was searched: evidence of earlier turns sufficed"
    for source in answer.sources:
        yield f"{source.name}: {source.status.replace('_', ' ')}{f' ({source.detail})' if source.detail else ''}"
    for record in answer.rounds:
        read = ", ".join(page_name(key).title for key in record.documents) or "nothing new"
        yield f"round {record.number} read {read}"
    for title in dict.fromkeys(citation.title for citation in answer.citations):
        cited = [citation for citation in answer.citations if citation.title == title]
        markers = "".join(f"[{citation.marker}]" for citation in cited)
        by = f", by {cited[0].attribution}" if cited[0].attribution else ""
        yield f"{markers} {title}: {cited[0].licence or 'no licence is stated'}{by}"


def _queries(session: Session, _given: str, _coloured: bool) -> str:
    rounds = kept_answer(session.home, session.last.run).rounds
    asked = (f"round {record.number}\n" + "\n".join(f"  {query}" for query in record.queries) for record in rounds)
    return "\n".join(asked) or "no round was needed"


def _rate(session: Session, given: str, _coloured: bool) -> str:
    rating = next((each for each in RATINGS if each == given.casefold()), None)
    if rating is None and given.casefold() != "none":
        raise UnknownName(f"a thumb is up, down or none, and not {given!r}; /rate up")
    EpisodeStore(session.home).rate(session.last.run, rating)
    return f"{'no thumb' if rating is None else f'thumb {rating}'} for the last answer"


def _new(session: Session, _given: str, _coloured: bool) -> str:
    session.begin_anew()
    return "a new conversation"


def _conversations(session: Session, _given: str, _coloured: bool) -> str:
    lines = (
        f"{each.id}  {datetime.fromtimestamp(each.started, UTC):%Y-%m-%d %H:%M}  "
        f"{each.questions:>3} {'question' if each.questions == 1 else 'questions':9}  {each.title}"
        for each in session.store.all()
    )
    return "\n".join(lines) or "no conversation is kept yet"


def _forget(session: Session, given: str, _coloured: bool) -> str:
    gone = session.forget(given)
    return f"forgot {gone.id}, {gone.title!r}; its runs are kept until heliograph store purge --runs"


COMMANDS: Mapping[str, Command] = {
    "/trace": Command("[DEPTH]", "what the last run did, as a tree", _trace),
    "/sources": Command("", "how the sources fared, pages read, licences", _sources),
    "/evidence": Command("N", "the cited piece [N]: its words, where it stands, its URL", _evidence),
    "/queries": Command("", "what was searched for", _queries),
    "/rate": Command("up|down|none", "say whether the last answer was good, for questions to come", _rate),
    "/new": Command("", "begin a new conversation", _new),
    "/conversations": Command("", "those that are kept; go on with heliograph chat --continue ID", _conversations),
    "/forget": Command("ID", "delete a conversation", _forget),
    "/help": Command("", "this list", _help),
}
