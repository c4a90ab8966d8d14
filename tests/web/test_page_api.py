"""What the chat page asks: jobs and their events, conversations, evidence; each session its own alone."""

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from heliograph.types import EvidenceId, RoundRecord, Verdict
from heliograph.types.streaming import StreamEvent
from tests.reports import REPORT
from tests.web.readers import Readers, asked, events_of
from tests.web.researchers import answer_to, office, served, told
from web.office import Office
from web.page_json import answer_json
from web.sessions import Sessions, sha_of


async def facts(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    async for event in told(answer_to(question, "Orvo is *a* moon.")):
        yield event


@pytest.fixture
def parts(tmp_path: Path) -> Office:
    return office(tmp_path, facts)[0]


@pytest.fixture
def address(parts: Office) -> Iterator[str]:
    with served(parts) as address:
        yield address


def test_a_question_is_told_from_its_beginning_to_its_answer(address: str, reader: Readers) -> None:
    told_of = asked(reader(address), "What is Orvo?")
    assert [name for _, name, _ in told_of] == ["started", "progress", "claim", "answer"]
    started, claim, answer = told_of[0][2], told_of[2][2], told_of[3][2]
    assert started == {"run": "run", "typed": "What is Orvo?", "asked": "What is Orvo?", "open_words": ""}
    assert claim["nodes"] == [
        {"text": "Orvo is "},
        {"tag": "em", "nodes": [{"text": "a"}]},
        {"text": " moon."},
    ]
    assert (claim["verdict"], claim["number"]) == ("quoted", 1)
    assert [cited["verdict"] for cited in claim["citations"]] == ["quoted"]
    assert answer["number"] == 1
    assert answer["answer"]["claims"] == [claim]  # type: ignore[index]


def test_an_answer_says_what_it_may_lack() -> None:
    missed = RoundRecord(1, ("orvo",), (), (), Verdict(False, ("width",)))
    answer = replace(answer_to("How wide is Orvo?", "Orvo is a moon."), rounds=(missed,))
    assert answer_json(answer)["perhaps_unanswered"] == ["width"]
    assert answer_json(replace(answer, abstained=True))["perhaps_unanswered"] == []


def test_an_answer_of_low_confidence_is_hedged() -> None:
    answer = answer_to("How wide is Orvo?", "Orvo is a moon.")
    assert answer_json(replace(answer, confidence=0.4))["hedge"] == "Perhaps: "
    assert answer_json(answer)["hedge"] == ""


def test_a_row_of_a_table_has_its_citation_once() -> None:
    told = json.loads(json.dumps(answer_json(REPORT)))
    (table,) = (block for block in told["blocks"] if block["kind"] == "table")
    cited = [[[each["marker"] for each in cell["citations"]] for cell in row] for row in table["rows"]]
    assert cited == [[[], [], [], [marker]] for marker in (4, 5, 6)]


def test_a_page_that_is_loaded_anew_goes_on_behind_what_it_heard(address: str, reader: Readers) -> None:
    client = reader(address)
    job = client.post("/api/questions", json={"question": "What is Orvo?"}).json()["job"]
    whole = events_of(client, job)
    assert events_of(client, job, after=whole[1][0]) == whole[2:]


def test_conversations_are_kept_renamed_exported_and_deleted(address: str, reader: Readers) -> None:
    client = reader(address)
    name = str(asked(client, "What is Orvo?")[-1][2]["conversation"])
    asked(client, "How wide is it?", name)
    (listed,) = client.get("/api/conversations").json()["conversations"]
    assert (listed["id"], listed["title"], listed["questions"]) == (name, "What is Orvo?", 2)
    assert client.patch(f"/api/conversations/{name}", json={"title": "Moons"}).json()["title"] == "Moons"
    turns = client.get(f"/api/conversations/{name}").json()["turns"]
    assert [turn["typed"] for turn in turns] == ["What is Orvo?", "How wide is it?"]
    assert client.delete(f"/api/conversations/{name}").status_code == 204
    assert client.get("/api/conversations").json() == {"conversations": []}
    assert client.get(f"/api/conversations/{name}").status_code == 404


def test_nobody_sees_what_is_anothers(address: str, reader: Readers) -> None:
    mine, theirs = reader(address), reader(address)
    job = mine.post("/api/questions", json={"question": "What is Orvo?"}).json()["job"]
    told_of = events_of(mine, job)
    name = told_of[-1][2]["conversation"]
    sha = told_of[2][2]["citations"][0]["evidence"]  # type: ignore[index]
    for path in (f"/api/jobs/{job}/events", f"/api/conversations/{name}", f"/evidence/{sha}", "/runs/run"):
        assert theirs.get(path).status_code == 404, path
    assert theirs.delete(f"/api/conversations/{name}").status_code == 404
    assert theirs.patch(f"/api/conversations/{name}", json={"title": "mine"}).status_code == 404
    assert theirs.delete(f"/api/jobs/{job}").status_code == 404
    assert theirs.post("/api/questions", json={"question": "And?", "conversation": name}).status_code == 404
    assert theirs.get("/api/conversations").json() == {"conversations": []}
    assert len(mine.get("/api/conversations").json()["conversations"]) == 1


@pytest.mark.parametrize("cookie", [None, "guessed", "x" * 5_000])
def test_without_a_session_that_this_server_gave_nothing_is_told(
    address: str, reader: Readers, cookie: str | None
) -> None:
    (name,) = reader(address).cookies
    with httpx.Client(base_url=address, cookies={name: cookie} if cookie else {}) as client:
        replies = client.get("/api/conversations"), client.post("/api/questions", json={"question": "What is Orvo?"})
    assert [reply.status_code for reply in replies] == [401, 401]
    assert not any("WWW-Authenticate" in reply.headers for reply in replies), "a browser would ask for a password"


def test_servers_of_two_homes_leave_a_browser_both_its_sessions(tmp_path: Path) -> None:
    both = Sessions(tmp_path / "one"), Sessions(tmp_path / "other")
    assert len({sessions.cookie for sessions in both}) == 2
    assert Sessions(tmp_path / "other" / ".." / "one").cookie == both[0].cookie


def test_the_session_is_out_of_reach_of_scripts_and_of_other_sites(address: str) -> None:
    set_cookie = httpx.get(f"{address}/").headers["set-cookie"]
    assert "HttpOnly" in set_cookie and "SameSite=lax" in set_cookie
    assert len(set_cookie.partition("=")[2].partition(";")[0]) >= 43


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_other_names_and_other_sites_are_refused(
    address: str, reader: Readers, headers: dict[str, str], status: int
) -> None:
    client = reader(address)
    reply = client.post("/api/questions", json={"question": "What is Orvo?"}, headers=headers)
    assert reply.status_code == status
    assert reply.json()["error"]["code"] in ("wrong_host", "wrong_origin")


def test_the_own_page_is_let_in(address: str, reader: Readers) -> None:
    client = reader(address)
    headers = {"Origin": address, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/questions", json={"question": "What is Orvo?"}, headers=headers).status_code == 202


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'{"question": 1}',
        b'{"question": "x", "else": 1}',
        b"\xff\xfe",
        b'{"question": "\\ud800"}',
        b'{"question": " "}',
        b"[" * 100_000,
    ],
)
def test_a_body_that_is_none_is_refused_in_the_form_of_all_errors(address: str, reader: Readers, body: bytes) -> None:
    reply = reader(address).post("/api/questions", content=body, headers={"Content-Type": "application/json"})
    assert (reply.status_code, sorted(reply.json()["error"])) == (400, ["code", "message", "param", "type"])


def test_a_key_is_asked_of_browsers_too(tmp_path: Path) -> None:
    with served(office(tmp_path, facts, key="a long word of chance")[0]) as address:
        refused = httpx.get(f"{address}/")
        assert (refused.status_code, refused.headers["www-authenticate"].split()[0]) == (401, "Basic")
        assert httpx.get(f"{address}/", auth=("anybody", "a long word of chance")).status_code == 200
        assert httpx.get(f"{address}/", auth=("a long word of chance", "")).status_code == 401


def test_evidence_is_shown_where_it_stands(islands: httpx.Client) -> None:
    told_of = asked(islands, "Which lighthouse stands on Lille Varn?")
    names = [name for _, name, _ in told_of]
    assert names[0] == "started" and names[-1] == "answer"
    assert {"queries", "sources", "documents", "evidence", "verdict", "claim"} <= set(names)
    answer = told_of[-1][2]["answer"]
    seen = [islands.get(f"/evidence/{citation['evidence']}").json() for citation in answer["citations"]]  # type: ignore[index]
    for view in seen:
        if view["modality"] == "table":
            assert any(row["cited"] for row in view["table"]["rows"])
        else:
            assert [piece["cited"] for piece in view["section"]["pieces"]].count(True) == 1
    assert {view["title"] for view in seen} <= {"Varn Islands", "Holm Light"}
    assert islands.get(f"/runs/{answer['run']}").json()["question"]  # type: ignore[index]


def test_the_trace_of_an_answer_is_its_owners(islands: httpx.Client, reader: Readers) -> None:
    run = str(asked(islands, "Which lighthouse stands on Lille Varn?")[-1][2]["answer"]["run"])  # type: ignore[index]
    spans = islands.get(f"/api/runs/{run}/trace").json()["spans"]
    assert spans[0]["parent"] is None
    known = set[str]()
    for span in spans:
        assert span["parent"] is None or span["parent"] in known
        known.add(span["span"])
    found = next(span for span in spans if "documents" in span["shows"] and span["kind"] == "RERANKER")
    detail = islands.get(f"/api/runs/{run}/spans/{found['span']}").json()
    assert detail["documents"] and all(document["id"] or document["title"] for document in detail["documents"])
    other = reader(str(islands.base_url))
    piece = islands.get(f"/runs/{run}").json()["citations"][0]["evidence"]
    shown = f"/evidence/{sha_of(piece)}"
    assert islands.get(shown).status_code == 200
    for path in (f"/api/runs/{run}/trace", f"/api/runs/{run}/spans/{found['span']}", f"/runs/{run}", shown):
        assert other.get(path).status_code == 404
    assert islands.get("/api/about").json()["remembers"] is False
    assert islands.post(f"/api/runs/{run}/rating", json={"thumb": "up"}).json()["error"]["code"] == "memory_off"
    assert other.post(f"/api/runs/{run}/rating", json={"thumb": "up"}).status_code == 404


def test_a_browser_that_has_a_session_may_follow_the_links_of_an_answer_to_a_program(islands: httpx.Client) -> None:
    question = {"messages": [{"role": "user", "content": "Which lighthouse stands on Lille Varn?"}]}
    reply = httpx.post(f"{islands.base_url}/v1/chat/completions", json=question | {"model": "heliograph"}, timeout=60)
    run = reply.json()["heliograph"]["run"]
    piece = httpx.get(f"{islands.base_url}/runs/{run}").json()["citations"][0]["evidence"]
    for path in (f"/runs/{run}", f"/evidence/{sha_of(piece)}"):
        assert islands.get(path).status_code == 200, path


@pytest.mark.parametrize(
    "name", ["0" * 64, "..%2F..%2F%2Fevil.example", "%0d%0aSet-Cookie:x", "%2F%2Fevil.example", "?%23"]
)
def test_people_who_follow_a_link_to_evidence_are_led_to_our_page_and_no_other(
    address: str, reader: Readers, name: str
) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    led, told = (reader(address).get(f"/evidence/{name}", headers=headers) for headers in (browser, {"Accept": "*/*"}))
    assert told.status_code == 404
    if led.status_code != 404:
        assert (led.status_code, led.headers["vary"]) == (307, "Accept")
        assert led.headers["location"].startswith("/#/e/") and "set-cookie" not in led.headers
        assert "evil" not in led.headers["location"].partition("#")[0]


def test_a_body_of_another_type_is_told_which_is_wanted(address: str) -> None:
    headers = {"Content-Type": "text/plain"}
    reply = httpx.post(f"{address}/v1/chat/completions", content=b'{"messages": []}', headers=headers)
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_request")
    assert "Content-Type: application/json" in reply.json()["error"]["message"]


@pytest.mark.parametrize("path", ["/health", "/"])
def test_what_watches_a_server_may_ask_for_the_head_alone(address: str, path: str) -> None:
    reply = httpx.head(address + path)
    assert (reply.status_code, reply.content, "set-cookie" in reply.headers) == (200, b"", False)


def test_a_method_that_is_none_is_told_which_there_are(address: str) -> None:
    refused = httpx.put(f"{address}/v1/models")
    assert (refused.status_code, refused.headers["allow"], refused.json()["error"]["code"]) == (405, "GET", "http")


@pytest.mark.parametrize("number", ["9" * 5_000, "9" * 30, "-1", "x", "²"])
def test_an_event_number_that_is_none_of_ours_begins_anew(address: str, reader: Readers, number: str) -> None:
    client = reader(address)
    job = client.post("/api/questions", json={"question": "What is Orvo?"}).json()["job"]
    whole = events_of(client, job)
    headers = {"Last-Event-ID": number.encode()}
    assert client.get(f"/api/jobs/{job}/events", headers=headers).text.count("event: ") == len(whole)


def test_a_thumb_that_cannot_be_read_costs_no_conversation(tmp_path: Path, reader: Readers) -> None:
    parts = office(tmp_path, facts)[0]
    with served(replace(parts, staff=replace(parts.staff, remembers=True))) as address:
        client = reader(address)
        name = asked(client, "What is Orvo?")[-1][2]["conversation"]
        (tmp_path / "episodes.sqlite").write_bytes(b"no database at all" * 300)
        (turn,) = client.get(f"/api/conversations/{name}").json()["turns"]
    assert turn["thumb"] is None


def test_a_follow_up_is_understood_from_its_conversation(islands: httpx.Client) -> None:
    name = str(asked(islands, "Who designed Skerry Head Light?")[-1][2]["conversation"])
    started = next(data for _, event, data in asked(islands, "Where was she born?", name) if event == "started")
    assert started["typed"] == "Where was she born?"
    assert started["asked"] != started["typed"] or started["open_words"]
    exported = islands.get(f"/api/conversations/{name}/export").text
    assert exported.startswith("# Who designed Skerry Head Light?")
    assert exported.count("**") == 4
    assert len(json.loads(islands.get(f"/api/conversations/{name}/export?format=json").text)) == 2
