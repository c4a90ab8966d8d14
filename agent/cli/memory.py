"""The commands of `heliograph memory`: what is remembered of past questions, and how to be rid of it."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agent.cli.housekeeping import home
from agent.cli.options import options
from agent.cli.speaking import show
from heliograph.errors import UsageError
from memory.days import DAY

if TYPE_CHECKING:
    from heliograph.types import Episode
    from memory.episodes import EpisodeStore

choices = options(
    click.argument("runs", nargs=-1, metavar="[RUN]..."),
    click.option("--text", default="", help="Those with this text in their question, a query or a title."),
    click.option("--conversation", default="", metavar="ID", help="Those of one conversation."),
    click.option("--user", default="", help="Those of one user; a command line has one, `local`."),
)
"""The ways to say which questions are meant; several narrow the choice."""


@click.group("memory")
def memory_group() -> None:
    """Look into what is remembered of past questions; answers never quote it."""


@memory_group.command("show")
@choices
def memory_show(runs: tuple[str, ...], text: str, conversation: str, user: str) -> None:
    """List the questions that are remembered; of each RUN, show all that is known.

    RUN is a name, the beginning of one, or last.
    """
    from agent.remembered import one_line, whole

    meant = _meant(_store(), runs, text, conversation, user)
    lines = map(whole if runs else one_line, meant)
    show("\n\n".join(lines) if runs else "\n".join(lines) or "no such question is remembered", whole=True)


@memory_group.command("export")
@choices
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file instead of stdout.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def memory_export(
    runs: tuple[str, ...], text: str, conversation: str, user: str, out: Path | None, force: bool
) -> None:
    """Write what is remembered as JSON lines, one question a line, the oldest first."""
    from heliograph.storage import refuse_to_replace, storage_error
    from memory.episodes import episode_json

    if out is not None:
        refuse_to_replace(out, force)
    lines = "".join(f"{episode_json(each)}\n" for each in _meant(_store(), runs, text, conversation, user))
    if out is None:
        click.echo(lines, nl=False)
        return
    try:
        out.write_text(lines, encoding="utf8")
    except OSError as err:
        raise storage_error(err, out, "name another file by --out") from err
    click.echo(f"wrote {lines.count(chr(10))} questions to {out}", err=True)


@memory_group.command("forget")
@choices
@click.option("--expired", is_flag=True, help="Those older than the setting memory_days.")
@click.option("--all", "everything", is_flag=True, help="Everything, of every user.")
def memory_forget(
    runs: tuple[str, ...], text: str, conversation: str, user: str, expired: bool, everything: bool
) -> None:
    """Forget questions: those of RUN, those that every option fits, or --all; runs and answers stay."""
    from memory.episodes import Which

    if everything == bool(runs or text or conversation or user or expired):
        raise UsageError("say which: RUN, --text, --conversation, --user, --expired, or --all and nothing else")
    store, before = _store(), time.time() - _days() * DAY if expired else None
    names: tuple[str, ...] = tuple(store.find(run).run for run in runs) or ("",)
    which = (Which(run, text, user, conversation, before=before) for run in names)
    gone = sum(map(store.forget, which))
    click.echo(f"forgot {gone} question{'' if gone == 1 else 's'}; what their runs recorded stays")


@memory_group.command("rate")
@click.argument("run")
@click.argument("thumb", type=click.Choice(["up", "down", "none"]))
def memory_rate(run: str, thumb: str) -> None:
    """Say whether the answer of RUN was good: up counts double, down is not looked at again, none takes it back."""
    from heliograph.types import RATINGS

    rated = _store().rate(run, next((each for each in RATINGS if each == thumb), None))
    click.echo(f"{rated.run}: {'no thumb' if rated.rating is None else f'thumb {rated.rating}'}")


def _store() -> "EpisodeStore":
    from memory.episodes import EpisodeStore

    return EpisodeStore(home())


def _days() -> float:
    from agent.cli.application import application

    return application().settings().memory_days


def _meant(
    store: "EpisodeStore", runs: tuple[str, ...], text: str, conversation: str, user: str
) -> "tuple[Episode, ...]":
    """Return the questions that are meant, the oldest first."""
    from memory.episodes import Which

    names = tuple(store.find(run).run for run in runs) or ("",)
    return tuple(each for run in names for each in store.matching(Which(run, text, user, conversation)))
