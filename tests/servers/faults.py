"""What can go wrong between a client and a server: values that say it, for `FaultProxy` to do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random


@dataclass(frozen=True, slots=True)
class Forward:
    """Pass the request on; `headers` are added to it, such as the test wiki's X-Replication-Lag."""

    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer without asking the server; `retry_after` is seconds, or a timedelta to be sent as the date it leads to."""

    status: int = 200
    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    retry_after: int | timedelta | None = None


@dataclass(frozen=True, slots=True)
class Hang:
    """Take the request and never answer; it ends when the client gives up."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Promise the whole answer by Content-Length, send this share of its body, and close."""

    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Drip:
    """Send the answer's body in pieces of so many bytes, with a pause in seconds before each."""

    pieces_of: int = 64
    pause: float = 0.05


Fault = Forward | Answer | Hang | Cut | Drip


def too_many_requests(retry_after: int | timedelta | None = None) -> Answer:
    """Refuse as a rate limiter does, in plain text as Wikimedia's does."""
    return Answer(429, b"Too many requests\n", "text/plain", retry_after=retry_after)


def unavailable(retry_after: int | timedelta | None = None) -> Answer:
    """Refuse as a server under maintenance does."""
    return Answer(503, b"<!DOCTYPE html><title>Wikimedia Error</title>", retry_after=retry_after)


def server_error() -> Answer:
    """Fail as a server with a bug does."""
    return Answer(500, b"<!DOCTYPE html><title>Internal error</title>")


def html_for_json() -> Answer:
    """Say 200 and send a web page, as a captive portal does."""
    return Answer(200, b"<!DOCTYPE html><title>Welcome to the guest network</title><p>Please sign in.</p>")


def empty() -> Answer:
    """Say 200 and send nothing."""
    return Answer(200, b"", "application/json")


def redirect(to: str) -> Answer:
    """Send the client to another URL."""
    return Answer(302, headers={"Location": to})


def random_faults(seed: int, share: float, faults: Sequence[Fault]) -> Iterator[Fault]:
    """Draw for each request, without end: one of the faults in this share of cases, otherwise none."""
    random = Random(seed)
    while True:
        yield random.choice(faults) if random.random() < share else Forward()


NAMED: Mapping[str, Fault] = {
    "ok": Forward(),
    "429": too_many_requests(),
    "429-seconds": too_many_requests(retry_after=2),
    "429-date": too_many_requests(retry_after=timedelta(seconds=2)),
    "503": unavailable(retry_after=2),
    "500": server_error(),
    "hang": Hang(),
    "cut": Cut(),
    "drip": Drip(),
    "html": html_for_json(),
    "empty": empty(),
    "elsewhere": redirect("http://192.0.2.1/"),
    "lag": Forward({"X-Replication-Lag": "7"}),
}
"""What the command line calls each fault."""
