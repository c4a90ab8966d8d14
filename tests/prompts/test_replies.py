"""Whatever a model sends that has the right shape, what is read keeps to the limits that its schema tells."""

import importlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from agent.language.replies import PageChoice, Reflection, WrittenPlan
from agent.llm.ladder import Misread, Read, read_reply
from agent.writing.replies import WrittenAnswer, WrittenBlocks, WrittenCalculation, WrittenSummary
from prompts.replies import Said
from tools.refinement.replies import NeedVerdict, PassageChoice

for room in (
    *("agent.chat.language", "agent.checking.judge", "agent.checking.repair", "agent.writing.replies"),
    *("eval.omgqa.generation.replies", "eval.stark.construction.language.replies"),
    *("tools.refinement.replies", "tools.skb.planning.replies"),
):
    importlib.import_module(room)


def shapes(kind: type[Said] = Said) -> Iterator[type[Said]]:
    """Yield every shape of a reply."""
    for each in kind.__subclasses__():
        yield each
        yield from shapes(each)


def written(schema: dict[str, Any], known: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Write JSON of a schema whose limits nobody keeps."""
    schema = known.get(schema.get("$ref", "").rpartition("/")[2], schema)
    match schema:
        case {"anyOf": choices}:
            return st.one_of([written(each, known) for each in choices])
        case {"enum": _} | {"const": _}:
            return st.sampled_from(schema.get("enum") or [schema["const"]])
        case {"type": "object", "properties": properties}:
            return st.fixed_dictionaries({name: written(each, known) for name, each in properties.items()})
        case {"type": "array", "items": items}:
            return st.lists(written(items, known), max_size=2).map(lambda found: found * 40)
        case {"type": "string"}:
            most = schema.get("maxLength", 0)
            long = st.sampled_from(("word ", "a", "A sentence. ")).map(lambda part: part * (most + 1))
            return st.one_of(st.text(max_size=20), long)
    numbers = st.floats(schema.get("minimum"), schema.get("maximum"))
    return {"boolean": st.booleans(), "integer": st.integers(), "number": numbers}[schema["type"]]


def past_limits(said: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """Yield the texts and lists of a reply that go past what its schema allows."""
    match said:
        case Said():
            for name, each in type(said).model_json_schema()["properties"].items():
                yield from past_limits(getattr(said, name), each)
        case str() if len(said) > schema.get("maxLength", len(said)):
            yield said
        case list():
            yield from (said,) if len(said) > schema.get("maxItems", len(said)) else ()
            for each in said:
                yield from past_limits(each, schema["items"])


@pytest.mark.parametrize("kind", list(shapes()), ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_no_text_and_no_list_of_a_reply_is_longer_than_its_schema_allows(kind: type[Said], data: st.DataObject) -> None:
    schema = TypeAdapter(kind).json_schema()
    sent = data.draw(written(schema, schema.get("$defs", {})))
    try:
        said = kind.model_validate(sent)
    except ValidationError as err:
        assert {each["type"] for each in err.errors()} <= {"too_long", "string_too_long", "string_too_short"}, sent
    else:
        assert list(past_limits(said, schema)) == []


def test_what_is_too_long_is_cut_and_not_refused() -> None:
    said = WrittenPlan.model_validate({"needs": ["word " * 40] * 9, "queries": list("abcdefg")})
    assert said.queries == list("abcdef")
    assert said.needs == [" ".join(["word"] * 31) + " …"] * 8


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (Reflection, {"needs": [], "feedback": None}),
        (WrittenAnswer, {"claims": [], "not_found": None}),
        (WrittenPlan, {"queries": ["a"], "title": None}),
    ],
)
def test_a_field_that_is_null_is_left_out(kind: type[Said], sent: dict[str, object]) -> None:
    assert kind.model_validate(sent).model_fields_set == {name for name, value in sent.items() if value is not None}


def test_a_verdict_on_stars_whose_rows_are_null_selects_none() -> None:
    said = NeedVerdict.model_validate({"need": 1, "reason": None, "rows": None, "passages": [2]})
    assert said == NeedVerdict(need=1, reason="", rows=[], passages=[2])


LIT = {"text": "It was lit in 1889.", "citations": [{"handle": "E1", "quote": "lit in 1889"}]}
SUM = {"name": "c1", "operation": "sum", "table": "E1", "column": "Height"}
STRANGE = [True, "first", 2.5, None, [], 1e999]
"""Numbers that are none."""


@pytest.mark.parametrize("number", STRANGE)
def test_an_impossible_number_costs_its_item_and_not_the_reply(number: object) -> None:
    met = {"need": 1, "met": True, "pieces": ["E1", {}, 2]}
    said = Reflection.model_validate({"needs": [{"need": number, "met": True}, met], "leads": "none"})
    assert said == Reflection.model_validate({"needs": [met | {"pieces": ["E1", "2"]}], "leads": []})
    assert PageChoice.model_validate({"pages": [number, 3, "4", 5.0]}).pages == [3, 4, 5]
    answer = WrittenAnswer.model_validate(
        {"claims": [{"txt": ""}, LIT], "not_found": [{"need": number, "text": "cost"}]}
    )
    assert answer == WrittenAnswer.model_validate({"claims": [LIT], "not_found": ["cost"]})
    told = {"kind": "paragraph", "claims": [LIT]}
    unknown = {"kind": "poem", "text": "Oh"}
    blocks = WrittenBlocks.model_validate({"blocks": [unknown, told | {"need": number}]})
    assert blocks == WrittenBlocks.model_validate({"blocks": [told | {"need": 0}]})


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (Reflection, {"needs": [{"need": "all", "met": True}]}),
        (PageChoice, {"pages": ["the first"]}),
        (PassageChoice, {"passages": [True]}),
        (WrittenAnswer, {"claims": [{"sentence": "It was lit."}], "not_found": [2]}),
        (WrittenBlocks, {"blocks": [{"kind": "poem"}, "It was lit."]}),
        (WrittenAnswer, {"claims": "It was lit."}),
        *((kind, {}) for kind in (WrittenSummary, WrittenAnswer, WrittenBlocks)),
    ],
)
def test_a_reply_of_which_nothing_is_right_is_none(kind: type[Said], sent: dict[str, object]) -> None:
    assert isinstance(read_reply(json.dumps(sent), kind), Misread)


@pytest.mark.parametrize("kind", list(shapes()), ids=lambda kind: kind.__name__)
def test_a_part_of_a_reply_is_no_reply(kind: type[Said]) -> None:
    """Neither is the example of a schema that a model repeats, nor a list of items without what they stand in."""
    assert isinstance(read_reply(json.dumps({"type": "object", "properties": {}}), kind), Misread)
    if kind in (WrittenAnswer, WrittenBlocks, WrittenSummary):
        cut = json.dumps({"claims": [LIT, LIT], "blocks": [{"kind": "paragraph", "claims": [LIT]}]})[:-4]
        for text in (cut, json.dumps([LIT]), f"Here: {json.dumps(LIT)}"):
            assert isinstance(read_reply(text, kind), Misread)


@pytest.mark.parametrize(
    "wrong",
    [
        {"position": "third"},
        {"position": True},
        {"where": [{"column": "Name", "value": "Io"}, {"column": []}]},
        {"rows": ["E1.1", {}]},
        {"rows": ["E1.1"] * 31},
        {"join": [{"table": "E2"}]},
    ],
)
def test_a_calculation_with_a_fault_is_left_out_and_never_another_one(wrong: dict[str, object]) -> None:
    said = read_reply(json.dumps({"claims": [LIT], "calculations": [SUM | wrong, SUM]}), WrittenAnswer)
    assert isinstance(said, Read)
    assert said.value.calculations == [WrittenCalculation.model_validate(SUM)]
