"""From any text comes a value of the type asked for or a reason; JSON is found wherever a model puts it."""

import json
from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from agent.llm.choosing import chances_of, choice_named
from agent.llm.ladder import Misread, Read, read_reply
from agent.llm.schemas import schema_of
from agent.llm.thinking import without_thinking
from heliograph.types import TokenChance


class Inner(BaseModel):
    """A part of a reply."""

    name: str
    kind: Literal["a", "b"] = "a"


class Shape(BaseModel):
    """A reply."""

    model_config = ConfigDict(extra="forbid")

    title: str
    parts: list[Inner] = []
    sure: bool | None = None


GOOD = {"title": "x", "parts": [{"name": "n", "kind": "b"}], "sure": True}

names = st.text(max_size=30)
shapes = st.builds(
    Shape,
    title=names,
    parts=st.lists(st.builds(Inner, name=names, kind=st.sampled_from(["a", "b"])), max_size=3),
    sure=st.sampled_from([None, True, False]),
)
prose = st.text(st.characters(exclude_characters="{}<>`\"'", exclude_categories=["Cs"]), max_size=60)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("plain", "plain"),
        ("<think>hm</think> yes", "yes"),
        ("<THINKING>\nhm\n</THINKING>\n\nyes", "yes"),
        ("<think>a</think>yes<think>b</think> no", "yes no"),
        ("opened by the template</think>yes", "yes"),
        ("<think>a<think>b</think>c</think>yes", "yes"),
        ("yes <think>and then", "yes"),
        ("<think>never ends {}", ""),
        ("a < b", "a < b"),
    ],
)
def test_thoughts_are_no_part_of_what_is_said(said: str, heard: str) -> None:
    assert without_thinking(said) == heard


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(GOOD),
        f"  {json.dumps(GOOD, indent=2)}\n\n",
        f"<think>maybe {{}}?</think>{json.dumps(GOOD)}",
        f"Sure! Here it is:\n```json\n{json.dumps(GOOD)}\n```\nAnything else?",
        f"```\n{json.dumps(GOOD)}```",
        f"The set {{1, 2}} is no answer, {json.dumps(GOOD)} is.",
        f'An example is {{"title": 7}}; mine is {json.dumps(GOOD)}',
        json.dumps(GOOD) + "\n" * 300,
        json.dumps(GOOD) * 3,
        '{"title": "x", "parts": [{"name": "n", "kind": "b",},], "sure": true,}',
        "{'title': 'x', 'parts': [{'name': 'n', 'kind': 'b'}], 'sure': True}",
    ],
)
def test_an_object_is_found_wherever_it_stands(written: str) -> None:
    assert read_reply(written, Shape) == Read(Shape(**GOOD))


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('{"title": "a \\"b\\" } c"}', 'a "b" } c'),
        ('{"title": "two\nlines"}', "two\nlines"),
        ("{'title': 'it\\'s \"so\"'}", 'it\'s "so"'),
        ('{"title": "None, True,]"}', "None, True,]"),
        ('{"title": "a <think> tag"}', "a <think> tag"),
    ],
)
def test_what_stands_in_strings_stays(written: str, title: str) -> None:
    assert read_reply(written, Shape) == Read(Shape(title=title))


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "there is no complete JSON object in it"),
        ("no idea", "there is no complete JSON object in it"),
        ('{"title": "x", "parts": [{"name": "n"}', "there is no complete JSON object in it"),
        ('{"title": "x", "parts": [{"title": "y"}, oops]}', "there is no complete JSON object in it"),
        ('<think>{"title": "x"}', "there is no complete JSON object in it"),
        ("[" * 60_000, "there is no complete JSON object in it"),
        ('{"a":' * 10_000, "there is no complete JSON object in it"),
        ('{"title": 7}', "title: Input should be a valid string"),
        ('{"titel": "x"}', "title: Field required; titel: Extra inputs are not permitted"),
        ("```json\n{" + " \n" * 20_000, "there is no complete JSON object in it"),
        ("<think>" * 9_000, "there is no complete JSON object in it"),
        ('{"title": "x"}'.rjust(70_000), "there is no complete JSON object in it"),
        ('{"title": "x", "sure": 1' + "0" * 5000 + "}", "there is no complete JSON object in it"),
    ],
)
def test_what_fits_nothing_has_a_reason(written: str, reason: str) -> None:
    assert read_reply(written, Shape) == Misread(reason)


@given(st.text() | st.text("{}[]\"':,\\ntrue<think>/` \n"))
@example('{"title": "\\ud800"}')
@example('{"title": NaN}')
def test_any_text_is_a_reply_or_a_reason(text: str) -> None:
    match read_reply(text, Shape):
        case Read(value):
            assert isinstance(value, Shape)
        case Misread(reason):
            assert reason


@given(shapes, prose, prose, st.sampled_from(["{}", "```json\n{}\n```", "```{}```"]), st.booleans(), st.booleans())
def test_any_reply_is_found_in_prose_fences_and_thoughts(
    shape: Shape, before: str, after: str, fence: str, thought: bool, ascii_only: bool
) -> None:
    written = fence.replace("{}", json.dumps(shape.model_dump(), ensure_ascii=ascii_only))
    thinking = "<think>so {title}: maybe</think>" if thought else ""
    assert read_reply(f"{thinking}{before}\n{written}\n{after}", Shape) == Read(shape)


def test_a_schema_is_closed_and_requires_all_fields() -> None:
    inner = {
        "description": "A part of a reply.",
        "type": "object",
        "properties": {"name": {"type": "string"}, "kind": {"type": "string", "enum": ["a", "b"]}},
        "required": ["name", "kind"],
        "additionalProperties": False,
    }
    assert schema_of(Shape) == {
        "description": "A reply.",
        "type": "object",
        "$defs": {"Inner": inner},
        "properties": {
            "title": {"type": "string"},
            "parts": {"type": "array", "items": {"$ref": "#/$defs/Inner"}},
            "sure": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        },
        "required": ["title", "parts", "sure"],
        "additionalProperties": False,
    }


def chances(**tokens: float) -> tuple[TokenChance, ...]:
    """Return first tokens with these log-probabilities."""
    return tuple(TokenChance(token, logprob) for token, logprob in tokens.items())


def test_spellings_of_a_choice_are_added_up_and_the_rest_left_out() -> None:
    first = chances(Yes=-1.0, yes=-1.0, no=-1.0, Maybe=-0.1)
    assert chances_of(first, ("yes", "no")) == pytest.approx((2 / 3, 1 / 3))


def test_a_choice_that_no_likely_token_begins_has_no_chance() -> None:
    assert chances_of(chances(unsupp=-0.1), ("supported", "unsupported")) == (0.0, 1.0)


@pytest.mark.parametrize(
    "first",
    [
        (),
        chances(I=-0.1),
        chances(yes=-9.0),
        (TokenChance('"', -0.01), TokenChance("<think>", -4.0)),
        chances(yes=float("-inf")),
    ],
)
def test_first_tokens_that_begin_no_choice_tell_nothing(first: tuple[TokenChance, ...]) -> None:
    assert chances_of(first, ("yes", "insufficient")) is None


def test_choices_with_the_same_first_token_are_told_by_the_text() -> None:
    choices = ("partly true", "partly false")
    assert chances_of(chances(partly=-0.1), choices) is None
    assert choice_named("Partly false.", choices) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("supported", (1.0, 0.0, 0.0)),
        (' "Unsupported". ', (0.0, 1.0, 0.0)),
        ('{"choice": "unsupported"}', (0.0, 1.0, 0.0)),
        ("<think>supported?</think>\nunsupported", (0.0, 1.0, 0.0)),
        ("It is partly supported, I think.", (0.0, 0.0, 1.0)),
        ("**supported**", (1.0, 0.0, 0.0)),
        ("supported or unsupported", None),
        ("", None),
        ("7", None),
    ],
)
def test_a_choice_is_read_from_what_is_written(text: str, named: Any) -> None:
    read = choice_named(text, ("supported", "unsupported", "partly supported"))
    assert read == (named or Misread('it must be one of ["supported", "unsupported", "partly supported"]'))


@given(st.text(), st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True))
def test_any_text_is_one_choice_or_a_reason(text: str, choices: list[str]) -> None:
    match choice_named(text, choices):
        case Misread(reason):
            assert reason
        case named:
            assert sum(named) == 1.0


@given(
    st.lists(st.builds(TokenChance, st.text(max_size=5), st.floats(max_value=1)), max_size=20),
    st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=4, unique=True),
)
def test_chances_sum_to_one(first: list[TokenChance], choices: list[str]) -> None:
    found = chances_of(first, choices)
    assert found is None or (sum(found) == pytest.approx(1.0) and len(found) == len(choices))
