"""The group of all commands: errors as exit codes, and a plain word for commands of later releases."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from agent.cli.speaking import complain, hold_nothing_back
from heliograph.errors import HeliographError, NotBuilt, StoreFull
from heliograph.interrupts import INTERRUPTED, started
from heliograph.storage import FULL

LATER_COMMANDS = {
    "verify": "cited revisions are not fetched again yet; heliograph replay RUN checks a run against its record",
}


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turn every error into one line that names the cause, and its documented exit code."""
    try:
        yield
    except HeliographError as err:
        complain(str(err))
        sys.exit(err.exit_code)
    except KeyboardInterrupt:
        click.echo("heliograph: interrupted", err=True)
        sys.exit(INTERRUPTED)


class Commands(click.Group):
    """The commands, their errors as exit codes, and a plain word for those of later releases."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Read the arguments and run; a full disk behind stdout ends in an exit code too.

        Files have translated their errors, which name them; what is left is a stream's.
        """
        try:
            return super().main(*args, **extra)
        except OSError as err:
            if err.errno not in FULL or err.filename is not None:
                raise
            hold_nothing_back()
            said = f"cannot write what is printed: {err.strerror}; free some space, or send it elsewhere"
            with suppress(OSError):
                complain(said)
            sys.exit(StoreFull.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; every error ends in one line and its documented exit code; NO_COLOR is respected."""
        started()
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        with exit_codes():
            return super().invoke(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or one that says why it is not there yet."""
        if cmd_name in LATER_COMMANDS:
            return _later(cmd_name)
        return super().get_command(ctx, cmd_name)


def _later(name: str) -> click.Command:
    def refuse(**_: Any) -> None:
        raise NotBuilt(f"{name}: {LATER_COMMANDS[name]}")

    anything = click.Argument(["anything"], nargs=-1, type=click.UNPROCESSED)
    return click.Command(
        name,
        callback=refuse,
        params=[anything],
        context_settings={"ignore_unknown_options": True},
        add_help_option=False,
    )
