"""Every prompt has a source in its head, and its placeholders are what the callers pass."""

import ast
from pathlib import Path

import pytest

from prompts import render_prompt
from prompts.rendering import placeholders

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(path.stem for path in (ROOT / "prompts").glob("*.md"))


def calls() -> dict[str, list[frozenset[str]]]:
    """Return the keywords of every call of render_prompt in the code, by prompt."""
    found: dict[str, list[frozenset[str]]] = {}
    for folder in ("agent", "eval", "tools", "memory", "indexers", "web"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "render_prompt":
                    name = node.args[0]
                    assert isinstance(name, ast.Constant), f"{path}: a prompt is named in so many words"
                    found.setdefault(name.value, []).append(frozenset(word.arg or "**" for word in node.keywords))
    return found


def test_every_prompt_is_used_and_every_used_one_is_there() -> None:
    assert sorted(calls()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_callers_pass_what_a_prompt_wants(name: str) -> None:
    assert set(calls()[name]) == {placeholders(name)}


@pytest.mark.parametrize("name", NAMES)
def test_the_head_names_the_source_and_is_not_part_of_the_text(name: str) -> None:
    head, text = (ROOT / "prompts" / f"{name}.md").read_text(encoding="utf8").split("---\n")[1:]
    assert head.startswith("source: ")
    rendered = render_prompt(name, **dict.fromkeys(placeholders(name), "x"))
    assert "source:" not in rendered
    assert "$" not in rendered
    assert len(rendered.splitlines()) == len(text.strip().splitlines())


def test_a_value_that_is_missing_or_not_wanted_is_an_error() -> None:
    with pytest.raises(KeyError, match="words"):
        render_prompt("not_covered")
    with pytest.raises(KeyError, match="has no placeholder"):
        render_prompt("not_covered", words="x", colour="red")


def test_a_dollar_in_a_value_stays_as_it_is() -> None:
    assert "$rounds and $$" in render_prompt("not_covered", words="$rounds and $$")
