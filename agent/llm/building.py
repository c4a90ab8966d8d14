"""From settings to the language model of one role of one run."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from agent.llm.guard import Budget, Circuit, GuardedModel
from agent.llm.probe import Capabilities, CapabilityCache, CapabilityProbe
from agent.llm.recorded import RecordedModel
from agent.llm.server import ChatServer, Line
from agent.llm.structured import StructuredModel
from agent.llm.wording import Constraint
from agent.meter import Meter
from heliograph.config import Endpoint
from heliograph.errors import ModelError, ModelUnreachable
from heliograph.protocols import ChatModel, Recorder
from heliograph.types import ModelRole

CAPABILITIES = "capabilities.json"
"""The file of the home folder that keeps what servers were proved to keep to."""
START = "start"
"""For what a run asks a server before any role does."""


class ChatServers:
    """The model servers of one process; roles with the same server share its connection and its turns.

    Use it as an async context, in the event loop in which the models are asked: leaving it hangs up. `secrets` are
    masked in every reply, as is the key that a server is shown: a model may repeat what a server lets it see.
    """

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self._secrets = tuple(secrets)
        self._servers: dict[tuple[object, ...], ChatServer] = {}

    def server(self, endpoint: Endpoint) -> ChatServer:
        """Return the server at an address; nothing is opened yet.

        Raises:
            UsageError: the address is none, or holds a password.
        """
        address = address_of(endpoint)
        if address not in self._servers:
            self._servers[address] = ChatServer(endpoint, line=Line(endpoint, self._secrets))
        return self._servers[address]

    async def close(self) -> None:
        """Hang up everywhere."""
        for server in self._servers.values():
            await server.close()

    async def __aenter__(self) -> "ChatServers":
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.close()


class RunModels:
    """The language models of one run: every call recorded, counted, and within its budget."""

    def __init__(
        self,
        servers: ChatServers,
        recorder: Recorder,
        meter: Meter,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        home: Path | None = None,
    ) -> None:
        self._servers = servers
        self._recorder = recorder
        self._meter = meter
        self._budget = Budget(meter, max_calls, max_tokens)
        self._cache = CapabilityCache(home / CAPABILITIES, recorder) if home else None
        self._probes: dict[tuple[object, ...], tuple[CapabilityProbe, ChatServer]] = {}

    def llm(self, endpoint: Endpoint, role: ModelRole) -> StructuredModel:
        """Return the model of a role, with a circuit of its own; what a server keeps to is proved once for all roles.

        Raises:
            UsageError: the address is none, or holds a password.
        """
        server = self._servers.server(endpoint)
        circuit = Circuit()
        known = (*address_of(endpoint), endpoint.structured)
        if known not in self._probes:
            name = f"{endpoint.base_url} {endpoint.model} {endpoint.structured}"
            probe = CapabilityProbe(
                lambda way: self._model(server, START, Circuit(), way), endpoint.structured, name, self._cache
            )
            self._probes[known] = probe, server
        probe, _ = self._probes[known]
        return StructuredModel(
            role, lambda way: self._model(server, role, circuit, way), probe, endpoint.context_tokens
        )

    async def prepare(self) -> None:
        """Look up or prove at the start of the run what each server keeps to; the first role to ask says other faults.

        Call it before roles ask side by side: the calls of the proof then have one place in the trace.

        Raises:
            ModelUnreachable: nobody is there; who set a model would rather know than be answered without it.
        """
        found = await asyncio.gather(*(self._prepared(*each) for each in self._probes.values()), return_exceptions=True)
        for one in found:
            if isinstance(one, ModelUnreachable) or not isinstance(one, Capabilities | ModelError):
                raise one

    async def _prepared(self, probe: CapabilityProbe, server: ChatServer) -> Capabilities:
        """Return what a server keeps to; one of which that was known already is only seen to be there."""
        found = await probe.capabilities()
        if probe.was_known:
            await self._recorder.effect("TOOL", "reach_server", {"model": server.name}, None, server.reach)
        return found

    def _model(self, server: ChatServer, asker: str, circuit: Circuit, way: Constraint) -> ChatModel:
        guarded = GuardedModel(server.under(way), circuit, self._budget)
        return RecordedModel(guarded, self._recorder, self._meter, asker, way)


def build_llm(
    endpoint: Endpoint, role: ModelRole, recorder: Recorder, meter: Meter, servers: ChatServers
) -> StructuredModel:
    """Return the model of a single role without a budget; a run with several roles wants `RunModels`."""
    return RunModels(servers, recorder, meter).llm(endpoint, role)


def address_of(endpoint: Endpoint) -> tuple[object, ...]:
    """Return what tells one server from another."""
    key = endpoint.api_key.get_secret_value()
    return endpoint.base_url, endpoint.model, key, endpoint.seconds, endpoint.at_once
