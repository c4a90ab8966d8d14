"""Where Cypher statements run: on a server by the `neo4j` driver over Bolt, or in this process on Ladybug.

What the engines write differently stands in their `Dialect`; all other statements are the same text for each.
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Protocol, cast
from urllib.parse import urlsplit

from heliograph.errors import StoreError, StoreLocked, StoreUnreachable, UsageError

Row = Mapping[str, Any]
"""One result of a statement, by the names that it returns."""
Parameters = Mapping[str, object]
SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
USER, PASSWORD = "NEO4J_USERNAME", "NEO4J_PASSWORD"
"""Variables of the environment; Neo4j's own tools read them too."""
CONNECT_SECONDS, SECONDS = 5.0, 120.0
"""Deadlines of a connection and of one statement, repetitions by the driver included."""
LADYBUG_BYTES = 256 * 2**20
"""Of pages that Ladybug keeps in memory."""
LADYBUG_MOST_BYTES = 2**36
"""Of a database of Ladybug: so much address space is set aside."""
MOST_SAID = 200
WORD_INDEX = "entity_words"
"""The full-text index that a load makes."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an engine has of its own.

    `definitions` make the tables, indexes and constraints of a load, any number of times; each runs outside a
    transaction. `full_text` says whether `db.index.fulltext.queryNodes` is there.
    """

    name: str
    definitions: tuple[str, ...] = ()
    full_text: bool = False


NEO4J = Dialect(
    "Neo4j",
    (
        "CREATE CONSTRAINT entity_number IF NOT EXISTS FOR (e:Entity) REQUIRE e.number IS UNIQUE",
        "CREATE CONSTRAINT name_folded IF NOT EXISTS FOR (n:Name) REQUIRE n.folded IS UNIQUE",
        "CREATE INDEX entity_id IF NOT EXISTS FOR (e:Entity) ON (e.id)",
        "CREATE INDEX entity_type IF NOT EXISTS FOR (e:Entity) ON (e.type)",
        f"CREATE FULLTEXT INDEX {WORD_INDEX} IF NOT EXISTS FOR (e:Entity) ON EACH [e.name, e.aliases, e.text]"
        " OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}",
    ),
    full_text=True,
)
MEMGRAPH = Dialect(
    "Memgraph",
    (
        "CREATE INDEX ON :Entity(number)",
        "CREATE INDEX ON :Entity(id)",
        "CREATE INDEX ON :Entity(type)",
        "CREATE INDEX ON :Name(folded)",
    ),
)
NEPTUNE = Dialect("Neptune")
"""It indexes all properties by itself."""
LADYBUG = Dialect(
    "Ladybug",
    (
        "CREATE NODE TABLE IF NOT EXISTS KnowledgeBase"
        "(name STRING PRIMARY KEY, description STRING, entities INT64, triples INT64)",
        "CREATE NODE TABLE IF NOT EXISTS Entity(number INT64 PRIMARY KEY, id STRING, type STRING, name STRING,"
        " aliases STRING, text STRING, attributes STRING)",
        "CREATE NODE TABLE IF NOT EXISTS Name(folded STRING PRIMARY KEY)",
        "CREATE REL TABLE IF NOT EXISTS RELATED(FROM Entity TO Entity, relation STRING, text STRING, evidence STRING)",
        "CREATE REL TABLE IF NOT EXISTS NAMES(FROM Name TO Entity)",
    ),
)
ServerKind = Literal["neo4j", "memgraph", "neptune"]
DIALECTS: Mapping[ServerKind, Dialect] = {"neo4j": NEO4J, "memgraph": MEMGRAPH, "neptune": NEPTUNE}


class CypherSession(Protocol):
    """Runs statements; values come as parameters and never stand in the text.

    Raises:
        StoreUnreachable: the engine is down, slow, or refuses us.
        StoreError: it refuses the statement.
    """

    @property
    def dialect(self) -> Dialect: ...

    async def read(self, statement: str, parameters: Parameters) -> Sequence[Row]:
        """Run a statement that changes nothing."""

    async def write(self, statement: str, parameters: Parameters) -> Sequence[Row]:
        """Run a statement that may run twice: a driver repeats it where a connection was lost."""

    async def define(self, statement: str) -> None:
        """Run a statement that makes a table, an index or a constraint."""


class LadybugSession:
    """An embedded database at `path`, or in memory; statements run one at a time, in threads."""

    dialect = LADYBUG

    def __init__(self, path: Path | None = None) -> None:
        try:
            import ladybug
        except ImportError as err:
            raise UsageError("Ladybug is not installed: pip install ladybug") from err
        place = ":memory:" if path is None else str(path)
        try:
            self._database = ladybug.Database(place, buffer_pool_size=LADYBUG_BYTES, max_db_size=LADYBUG_MOST_BYTES)
            self._connection = ladybug.Connection(self._database)
        except RuntimeError as err:
            raise _ladybug_error(err) from err
        self._lock = Lock()

    async def read(self, statement: str, parameters: Parameters) -> Sequence[Row]:
        """Run a statement."""
        return await asyncio.to_thread(self._run, statement, parameters)

    async def write(self, statement: str, parameters: Parameters) -> Sequence[Row]:
        """Run a statement."""
        return await asyncio.to_thread(self._run, statement, parameters)

    async def define(self, statement: str) -> None:
        """Run a statement."""
        await asyncio.to_thread(self._run, statement, {})

    def close(self) -> None:
        """Close the database, so that others may open it."""
        with self._lock:
            self._connection.close()
            self._database.close()

    def _run(self, statement: str, parameters: Parameters) -> Sequence[Row]:
        with self._lock:
            try:
                result = self._connection.execute(statement, dict(parameters))
                (one,) = result if isinstance(result, list) else (result,)
                return [cast(Row, row) for row in one.rows_as_dict()]
            except RuntimeError as err:
                raise _ladybug_error(err) from err


def _ladybug_error(err: RuntimeError) -> StoreError | UsageError:
    said = " ".join(str(err).split())[:MOST_SAID]
    if re.search(r"(?i)could not set lock", said):
        return StoreLocked(f"another process has the graph open ({said}); end it, or wait")
    if re.search(r"Table \w+ does not exist", said):
        return UsageError(f"no knowledge base in this graph ({said}); load one with load_into_graph")
    return StoreError(f"Ladybug refuses a statement ({said})")


class BoltSession:
    """A server that speaks Bolt, by the driver of Neo4j; `connect` opens it. It belongs to one event loop."""

    def __init__(self, driver: Any, url: str, secret: str, database: str, dialect: Dialect) -> None:
        self._driver, self.url, self._secret = driver, url, secret
        self._database, self.dialect = database or None, dialect

    async def check(self) -> None:
        """Say hello once: what is down is not asked again and again, as statements are."""
        async with self._reaching():
            await self._driver.verify_connectivity()

    async def read(self, statement: str, parameters: Parameters) -> Sequence[Row]:
        """Run a statement on any member of a cluster."""
        return await self._execute(statement, parameters, "r")

    async def write(self, statement: str, parameters: Parameters) -> Sequence[Row]:
        """Run a statement on the member that leads a cluster."""
        return await self._execute(statement, parameters, "w")

    async def define(self, statement: str) -> None:
        """Run a statement outside a transaction, as Memgraph wants it for indexes."""
        async with self._reaching(), self._driver.session(database=self._database) as session:
            await (await session.run(statement)).consume()

    async def _execute(self, statement: str, parameters: Parameters, routing: Literal["r", "w"]) -> Sequence[Row]:
        async with self._reaching():
            records, _, _ = await self._driver.execute_query(
                statement, dict(parameters), routing_=routing, database_=self._database
            )
        return [record.data() for record in records]

    @asynccontextmanager
    async def _reaching(self) -> AsyncIterator[None]:
        """Turn what the driver raises into errors of ours, without the password."""
        from neo4j.exceptions import AuthError, ConfigurationError, DriverError, Neo4jError, TransientError

        try:
            async with asyncio.timeout(SECONDS):
                yield
        except TimeoutError as err:
            raise StoreUnreachable(
                f"the graph server at {self.url} did not answer within {SECONDS:g} s; ask for less, or look in its log"
            ) from err
        except AuthError as err:
            raise StoreUnreachable(
                f"the graph server at {self.url} refuses us ({self._said(err)}); set {USER} and {PASSWORD}"
            ) from err
        except ConfigurationError as err:
            raise UsageError(f"the graph server at {self.url} cannot be used so ({self._said(err)})") from err
        except TransientError as err:
            raise StoreUnreachable(
                f"the graph server at {self.url} is busy ({self._said(err)}); ask again, or look in its log"
            ) from err
        except Neo4jError as err:
            raise self._refusal(err.code or "", self._said(err)) from err
        except (DriverError, OSError) as err:
            raise StoreUnreachable(
                f"the graph server at {self.url} cannot be reached ({self._said(err)}); start it or correct the address"
            ) from err

    def _refusal(self, code: str, said: str) -> StoreError:
        if code.endswith("DatabaseNotFound"):
            return StoreUnreachable(
                f"the graph server at {self.url} has no database {self._database!r}; make it there or name another"
            )
        if code.endswith("Forbidden"):
            return StoreError(f"the user may not do this on {self.url} ({said}); ask its operator for the right")
        return StoreError(f"the graph server at {self.url} refuses a statement ({code}: {said})")

    def _said(self, err: Exception) -> str:
        said = " ".join(str(getattr(err, "message", None) or err).split())
        return (said.replace(self._secret, "***") if self._secret else said)[:MOST_SAID]


@asynccontextmanager
async def connect(
    url: str, user: str = "", password: str = "", database: str = "", server: ServerKind = "neo4j"
) -> AsyncIterator[BoltSession]:
    """Open a server for the time of a block.

    Args:
        url: as bolt://127.0.0.1:7687, neo4j:// for a cluster, +s for TLS and +ssc for TLS that nobody certified.
        user: who asks; if empty, NEO4J_USERNAME of the environment, and without that nobody.
        password: of the user; if empty, NEO4J_PASSWORD of the environment.
        database: one of several on the server; if empty, its own choice.
        server: which engine it is.

    Raises:
        UsageError: the address is none, holds a password, or the driver is not installed.
        StoreUnreachable: the server is down, slow, or refuses us.
    """
    _check_graph_url(url)
    if server not in DIALECTS:
        raise UsageError(f"unknown kind of graph server {server!r}; known are {', '.join(DIALECTS)}")
    try:
        from neo4j import AsyncGraphDatabase
    except ImportError as err:
        raise UsageError("the driver for graph servers is not installed: pip install 'heliograph[graph]'") from err
    name, secret = user or os.environ.get(USER, ""), password or os.environ.get(PASSWORD, "")
    driver = AsyncGraphDatabase.driver(
        url,
        auth=(name, secret) if name else None,
        connection_timeout=CONNECT_SECONDS,
        connection_acquisition_timeout=4 * CONNECT_SECONDS,
        max_transaction_retry_time=2 * CONNECT_SECONDS,
        telemetry_disabled=True,
    )
    async with driver:
        session = BoltSession(driver, url, secret, database, DIALECTS[server])
        await session.check()
        yield session


def _check_graph_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or not url.isprintable() or " " in url:
        raise UsageError("this is no address of a graph server; write it as bolt://127.0.0.1:7687")
    if parts.username or parts.password or parts.query or parts.fragment or parts.path.strip("/"):
        raise UsageError(
            f"the address of {parts.hostname} holds more than a host and a port; a password belongs into {PASSWORD}"
        )
