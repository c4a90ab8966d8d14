"""Proof of what a model server keeps to, kept per server and model for a day.

A server may answer 200 and ignore the constraint (vLLM does with `guided_json`, which is never used here), so each
way is tried with a word that no model would say by itself, and believed only when exactly that word comes back.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from agent.llm.ladder import json_values
from agent.llm.wording import CHOICE_FIELD, Constraint, choice_schema
from heliograph.errors import ModelError, ModelMalformed, ModelUnreachable
from heliograph.protocols import ChatModel, Recorder
from heliograph.storage import MALFORMED
from heliograph.types import ChatRequest, Prompt

Wanted = Literal["auto", "json_schema", "structured_outputs", "none"]

SECONDS = 86_400.0
"""How long a proof is believed: a server may be started anew with other options."""
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


@dataclass(frozen=True, slots=True)
class Capabilities:
    """How a server is told a schema and how choices; "none" where it keeps to neither way of saying it."""

    schemas: Constraint
    choices: Constraint


class CapabilityCache:
    """What servers were proved to keep to: one JSON file of the home folder, believed for SECONDS.

    Looking something up, keeping and forgetting it are effects of a run, so that a replay does as the run did and
    touches no file. A file that cannot be read holds nothing; one that cannot be written costs the next run a proof.
    """

    def __init__(self, path: Path, recorder: Recorder) -> None:
        self._path = path
        self._recorder = recorder

    async def find(self, server: str) -> Capabilities | None:
        """Return what a server was proved to keep to within SECONDS; None where that is not known."""
        now = self._recorder.now()

        async def look_up() -> Capabilities | None:
            known = self._read().get(server, {})
            with suppress(TypeError, KeyError):
                if 0 <= now - known["proved"] < SECONDS:
                    return Capabilities(known["schemas"], known["choices"])
            return None

        found: Capabilities | None = await self._effect("find_capabilities", server, Capabilities | None, look_up)
        return found

    async def keep(self, server: str, found: Capabilities) -> None:
        """Keep what a proof found."""
        now = self._recorder.now()

        async def write() -> None:
            self._write({**self._read(), server: {**asdict(found), "proved": now}})

        await self._effect("keep_capabilities", server, None, write)

    async def forget(self, server: str) -> None:
        """Forget a server that did not keep to what it had been proved to: the next run proves it again."""

        async def write() -> None:
            self._write({name: known for name, known in self._read().items() if name != server})

        await self._effect("forget_capabilities", server, None, write)

    async def _effect(self, name: str, server: str, returns: Any, call: Callable[[], Any]) -> Any:
        return await self._recorder.effect("TOOL", name, {"server": server}, returns, call)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads(self._path.read_text(encoding="utf8"))
        except (OSError, *MALFORMED):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, known: dict[str, Any]) -> None:
        with suppress(OSError):
            passing = self._path.with_suffix(".partial")
            passing.write_text(json.dumps(known), encoding="utf8")
            passing.replace(self._path)


class CapabilityProbe:
    """What one server keeps to: looked up, or proved, once per run, whatever comes out, an error included.

    An error is final, too: were a second call to try again, the number of calls would depend on which task came
    first, and a replay would miss some.

    Args:
        under: the server's model for a constraint.
        wanted: the setting `structured`.
        server: names server and model in the cache.
        cache: where proofs are kept between runs; without it each run proves.
    """

    def __init__(
        self,
        under: Callable[[Constraint], ChatModel],
        wanted: Wanted = "auto",
        server: str = "",
        cache: CapabilityCache | None = None,
    ) -> None:
        self._under = under
        self._wanted = wanted
        self._server = server
        self._cache = cache
        self._turn = asyncio.Lock()
        self._found: Capabilities | ModelError | None = None
        self.was_known = False

    async def capabilities(self) -> Capabilities:
        """Return what the server keeps to; `was_known` tells afterwards that nothing had to be asked.

        Raises:
            ModelMalformed: the setting names a way that the server ignores.
            ModelError: the server cannot be asked.
        """
        async with self._turn:
            if self._found is None:
                try:
                    self._found = await self._known() or await self._proved()
                except ModelError as err:
                    self._found = err
        if isinstance(self._found, ModelError):
            raise type(self._found)(str(self._found)) from self._found
        return self._found

    async def broken(self) -> None:
        """Forget what was known for the next run: a reply did not keep to it."""
        if self._cache is not None and self.was_known:
            await self._cache.forget(self._server)
            self.was_known = False

    async def _known(self) -> Capabilities | None:
        known = await self._cache.find(self._server) if self._cache is not None else None
        self.was_known = known is not None
        return known

    async def _proved(self) -> Capabilities:
        found = await self._prove()
        if self._cache is not None:
            await self._cache.keep(self._server, found)
        return found

    async def _prove(self) -> Capabilities:
        """Try the likeliest ways side by side; ask whether the server is there at all only where one is not kept to."""
        if self._wanted == "none":
            await check_ready(self._under("none"))
            return Capabilities("none", "none")
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
        return Capabilities(*found)

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
