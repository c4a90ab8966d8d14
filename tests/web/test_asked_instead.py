"""Questions of the page that are asked instead of one without an answer."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memory.conversations import FILE
from tests.web.readers import Readers, asked, at_work, ended, events_of
from tests.web.researchers import failing, office, served


def test_a_question_that_is_asked_again_stands_once(tmp_path: Path, reader: Readers) -> None:
    with served(office(tmp_path, failing)[0]) as address:
        client = reader(address)
        first = client.post("/api/questions", json={"question": "Where is Tor?"}).json()
        ended(client, first["conversation"], "failed")
        body = {"question": "Where is Tor?", "conversation": first["conversation"], "instead": first["job"]}
        again = client.post("/api/questions", json=body).json()
        turns = ended(client, first["conversation"], "failed")
    assert [turn["question"] for turn in turns] == [again["job"]]


def test_a_question_that_still_runs_is_stopped_for_the_one_that_is_asked_instead(
    tmp_path: Path, reader: Readers
) -> None:
    parts, researcher = office(tmp_path, failing)
    with served(parts) as address:
        client = reader(address)
        first = client.post("/api/questions", json={"question": "How wide is Ild?"}).json()
        at_work(researcher, 1)
        body = {"question": "What is Orvo?", "conversation": first["conversation"], "instead": first["job"]}
        again = client.post("/api/questions", json=body)
        assert [name for _, name, _ in events_of(client, first["job"])][-1] == "stopped"
        assert events_of(client, again.json()["job"])[-1][1] == "answer"
        (turn,) = client.get(f"/api/conversations/{first['conversation']}").json()["turns"]
        late = client.post("/api/questions", json=body)
    assert (turn["typed"], "ending" in turn) == ("What is Orvo?", False)
    assert (late.status_code, researcher.at_work) == (409, 0)
    assert (late.json()["error"]["code"], "asked again, elsewhere" in late.json()["error"]["message"]) == ("gone", True)


@pytest.mark.parametrize("wrong", ["of another conversation", "by an unknown preset"])
def test_what_runs_goes_on_where_the_question_asked_instead_is_refused(
    tmp_path: Path, reader: Readers, wrong: str
) -> None:
    parts, researcher = office(tmp_path, failing)
    with served(parts) as address:
        client = reader(address)
        other = str(asked(client, "What is Orvo?")[-1][2]["conversation"])
        running = client.post("/api/questions", json={"question": "How wide is Ild?"}).json()
        at_work(researcher, 1)
        refused = {
            "of another conversation": (409, {"conversation": other}),
            "by an unknown preset": (404, {"conversation": running["conversation"], "preset": "none"}),
        }
        status, said = refused[wrong]
        reply = client.post("/api/questions", json={"question": "Who?", "instead": running["job"], **said})
        assert reply.status_code == status and "Retry-After" not in reply.headers
        (turn,) = client.get(f"/api/conversations/{running['conversation']}").json()["turns"]
        assert (turn["job"], turn["ending"], researcher.at_work) == (running["job"], "open", 1)


def test_a_conversation_that_holds_what_cannot_be_read_can_be_renamed_and_deleted(
    tmp_path: Path, reader: Readers
) -> None:
    with served(office(tmp_path, failing)[0]) as address:
        client = reader(address)
        path = f"/api/conversations/{asked(client, 'What is Orvo?')[-1][2]['conversation']}"
        with closing(sqlite3.connect(tmp_path / FILE)) as file, file:
            file.execute("UPDATE turns SET cited = 'torn'")
        assert client.get(path).json()["error"]["code"] == "store"
        assert client.patch(path, json={"title": "Moons"}).json()["title"] == "Moons"
        assert client.delete(path).status_code == 204
        assert client.get("/api/conversations").json() == {"conversations": []}
