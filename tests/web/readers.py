"""How tests ask as a page does: questions as jobs, their events to the end."""

import json
import time
from collections.abc import Callable
from typing import Protocol

import httpx
import openai

from tests.web.researchers import Scripted

Events = list[tuple[int, str, dict[str, object]]]
Readers = Callable[[str], httpx.Client]
"""Makes clients with a session, as browsers that have loaded the page at an address."""


class Clients(Protocol):
    """Makes clients of a server, which are closed when the test ends."""

    def __call__(self, address: str, key: str = "none") -> openai.OpenAI: ...


def events_of(client: httpx.Client, job: str, after: int = 0) -> Events:
    """Hear a job to its end."""
    found: Events = []
    with client.stream("GET", f"/api/jobs/{job}/events", headers={"Last-Event-ID": str(after)}) as lines:
        fields: dict[str, str] = {}
        for line in lines.iter_lines():
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields:
                found.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
                fields = {}
    return found


def asked(client: httpx.Client, question: str, conversation: str | None = None) -> Events:
    reply = client.post("/api/questions", json={"question": question, "conversation": conversation})
    assert reply.status_code == 202, reply.text
    return events_of(client, reply.json()["job"])


def ended(client: httpx.Client, conversation: str, how: str) -> list[dict[str, object]]:
    """Wait until the last question of a conversation is kept as ended like this; return all its turns."""
    until = time.monotonic() + 30
    turns: list[dict[str, object]] = []
    while not turns or turns[-1].get("ending") != how:
        assert time.monotonic() < until, f"the last of {turns} has not {how}"
        time.sleep(0.01)
        turns = client.get(f"/api/conversations/{conversation}").json()["turns"]
    return turns


def idle(client: httpx.Client) -> None:
    """Wait until no question is accepted any more."""
    until = time.monotonic() + 30
    while client.get("/health").json()["accepted"]:
        assert time.monotonic() < until, "a question goes on"
        time.sleep(0.01)


def at_work(researcher: Scripted, number: int) -> None:
    """Wait until so many questions are worked at."""
    until = time.monotonic() + 30
    while researcher.at_work < number:
        assert time.monotonic() < until, f"{researcher.at_work} of {number} are worked at"
        time.sleep(0.01)
