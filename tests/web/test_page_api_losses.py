"""What the page's server does where something is gone: a conversation that is deleted, a run that was purged."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import httpx

from heliograph.types import EvidenceId
from heliograph.types.streaming import Begun, StreamEvent
from tests.web.readers import Readers, asked, events_of
from tests.web.researchers import answer_to, office, served, told
from web.sessions import Sessions


async def waiting(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    """Answer a first question; one about width is worked at without an end."""
    if "wide" in question:
        yield Begun("endless")
        await asyncio.sleep(600)
    async for event in told(answer_to(question, "Orvo is a moon.")):
        yield event


def test_deleting_a_conversation_stops_what_is_asked_in_it(tmp_path: Path, reader: Readers) -> None:
    parts, researcher = office(tmp_path, waiting)
    with served(parts) as address:
        client = reader(address)
        name = str(asked(client, "What is Orvo?")[-1][2]["conversation"])
        job = client.post("/api/questions", json={"question": "How wide is Orvo?", "conversation": name}).json()["job"]
        other = client.post("/api/questions", json={"question": "How wide is Tor?"}).json()["job"]
        while researcher.at_work < 2:
            pass
        assert client.delete(f"/api/conversations/{name}").status_code == 204
        assert [event for _, event, _ in events_of(client, job)][-1] == "stopped"
        assert [each["job"] for each in client.get("/api/jobs").json()["jobs"]] == [other]
        assert client.get("/api/conversations").json() == {"conversations": []}


def test_an_answer_whose_conversation_is_gone_is_told(tmp_path: Path, reader: Readers) -> None:
    """Another process deletes it, so that nobody stops the question."""

    async def deleting(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
        if "wide" in question:
            (tmp_path / "conversations.sqlite").unlink()
        async for event in told(answer_to(question, "Orvo is a moon.")):
            yield event

    with served(office(tmp_path, deleting)[0]) as address:
        client = reader(address)
        name = str(asked(client, "What is Orvo?")[-1][2]["conversation"])
        *_, said, last = asked(client, "How wide is Orvo?", name)
    assert last[1] == "answer" and last[2]["number"] == 0
    assert said[1] == "progress" and "not kept in its conversation" in str(said[2]["text"])


def test_a_turn_whose_run_was_purged_is_its_text(islands: httpx.Client, tmp_path: Path) -> None:
    answered = asked(islands, "Which lighthouse stands on Lille Varn?")[-1][2]
    name = answered["conversation"]
    shutil.rmtree(tmp_path / "home" / "runs")
    (turn,) = islands.get(f"/api/conversations/{name}").json()["turns"]
    assert (turn["answer"], turn["text"]) == (None, answered["answer"]["text"])  # type: ignore[index]
    assert "run" in turn["problem"]
    exported = islands.get(f"/api/conversations/{name}/export")
    assert exported.status_code == 200 and "Holm Light" in exported.text
    (record,) = islands.get(f"/api/conversations/{name}/export?format=json").json()
    assert record["answer"] == turn["text"]


def test_old_sessions_are_forgotten_with_what_they_were_shown(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path)
    cookie = sessions.begin()
    owner = str(sessions.owner(cookie))
    sessions.own_run("run", owner)
    sessions.show(owner, "evidence", ["piece"])
    sessions.forget(before=0.0)
    assert sessions.owner(cookie) == owner and sessions.owns_run("run", "another", owner)
    sessions.forget(before=1e12)
    assert sessions.owner(cookie) is None and not sessions.owns_run("run", owner)
