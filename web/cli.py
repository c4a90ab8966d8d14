"""The command `serve`. Imports wait until it runs."""

import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.options import run_options
from agent.cli.speaking import say
from web.limits import PLACES, RUNNING
from web.mcp.command import mcp_command

if TYPE_CHECKING:
    from web.researcher import Employer

PATIENCE = 15.0


@click.command("serve")
@run_options
@click.option("--host", default="127.0.0.1", help="Address to listen on; any but loopback needs HELIOGRAPH_SERVE_KEY.")
@click.option("--port", type=click.IntRange(0, 65535), default=8642, help="Port; 0 for any that is free.")
@click.option(
    "--allow-host", "allowed", multiple=True, help="A name that the server is reached under; may be repeated."
)
@click.option("--running", type=click.IntRange(1, 256), default=RUNNING, help="Questions answered side by side.")
@click.option("--places", type=click.IntRange(1, 100_000), default=PLACES, help="Questions that run or wait, at most.")
@click.option(
    "--patience",
    type=click.FloatRange(1, 3600),
    default=PATIENCE,
    help="Seconds after which a question that no page listens to is stopped.",
)
def serve_command(
    preset: str | None,
    config: Path | None,
    host: str,
    port: int,
    allowed: tuple[str, ...],
    running: int,
    places: int,
    patience: float,
    **settings: Any,
) -> None:
    """Serve the chat page and OpenAI's chat API.

    The page is at the address that is printed; programs ask POST /v1/chat/completions, one model a preset. Exit codes:
    2 usage, 6 home folder unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from web.desk import Desk
    from web.office import Office
    from web.security import Guard, hosts, require_key
    from web.server import A_YEAR, application
    from web.serving import address_of, listen, serve
    from web.sessions import Sessions

    employer: Employer = click.get_current_context().obj
    with closing(listen(host, port)) as listening:
        staff = employer.staff(preset, config, settings)
        with closing(staff):
            require_key(host, staff.key)
            guard = Guard(hosts(host, allowed), staff.key)
            sessions = Sessions(staff.home)
            sessions.forget(before=time.time() - A_YEAR)
            office = Office(staff, Desk(running, places, patience), sessions, guard)
            answering = ", ".join(staff.researchers)
            say(f"{address_of(host, listening)}/ answers with {answering}; Ctrl-C ends it")
            serve(application(office), listening, office.desk.close)


COMMANDS = (serve_command, mcp_command)
