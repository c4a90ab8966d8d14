"""Proof, at the start of a run, of what a model server keeps to.

A server may answer 200 and ignore the constraint (vLLM does with `guided_json`, which is never used here), so each
way is tried with a word that no model would say by itself, and believed only when exactly that word comes back.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from agent.llm.ladder import json_values
from agent.llm.wording import CHOICE_FIELD, Constraint, choice_schema
from heliograph.errors import ModelError, ModelMalformed, ModelUnreachable
from heliograph.protocols import ChatModel
from heliograph.types import ChatRequest, Prompt

Wanted = Literal["auto", "json_schema", "structured_outputs", "none"]

PROOF = "walrus 7"
PROBE = Prompt("probe", "You greet people.", ("Say hello in one word.",))

_READY = ChatRequest(PROBE, max_tokens=1)
_PROOF_TOKENS = 32
_FOR_SCHEMAS: tuple[Constraint, ...] = ("json_schema", "structured_outputs")
_FOR_CHOICES: tuple[Constraint, ...] = ("structured_outputs", "grammar", "json_schema")


async def check_ready(model: ChatModel) -> None:
    """Have one token generated: a server may call itself healthy and generate nothing.

    Raises:
        ModelError: why it cannot.
    """
    await model.chat(_READY)


class Proofs:
    """What one server was proved to keep to; asked once a run, whatever comes out, an error included.

    An error is final, too: were a second call to try again, the number of calls would depend on which task came
    first, and a replay would miss some.
    """

    def __init__(self, under: Callable[[Constraint], ChatModel], wanted: Wanted = "auto") -> None:
        self._under = under
        self._wanted = wanted
        self._turn = asyncio.Lock()
        self._found: dict[str, Constraint | ModelError] = {}

    async def for_schemas(self) -> Constraint:
        """Return how this server is told a schema.

        Raises:
            ModelMalformed: the setting names a way that the server ignores.
            ModelError: the server cannot be asked.
        """
        return await self._once("schemas", self._prove_schemas)

    async def for_choices(self) -> Constraint:
        """Return how this server is told choices; raises as `for_schemas`."""
        await self.for_schemas()
        return await self._once("choices", self._prove_choices)

    async def _once(self, what: str, prove: Callable[[], Awaitable[Constraint]]) -> Constraint:
        async with self._turn:
            if what not in self._found:
                try:
                    self._found[what] = await prove()
                except ModelError as err:
                    self._found[what] = err
            found = self._found[what]
        if isinstance(found, ModelError):
            raise type(found)(str(found)) from found
        return found

    async def _prove_schemas(self) -> Constraint:
        await check_ready(self._under("none"))
        if self._wanted == "none":
            return "none"
        ways = _FOR_SCHEMAS if self._wanted == "auto" else (self._wanted,)
        request = ChatRequest(PROBE, _PROOF_TOKENS, schema=choice_schema((PROOF,)))
        found = await self._first_kept(ways, request)
        if found == "none" and self._wanted != "auto":
            name = self._under("none").name
            raise ModelMalformed(
                f"{name} ignores structured = {self._wanted!r}: asked for one word it wrote another; "
                'set structured = "auto", or "none" to have replies parsed and repaired'
            )
        return found

    async def _prove_choices(self) -> Constraint:
        if self._wanted == "none":
            return "none"
        ways = _FOR_CHOICES if self._wanted == "auto" else (self._wanted,)
        return await self._first_kept(ways, ChatRequest(PROBE, _PROOF_TOKENS, choices=(PROOF,)))

    async def _first_kept(self, ways: Sequence[Constraint], request: ChatRequest) -> Constraint:
        for way in ways:
            try:
                reply = await self._under(way).chat(request)
            except (ModelUnreachable, ModelMalformed):
                continue
            if _proves(reply.text):
                return way
        return "none"


def _proves(text: str) -> bool:
    """Say whether a reply is the word and nothing else; prose that quotes it proves nothing."""
    if text.strip() == PROOF:
        return True
    return next(json_values(text), None) == {CHOICE_FIELD: PROOF} and text.lstrip().startswith("{")
