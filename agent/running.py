"""Runs of questions from their first instant to the answer record: begun, or gone on with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.asking import ask
from agent.assembly import (
    Backends,
    Stretch,
    build_services,
    build_stretches,
    living,
    recorded_services,
)
from agent.assembly.opened import OpenHome
from agent.branching import Place, branch_of, discarded_on_miss, live_from_last_turn, with_embedder
from agent.llm import ChatServers
from agent.question import valid_question
from agent.record import answer_json
from agent.replaying import outdated
from agent.services import Services
from heliograph.config import Settings
from heliograph.errors import UsageError
from heliograph.kept_settings import resumed, secrets, snapshot
from heliograph.protocols import Recorder
from heliograph.types import Answer, EvidenceId, MemoryScope, ToldClaim
from heliograph.unsaid import unsaid
from heliograph.version import VERSION
from memory.trace import (
    BranchingRecorder,
    Event,
    Manifest,
    ResumingRecorder,
    SystemClock,
    copy_beginning,
    find_run,
    load_trace,
    new_manifest,
    open_run,
    read_manifest,
    returned,
    write_answer,
)


@dataclass(frozen=True, slots=True)
class Hearing:
    """Who hears of a run while it goes on.

    Its name, its steps in words, each trace event as it ends, and each claim as soon as it is checked.
    """

    began: Callable[[str], None] = unsaid
    progress: Callable[[str], None] = unsaid
    listener: Callable[[Event], None] = unsaid
    tell: Callable[[ToldClaim], None] = unsaid


async def run_question(
    question: str,
    settings: Settings,
    home: OpenHome,
    hearing: Hearing,
    earlier: Sequence[EvidenceId] = (),
    scope: MemoryScope | None = None,
) -> Answer:
    """Answer a question and keep the run under the home folder; several may run side by side.

    Raises:
        HeliographError: bad input, no source, no model, or a store that cannot be used.
    """
    question = valid_question(question)
    hidden, clock = secrets(settings), SystemClock()
    with home.lent(settings) as backends:
        kept, embedder = snapshot(settings), backends.embedder.name
        begun = new_manifest(question, kept, VERSION, clock, earlier=earlier, embedder=embedder, scope=scope)
        with (
            home.running(begun.run),
            open_run(settings.home, begun, clock, hidden, hearing.listener) as recorder,
        ):
            hearing.began(recorder.run)
            async with ChatServers(hidden) as servers:
                going_on = GoingOn(begun, settings, backends, recorder, servers)
                answer = await ask(question, services_of(going_on, hearing), recorder.folder)
            write_answer(recorder.folder, answer_json(answer))
    return answer


async def resume_run(run: str, present: Settings, home: OpenHome, hearing: Hearing) -> Answer:
    """Finish a run with the settings that it began with; of one that has ended the answer is read from its record.

    Raises:
        UnknownName: no such run.
        UsageError: it is under way, or questions with other settings are.
        HeliographError: as `run_question`.
    """
    folder = find_run(present.home, run)
    manifest = read_manifest(folder)
    hearing.began(folder.name)
    ended: Answer | None = returned(folder, Answer)
    if ended is not None:
        hearing.progress(f"{folder.name} has ended: this is its answer, and nothing was done")
        write_answer(folder, answer_json(ended))
        return ended
    _refuse_outdated(folder.name, manifest)
    settings = resumed(living(manifest).settings, present)
    with home.running(folder.name), home.lent(settings) as backends:
        hidden = secrets(settings)
        with ResumingRecorder(folder, manifest.run, SystemClock(), hidden, hearing.listener) as recorder:
            async with ChatServers(hidden) as servers:
                going_on = GoingOn(manifest, settings, backends, recorder, servers)
                answer = await ask(manifest.question, services_of(going_on, hearing), folder)
            write_answer(folder, answer_json(answer))
    return answer


async def branch_run(
    run: str, node: str, changes: Mapping[str, str], present: Settings, home: OpenHome, hearing: Hearing
) -> Answer:
    """Go another way from a step of a recorded run on, as a new run: what came before is given back, the rest is done.

    Args:
        run: the recorded one.
        node: a step of `agent/graph.py`, with @2 the second time that the run came to it.
        changes: settings by their dotted names, as `{"llm.model": "…"}`.
        present: settings whose keys and home folder are used.
        home: as of `run_question`.
        hearing: as of `run_question`; its listener hears of the beginning, too.

    Raises:
        UnknownName: no such run, step or setting.
        ReplayMiss: the steps before it cannot be gone through from the record.
        HeliographError: as `run_question`.
    """
    place, source = Place.read(node), find_run(present.home, run)
    _refuse_outdated(source.name, read_manifest(source))
    manifest, beginning = branch_of(source, place, changes, SystemClock())
    settings = resumed(living(manifest).settings, present)
    with home.running(manifest.run), home.lent(settings) as backends:
        manifest = with_embedder(manifest, backends.embedder.name)
        folder = copy_beginning(present.home, source, manifest, beginning)
        hearing.began(manifest.run)
        for event in load_trace(folder):
            hearing.listener(event)
        with BranchingRecorder(folder, manifest.run, SystemClock(), secrets(settings), hearing.listener) as recorder:
            async with ChatServers(secrets(settings)) as servers:
                going_on = GoingOn(manifest, settings, backends, recorder, servers)
                services = live_from_last_turn(services_of(going_on, hearing), recorder)
                with discarded_on_miss(recorder):
                    answer = await ask(manifest.question, services, folder)
            write_answer(folder, answer_json(answer))
    return answer


@dataclass(frozen=True, slots=True)
class GoingOn:
    """A recorded run that is gone on with: what held, and what takes effect."""

    manifest: Manifest
    settings: Settings
    backends: Backends
    recorder: Recorder
    servers: ChatServers


def services_of(run: GoingOn, hearing: Hearing) -> Services:
    """Build the services of a run that is gone on with; stretches that have ended stay in their record."""
    manifest = run.manifest

    def make(stretch: Stretch, before: Services | None) -> Services:
        if not stretch.last:
            return recorded_services(stretch, run.recorder, manifest, before)
        built = build_services(
            run.settings,
            run.backends,
            run.recorder,
            hearing.progress,
            run.servers,
            manifest.earlier,
            before,
            manifest.scope,
        )
        return replace(built, tell=hearing.tell)

    return build_stretches(manifest, make)


def _refuse_outdated(run: str, manifest: Manifest) -> None:
    """Refuse to go on with a run that this version does not go through as it began.

    Raises:
        UsageError: it was begun by a version before `agent.replaying.STEPS_SINCE`, or by one that computed by rules.
    """
    if why := outdated(manifest):
        raise UsageError(f"{run} was {why}; ask again, or heliograph trace show {run}")
