"""Proof, at the start of a run, of what a model server keeps to.

A server may answer 200 and ignore the constraint (vLLM does with `guided_json`, which is never used here), so each
way is tried with a word that no model would say by itself, and believed only when exactly that word comes back.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

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
_SCHEMA = ChatRequest(PROBE, _PROOF_TOKENS, schema=choice_schema((PROOF,)))
_CHOICE = ChatRequest(PROBE, _PROOF_TOKENS, choices=(PROOF,))
_FOR_SCHEMAS: tuple[Constraint, ...] = ("json_schema", "structured_outputs")
_FOR_CHOICES: tuple[Constraint, ...] = ("structured_outputs", "grammar", "json_schema")


async def check_ready(model: ChatModel) -> None:
    """Have one token generated: a server may call itself healthy and generate nothing.

    Raises:
        ModelError: why it cannot.
    """
    await model.chat(_READY)


class Kept(NamedTuple):
    """How a server is told a schema and how choices; "none" where it keeps to neither way of saying it."""

    schemas: Constraint
    choices: Constraint


class Proofs:
    """What one server was proved to keep to; asked once a run, whatever comes out, an error included.

    An error is final, too: were a second call to try again, the number of calls would depend on which task came
    first, and a replay would miss some.
    """

    def __init__(self, under: Callable[[Constraint], ChatModel], wanted: Wanted = "auto") -> None:
        self._under = under
        self._wanted = wanted
        self._turn = asyncio.Lock()
        self._found: Kept | ModelError | None = None

    async def kept(self) -> Kept:
        """Return what the server keeps to.

        Raises:
            ModelMalformed: the setting names a way that the server ignores.
            ModelError: the server cannot be asked.
        """
        async with self._turn:
            if self._found is None:
                try:
                    self._found = await self._prove()
                except ModelError as err:
                    self._found = err
        if isinstance(self._found, ModelError):
            raise type(self._found)(str(self._found)) from self._found
        return self._found

    async def _prove(self) -> Kept:
        """Try the likeliest ways side by side; ask whether the server is there at all only where one is not kept to."""
        if self._wanted == "none":
            await check_ready(self._under("none"))
            return Kept("none", "none")
        both = (_FOR_SCHEMAS, _FOR_CHOICES) if self._wanted == "auto" else ((self._wanted,), (self._wanted,))
        tried = tuple(zip(both, (_SCHEMA, _CHOICE), strict=True))
        firsts = (self._first_kept(ways[:1], request) for ways, request in tried)
        found = [_or_raise(one) for one in await asyncio.gather(*firsts, return_exceptions=True)]
        if "none" in found:
            await check_ready(self._under("none"))
            found = [
                await self._first_kept(ways[1:], request) if first == "none" else first
                for first, (ways, request) in zip(found, tried, strict=True)
            ]
        if found[0] == "none" and self._wanted != "auto":
            name = self._under("none").name
            raise ModelMalformed(
                f"{name} ignores structured = {self._wanted!r}: asked for one word it wrote another; "
                'set structured = "auto", or "none" to have replies parsed and repaired'
            )
        return Kept(*found)

    async def _first_kept(self, ways: Sequence[Constraint], request: ChatRequest) -> Constraint:
        for way in ways:
            try:
                reply = await self._under(way).chat(request)
            except (ModelUnreachable, ModelMalformed):
                continue
            if _proves(reply.text):
                return way
        return "none"


def _or_raise(found: Constraint | BaseException) -> Constraint:
    """Return what was found; waiting for both before an error leaves no call behind that a replay would miss."""
    if isinstance(found, BaseException):
        raise found
    return found


def _proves(text: str) -> bool:
    """Say whether a reply is the word and nothing else; prose that quotes it proves nothing."""
    if text.strip() == PROOF:
        return True
    return next(json_values(text), None) == {CHOICE_FIELD: PROOF} and text.lstrip().startswith("{")
