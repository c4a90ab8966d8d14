"""uvicorn around the application, until somebody ends it."""

import socket

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


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM, then stop all work."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=ENDING_SECONDS,
    )
    uvicorn.Server(config).run([listening])
