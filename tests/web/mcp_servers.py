"""MCP servers that the tests ask: a command of its own over stdio, and over HTTP in this process."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from heliograph import Heliograph
from heliograph.protocols import KnowledgeBase
from web.mcp.server import Address, serve_http
from web.mcp.turns import Turns

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Who designed Skerry Head Light?"
TOOLS = ["search_documents", "read_document", "retrieve_evidence", "table_text_graph", "ask"]


def over_stdio(archive: Path | None, home: Path, mode: str = "auto", extra: Sequence[str] = ()) -> Client:
    arguments = [*command(archive)[1:], *extra]
    started = StdioServerParameters(command=sys.executable, args=arguments, env=environment(home))
    return Client(stdio_client(started), mode=mode)


def command(archive: Path | None) -> list[str]:
    source = ["--source", f"zim:{archive}"] if archive else []
    return [sys.executable, "-m", "app", "mcp", *source, "--rounds", "2"]


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "HELIOGRAPH_HOME": str(home), "PYTHONPATH": str(ROOT)}


@asynccontextmanager
async def serving(
    archive: Path | None,
    key: str = "",
    turns: Turns | None = None,
    base: KnowledgeBase | None = None,
    **settings: object,
) -> AsyncIterator[str]:
    """Serve over HTTP in this process, without an archive a base alone; give the address."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with Heliograph(sources=[f"zim:{archive}"] if archive else [], **settings) as agent:
        address = Address("127.0.0.1", 0, key=key)
        pages = agent if archive else None
        serving = asyncio.create_task(serve_http(pages, turns or Turns(), address, ready.set_result, base))
        try:
            yield await ready
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
