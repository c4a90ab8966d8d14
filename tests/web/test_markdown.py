"""Sentences as nodes: emphasis and code are elements, everything else is text."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.markdown import CODE, TAGS, Element, Node, Words, nodes_json, nodes_of


@pytest.mark.parametrize(
    ("sentence", "nodes"),
    [
        ("Plain words.", (Words("Plain words."),)),
        ("A **bold** word.", (Words("A "), Element("strong", (Words("bold"),)), Words(" word."))),
        ("*all **of** it*", (Element("em", (Words("all "), Element("strong", (Words("of"),)), Words(" it"))),)),
        ("the `code` of it", (Words("the "), Element("code", (Words("code"),)), Words(" of it"))),
        ("", ()),
    ],
)
def test_emphasis_and_code_become_elements(sentence: str, nodes: tuple[Node, ...]) -> None:
    assert nodes_of(sentence) == nodes


def test_the_page_makes_elements_of_these_tags_and_of_no_others() -> None:
    claims = (Path(__file__).resolve().parents[2] / "web" / "static" / "claims.js").read_text(encoding="utf8")
    listed = re.search(r"const TAGS = new Set\(\[(.*)\]\);", claims)
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed[1])) == {*TAGS.values(), CODE}


@pytest.mark.parametrize(
    "sentence",
    [
        "<script>alert(1)</script>",
        "![picture](http://elsewhere.example/x.png)",
        "[words](javascript:alert(1))",
        "<https://elsewhere.example>",
        "<img src=x onerror=alert(1)>",
        "# no heading",
        "&lt;b&gt; and &amp;",
        "| a | b |",
    ],
)
def test_everything_else_stays_the_text_that_it_is(sentence: str) -> None:
    assert nodes_of(sentence) == (Words(sentence),)


def words(nodes: tuple[Node, ...]) -> str:
    return "".join(node.text if isinstance(node, Words) else words(node.nodes) for node in nodes)


def tags(nodes: tuple[Node, ...]) -> set[str]:
    return {tag for node in nodes if isinstance(node, Element) for tag in {node.tag} | tags(node.nodes)}


@given(st.text(st.sampled_from("ab *_`<>![]()\\&;:/\n"), max_size=60))
def test_no_letter_is_lost_and_no_other_tag_is_made(sentence: str) -> None:
    nodes = nodes_of(sentence)
    assert [sign for sign in words(nodes) if sign in "ab"] == [sign for sign in sentence if sign in "ab"]
    assert tags(nodes) <= {"strong", "em", "code"}
    assert len(nodes_json(nodes)) == len(nodes)
