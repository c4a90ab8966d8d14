"""A server on loopback that speaks as much of Bolt 5.4 as the driver of Neo4j asks for; what it answers is given.

It stands in for a graph server, which is not to be had in tests: messages are those of the protocol, and nothing more.
"""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

MAGIC, VERSION = bytes.fromhex("6060b017"), bytes((0, 0, 4, 5))
HELLO, GOODBYE, RESET, RUN, BEGIN, COMMIT, ROLLBACK = 0x01, 0x02, 0x0F, 0x10, 0x11, 0x12, 0x13
DISCARD, PULL, LOGON, LOGOFF = 0x2F, 0x3F, 0x6A, 0x6B
SUCCESS, RECORD, IGNORED, FAILURE = 0x70, 0x71, 0x7E, 0x7F
UNAUTHORIZED = "Neo.ClientError.Security.Unauthorized"

Answer = Callable[[str, Mapping[str, Any]], Awaitable[Sequence[Mapping[str, Any]]]]


class Refusal(Exception):
    """What a server says no with: the code of Neo4j, and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Bolt:
    """What a server heard: the statements with their parameters, and how each was routed ("r" for reading)."""

    answer: Answer
    password: str = ""
    url: str = ""
    heard: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    databases: list[str | None] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk to one connection until it says goodbye."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            assert await reader.readexactly(4) == MAGIC
            await reader.readexactly(16)
            writer.write(VERSION)
            await _Conversation(self, reader, writer).run()
        writer.close()


class _Conversation:
    def __init__(self, bolt: Bolt, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._bolt, self._reader, self._writer = bolt, reader, writer
        self._rows: Sequence[Mapping[str, Any]] = ()
        self._failed = False

    async def run(self) -> None:
        while True:
            tag, fields = Unpacker(await self._message()).structure()
            if tag == GOODBYE:
                return
            if self._failed and tag != RESET:
                self._send(IGNORED)
                continue
            self._failed = False
            try:
                self._send(SUCCESS, await self._reply(tag, fields))
            except Refusal as err:
                self._failed = True
                self._send(FAILURE, {"code": err.code, "message": str(err)})

    async def _reply(self, tag: int, fields: Sequence[Any]) -> Mapping[str, Any]:
        if tag == HELLO:
            return {"server": "Neo4j/5.4.0", "connection_id": "bolt-1"}
        if tag == LOGON and self._bolt.password not in ("", fields[0].get("credentials")):
            raise Refusal(UNAUTHORIZED, f"no user with the password {fields[0].get('credentials')}")
        if tag == BEGIN:
            self._note(fields[0])
        if tag == RUN:
            statement, parameters, extra = fields
            if extra:
                self._note(extra)
            self._bolt.heard.append((statement, parameters))
            self._rows = await self._bolt.answer(statement, parameters)
            return {"fields": list(self._rows[0]) if self._rows else []}
        if tag == PULL:
            for row in self._rows:
                self._send(RECORD, list(row.values()))
        return {}

    def _note(self, extra: Mapping[str, Any]) -> None:
        self._bolt.modes.append(extra.get("mode", "w"))
        self._bolt.databases.append(extra.get("db"))

    async def _message(self) -> bytes:
        parts = list[bytes]()
        while size := int.from_bytes(await self._reader.readexactly(2), "big"):
            parts.append(await self._reader.readexactly(size))
        return b"".join(parts) if parts else await self._message()

    def _send(self, tag: int, *fields: object) -> None:
        message = bytes((0xB0 + len(fields), tag)) + b"".join(map(pack, fields))
        for begin in range(0, len(message), 0xFFFF):
            part = message[begin : begin + 0xFFFF]
            self._writer.write(len(part).to_bytes(2, "big") + part)
        self._writer.write(b"\0\0")


@asynccontextmanager
async def bolt_server(answer: Answer, password: str = "") -> AsyncIterator[Bolt]:
    """Run a server until the block ends."""
    bolt = Bolt(answer, password)
    server = await asyncio.start_server(bolt.serve, "127.0.0.1", 0)
    bolt.url = f"bolt://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield bolt
    finally:
        server.close()


def pack(value: object) -> bytes:
    """Write a value as PackStream; sizes always take four bytes, which is allowed."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int | float):
        return struct.pack(">Bq", 0xCB, value) if isinstance(value, int) else struct.pack(">Bd", 0xC1, value)
    if isinstance(value, str):
        return struct.pack(">BI", 0xD2, len(value.encode())) + value.encode()
    if isinstance(value, dict):
        return struct.pack(">BI", 0xDA, len(value)) + b"".join(map(pack, chain.from_iterable(value.items())))
    assert isinstance(value, list | tuple)
    return struct.pack(">BI", 0xD6, len(value)) + b"".join(map(pack, value))


class Unpacker:
    """Read PackStream."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def structure(self) -> tuple[int, list[Any]]:
        """Return the tag of a structure and its fields."""
        count = self._take(1)[0] & 0x0F
        tag = self._take(1)[0]
        return tag, [self.value() for _ in range(count)]

    def value(self) -> Any:
        """Return the next value."""
        marker = self._take(1)[0]
        if marker < 0x80 or marker >= 0xF0:
            return marker if marker < 0x80 else marker - 0x100
        if marker < 0xB0:
            return self._several(marker & 0xF0, marker & 0x0F)
        if marker in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[marker]
        if marker == 0xC1:
            return struct.unpack(">d", self._take(8))[0]
        if 0xC8 <= marker <= 0xCB:
            return int.from_bytes(self._take(1 << marker - 0xC8), "big", signed=True)
        first = {0xD0: 0x80, 0xD4: 0x90, 0xD8: 0xA0}[marker & 0xFC]
        return self._several(first, int.from_bytes(self._take(1 << (marker & 0x03)), "big"))

    def _several(self, kind: int, count: int) -> Any:
        if kind == 0x80:
            return self._take(count).decode()
        if kind == 0x90:
            return [self.value() for _ in range(count)]
        return {self.value(): self.value() for _ in range(count)}

    def _take(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]
