"""A model whose replies are kept as they come, so that what was asked once is not asked again after a kill."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter

from agent.language.around import AroundLLM
from eval.lines import read_lines
from eval.omgqa.elsewhere import ANOTHER
from heliograph.errors import ModelMalformed, ModelUnreachable, NoCompletion
from heliograph.protocols import LLM
from heliograph.types import Prompt
from memory.trace.disk import Journal

T = TypeVar("T")


class ReplyLine(BaseModel):
    """A reply, or what was wrong with it; `asked` is the sha256 of the prompt and of the shape asked for."""

    model_config = ConfigDict(strict=True, extra="forbid")

    asked: str
    prompt: str
    reply: JsonValue = None
    malformed: str = ""


@dataclass(frozen=True, slots=True)
class KeptReplies(AroundLLM):
    """An `LLM` around another one: equal prompts get the reply that is in the file.

    A reply that fitted no schema after the repairs there are is kept as such; all other errors are not.
    """

    journal: Journal
    known: dict[str, ReplyLine]

    async def ask(self, prompt: Prompt, reply: type[T]) -> T:
        """Return what the model replied or replies now.

        Raises:
            ModelMalformed: its reply fitted no schema, now or when it was asked.
            ModelUnreachable: what came back is of no model; nothing of it is kept.
            ModelError: it cannot be asked.
            StoreFull | StoreError: its reply cannot be kept.
        """
        hint: Any = reply
        shape: TypeAdapter[T] = TypeAdapter(hint)
        asked = _digest(prompt, shape)
        if asked not in self.known:
            self._keep(await self._asked(prompt, reply, asked, shape))
        line = self.known[asked]
        if line.malformed:
            raise ModelMalformed(line.malformed)
        return shape.validate_python(line.reply)

    async def choose(self, prompt: Prompt, choices: Sequence[str]) -> tuple[float, ...]:
        """Return the probability of each choice; nothing of it is kept."""
        return await self.llm.choose(prompt, choices)

    async def _asked(self, prompt: Prompt, reply: type[T], asked: str, shape: TypeAdapter[T]) -> ReplyLine:
        try:
            said = await self.llm.ask(prompt, reply)
        except NoCompletion as err:
            raise ModelUnreachable(str(err)) from err
        except ModelMalformed as err:
            return ReplyLine(asked=asked, prompt=prompt.name, malformed=str(err) or "no usable reply")
        return ReplyLine(asked=asked, prompt=prompt.name, reply=shape.dump_python(said, mode="json"))

    def _keep(self, line: ReplyLine) -> None:
        self.journal.append(f"{json.dumps(line.model_dump())}\n".encode())
        self.known[line.asked] = line


def kept_replies(llm: LLM, path: Path) -> KeptReplies:
    """Put a file of replies around a model; the caller closes its journal.

    Raises:
        UsageError: the file holds something else.
        StoreFull | StoreError: it cannot be written.
    """
    journal = Journal(path, ANOTHER)
    return KeptReplies(llm, journal, {line.asked: line for line in read_lines(path, ReplyLine)})


def _digest(prompt: Prompt, shape: TypeAdapter[Any]) -> str:
    said = json.dumps([asdict(prompt), shape.json_schema()], sort_keys=True, default=repr)
    return hashlib.sha256(said.encode()).hexdigest()
