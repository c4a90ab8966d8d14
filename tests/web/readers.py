"""How tests ask as a page does: questions as jobs, their events to the end."""

import json
from collections.abc import Callable

import httpx

Events = list[tuple[int, str, dict[str, object]]]
Readers = Callable[[str], httpx.Client]
"""Makes clients with a session, as browsers that have loaded the page at an address."""


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
