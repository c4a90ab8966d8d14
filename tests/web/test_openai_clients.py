"""OpenAI's own client and LangChain's ask the server: whole, streamed, follow-ups, errands, errors."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import httpx
import openai
import pytest
from langchain_openai import ChatOpenAI
from openai.types.chat import ChatCompletionMessageParam

from heliograph.errors import ModelUnreachable, SearchUnavailable, StoreFull
from heliograph.types import EvidenceId
from heliograph.types.streaming import Begun, StreamEvent
from tests.web.readers import Clients
from tests.web.researchers import PIECE, answer_to, office, served, told
from web.chat_completions import AnswersGiven
from web.desk import Desk

FACTS = ("Orvo is a moon.", "Sein Radius beträgt 40 km 🌕.", "It was found in 1789.")
QUESTION: list[ChatCompletionMessageParam] = [{"role": "user", "content": "What is Orvo?"}]


async def facts(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    async for event in told(answer_to(question, *FACTS)):
        yield event


async def nothing(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    async for event in told(answer_to(question)):
        yield event


async def for_ever(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
    yield Begun("run")
    await asyncio.Event().wait()


def marked(content: str, annotations: Sequence[object]) -> list[str]:
    places = [annotation.url_citation for annotation in annotations]  # type: ignore[attr-defined]
    return [content[place.start_index : place.end_index] for place in places]


def test_a_whole_answer_has_its_citations_at_their_markers_and_its_record_beside_it(
    tmp_path: Path, client: Clients
) -> None:
    parts, _ = office(tmp_path, facts)
    with served(parts) as address:
        reply = client(address).chat.completions.create(model="heliograph", messages=QUESTION)
    message = reply.choices[0].message
    assert message.content == " ".join(f"{fact} [{number}]" for number, fact in enumerate(FACTS, start=1))
    assert marked(message.content, message.annotations or ()) == ["[1]", "[2]", "[3]"]
    assert [each.url_citation.url for each in message.annotations or ()] == [
        f"https://made.up/Orvo?7#:~:marker={number}" for number in (1, 2, 3)
    ]
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.total_tokens) == (30, 7, 37)
    assert reply.model_extra is not None
    assert reply.model_extra["heliograph"]["run"] == "run"
    assert reply.choices[0].finish_reason == "stop"


def test_a_streamed_answer_comes_claim_by_claim_and_its_citations_stand_where_those_of_the_whole_do(
    tmp_path: Path,
    client: Clients,
) -> None:
    parts, _ = office(tmp_path, facts)
    with served(parts) as address:
        whole = client(address).chat.completions.create(model="heliograph", messages=QUESTION).choices[0].message
        chunks = list(
            client(address).chat.completions.create(
                model="heliograph", messages=QUESTION, stream=True, stream_options={"include_usage": True}
            )
        )
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert [delta.content for delta in deltas] == [
        "",
        "Orvo is a moon. [1]",
        " Sein Radius beträgt 40 km 🌕. [2]",
        " It was found in 1789. [3]",
        None,
    ]
    streamed = [note for delta in deltas for note in (delta.model_extra or {}).get("annotations", ())]
    assert streamed == [note.model_dump() for note in whole.annotations or ()]
    assert {chunk.id for chunk in chunks} == {chunks[0].id}
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 37
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert (chunks[-2].model_extra or {})["heliograph"]["question"] == "What is Orvo?"


def test_an_abstention_says_why_and_cites_nothing(tmp_path: Path, client: Clients) -> None:
    parts, _ = office(tmp_path, nothing)
    with served(parts) as address:
        stream = client(address).chat.completions.create(model="heliograph", messages=QUESTION, stream=True)
        said = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
        message = client(address).chat.completions.create(model="heliograph", messages=QUESTION).choices[0].message
    assert said == message.content == "Nothing was found."
    assert message.annotations == []


def test_langchain_streams_and_asks(tmp_path: Path) -> None:
    parts, _ = office(tmp_path, facts)
    with served(parts) as address:
        model = ChatOpenAI(base_url=f"{address}/v1", api_key="none", model="heliograph", max_retries=0)  # type: ignore[arg-type]
        assert model.invoke("What is Orvo?").content == "".join(
            chunk.content for chunk in model.stream("What is Orvo?") if isinstance(chunk.content, str)
        )


def test_a_follow_up_begins_with_the_evidence_of_the_answer_that_is_sent_back(tmp_path: Path, client: Clients) -> None:
    parts, researcher = office(tmp_path, facts)
    with served(parts) as address:
        asked = client(address).chat.completions
        answered = asked.create(model="heliograph", messages=QUESTION).choices[0].message.content
        conversation: list[ChatCompletionMessageParam] = [
            *QUESTION,
            {"role": "assistant", "content": answered},
            {"role": "user", "content": "How wide is it?"},
        ]
        asked.create(model="heliograph", messages=conversation)
        asked.create(model="heliograph", messages=[*QUESTION, {"role": "assistant", "content": "?"}, conversation[2]])
    assert [earlier for _, earlier in researcher.asked] == [(), (PIECE,), ()]


@pytest.mark.parametrize(
    ("task", "wanted", "said"),
    [
        ("Generate a concise title.", '{ "title": "…" }', {"title": "What is Orvo?"}),
        ("Generate tags.", '{ "tags": ["a", "b"] }', {"tags": []}),
        ("Suggest questions.", '{ "follow_ups": ["a?"] }', {"follow_ups": []}),
        ("Write queries.", '{ "queries": ["a"] }', {"queries": []}),
    ],
)
def test_what_front_ends_ask_on_the_side_is_answered_without_research(
    tmp_path: Path, client: Clients, task: str, wanted: str, said: dict[str, object]
) -> None:
    parts, researcher = office(tmp_path, facts)
    history = "USER: What is Orvo?\nASSISTANT: Orvo is a moon. [1]"
    parts_of = ("### Task:", task, "### Output:", f"JSON format: {wanted}", "### Chat History:")
    message = "\n".join((*parts_of, "<chat_history>", history, "</chat_history>"))
    with served(parts) as address:
        for stream in (False, True):
            asked = client(address).chat.completions.create(
                model="heliograph", messages=[{"role": "user", "content": message}], stream=stream
            )
            if isinstance(asked, openai.Stream):
                reply = "".join(chunk.choices[0].delta.content or "" for chunk in asked)
            else:
                reply = asked.choices[0].message.content or ""
            assert json.loads(reply) == said
    assert researcher.asked == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "Your task is to show the mood of a message by one emoji (😊, 😢).\n\nMessage: ```Hurrah!\nIt works.```",
            "🔎",
        ),
        ('### Task:\nDescribe a picture.\n{\n  "prompt": "…"\n}\n<chat_history>\nUSER: a moon\n</chat_history>', ""),
    ],
)
def test_an_emoji_and_what_to_draw_are_no_research(tmp_path: Path, client: Clients, words: str, said: str) -> None:
    parts, researcher = office(tmp_path, facts)
    with served(parts) as address:
        reply = client(address).chat.completions.create(
            model="heliograph", messages=[{"role": "user", "content": words}]
        )
    assert (reply.choices[0].message.content, researcher.asked) == (said, [])


@pytest.mark.parametrize(
    "words", ["### Task: what is a <chat_history> tag?", "Your task is to say who drew the first emoji"]
)
def test_a_question_about_tasks_is_a_question(tmp_path: Path, client: Clients, words: str) -> None:
    parts, researcher = office(tmp_path, facts)
    with served(parts) as address:
        client(address).chat.completions.create(model="heliograph", messages=[{"role": "user", "content": words}])
    assert len(researcher.asked) == 1


@pytest.mark.parametrize(
    ("error", "raised", "code"),
    [
        (SearchUnavailable("no source answers"), openai.InternalServerError, "search_unavailable"),
        (ModelUnreachable("the model is down"), openai.InternalServerError, "model_unavailable"),
        (StoreFull("the disk is full"), openai.InternalServerError, "store"),
    ],
)
def test_errors_come_in_openais_form(
    tmp_path: Path, client: Clients, error: Exception, raised: type[openai.APIStatusError], code: str
) -> None:
    async def failing(question: str, earlier: Sequence[EvidenceId]) -> AsyncGenerator[StreamEvent, None]:
        yield Begun("run")
        raise error

    parts, _ = office(tmp_path, failing)
    with served(parts) as address:
        with pytest.raises(raised) as whole:
            client(address).chat.completions.create(model="heliograph", messages=QUESTION)
        with pytest.raises(openai.APIError) as streamed:
            list(client(address).chat.completions.create(model="heliograph", messages=QUESTION, stream=True))
    assert (whole.value.code, str(error) in whole.value.message) == (code, True)
    assert (streamed.value.code, str(error) in streamed.value.message) == (code, True)


@pytest.mark.parametrize(
    ("sent", "raised", "complaint"),
    [
        ({"model": "gpt-9"}, openai.NotFoundError, "there are heliograph, heliograph-fast"),
        ({"messages": []}, openai.BadRequestError, "messages"),
        ({"messages": [{"role": "user", "content": "  "}]}, openai.BadRequestError, "the question is empty"),
        ({"messages": [{"role": "assistant", "content": "Yes."}]}, openai.BadRequestError, "end with a question"),
        ({"n": 2}, openai.BadRequestError, "n is 1"),
        ({"response_format": {"type": "json_object"}}, openai.BadRequestError, "leave response_format out"),
        ({"tool_choice": "required"}, openai.BadRequestError, "leave tool_choice out"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://x.example"}}]}
                ]
            },
            openai.BadRequestError,
            "only text is understood",
        ),
        ({"messages": [{"role": "user", "content": "x" * 5_000}]}, openai.BadRequestError, "4,000 are accepted"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(
    tmp_path: Path, client: Clients, sent: dict[str, object], raised: type[openai.APIStatusError], complaint: str
) -> None:
    parts, researcher = office(tmp_path, facts)
    with served(parts) as address, pytest.raises(raised, match=complaint):
        client(address).chat.completions.create(**{"model": "heliograph", "messages": QUESTION, **sent})  # type: ignore[call-overload]
    assert researcher.asked == []


def test_models_are_listed(tmp_path: Path, client: Clients) -> None:
    parts, _ = office(tmp_path, facts)
    with served(parts) as address:
        assert [model.id for model in client(address).models.list()] == ["heliograph", "heliograph-fast"]
        assert client(address).models.retrieve("heliograph").owned_by == "heliograph"
        with pytest.raises(openai.NotFoundError):
            client(address).models.retrieve("gpt-9")


def test_a_key_is_needed_where_one_is_set(tmp_path: Path, client: Clients) -> None:
    parts, _ = office(tmp_path, facts, key="a long word of chance")
    with served(parts) as address:
        with pytest.raises(openai.AuthenticationError):
            client(address, "another").chat.completions.create(model="heliograph", messages=QUESTION)
        assert client(address, "a long word of chance").models.list().data
        assert httpx.get(f"{address}/health").status_code == 200


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_hangs_up_stops_the_work(tmp_path: Path, stream: bool) -> None:
    parts, researcher = office(tmp_path, for_ever, Desk(1, 5, 60))
    with served(parts) as address:
        body = {"model": "heliograph", "messages": QUESTION, "stream": stream}
        with (
            pytest.raises(httpx.ReadTimeout),
            httpx.stream("POST", f"{address}/v1/chat/completions", json=body, timeout=0.7) as reply,
        ):
            reply.read()
        for _ in range(100):
            if researcher.stopped:
                break
            httpx.get(f"{address}/health")
        assert (researcher.stopped, researcher.at_work) == (1, 0)
        assert httpx.get(f"{address}/health").json()["accepted"] == 0


def test_who_comes_when_all_places_are_taken_is_told_to_come_later(tmp_path: Path, client: Clients) -> None:
    parts, _ = office(tmp_path, for_ever, Desk(1, 1, 60))
    body = {"model": "heliograph", "messages": QUESTION, "stream": True}
    with (
        served(parts) as address,
        httpx.stream("POST", f"{address}/v1/chat/completions", json=body),
        pytest.raises(openai.RateLimitError, match="no place for another") as refused,
    ):
        client(address).chat.completions.create(model="heliograph", messages=QUESTION)
    assert refused.value.response.headers["retry-after"] == "10"


def test_an_answer_given_again_is_remembered_longer_than_those_between() -> None:
    given = AnswersGiven(2)
    for name in ("Orvo", "Ilse", "Orvo", "Umber"):
        answer = answer_to(f"What is {name}?", f"{name} is a moon.")
        given.keep("ann", f"What is {name}?", answer, answer.answer)
    known = [bool(given.turn("ann", 1, "?", f"{name} is a moon. [1]").run) for name in ("Orvo", "Ilse", "Umber")]
    assert known == [True, False, True]
