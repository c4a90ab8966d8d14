"""Prompts from their files: the head between --- lines names the source, the rest is the text."""

from functools import cache
from importlib.resources import files
from string import Template


def render_prompt(name: str, **values: object) -> str:
    """Fill the placeholders of one prompt; a missing or a superfluous value is a KeyError."""
    template = _template(name)
    superfluous = values.keys() - set(template.get_identifiers())
    if superfluous:
        raise KeyError(f"prompt {name!r} has no placeholder {sorted(superfluous)}")
    return template.substitute({key: str(value) for key, value in values.items()})


def placeholders(name: str) -> frozenset[str]:
    """Return the names that a prompt wants filled."""
    return frozenset(_template(name).get_identifiers())


@cache
def _template(name: str) -> Template:
    text = files("prompts").joinpath(f"{name}.md").read_text(encoding="utf8")
    _, _, body = text.removeprefix("---\n").partition("---\n")
    return Template(body.strip())
