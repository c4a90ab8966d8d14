"""What the page's server does where something is gone: a conversation that is deleted, a run that was purged."""

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from heliograph.types import EvidenceId
from heliograph.types.streaming import Begun, StreamEvent
from memory.conversations import FILE
from tests.web.readers import Readers, asked, at_work, ended, events_of, idle
from tests.web.researchers import answer_to, failing, office, served, told
from web.desk import Desk
from web.sessions import Sessions


async def waiting(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    """Answer a first question; one about width is worked at without an end."""
    if "wide" in question:
        yield Begun("endless")
        await asyncio.sleep(600)
    async for event in told(answer_to(question, "Orvo is a moon.")):
        yield event


def test_what_failed_and_what_was_stopped_stands_where_it_was_asked(tmp_path: Path, reader: Readers) -> None:
    with served(office(tmp_path, failing)[0]) as address:
        client = reader(address)
        first = client.post("/api/questions", json={"question": "Where is Tor?"}).json()
        name, failed = first["conversation"], first["job"]
        ended(client, name, "failed")
        asked(client, "What is Orvo?", name)
        stopped = client.post("/api/questions", json={"question": "How wide is Ild?", "conversation": name}).json()
        assert client.delete(f"/api/jobs/{stopped['job']}").status_code == 204
        turns = ended(client, name, "stopped")
        (listed,) = client.get("/api/conversations").json()["conversations"]
        written = client.get(f"/api/conversations/{name}/export").text
        records = client.get(f"/api/conversations/{name}/export?format=json").json()
    assert turns[0] == {
        "typed": "Where is Tor?",
        "asked": "Where is Tor?",
        "run": "run Where is Tor?",
        "question": failed,
        "job": failed,
        "ending": "failed",
        "message": "the archive is gone",
        "code": "search_unavailable",
    }
    assert [turn["typed"] for turn in turns] == ["Where is Tor?", "What is Orvo?", "How wide is Ild?"]
    assert (listed["title"], listed["questions"]) == ("Where is Tor?", 3)
    assert "(it failed: the archive is gone)" in written and "(it was stopped before there was an answer)" in written
    assert [record.get("problem") for record in records][::2] == [
        "it failed: the archive is gone",
        "it was stopped before there was an answer",
    ]


@pytest.mark.parametrize("instead", ["\ud800", "a b", "x" * 65, ""])
def test_the_name_of_a_question_that_is_none_is_refused(tmp_path: Path, reader: Readers, instead: str) -> None:
    parts, researcher = office(tmp_path, failing)
    with served(parts) as address:
        client = reader(address)
        written = json.dumps({"question": "What is Orvo?", "instead": instead})
        reply = client.post("/api/questions", content=written, headers={"Content-Type": "application/json"})
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_request")
        assert (researcher.asked, client.get("/api/conversations").json()) == ([], {"conversations": []})


def test_a_question_asked_while_its_conversation_is_deleted_does_not_outlive_it(
    tmp_path: Path, reader: Readers
) -> None:
    parts, researcher = office(tmp_path, failing)
    with served(parts) as address, ThreadPoolExecutor(2) as both:
        client = reader(address)
        for _ in range(12):
            name = str(asked(client, "What is Orvo?")[-1][2]["conversation"])
            body = {"question": "How wide is Ild?", "conversation": name}
            asking = both.submit(client.post, "/api/questions", json=body)
            assert both.submit(client.delete, f"/api/conversations/{name}").result().status_code == 204
            reply = asking.result()
            idle(client)
            if reply.status_code == 202:
                assert events_of(client, reply.json()["job"])[-1][1] == "stopped"
            else:
                assert reply.status_code == 404
        listed = client.get("/api/conversations").json()
        health = client.get("/health").json()
    assert (listed, health["accepted"], researcher.at_work) == ({"conversations": []}, 0, 0)


def test_a_question_whose_store_is_locked_is_refused_and_not_researched(tmp_path: Path, reader: Readers) -> None:
    parts, researcher = office(tmp_path, failing)
    (tmp_path / FILE).mkdir()
    with served(parts) as address:
        client = reader(address)
        reply = client.post("/api/questions", json={"question": "What is Orvo?"})
        assert (reply.status_code, reply.json()["error"]["code"]) == (500, "store")
        idle(client)
    assert researcher.asked == []


def test_where_no_note_can_be_kept_the_question_is_answered(tmp_path: Path, reader: Readers) -> None:
    """The file of conversations is taken away while the question is researched, and a folder stands in its place."""

    async def spoiling(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
        (tmp_path / FILE).unlink()
        (tmp_path / FILE).mkdir()
        async for event in told(answer_to(question, "Orvo is a moon.")):
            yield event

    with served(office(tmp_path, spoiling)[0]) as address:
        *_, said, last = asked(reader(address), "What is Orvo?")
    assert (said[1], last[1]) == ("progress", "answer")
    assert "not kept in its conversation" in str(said[2]["text"])


def test_what_a_server_that_ended_left_open_is_there_when_it_is_started_anew(tmp_path: Path, reader: Readers) -> None:
    parts, researcher = office(tmp_path, failing)
    with served(parts) as address:
        client = reader(address)
        cookies = client.cookies
        name = client.post("/api/questions", json={"question": "How wide is Ild?"}).json()["conversation"]
        at_work(researcher, 1)
    with served(office(tmp_path, failing)[0]) as address, httpx.Client(base_url=address) as again:
        again.cookies.update(cookies)
        (turn,) = again.get(f"/api/conversations/{name}").json()["turns"]
    assert (turn["typed"], turn["ending"], turn["job"]) == ("How wide is Ild?", "open", None)


def test_a_question_that_finds_no_place_leaves_nothing(tmp_path: Path, reader: Readers) -> None:
    with served(office(tmp_path, failing, Desk(1, 1, 15))[0]) as address:
        client = reader(address)
        assert client.post("/api/questions", json={"question": "How wide is Ild?"}).status_code == 202
        assert client.post("/api/questions", json={"question": "What is Orvo?"}).status_code == 429
        assert client.post("/api/questions", json={"question": "Who?", "preset": "none"}).status_code == 404
        listed = client.get("/api/conversations").json()["conversations"]
    assert [each["title"] for each in listed] == ["How wide is Ild?"]


def test_deleting_a_conversation_stops_what_is_asked_in_it(tmp_path: Path, reader: Readers) -> None:
    parts, researcher = office(tmp_path, waiting)
    with served(parts) as address:
        client = reader(address)
        name = str(asked(client, "What is Orvo?")[-1][2]["conversation"])
        job = client.post("/api/questions", json={"question": "How wide is Orvo?", "conversation": name}).json()["job"]
        other = client.post("/api/questions", json={"question": "How wide is Tor?"}).json()["job"]
        at_work(researcher, 2)
        assert client.delete(f"/api/conversations/{name}").status_code == 204
        assert [event for _, event, _ in events_of(client, job)][-1] == "stopped"
        assert [each["job"] for each in client.get("/api/jobs").json()["jobs"]] == [other]
        assert [each["title"] for each in client.get("/api/conversations").json()["conversations"]] == [
            "How wide is Tor?"
        ]


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
