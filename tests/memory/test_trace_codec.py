"""What is recorded comes back exactly: every noun, unions of nouns, arrays, large payloads; secrets never."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import heliograph.types
from heliograph.protocols import Vectors
from heliograph.types import (
    Answer,
    ChatRequest,
    Document,
    Edge,
    EntityRecord,
    Evidence,
    EvidenceId,
    Indexed,
    Page,
    PageKey,
    Query,
    Scored,
    SearchResult,
    Usage,
    VectorUse,
    Verdict,
)
from memory.trace.blobs import address
from memory.trace.decoding import Decoder, Misfit
from memory.trace.encoding import Encoder, dump, parse
from memory.trace.redaction import Redaction

NOUNS = tuple(
    noun
    for noun in (getattr(heliograph.types, name) for name in heliograph.types.__all__)
    if isinstance(noun, type) and noun not in (Scored, ChatRequest)
)
"""A generic noun is declared with its parameter; a request of a model is only ever given, never returned."""
DECLARED: tuple[Any, ...] = (
    *NOUNS,
    Evidence,
    tuple[Evidence, ...],
    Query | None,
    EvidenceId,
    dict[str, Evidence],
    list[Edge] | None,
    float | None,
    int | str,
    bool | int | float | str | None,
    bytes,
    tuple[()],
    Literal["a", "b"],
)


def scored(item: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw `Scored` items: Hypothesis does not fill in type parameters of dataclasses."""
    return st.builds(Scored, item, st.floats())


st.register_type_strategy(
    EntityRecord, st.builds(EntityRecord, attributes=st.dictionaries(st.text(), st.floats() | st.text()))
)
"""A mapping comes back as a dict; for the abstract one Hypothesis draws others, too."""
DRAWN: tuple[tuple[Any, st.SearchStrategy[Any]], ...] = (
    *((hint, st.from_type(hint)) for hint in DECLARED),
    (Scored[EvidenceId], scored(st.text())),
    (Scored[Evidence], scored(st.from_type(Evidence))),
    (tuple[Scored[Evidence], ...], st.lists(scored(st.from_type(Evidence)), max_size=4).map(tuple)),
    (tuple[Scored[tuple[Query, ...]], int], st.tuples(scored(st.just((Query("mars"),))), st.integers())),
)


class Shelf(dict[str, bytes]):
    """Blobs in memory."""

    def put(self, data: bytes) -> str:
        self[address(data)] = data
        return address(data)


def there_and_back(value: object, hint: Any, shelf: Shelf | None = None) -> Any:
    """Encode, write, read and decode a value."""
    shelf = Shelf() if shelf is None else shelf
    line = dump(Encoder(shelf.put, Redaction()).fold(value))
    assert b"\n" not in line
    back = Decoder(shelf.__getitem__).decode(hint, parse(line))
    assert dump(Encoder(shelf.put, Redaction()).fold(back)) == line
    return back


@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_every_noun_and_every_union_of_nouns_comes_back_exactly(data: st.DataObject) -> None:
    hint, values = data.draw(st.sampled_from(DRAWN))
    value = data.draw(values)
    assert repr(there_and_back(value, hint)) == repr(value)


@given(arrays(np.float32, array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=700)))
@settings(max_examples=60, deadline=None)
def test_vectors_come_back_bit_by_bit_whatever_their_size(vectors: Any) -> None:
    back = there_and_back(vectors, Vectors)
    assert (back.dtype, back.shape, back.tobytes()) == (vectors.dtype, vectors.shape, vectors.tobytes())
    assert back.flags.writeable


@given(
    st.text(st.characters(), max_size=40).map(lambda text: text * 100) | st.just("\ud800" * 3000) | st.just("\u2028\n")
)
@settings(max_examples=60, deadline=None)
def test_texts_come_back_whatever_their_size_and_their_characters(text: str) -> None:
    assert there_and_back(Query(text), Query) == Query(text)


@given(
    st.dictionaries(st.sampled_from(["$blob", "$type", "$$x", "as", "bytes", "a"]), st.integers() | st.text(max_size=3))
)
def test_a_mapping_whose_names_look_like_marks_comes_back(mapping: dict[str, int | str]) -> None:
    assert there_and_back(mapping, Mapping[str, int | str]) == mapping


def test_a_large_page_is_one_blob_beside_a_small_line() -> None:
    shelf = Shelf()
    page = Page("wiki", "Mars", "7", "", "<p>ä</p>" * 1000, "2026-11-21T00:00:00Z")
    encoded = Encoder(shelf.put, Redaction()).encode(page)
    assert isinstance(encoded, dict)
    assert encoded["html"] == {"$blob": address(page.html.encode()), "bytes": 9000, "as": "text"}
    assert shelf == {address(page.html.encode()): page.html.encode()}


def test_a_long_list_of_small_items_is_folded_into_one_blob() -> None:
    shelf = Shelf()
    hits = tuple(Scored(EvidenceId(f"wiki:Page_{number}@1#s0/p1"), number / 7) for number in range(2000))
    folded = Encoder(shelf.put, Redaction()).fold(hits)
    assert isinstance(folded, dict)
    assert folded["as"] == "json"
    assert there_and_back(hits, tuple[Scored[EvidenceId], ...], shelf) == hits


def test_members_of_a_union_with_the_same_fields_are_told_apart() -> None:
    @dataclass(frozen=True, slots=True)
    class Left:
        text: str

    @dataclass(frozen=True, slots=True)
    class Right:
        text: str

    either = Left | Right
    assert there_and_back((Right("a"), Left("a")), tuple[either, ...]) == (Right("a"), Left("a"))


def test_sequences_come_back_as_tuples_and_annotations_are_looked_through() -> None:
    assert there_and_back([1, 2], Sequence[int]) == (1, 2)
    assert there_and_back((1, "a"), Annotated[tuple[int, str], "pair"]) == (1, "a")
    assert there_and_back([1, [2]], Any) == [1, [2]]


@pytest.mark.parametrize(
    ("hint", "record"),
    [
        (Query, {"$type": "Hit", "title": "Mars", "rank": 1, "wiki": ""}),
        (Query, {"$type": "Query"}),
        (Query, {"$type": "Query", "text": 1}),
        (Query, "Mars"),
        (Evidence, {"$type": "Query", "text": "Mars"}),
        (tuple[int, str], [1]),
        (int, 1.5),
        (Verdict, None),
        (Literal["a"], "b"),
        (bytes, {"$bytes": "?"}),
        (Vectors, {"$array": "<f4", "shape": [9], "data": {"$bytes": "AAAA"}}),
        (Vectors, {"$array": "O", "shape": [1], "data": {"$bytes": "AAAAAAAAAAA="}}),
    ],
)
def test_a_record_of_another_shape_is_refused(hint: Any, record: Any) -> None:
    with pytest.raises(Misfit):
        Decoder({}.__getitem__).decode(hint, record)


@pytest.mark.parametrize("value", [object(), {1: "a"}, {"a", "b"}, np.array(["a"], dtype=object), np.float32(1)])
def test_a_value_that_could_not_come_back_is_refused_when_it_is_recorded(value: object) -> None:
    with pytest.raises(TypeError, match="cannot record"):
        Encoder(address, Redaction()).encode(value)


def test_a_declared_type_that_no_reader_knows_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot replay"):
        Decoder({}.__getitem__).decode(set[int], [])


@dataclass(frozen=True, slots=True)
class Connection:
    """Settings of a server, as some module of ours may hold them."""

    url: str
    api_key: str
    max_tokens: int


def test_values_under_telling_names_are_masked_at_any_depth() -> None:
    given = {
        "API_KEY": "k1",
        "nested": [{"Authorization": "Bearer k2", "ok": "seen"}],
        "connection": Connection("http://localhost", "k3", 100),
        "password": ["k4"],
        "openaiApiKey": "k5",
        "client_secret": {"deep": "k6"},
        "access_token": 123456,
        "max_tokens": 512,
        "keywords": ["Mars"],
        "token": None,
        "key": "",
        "use_token": False,
    }
    assert Encoder(address, Redaction()).encode(given) == {
        "API_KEY": "***",
        "nested": [{"Authorization": "***", "ok": "seen"}],
        "connection": {"$type": "Connection", "url": "http://localhost", "api_key": "***", "max_tokens": 100},
        "password": "***",
        "openaiApiKey": "***",
        "client_secret": "***",
        "access_token": "***",
        "max_tokens": 512,
        "keywords": ["Mars"],
        "token": None,
        "key": "",
        "use_token": False,
    }


def test_a_known_secret_is_masked_wherever_it_stands() -> None:
    encoder = Encoder(address, Redaction(["hunter2", "hunter2-long", ""]))
    given = {"url": "http://u:hunter2-long@host/", "list": ("a hunter2 b",), "hunter2": Query("hunter2")}
    assert encoder.encode(given) == {
        "url": "http://u:***@host/",
        "list": ["a *** b"],
        "***": {"$type": "Query", "text": "***"},
    }


def spellings(secret: str) -> list[str]:
    """Return a secret as JSON may hold it, whole, in part, and within a string of JSON within JSON."""
    written = json.dumps(secret)[1:-1]
    codes = [f"\\u{ord(each):04X}" for each in secret]
    mixed = [json.dumps(each)[1:-1] for each in secret]
    mixed[1::2] = [code.lower() for code in codes[1::2]]
    return [written, written.replace("/", "\\/"), json.dumps(written)[1:-1], "".join(codes), "".join(mixed)]


@pytest.mark.parametrize(
    "secret", ["sk-very-secret-7193", '"with"quote\\and/slash', "of\\u0073-\\escapes", "schlüssel"]
)
def test_a_secret_is_masked_however_json_spells_it(secret: str) -> None:
    redaction = Redaction([secret])
    for spelt in spellings(secret):
        assert json.loads(redaction.text(f'["a\\n {spelt}", "b"]')) == ["a\n ***", "b"]
    assert redaction.text(f"a {secret} b") == "a *** b"
    assert redaction.text('a "\\n\\u0073\\u006b" b') == 'a "\\n\\u0073\\u006b" b'


def test_the_nouns_keep_their_keys_and_their_counts_of_tokens() -> None:
    document = Document(PageKey("wiki:Mars@1"), "wiki", "Mars", "1", "", (), ())
    usage = Usage(prompt_tokens=3, completion_tokens=4)
    assert there_and_back((document, usage), tuple[Document, Usage]) == (document, usage)


def test_what_a_record_came_without_is_none_and_stays_out_of_it() -> None:
    recorded: Any = {"$type": "Indexed", "embedded": 3, "fetched": 0, "notes": []}
    indexed = Decoder(Shelf().__getitem__).decode(Indexed, recorded)
    assert indexed == Indexed(3)
    encoder = Encoder(Shelf().put, Redaction())
    assert encoder.encode(indexed) == recorded
    counted = {"vectors": {"$type": "VectorUse", "needed": 5, "asked": 4}}
    assert encoder.encode(Indexed(3, vectors=VectorUse(5, 4))) == recorded | counted


def test_an_answer_and_a_search_result_can_be_declared() -> None:
    result = SearchResult(Query("mars"), (), 0)
    assert there_and_back(result, SearchResult | Answer) == result
