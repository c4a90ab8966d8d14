"""Who reads from a server, and a server of the small archive."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import openai
import pytest

from app import Heliograph
from tests.web.readers import Clients, Readers
from tests.web.researchers import served
from web.desk import Desk
from web.office import Office
from web.researcher import Staff, about
from web.security import Guard, hosts
from web.sessions import Sessions


@pytest.fixture
def reader() -> Iterator[Readers]:
    """Make clients with a session."""
    with ExitStack() as stack:

        def load(address: str) -> httpx.Client:
            client = stack.enter_context(httpx.Client(base_url=address, timeout=60))
            assert client.get("/").status_code == 200
            return client

        yield load


@pytest.fixture
def islands(archive: Path, tmp_path: Path, reader: Readers) -> Iterator[httpx.Client]:
    """Serve the small archive of all tests by Heliograph itself, its home in `home` of the test's folder."""
    heliograph = Heliograph(sources=[f"zim:{archive}"], home=tmp_path / "home")
    settings = heliograph.settings
    staff = Staff(settings.home, {"heliograph": heliograph}, {"heliograph": about(settings)}, heliograph.close)
    with served(Office(staff, Desk(8, 200, 15), Sessions(settings.home), Guard(hosts("127.0.0.1", ())))) as address:
        yield reader(address)


@pytest.fixture
def client() -> Iterator[Clients]:
    with ExitStack() as stack:

        def opened(address: str, key: str = "none") -> openai.OpenAI:
            return stack.enter_context(openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0))

        yield opened
