"""Whatever a model sends that has the right shape, what is read keeps to the limits that its schema tells."""

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from agent.language.replies import Reflection, WrittenPlan
from agent.writing.replies import WrittenAnswer, WrittenCalculation
from prompts.replies import Said
from tools.refinement.replies import NeedVerdict

for room in (
    *("agent.chat.language", "agent.checking.judge", "agent.checking.repair", "agent.writing.replies"),
    *("eval.omgqa.generation.replies", "tools.refinement.replies"),
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
    return {"boolean": st.booleans(), "integer": st.integers()}[schema["type"]]


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
        assert {each["type"] for each in err.errors()} <= {"too_long", "string_too_long"}
    else:
        assert list(past_limits(said, schema)) == []


def test_what_is_too_long_is_cut_and_not_refused() -> None:
    said = WrittenPlan.model_validate({"needs": ["word " * 40] * 9, "queries": list("abcdefg")})
    assert said.queries == list("abcdef")
    assert said.needs == [" ".join(["word"] * 31) + " …"] * 8


def test_what_is_calculated_is_never_cut() -> None:
    with pytest.raises(ValidationError, match="too_long"):
        WrittenCalculation.model_validate({"name": "c1", "operation": "sum", "table": "E1", "rows": ["E1.1"] * 31})


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        (Reflection, {"needs": [], "feedback": None}),
        (WrittenAnswer, {"claims": [], "not_answered": None}),
        (WrittenPlan, {"queries": ["a"], "title": None}),
    ],
)
def test_a_field_that_is_null_is_left_out(kind: type[Said], sent: dict[str, object]) -> None:
    assert kind.model_validate(sent).model_fields_set == {name for name, value in sent.items() if value is not None}


def test_a_verdict_on_stars_whose_rows_are_null_selects_none() -> None:
    said = NeedVerdict.model_validate({"need": 1, "reason": None, "rows": None, "passages": [2]})
    assert said == NeedVerdict(need=1, reason="", rows=[], passages=[2])
