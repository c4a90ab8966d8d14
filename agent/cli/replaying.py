"""`heliograph replay`: a run once more from its record, or another way from a step of it on."""

import asyncio
from contextlib import closing
from pathlib import Path

import click

from agent.cli.interrupting import resumable
from agent.cli.running import show_run
from agent.cli.speaking import say, show
from heliograph.errors import ReplayMiss, UsageError


@click.command("replay")
@click.argument("run")
@click.option("--from", "node", metavar="NODE", help="Begin at this step of the graph; reflect@2 is its second time.")
@click.option("--with", "changes", multiple=True, metavar="KEY=VALUE", help="A setting from there on; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer record instead of text.")
@click.option("--config", type=click.Path(path_type=Path), help="With --from: a heliograph.toml, for its keys.")
def replay_command(run: str, node: str | None, changes: tuple[str, ...], as_json: bool, config: Path | None) -> None:
    """Run RUN again from its record, with no network, model or store, and compare every byte.

    Where a byte differs the record is printed all the same, with what differs, which version recorded it, and exit
    code 6.

    With --from a new run is made of it: what came before the step comes from the record, the rest is done anew, under
    the settings of the run and those of --with. Exit codes are then those of ask.
    """
    if node is None:
        if changes or config:
            raise UsageError("--with and --config need --from: a replay of the whole run changes nothing")
        _replay(run, as_json)
    else:
        _branch(run, node, changes, as_json, config)


def _replay(run: str, as_json: bool) -> None:
    from agent.cli.application import application
    from agent.replaying import replay
    from memory.trace import find_run, read_answer

    root = application()
    folder = find_run(root.settings().home, run)
    try:
        verified = asyncio.run(replay(root.settings().home, folder.name, root.replay_services))
    except ReplayMiss:
        if record := read_answer(folder):
            show(record, whole=True)
        raise
    if as_json:
        say(verified)
        show(read_answer(folder) or "", whole=True)
    else:
        show(verified, whole=True)


def _branch(run: str, node: str, changes: tuple[str, ...], as_json: bool, config: Path | None) -> None:
    say("heliograph: starting")
    from agent.branching import assignments
    from agent.cli.application import application
    from agent.terminal import Output
    from memory.trace import find_run

    changed, output = assignments(changes), Output(as_json)
    with closing(application().asker(None, config, {})) as heliograph, resumable(lambda: heliograph.run):
        source = find_run(heliograph.settings.home, run).name
        answer = asyncio.run(heliograph.branch(source, node, changed, say, output.listener))
        say(f"done anew from {node} on; whether the two part: heliograph trace diff {source} {heliograph.run}")
    show_run(answer, output, heliograph)
