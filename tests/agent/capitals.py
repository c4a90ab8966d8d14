"""What the tests of a model's replies ask for: a city with its inhabitants."""

from collections.abc import Callable

from pydantic import BaseModel

from agent.llm import StructuredModel
from heliograph.types import Prompt

PROMPT = Prompt("capital", "You know capitals.", ("Of which country?", "France."))
PARIS = '{"name": "Paris", "inhabitants": 2100000}'

Make = Callable[..., StructuredModel]


class City(BaseModel):
    """A reply."""

    name: str
    inhabitants: int
