"""Connections that can be cut from another thread: at a deadline, or when nobody waits for the answer any more.

A time limit of requests counts from one received byte to the next, so a host that sends a byte now and then is never
too late. Closing the socket ends any such wait.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from tools.errands import current_errand


class _Connection(HTTPConnection):
    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send a request that the errand of this thread may interrupt."""
        with _cuttable(self):
            super().request(*args, **kwargs)


class _SecureConnection(HTTPSConnection):
    def request(self, *args: Any, **kwargs: Any) -> None:
        """Send a request that the errand of this thread may interrupt."""
        with _cuttable(self):
            super().request(*args, **kwargs)


@contextmanager
def _cuttable(connection: HTTPConnection) -> Iterator[None]:
    """Let the errand of this thread cut what is being sent inside, and what is received afterwards.

    The socket is remembered, as a connection that will be closed forgets it before the body is read.
    """
    errand = current_errand()
    errand.interrupt = lambda: _cut(connection.sock)
    yield
    used = connection.sock
    errand.interrupt = lambda: _cut(used)


def _cut(used: socket.socket | None) -> None:
    """Close a socket for good, under TLS too; whoever reads from it gets an error or its end."""
    if used is not None:
        with suppress(OSError):
            socket.socket.shutdown(used, socket.SHUT_RDWR)


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


_POOLS: dict[str, type[HTTPConnectionPool]] = {"http": _Pool, "https": _SecurePool}


class CuttableAdapter(HTTPAdapter):
    """Requests' own way to hosts, over connections that can be cut."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Make pools of such connections."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, proxy: str, **kwargs: Any) -> Any:
        """Make pools of such connections to a proxy."""
        manager = super().proxy_manager_for(proxy, **kwargs)
        manager.pool_classes_by_scheme = _POOLS
        return manager


@contextmanager
def cut_after(seconds: float) -> Iterator[None]:
    """Interrupt the errand of this thread if what is inside takes longer."""
    errand = current_errand()

    def interrupt() -> None:
        errand.interrupt()  # what it is now, not what it was when the time began

    alarm = Timer(seconds, interrupt)
    alarm.daemon = True
    alarm.start()
    try:
        yield
    finally:
        alarm.cancel()
        errand.interrupt = lambda: None
