"""What the page's server does where something is gone: a conversation that is deleted, a run that was purged."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import httpx

from heliograph.errors import SearchUnavailable
from heliograph.types import EvidenceId
from heliograph.types.streaming import Begun, StreamEvent
from tests.web.readers import Readers, asked, events_of
from tests.web.researchers import answer_to, office, served, told
from web.desk import Desk
from web.sessions import Sessions


async def waiting(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    """Answer a first question; one about width is worked at without an end."""
    if "wide" in question:
        yield Begun("endless")
        await asyncio.sleep(600)
    async for event in told(answer_to(question, "Orvo is a moon.")):
        yield event


async def failing(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    """Answer a question about Orvo; fail one about Tor, and work at any other without an end."""
    yield Begun(f"run {question}")
    if "Tor" in question:
        raise SearchUnavailable("the archive is gone")
    if "Orvo" not in question:
        await asyncio.sleep(600)
    async for event in told(answer_to(question, "Orvo is a moon.")):
        yield event


def ended(client: httpx.Client, conversation: str, how: str) -> list[dict[str, object]]:
    """Wait until the last question of a conversation has ended like this; return all its turns."""
    while True:
        turns: list[dict[str, object]] = client.get(f"/api/conversations/{conversation}").json()["turns"]
        if turns[-1].get("ending") == how:
            return turns


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


def test_a_question_that_is_asked_again_stands_once(tmp_path: Path, reader: Readers) -> None:
    with served(office(tmp_path, failing)[0]) as address:
        client = reader(address)
        first = client.post("/api/questions", json={"question": "Where is Tor?"}).json()
        ended(client, first["conversation"], "failed")
        body = {"question": "Where is Tor?", "conversation": first["conversation"], "instead": first["job"]}
        again = client.post("/api/questions", json=body).json()
        turns = ended(client, first["conversation"], "failed")
    assert [turn["question"] for turn in turns] == [again["job"]]


def test_what_a_server_that_ended_left_open_is_there_when_it_is_started_anew(tmp_path: Path, reader: Readers) -> None:
    parts, researcher = office(tmp_path, failing)
    with served(parts) as address:
        client = reader(address)
        cookies = client.cookies
        name = client.post("/api/questions", json={"question": "How wide is Ild?"}).json()["conversation"]
        while not researcher.at_work:
            pass
    with served(office(tmp_path, failing)[0]) as address, httpx.Client(base_url=address) as again:
        again.cookies.set("heliograph_session", cookies["heliograph_session"])
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
        while researcher.at_work < 2:
            pass
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
