"""uvicorn around the application, until somebody ends it."""

import socket
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.types import ASGIApp

from heliograph.errors import UsageError

ENDING_SECONDS = 5
"""How long open connections may take when the server is ended."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there.

    Raises:
        UsageError: the address is another's or none of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except (OSError, UnicodeError) as err:
        listening.close()
        raise UsageError(f"cannot listen on {host}:{port}: {err}; name another with --host and --port") from err
    return listening


def address_of(host: str, listening: socket.socket) -> str:
    """Return the address of a socket that listens on a host; its port was perhaps chosen by the system."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}"


class _Server(uvicorn.Server):
    """A server that stops all work before it waits for the connections that wait for that work."""

    def __init__(self, config: uvicorn.Config, stop: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._stop = stop

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the work, then hang up."""
        await self._stop()
        await super().shutdown(sockets)


def serve(app: ASGIApp, listening: socket.socket, stop: Callable[[], Awaitable[None]]) -> None:
    """Serve until SIGINT or SIGTERM, then `stop` all work and tell everybody who waits for it."""
    config = uvicorn.Config(
        app,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=ENDING_SECONDS,
    )
    _Server(config, stop).run([listening])
