"""Models that extract, write and filter by a rule, over the base of lights."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from eval.stark.construction.language.endpoints import StepModels
from heliograph.errors import ModelError, ModelMalformed
from heliograph.types import ModelRole, Prompt

T = TypeVar("T")
Replying = Callable[[str, str], object]
"""From the name of a prompt and what the user says to a reply as JSON has it, or an error."""


def kept(asked: str) -> list[str]:
    """Return what a query has to say as it is."""
    return asked.partition("Keep:\n")[2].removesuffix("</requirements>").split("\n")


def shown(asked: str) -> str:
    """Return the document that is shown."""
    return asked.partition("<entity>")[2].partition(" :: ")[2].partition("\n")[0]


def obliging(name: str, asked: str) -> object:
    """Note the last word of the document, write a query of all that is to be kept, and accept what has the word."""
    match name:
        case "extract_properties":
            word = shown(asked).rstrip(".").split()[-1]
            return {"found": [{"property": f"is known for {word}", "source": word}]}
        case "write_query":
            words = re.findall(r"known for (\w+)", asked)
            return {"query": f"Which have {' and '.join(words)}, of {', '.join(kept(asked))}?", "used": [1]}
        case "rephrase_query":
            said = asked.partition("<query>\n")[2].partition("\n")[0]
            return {"query": f"Tell me: {said}"}
    (word,) = re.findall(r"known for (\w+)", asked.partition("</properties>")[0])
    has_it = word in shown(asked)
    return {"verdicts": [{"property": 1, "evidence": word if has_it else "", "met": has_it}]}


@dataclass(slots=True)
class RuleLLM:
    """A model that replies by a rule; what has not the shape asked for is malformed, and an error is raised."""

    replying: Replying = obliging
    role: ModelRole = "answer"
    room: int = 6_000
    prompts: list[Prompt] = field(default_factory=list)

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        self.prompts.append(prompt)
        said = self.replying(prompt.name, "\n\n".join(prompt.parts))
        if isinstance(said, ModelError):
            raise said
        hint: Any = reply
        shape: TypeAdapter[T] = TypeAdapter(hint)
        try:
            return shape.validate_json(json.dumps(said))
        except ValidationError as err:
            raise ModelMalformed(str(err)) from err

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        raise AssertionError("nothing is chosen")

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def asked(self, name: str) -> int:
        """Return how often a prompt was asked."""
        return sum(each.name == name for each in self.prompts)


def step_models(llm: RuleLLM, *filters: RuleLLM) -> StepModels:
    """Return one model for all steps, unless others filter."""
    return StepModels(llm, llm, llm, filters or (llm,))
