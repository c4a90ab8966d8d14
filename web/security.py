"""Who may speak to the server at all, checked before anything else is looked at.

A browser sends what any page of any site tells it to send to 127.0.0.1. So the Host must be one that we serve under
(against names that are pointed here: DNS rebinding), a request with an Origin must come from our own page (against
other sites), and where a key is set, programs must show it.
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heliograph.errors import UsageError
from web.bodies import Bounded
from web.faults import NO_KEY, Fault, fault_response

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
HEALTH = "/health"
"""What is told without a key: that the server is there."""
WRONG_ORIGIN = Fault(
    403, "wrong_origin", "pages of other sites may not use this server; ask from a program, or from its own page"
)
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """What is let in: `hosts` that the server is reached under, and the `key` that programs must show, "" for none."""

    hosts: frozenset[str]
    key: str = ""

    def fault(self, method: str, headers: Headers, path: str) -> Fault | None:
        """Return why a request is refused, or None."""
        if _host(headers.get("host", "")) not in self.hosts:
            return Fault(421, "wrong_host", "this server is not reached under that name; name it with --allow-host")
        origin = headers.get("origin")
        if origin is not None and not _same(origin, headers.get("host", "")):
            return WRONG_ORIGIN
        if headers.get("sec-fetch-site") == "cross-site" and method not in SAFE_METHODS:
            return WRONG_ORIGIN
        if self.key and path != HEALTH and not shows_key(headers, self.key):
            return NO_KEY
        return None


class Guarded:
    """The application behind its guard, and the headers that keep a browser from doing what a page did not ask."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = Bounded(app)
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError(f"nothing here speaks {scope['type']}")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        fault = self._guard.fault(scope["method"], Headers(scope=scope), scope["path"])
        app = self._app if fault is None else fault_response(fault)
        await app(scope, receive, with_headers)


def require_key(host: str, key: str) -> None:
    """Refuse to listen for other machines without a key.

    Raises:
        UsageError: the address is not loopback and there is no key.
    """
    if not (key or _is_loopback(host)):
        raise UsageError(
            f"{host} can be reached from other machines, and no key is set; set HELIOGRAPH_SERVE_KEY to a long word of "
            "chance, or listen on 127.0.0.1"
        )


def shows_key(headers: Headers, key: str) -> bool:
    """Tell whether a request shows the key, as a program does or as a browser that was asked for a password."""
    scheme, _, shown = headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "basic":
        shown = _password(shown)
    return scheme.casefold() in ("bearer", "basic") and hmac.compare_digest(shown.strip().encode(), key.encode())


def hosts(bound: str, allowed: Iterable[str]) -> frozenset[str]:
    """Return the names that a server is reached under: what it is bound to, loopback's names, and what is allowed."""
    return frozenset({bound.casefold(), *map(str.casefold, allowed), *LOOPBACK})


def _is_loopback(host: str) -> bool:
    try:
        return host.casefold() in LOOPBACK or ip_address(host).is_loopback
    except ValueError:
        return False


def _host(authority: str) -> str:
    """Return the host of an authority without its port; "" where it is none."""
    try:
        return (urlsplit(f"//{authority}").hostname or "").casefold()
    except ValueError:
        return ""


def _same(origin: str, authority: str) -> bool:
    """Tell whether an Origin is that of our own page; a proxy before us may speak https where we speak http."""
    scheme, _, theirs = origin.partition("://")
    return scheme in ("http", "https") and theirs.casefold() == authority.casefold()


def _password(encoded: str) -> str:
    from base64 import b64decode
    from binascii import Error

    try:
        return b64decode(encoded, validate=True).decode("utf8").partition(":")[2]
    except (Error, UnicodeDecodeError):
        return ""
