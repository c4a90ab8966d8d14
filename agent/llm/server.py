"""A model server: how many calls at once, how long each, how often again."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from agent.llm.wording import Constraint
from heliograph.addresses import check_base_url
from heliograph.config import Endpoint
from heliograph.errors import ModelTimeout, ModelUnreachable
from heliograph.retrying import asking_again
from heliograph.types import ChatRequest, Reply

if TYPE_CHECKING:
    from agent.llm.connection import Connection

REACHED_IN = 10.0
"""Seconds in which a server takes a connection."""
PAUSES = (0.5, 2.0)
"""Seconds before the second and the third try, where the server names none."""


class Line:
    """The connection to one server and the turns on it; nothing is loaded or opened before the first call.

    Raises:
        UsageError: the address is no http or https address, or holds a password or a query.
    """

    def __init__(self, endpoint: Endpoint, secrets: Sequence[str] = ()) -> None:
        check_base_url(endpoint.base_url)
        self.endpoint = endpoint
        self._secrets = tuple(secrets)
        self.turns = asyncio.Semaphore(endpoint.at_once)
        self._connection: Connection | None = None

    def connection(self) -> "Connection":
        """Return the open connection, or open one; the first of a process takes a second."""
        if self._connection is None:
            from agent.llm.connection import Connection

            self._connection = Connection(self.endpoint, self._secrets)
        return self._connection

    async def close(self) -> None:
        """Hang up; a later call opens a new connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


class ChatServer:
    """One model of one OpenAI-compatible server, its replies held to their shape by one constraint.

    A call that waits for its turn spends none of its `seconds`; tries after the first do. A call that is cancelled
    closes its connection, upon which vLLM and llama.cpp stop generating.
    """

    def __init__(self, endpoint: Endpoint, constraint: Constraint = "none", line: Line | None = None) -> None:
        self.name = endpoint.model
        self._line = line or Line(endpoint)
        self._constraint = constraint

    def under(self, constraint: Constraint) -> "ChatServer":
        """Return the same server on the same line with another constraint."""
        return ChatServer(self._line.endpoint, constraint, self._line)

    async def chat(self, request: ChatRequest) -> Reply:
        """Ask, and again where the server is busy, as long as there is time.

        Raises:
            ModelUnreachable: refused, down, an unknown key, model or request, or broken off.
            ModelTimeout: no reply within the endpoint's `seconds`.
            ModelOverloaded: 429 or 5xx three times, or a Retry-After beyond the deadline.
            ContextOverflow: the server says that the prompt is too long.
            NoCompletion: the server's answer is no chat completion; ReplyTooLong where it does not end.
        """
        endpoint = self._line.endpoint
        async with self._line.turns:
            connection = self._line.connection()
            deadline = asyncio.get_running_loop().time() + endpoint.seconds
            try:
                async with asyncio.timeout_at(deadline):
                    return await self._asked(connection, request, deadline)
            except TimeoutError as err:
                raise ModelTimeout(
                    f"{endpoint.model} at {endpoint.base_url} gave no reply in {endpoint.seconds:g} s; "
                    "raise `seconds` of its settings, or ask a faster server"
                ) from err

    async def reach(self) -> None:
        """See that somebody listens at the address, without asking the model.

        Raises:
            ModelUnreachable: nobody does.
        """
        endpoint = self._line.endpoint
        address = urlsplit(endpoint.base_url)
        port = address.port or (443 if address.scheme == "https" else 80)
        try:
            async with asyncio.timeout(min(endpoint.seconds, REACHED_IN)):
                _, writer = await asyncio.open_connection(address.hostname, port)
        except (OSError, TimeoutError) as err:
            raise ModelUnreachable(
                f"{endpoint.model} at {endpoint.base_url} cannot be reached ({err or 'no reply'}); "
                "start the server, or correct base_url"
            ) from err
        writer.close()

    async def _asked(self, connection: "Connection", request: ChatRequest, deadline: float) -> Reply:
        pauses = iter(PAUSES)
        while True:
            said = await connection.send(request, self._constraint)
            if isinstance(said, Reply):
                return said
            pause = next(pauses, None)
            wait = pause if said.wait is None else said.wait
            if pause is None or wait is None or asyncio.get_running_loop().time() + wait >= deadline:
                raise said.error from said.cause
            asking_again(said.error)
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Hang up, for every constraint."""
        await self._line.close()
