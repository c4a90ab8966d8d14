"""The one way to a live wiki: requests that are polite, bounded, and end at their deadline."""

import io
import threading
import time
from collections.abc import Callable
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.structures import CaseInsensitiveDict
from urllib3.exceptions import HTTPError, NewConnectionError

from heliograph.errors import PageUnavailable, RateLimited, SearchUnavailable, SourceBlocked
from tools.errands import current_errand
from tools.politeness import Host, Manners, Setback, retry_after
from tools.wikipedia.wire import CuttableAdapter, cut_after

MOST_BYTES = 64_000_000
CHUNK = 65_536
CONNECT_SECONDS = 10.0

_WAIT_CODES = frozenset(("maxlag", "ratelimited", "readonly", "cirrussearch-too-busy-error"))
"""Errors of the API, named in a header, that ask to come back later."""


class PoliteSession(requests.Session):
    """A session of requests that mwclient may be given; bodies come whole and short, and redirects are not followed.

    What mwclient would retry is retried here, with the manners of `Host`, before it hears of it. Certificates and
    proxies are those of the environment; passwords of a netrc file and cookies are sent to nobody.

    Raises (from every request):
        RateLimited | SourceBlocked | SearchUnavailable: in the words of the host.
    """

    def __init__(self, agent: str, manners: Manners) -> None:
        super().__init__()
        self.headers = CaseInsensitiveDict({"User-Agent": agent, "Accept-Encoding": "gzip", "Accept": "*/*"})
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        self.auth = _no_password
        self.mount("https://", CuttableAdapter())
        self.mount("http://", CuttableAdapter())
        self._manners = manners
        self._hosts: dict[str, Host] = {}
        self._lock = threading.Lock()

    def request(
        self, method: str, url: str | bytes, *args: Any, most_bytes: int = MOST_BYTES, **given: Any
    ) -> requests.Response:
        """Ask until there is an answer; one of another status than 200 may be one too."""
        name = urlsplit(str(url)).netloc
        ask = super().request

        def attempt(left: float) -> requests.Response | Setback:
            if current_errand().dropped:
                return Setback(SearchUnavailable(f"nobody waits for {name} any more"), "never")
            how = {"stream": True, "allow_redirects": False, "timeout": (min(left, CONNECT_SECONDS), left)}
            return self._attempt(name, lambda: ask(method, url, *args, **{**given, **how}), left, most_bytes)

        return self._host(name).call(attempt)

    def get_redirect_target(self, resp: requests.Response) -> str | None:  # noqa: ARG002 - the name is requests'
        """Prepare no redirect: whoever asks decides, and an address in it may be none."""
        return None

    def _host(self, name: str) -> Host:
        with self._lock:
            if name not in self._hosts:
                self._hosts[name] = Host(name, self._manners)
            return self._hosts[name]

    def _attempt(
        self, name: str, ask: Callable[[], requests.Response], left: float, most_bytes: int
    ) -> requests.Response | Setback:
        until = time.monotonic() + left
        try:
            with cut_after(left), ask() as answer:
                body = _body(answer, most_bytes)
        except (requests.RequestException, HTTPError, OSError) as err:
            late = isinstance(err, requests.Timeout) or time.monotonic() >= until
            return _silence(name, self._manners.seconds) if late else _broken(name, err)
        if time.monotonic() >= until:  # cut among its headers, an answer looks like one that is empty
            return _silence(name, self._manners.seconds)
        if body is None:
            too_long = f"{name} sent more than {most_bytes:,} bytes for one page or picture; no more are read"
            return Setback(PageUnavailable(too_long), "never", blame=False)
        return _refusal(name, answer) or _whole(answer, body)


def _body(answer: requests.Response, most_bytes: int) -> bytes | None:
    """Read a body; None where it is longer than allowed, unpacked."""
    body = bytearray()
    for chunk in answer.iter_content(CHUNK):
        body += chunk
        if len(body) > most_bytes:
            return None
    return bytes(body)


def _whole(answer: requests.Response, body: bytes) -> requests.Response:
    """Return an answer whose body is in memory, in UTF-8 as MediaWiki sends it."""
    whole = requests.Response()
    whole.status_code, whole.reason, whole.url = answer.status_code, answer.reason, answer.url
    whole.headers, whole.encoding, whole.raw = answer.headers, "utf-8", io.BytesIO(body)
    return whole


def _refusal(name: str, answer: requests.Response) -> Setback | None:
    """Say what an answer that is no answer means: wait, try again, or go away."""
    status, code = answer.status_code, answer.headers.get("MediaWiki-API-Error", "")
    if status in (429, 503) or code in _WAIT_CODES:
        why = f"the error {code}" if status == 200 else f"status {status}"
        busy = f"{name} is busy ({why}) and was so until the deadline; ask again in some minutes"
        return Setback(RateLimited(busy), "when told", retry_after(answer.headers.get("Retry-After")))
    if status in (401, 403, 407, 451):
        blocked = f"{name} refuses us (status {status}); see that `contact` is right, or use another --source"
        return Setback(SourceBlocked(blocked), "never")
    if status >= 500:
        return Setback(SearchUnavailable(f"{name} fails inside (status {status}); ask again later"), "soon")
    return None


def _silence(name: str, seconds: float) -> Setback:
    said = f"{name} did not answer within {seconds:g} s; ask again later, or raise source_seconds"
    return Setback(SearchUnavailable(said), "never")


def _broken(name: str, err: Exception) -> Setback:
    """Say how a connection failed: one that never was is not tried again, one that broke may hold the next time."""
    cause = getattr(err.args[0] if err.args else None, "reason", None)
    if isinstance(cause, NewConnectionError) or isinstance(err, requests.exceptions.SSLError):
        why = str(cause or err).partition("): ")[2] or str(err)  # without the name of a class
        return Setback(SearchUnavailable(f"{name} cannot be reached ({why}); is there a network?"), "never")
    if isinstance(err, requests.exceptions.InvalidURL | requests.exceptions.ContentDecodingError):
        return Setback(SearchUnavailable(f"{name} cannot be understood: {err}"), "never")
    return Setback(SearchUnavailable(f"{name} broke off ({err}); ask again later"), "soon")


def _no_password(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request
