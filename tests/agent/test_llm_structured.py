"""The model of a role: proved, constrained, repaired once, recorded, counted, and never asked for ever."""

import asyncio

import pytest

from agent.llm import ChatServers, RunModels
from agent.llm.probe import PROOF
from agent.meter import Meter
from agent.writing.replies import WrittenBlocks
from heliograph.config import Endpoint
from heliograph.errors import (
    ContextOverflow,
    ModelMalformed,
)
from heliograph.protocols import LLM
from heliograph.types import ModelRole, Prompt
from tests.agent.capitals import PARIS, PROMPT, City, Make
from tests.fakes import FakeRecorder
from tests.servers.openai_server import Say, openai_server


@pytest.mark.parametrize(
    ("keeps", "constraint"),
    [
        (("json_schema", "structured_outputs"), "json_schema"),
        (("structured_outputs",), "structured_outputs"),
        (("grammar",), "none"),
        ((), "none"),
    ],
)
async def test_a_constraint_is_used_only_if_it_was_kept(keeps: tuple[str, ...], constraint: str, make: Make) -> None:
    with openai_server(PARIS, keeps=keeps) as told:
        llm: LLM = make(told)
        assert await llm.ask(PROMPT, City) == City(name="Paris", inhabitants=2100000)
    assert told.calls[0].constraint == constraint


@pytest.mark.parametrize(
    ("keeps", "constraint"),
    [
        (("json_schema", "structured_outputs", "grammar"), "structured_outputs"),
        (("json_schema", "grammar"), "grammar"),
        (("json_schema",), "json_schema"),
        ((), "none"),
    ],
)
async def test_choices_have_the_first_way_that_is_kept(keeps: tuple[str, ...], constraint: str, make: Make) -> None:
    with openai_server("no", keeps=keeps) as told:
        assert await make(told).choose(PROMPT, ("no", "yes")) == (1.0, 0.0)
    assert told.calls[0].constraint == constraint


async def test_a_server_that_refuses_constraints_keeps_none(make: Make) -> None:
    with openai_server(PARIS, refuses=("json_schema", "structured_outputs", "grammar")) as told:
        llm = make(told)
        assert await llm.ask(PROMPT, City) == City(name="Paris", inhabitants=2100000)
        assert await llm.choose(PROMPT, ("Paris", "Rome")) == (1.0, 0.0)


async def test_a_proof_is_asked_once_for_all_roles_of_a_server(servers: ChatServers, meter: Meter) -> None:
    with openai_server(PARIS) as told:
        models = RunModels(servers, FakeRecorder(), meter)
        endpoint = Endpoint(base_url=told.url, model="test-model")
        roles: tuple[ModelRole, ...] = ("answer", "judge")
        llms = [models.llm(endpoint, role) for role in roles]
        await models.prepare()
        await asyncio.gather(*(llm.ask(PROMPT, City) for llm in llms * 3))
    assert [call.max_tokens for call in told.proofs] == [32, 32]
    assert len(told.calls) == 6


@pytest.mark.parametrize("wanted", ["json_schema", "structured_outputs"])
async def test_a_constraint_that_is_set_and_ignored_fails_closed(wanted: str, make: Make) -> None:
    with openai_server(PARIS, keeps=()) as told:
        llm = make(told, structured=wanted)
        for _ in range(2):
            with pytest.raises(ModelMalformed, match='"none" to have replies parsed'):
                await llm.ask(PROMPT, City)
    assert (len(told.calls), len(told.proofs)) == (0, 3)


async def test_a_constraint_that_is_set_and_kept_is_used(make: Make) -> None:
    with openai_server(PARIS) as told:
        await make(told, structured="structured_outputs").ask(PROMPT, City)
    assert told.calls[0].constraint == "structured_outputs"


async def test_a_constraint_that_is_switched_off_is_not_tried(make: Make) -> None:
    with openai_server(PARIS) as told:
        await make(told, structured="none").ask(PROMPT, City)
    assert [call.constraint for call in (*told.proofs, *told.calls)] == ["none", "none"]


async def test_a_server_that_quotes_the_proof_in_prose_has_proved_nothing(make: Make) -> None:
    chatty = f"You want {PROOF}? " + '{"choice": "' + PROOF + '"}'
    with openai_server(PARIS, keeps=(), at_start=chatty) as told:
        await make(told).ask(PROMPT, City)
    assert told.calls[0].constraint == "none"


async def test_without_a_constraint_the_prompt_shows_the_schema(make: Make) -> None:
    with openai_server(f"<think>Lyon?</think>Sure: ```json\n{PARIS}\n```", keeps=()) as told:
        assert (await make(told).ask(PROMPT, City)).name == "Paris"
    assert '"inhabitants":{"type":"integer"}' in told.calls[0].system
    assert told.calls[0].user == "Of which country?\n\nFrance."


async def test_a_reply_that_fits_not_is_asked_for_once_more_with_its_fault(make: Make) -> None:
    with openai_server(['{"name": "Paris"}', PARIS], keeps=()) as told:
        assert (await make(told).ask(PROMPT, City)).inhabitants == 2100000
    first, second = told.calls
    assert second.user == (
        f'{first.user}\n\nYou replied:\n{{"name": "Paris"}}\n\n'
        "That cannot be used: inhabitants: Field required. Reply again, in the form asked for."
    )


async def test_a_second_reply_that_fits_not_is_malformed(make: Make) -> None:
    with openai_server("I would rather not.", keeps=()) as told, pytest.raises(ModelMalformed) as caught:
        await make(told).ask(PROMPT, City)
    assert "prompt 'capital': there is no complete JSON object in it (finish stop)" in str(caught.value)
    assert len(told.calls) == 2


async def test_a_reply_that_is_cut_off_is_malformed_and_named(make: Make) -> None:
    with openai_server(Say("{" + "\n" * 2000), keeps=()) as told, pytest.raises(ModelMalformed) as caught:
        await make(told, context_tokens=1024).ask(PROMPT, City)
    assert "it was cut off after 256 tokens, and there is no complete JSON" in str(caught.value)
    assert "(finish length)" in str(caught.value)


@pytest.mark.parametrize("seed", range(3))
async def test_broken_json_in_a_share_of_replies_ends_in_replies_or_typed_errors(seed: int, make: Make) -> None:
    with openai_server(PARIS, keeps=(), malformed=0.4, seed=seed) as told:
        llm = make(told)
        asked = await asyncio.gather(*(llm.ask(PROMPT, City) for _ in range(20)), return_exceptions=True)
    assert {type(each) for each in asked} <= {City, ModelMalformed}
    assert City in {type(each) for each in asked}


async def test_choices_have_the_probabilities_of_their_first_tokens(make: Make) -> None:
    with openai_server(Say("Yes", first={"Yes": 0.6, " no": 0.2, "Well": 0.2}), keeps=()) as told:
        assert await make(told).choose(PROMPT, ("yes", "no")) == pytest.approx((0.75, 0.25))


async def test_a_choice_that_cannot_be_read_is_asked_for_once_more(make: Make) -> None:
    with openai_server(["Hard to say.", "no"], keeps=()) as told:
        assert await make(told).choose(PROMPT, ("yes", "no")) == (0.0, 1.0)
    assert 'it must be one of ["yes", "no"]' in told.calls[1].user


async def test_a_prompt_that_is_too_long_is_not_sent(make: Make) -> None:
    with openai_server(PARIS) as told:
        llm = make(told, context_tokens=1024)
        with pytest.raises(ContextOverflow, match="fewer parts"):
            await llm.ask(Prompt("long", "s", ("word " * 2000,)), City)
    assert told.calls == []


@pytest.mark.parametrize("context", [1024, 8192, 32768])
async def test_what_fills_the_room_is_sent_even_where_the_schema_is_shown(context: int, make: Make) -> None:
    with openai_server(PARIS, keeps=()) as told:
        llm = make(told, context_tokens=context)
        part = "word " * 30
        parts = (part,) * ((llm.room - llm.count("Know.")) // llm.count(part))
        await llm.ask(Prompt("full", "Know.", parts), City)
    assert len(told.calls) == 1


@pytest.mark.parametrize("context", [8192, 16384, 32768])
async def test_a_section_fits_whatever_fills_the_room_and_sees_its_whole_schema_where_there_is_room(
    context: int, make: Make
) -> None:
    """The schema of a section takes 3,400 tokens, of which 1,024 are kept free."""
    written = WrittenBlocks.model_validate({"blocks": [{"kind": "paragraph", "claims": [{"text": "Io is a moon."}]}]})
    with openai_server(written.model_dump_json(), keeps=()) as told:
        llm = make(told, "answer", context_tokens=context)
        part = "word " * 30
        parts = (part,) * ((llm.room - llm.count("Know.")) // llm.count(part))
        assert await llm.ask(Prompt("full", "Know.", parts), WrittenBlocks) == written
        assert await llm.ask(Prompt("small", "Know.", ()), WrittenBlocks) == written
    (full, small) = (call.system for call in told.calls)
    assert "claims: [{text: string, citations: [{handle: string, quote: string}]}]" in full
    assert ('"maxLength":800' in full, '"maxLength":800' in small) == (False, True)
