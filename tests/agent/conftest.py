"""Model servers of one test and the models at them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from agent.llm import ChatServers, StructuredModel, build_llm
from agent.meter import Meter
from heliograph.config import Endpoint
from heliograph.types import ModelRole
from tests.agent.capitals import Make
from tests.fakes import FakeRecorder
from tests.servers.openai_server import OpenAIServer


@pytest.fixture
async def servers() -> AsyncIterator[ChatServers]:
    """Give servers that hang up after the test."""
    async with ChatServers() as opened:
        yield opened


@pytest.fixture
def meter() -> Meter:
    """Count from zero."""
    return Meter()


@pytest.fixture
def make(servers: ChatServers, meter: Meter) -> Make:
    """Make the model of a role at a test server; keywords change the endpoint."""

    def made(server: OpenAIServer | str, role: ModelRole = "answer", **changes: Any) -> StructuredModel:
        url = server if isinstance(server, str) else server.url
        endpoint = Endpoint(**{"base_url": url, "model": "test-model", "seconds": 5.0, **changes})
        return build_llm(endpoint, role, FakeRecorder(), meter, servers)

    return made
