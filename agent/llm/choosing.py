"""Which choice a model made, and how surely."""

import json
import re
from collections.abc import Sequence
from math import exp

from agent.llm.ladder import Misread, json_values
from agent.llm.thinking import without_thinking
from agent.llm.wording import CHOICE_FIELD
from heliograph.types import TokenChance

LEAST_MASS = 0.01
"""How much of the probability must lie on the choices for it to say anything about them."""

_AROUND = " \t\r\n\"'`*_.,:;!([{"


def chances_of(first: Sequence[TokenChance], choices: Sequence[str]) -> tuple[float, ...] | None:
    """Return the probability of each choice by its first token, however it is spelt; None where that cannot tell.

    Servers give probabilities from before the constraint: `Yes`, ` yes` and `yes` are one choice, and what belongs
    to none (a quotation mark, a thought) is left out of the sum. If a token begins several choices, none can be told.
    """
    masses = [0.0] * len(choices)
    for chance in first:
        token = chance.token.strip(_AROUND).casefold()
        begun = [place for place, choice in enumerate(choices) if _begins(token, choice.casefold())]
        if len(begun) > 1:
            return None
        for place in begun:
            masses[place] += exp(min(chance.logprob, 0.0))
    mass = sum(masses)
    return tuple(each / mass for each in masses) if mass >= LEAST_MASS else None


def choice_named(text: str, choices: Sequence[str]) -> tuple[float, ...] | Misread:
    """Return 1 for the choice that a reply is, or that alone stands in it as words of its own, and 0 for the others."""
    said = _said(text)
    exact = [said.strip(_AROUND + ")]}").casefold() == choice.casefold() for choice in choices]
    named = exact if any(exact) else _named(said, choices)
    if sum(named) != 1:
        return Misread(f"it must be one of {json.dumps(list(choices), ensure_ascii=False)}")
    return tuple(map(float, named))


def _said(text: str) -> str:
    for value in json_values(text):
        if isinstance(value, dict) and isinstance(choice := value.get(CHOICE_FIELD), str):
            return choice
        if isinstance(value, str):
            return value
    return without_thinking(text)


def _begins(token: str, choice: str) -> bool:
    """Say whether a token may be the beginning of a choice; one letter is only where the choice is one."""
    return token == choice or (len(token) > 1 and choice.startswith(token))


def _named(text: str, choices: Sequence[str]) -> list[bool]:
    """Say which choices stand in a text; one that is part of another that stands there does not count."""
    there = [choice for choice in choices if _stands(choice, text)]
    return [
        choice in there and not any(choice != other and _stands(choice, other) for other in there) for choice in choices
    ]


def _stands(choice: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(choice)}(?!\w)", text, re.IGNORECASE) is not None
