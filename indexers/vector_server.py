"""The Chroma server that keeps a home's vectors, if one is set: its address, our name there, and what it answers.

Imports neither chromadb nor, before something is sent, httpx.
"""

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from heliograph.errors import StoreError, StoreFull, StoreUnreachable
from heliograph.storage import plain_file, storage_error

if TYPE_CHECKING:
    import httpx

    from heliograph.config import Settings

API = "/api/v2"
MAJOR = "1."
"""Versions of the server's API that we know begin so; a server of Chroma 1.5 says 1.0.0."""
SECONDS = 60.0
"""Deadline of one request."""
CHECK_SECONDS = 5.0
"""Deadline of the first question to a server, asked before any work is done."""
NAME_FILE = "chroma-name"
"""Of the home folder: the name that keeps its collections apart from those of other homes on a server."""
DISK_FULL = r"(?i)code: 13\b|disk is full|no space left|os error 28"
"""What Chroma says where its disk is full."""
LATER = "nothing is lost: the pages and their vectors are in the home folder"
MOST_SAID = 200


@dataclass(frozen=True, slots=True)
class VectorServer:
    """A Chroma server: its address without the path of the API, and what it is shown as a bearer token, if anything."""

    url: str
    token: str = field(default="", repr=False)

    @property
    def base(self) -> str:
        """The address that the path of the API is added to."""
        return self.url.rstrip("/").removesuffix(API)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def vector_server(settings: "Settings") -> VectorServer | None:
    """Return the server that keeps the vectors; None where they stand in the home folder."""
    if not settings.chroma_url:
        return None
    return VectorServer(settings.chroma_url, settings.chroma_token.get_secret_value())


def checked(server: VectorServer, seconds: float = CHECK_SECONDS) -> str:
    """Return the version that a server says it speaks, once it has shown that it is a Chroma that we know.

    Raises:
        StoreUnreachable: it is down, slow, refuses us, or is something else.
    """
    import httpx

    with reaching(server, seconds):
        response = httpx.get(f"{server.base}{API}/version", headers=server.headers, timeout=seconds)
        if response.status_code in (404, 405, 410):
            raise StoreUnreachable(f"no Chroma with the API {API} answers at {server.url}; correct chroma_url")
        refuse_failures(server, response)
    version = _json(response.text)
    if not isinstance(version, str):
        raise StoreUnreachable(f"what answers at {server.url} is no Chroma; correct chroma_url")
    if not version.startswith(MAJOR):
        raise StoreUnreachable(
            f"the Chroma server at {server.url} speaks version {version[:20]} of its API, and Heliograph {MAJOR}x; "
            "run a server of the chromadb in constraints.txt"
        )
    return version


@contextmanager
def reaching(server: VectorServer, seconds: float = SECONDS) -> Iterator[None]:
    """Turn what the network says into StoreUnreachable."""
    import httpx

    try:
        yield
    except httpx.TimeoutException as err:
        raise StoreUnreachable(
            f"the Chroma server at {server.url} did not answer within {seconds:g} s; ask again when it does; {LATER}"
        ) from err
    except (httpx.TransportError, httpx.InvalidURL) as err:
        raise StoreUnreachable(
            f"the Chroma server at {server.url} cannot be reached ({err}); start it or correct chroma_url; {LATER}"
        ) from err


def refuse_failures(server: VectorServer, response: "httpx.Response") -> None:
    """Raise what a response says if it is no success, or if no Chroma wrote it.

    Raises:
        StoreUnreachable | StoreFull | StoreError: as their names say; StoreError for a request that it does not take.
    """
    if response.is_success and response.headers.get("content-type", "").startswith("application/json"):
        return
    response.read()
    text = response.text.replace(server.token, "***") if server.token else response.text  # some repeat it
    raise _failure(server.url, response.status_code, text)


def _failure(url: str, status: int, text: str) -> StoreError:
    reply = _json(text)
    known = isinstance(reply, dict)
    said = " ".join((str(reply.get("message", "")) if isinstance(reply, dict) else text).split())[:MOST_SAID]
    if re.search(DISK_FULL, text):
        return StoreFull(f"no space is left on the Chroma server at {url} ({said}); free some there; {LATER}")
    if status in (401, 403):
        return StoreUnreachable(f"the server at {url} refuses us ({status}); set HELIOGRAPH_CHROMA_TOKEN to its token")
    if status == 404 and known:
        return StoreUnreachable(f"collections are gone from the Chroma server at {url} ({said}); ask again; {LATER}")
    if status == 429 or status >= 500:
        return StoreUnreachable(
            f"the Chroma server at {url} answers {status} ({said}); ask again, or look in its log; {LATER}"
        )
    if known and status >= 400:
        return StoreError(
            f"the Chroma server at {url} refuses a request ({status}: {said}); run a server of the chromadb in "
            "constraints.txt, or leave chroma_url out"
        )
    return StoreUnreachable(f"what answers {status} at {url} is no Chroma; correct chroma_url")


def known_name(home: Path) -> str | None:
    """Return the name that a home folder has on servers, if it has one.

    A copy of a home folder has none: its file is another than the one it says it is, and the name is the original's.
    """
    path = home / NAME_FILE
    try:
        name, written_as = plain_file(path).read_text(encoding="ascii").split()
        return name if written_as == str(path.stat().st_ino) and re.fullmatch(r"[0-9a-f]{16}", name) else None
    except (OSError, ValueError):
        return None


def name_at_server(home: Path) -> str:
    """Return the name that a home folder has on servers, giving it one if need be.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    name = known_name(home)
    if name is not None:
        return name
    path, made = home / NAME_FILE, secrets.token_hex(8)
    try:
        home.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.touch()
        fresh.write_text(f"{made} {fresh.stat().st_ino}\n", encoding="ascii")
        fresh.replace(path)
    except OSError as err:
        raise storage_error(err, path) from err
    return made


def forget_name(home: Path) -> None:
    """Take the name away from a home folder: nothing of it is on a server any more."""
    (home / NAME_FILE).unlink(missing_ok=True)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
