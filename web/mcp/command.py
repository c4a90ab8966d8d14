"""The command `mcp`. Imports wait until it runs."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from agent.cli.interrupting import resumable
from agent.cli.options import run_options
from agent.cli.places import PLACE
from agent.cli.speaking import say
from web.limits import PLACES, RUNNING
from web.mcp.turns import Turns

NEXT = "the client starts the server again; heliograph trace list names the runs that were begun"


@click.command("mcp")
@run_options
@click.option("--skb", type=PLACE, help="A knowledge base to serve, beside sources or alone.")
@click.option("--http", is_flag=True, help="Serve over HTTP instead of stdio.")
@click.option("--host", default="127.0.0.1", help="Where to listen; elsewhere a serve_key is needed.")
@click.option("--port", type=click.IntRange(0, 65535), default=8770, help="0 takes any that is free.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A name that this server is reached under.")
@click.option("--allow-origin", multiple=True, metavar="ORIGIN", help="A site whose pages may use it: https://HOST.")
@click.option(
    "--running", type=click.IntRange(1, 256), default=RUNNING, help="Calls that research or read the base side by side."
)
@click.option("--places", type=click.IntRange(1, 100_000), default=PLACES, help="Such calls that run or wait, at most.")
def mcp_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    preset: str | None,
    config: Path | None,
    skb: Path | None,
    http: bool,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    running: int,
    places: int,
    **settings: Any,
) -> None:
    """Serve search, reading, evidence, the table-text graph and answers as MCP tools, on stdio by default.

    With --skb there are tools over a knowledge base; without a source they are the only ones. Exit codes: 2 usage,
    6 store unusable, 130 interrupted.
    """
    say("heliograph: starting")
    from agent.cli.application import application
    from indexers.skb.knowledge_base import open_base
    from web.mcp.server import Address, build_server, serve_http
    from web.security import require_key

    agent = application().asker(preset, config, settings)
    key = agent.settings.serve_key.get_secret_value()
    require_key(host, key)
    base = open_base(skb) if skb else None
    turns, address = Turns(running, places), Address(host, port, allow_host, allow_origin, key)
    with closing(agent):
        pages = None if base and not agent.settings.sources else agent
        if pages:
            pages.check()
        if http:
            if pages:
                pages.load()
            asyncio.run(serve_http(pages, turns, address, lambda at: say(f"heliograph: MCP on {at}"), base))
            return
        with resumable(lambda: "", NEXT):
            say("heliograph: MCP on stdio")
            asyncio.run(build_server(pages, turns, base).run_stdio_async())
