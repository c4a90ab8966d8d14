"""How much one request may send, before anything of it is understood."""

from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.faults import Fault, fault_response

MOST_BYTES = 4_000_000
"""Of one body: twenty messages of the longest that are read."""
TOO_LARGE = Fault(413, "too_large", f"a request may hold {MOST_BYTES:,} bytes; send fewer of the earlier messages")


class Bounded:
    """An application that never sees more of a body than `MOST_BYTES`; who sends more is told so.

    A body of a length that is told is refused unread, one that comes in chunks where it grows beyond. The connection
    stays open, and its server throws away what follows: closed at once, it could be reset before the client reads why.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif _told_length(Headers(scope=scope)) > MOST_BYTES:
            await fault_response(TOO_LARGE)(scope, receive, send)
        else:
            await _Counted(receive, send).handed_to(self._app, scope)


class _Counted:
    """One request whose body is counted; beyond the bound the application is told that its client is gone."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._bytes = 0
        self._answered = False

    async def handed_to(self, app: ASGIApp, scope: Scope) -> None:
        with suppress(ClientDisconnect):
            await app(scope, self._read, self._answer)
        if self._is_over and not self._answered:
            await fault_response(TOO_LARGE)(scope, self._receive, self._send)

    @property
    def _is_over(self) -> bool:
        return self._bytes > MOST_BYTES

    async def _read(self) -> Message:
        if self._is_over:
            return {"type": "http.disconnect"}
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        return {"type": "http.disconnect"} if self._is_over else message

    async def _answer(self, message: Message) -> None:
        if self._is_over and not self._answered:
            return  # what is made of half a body; the refusal comes instead
        self._answered = True
        await self._send(message)


def _told_length(headers: Headers) -> int:
    told = headers.get("content-length", "")
    return int(told) if told.isdecimal() and told.isascii() else 0
