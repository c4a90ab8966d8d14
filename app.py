"""The composition root and the command line: it alone reads settings. Imports wait until they are needed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli import COMMANDS, Commands
from eval.cli import COMMANDS as EVALUATION

if TYPE_CHECKING:
    from agent.assembly import Backends
    from agent.chat.understanding import StandAlone
    from agent.services import Services
    from heliograph.config import Settings
    from heliograph.types import Answer, EvidenceId
    from memory.trace import Event, ReplayRecorder
    from memory.trace.folder import Manifest

Progress = Callable[[str], None]
Listener = Callable[["Event"], None]


class Heliograph:
    """Answer questions from Python: `await Heliograph(sources=["zim:wiki.zim"]).ask("…")`.

    Settings have the names of heliograph.toml; an unknown one raises UsageError. Questions may be asked one after the
    other; `close` gives the home folder free for another process. `run` is the name of the run begun last.
    """

    def __init__(self, preset: str | None = None, config: Path | None = None, **settings: Any) -> None:
        from heliograph.config import load_settings

        self.settings: Settings = load_settings(settings, preset, config)
        self.run = ""
        self._backends: Backends | None = None

    async def ask(
        self,
        question: str,
        progress: Progress = lambda _: None,
        listener: Listener = lambda _: None,
        earlier: "Sequence[EvidenceId]" = (),
    ) -> "Answer":
        """Answer one question and keep the run under the home folder.

        `progress` is told each step in words, `listener` hears each trace event as it ends; `earlier` names evidence of
        earlier turns of a conversation, which is ranked with what this question finds.

        Raises:
            HeliographError: bad input, no source, no model, or a store that cannot be used.
        """
        from agent.asking import ask
        from agent.assembly import build_services
        from agent.llm import ChatServers
        from agent.question import valid_question
        from agent.record import answer_json
        from heliograph.kept_settings import secrets, snapshot
        from heliograph.version import VERSION
        from memory.trace import SystemClock, new_manifest, open_run, write_answer

        question = valid_question(question)
        backends, hidden, clock = self._open(), secrets(self.settings), SystemClock()
        embedder = backends.embedder.name
        begun = new_manifest(question, snapshot(self.settings), VERSION, clock, earlier=earlier, embedder=embedder)
        with open_run(self.settings.home, begun, clock, hidden, listener) as recorder:
            self.run = recorder.run
            async with ChatServers() as servers:
                services = build_services(self.settings, backends, recorder, progress, servers, tuple(earlier))
                answer = await ask(question, services, recorder.folder)
            write_answer(recorder.folder, answer_json(answer))
        return answer

    async def resume(
        self, run: str, progress: Progress = lambda _: None, listener: Listener = lambda _: None
    ) -> "Answer":
        """Finish a run with the settings that it began with; keys are those of now, since a run keeps none.

        Of a run that has ended the answer is read from its record: no source and no model is needed.

        Raises:
            UnknownName: no such run.
            HeliographError: as `ask`.
        """
        from agent.asking import ask
        from agent.assembly import build_services
        from agent.llm import ChatServers
        from agent.record import answer_json
        from heliograph.kept_settings import resumed, secrets
        from heliograph.types import Answer
        from memory.trace import ResumingRecorder, SystemClock, find_run, read_manifest, returned, write_answer

        folder = find_run(self.settings.home, run)
        manifest, self.run = read_manifest(folder), folder.name
        ended: Answer | None = returned(folder, Answer)
        if ended is not None:
            progress(f"{self.run} has ended: this is its answer, and nothing was done")
            write_answer(folder, answer_json(ended))
            return ended
        self.close()
        self.settings = resumed(manifest.settings, self.settings)
        backends = self._open()
        hidden = secrets(self.settings)
        with ResumingRecorder(folder, manifest.run, SystemClock(), hidden, listener) as recorder:
            async with ChatServers() as servers:
                services = build_services(self.settings, backends, recorder, progress, servers, manifest.earlier)
                answer = await ask(manifest.question, services, folder)
            write_answer(folder, answer_json(answer))
        return answer

    def stand_alone(self, progress: Progress = lambda _: None) -> "StandAlone":
        """Return what rewrites the follow-ups of a conversation, so that `ask` understands them."""
        from agent.assembly.follow_ups import build_stand_alone

        return build_stand_alone(self.settings, progress)

    def close(self) -> None:
        """Release the home folder; the next question takes it again."""
        if self._backends is not None:
            self._backends.close()
            self._backends = None

    def _open(self) -> "Backends":
        from agent.assembly import build_backends, edge_retriever
        from heliograph.doctor import refuse_foreign_names, refuse_missing_models

        if self._backends is None:
            refuse_foreign_names()
            backends = build_backends(self.settings)
            if self.settings.graph != "off":
                edge_retriever(self.settings)  # refused here, not when its first page has been read
            if self.settings.wants_models:
                refuse_missing_models()
            for archive in backends.sources.archives:
                archive.open()
            backends.index.reserve()
            self._backends = backends
        return self._backends


class Root:
    """The composition root as the commands see it (`agent.cli.application`)."""

    def settings(self) -> "Settings":
        """Return the settings without flags: heliograph.toml and the environment."""
        from heliograph.config import load_settings

        return load_settings({})

    def asker(self, preset: str | None, config: Path | None, settings: Mapping[str, Any]) -> Heliograph:
        """Build a Heliograph from flags."""
        return Heliograph(preset, config, **settings)

    def replay_services(self, recorder: "ReplayRecorder", manifest: "Manifest") -> "Services":
        """Build the services of a recorded run from its settings; nothing behind the record is ever opened."""
        from agent.assembly import build_backends, build_services
        from agent.llm import ChatServers
        from heliograph.kept_settings import recorded_settings

        settings = recorded_settings(manifest.settings)
        backends = build_backends(settings, manifest.embedder)
        unread = replace(backends, sources=replace(backends.sources, pages=()))
        return build_services(settings, unread, recorder, lambda _: None, ChatServers(), manifest.earlier)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="heliograph")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Answer open questions from text, tables and images, and cite every claim."""
    ctx.obj = Root()


for command in (*COMMANDS, *EVALUATION):
    main.add_command(command)


if __name__ == "__main__":
    main()
