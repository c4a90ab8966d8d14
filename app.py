"""The composition root and the command line: it alone reads settings. Imports wait until they are needed."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.api import Agent, Progress, unsaid
from agent.blocking import BlockingAgent
from agent.cli import COMMANDS, Commands
from eval.cli import COMMANDS as EVALUATION
from web.cli import COMMANDS as SERVERS

if TYPE_CHECKING:
    from agent.services import Services
    from eval.offline.dataset import GoldQuestion
    from eval.offline.evaluating import Evaluation
    from heliograph.config import Settings
    from memory.trace import ReplayRecorder
    from memory.trace.folder import Manifest
    from web.researcher import Staff


class Heliograph(Agent):
    """Answer questions from Python, with the settings of heliograph.toml as keywords.

    Every method that works is a coroutine, and any number may run at the same time on one object: each run has a name
    and a record of its own. `heliograph.sync.Heliograph` has the same methods for code that awaits nothing. An object
    belongs to one event loop; it holds its home folder from the first question until `close`, or the end of `async
    with`.

    >>> async def grounds(question: str) -> dict[str, str]:
    ...     async with Heliograph(sources=["zim:varn.zim"], home="home") as heliograph:
    ...         answer = await heliograph.ask(question)
    ...     return {citation.quote: citation.title for citation in answer.citations[-1:]}
    >>> asyncio.run(grounds("Who designed Skerry Head Light?"))
    {'It was designed by Ada Brandt.': 'Skerry Head Light'}
    """

    def __init__(self, preset: str | None = None, config: Path | None = None, **settings: Any) -> None:
        """Read settings, and open nothing yet.

        Args:
            preset: settings that belong together: demo, fast, full or live.
            config: a heliograph.toml; one of the current folder otherwise, where it names no server.
            settings: by their names in heliograph.toml.

        Raises:
            UsageError: a setting that is unknown or cannot be used.
        """
        from heliograph.config import load_settings

        super().__init__(load_settings(settings, preset, config))

    async def evaluate(self, questions: "Path | Sequence[GoldQuestion]", progress: Progress = unsaid) -> "Evaluation":
        """Ask questions whose answers are known, and measure answers, pages, evidence and citations.

        Args:
            questions: or a file of JSON lines as demo/questions.jsonl.
            progress: is told how each question went.

        Raises:
            UsageError: the file cannot be read.
            HeliographError: as `ask`.
        """
        from eval.offline.evaluating import evaluate
        from memory.pages import FilePageStore

        store = FilePageStore(self.settings.home / "pages", self.settings.store_bytes)
        return await evaluate(questions, self.ask, store, progress)


class BlockingHeliograph(BlockingAgent):
    """`heliograph.sync.Heliograph`: the methods of `heliograph.Heliograph`, without `await`.

    The work runs on a thread of the object, so that it may be used where an event loop runs already, in a notebook say,
    and from several threads at once. Ctrl-C stops what the caller waits for.

    >>> with sync.Heliograph(sources=["zim:varn.zim"], home="home") as heliograph:
    ...     heliograph.ask("Who designed Skerry Head Light?").citations[0].title
    'Skerry Head Light'
    """

    def __init__(self, preset: str | None = None, config: Path | None = None, **settings: Any) -> None:
        """Read settings, as `Heliograph` does, and open nothing yet.

        Raises:
            UsageError: a setting that is unknown or cannot be used.
        """
        self._heliograph = Heliograph(preset, config, **settings)
        super().__init__(self._heliograph)

    def evaluate(self, questions: "Path | Sequence[GoldQuestion]", progress: Progress = unsaid) -> "Evaluation":
        """Ask questions whose answers are known, and measure; as `Heliograph.evaluate`."""
        return self.done(self._heliograph.evaluate(questions, progress))


class Root:
    """The composition root as the commands see it (`agent.cli.application`)."""

    def settings(self) -> "Settings":
        """Return the settings without flags: heliograph.toml and the environment."""
        from heliograph.config import load_settings

        return load_settings({})

    def asker(self, preset: str | None, config: Path | None, settings: Mapping[str, Any]) -> Heliograph:
        """Build a Heliograph from flags."""
        return Heliograph(preset, config, **settings)

    def staff(self, preset: str | None, config: Path | None, settings: Mapping[str, Any]) -> "Staff":
        """Build who answers for a server: the settings at hand, and each preset that has what it needs.

        Raises:
            UsageError: there is no source, or one that cannot be used.
            StoreError: the home folder cannot be used.
        """
        from agent.api import Agent
        from agent.assembly.opened import OpenHome
        from agent.assembly.presets import usable_presets
        from heliograph.kept_settings import secrets
        from web.researcher import Staff, about

        home = OpenHome()
        found = usable_presets(preset, config, settings)
        for each in found.values():
            with home.lent(each):
                pass
        first = next(iter(found.values()))
        researchers, ending = {name: Agent(each, home) for name, each in found.items()}, ExitStack()
        for agent in researchers.values():
            agent.load()
        for close in (home.close, *(each.close for each in researchers.values())):
            ending.callback(close)  # the last is called first: what each still tells a collector, then the home
        return Staff(
            home=first.home,
            researchers=researchers,
            about={name: about(each) for name, each in found.items()},
            close=ending.close,
            key=first.serve_key.get_secret_value(),
            secrets=secrets(first),
            remembers=first.memory != "off",
        )

    def replay_services(self, recorder: "ReplayRecorder", manifest: "Manifest") -> "Services":
        """Build the services of a recorded run from its settings; nothing behind the record is ever opened."""
        from agent.assembly.replayed import replay_services

        return replay_services(recorder, manifest)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="heliograph")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Answer open questions from text, tables and images, and cite every claim."""
    ctx.obj = Root()


for command in (*COMMANDS, *EVALUATION, *SERVERS):
    main.add_command(command)


if __name__ == "__main__":
    main()
