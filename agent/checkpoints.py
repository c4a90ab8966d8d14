"""Checkpoints of one run in its folder: SQLite, strict msgpack, and types restored at this boundary alone."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import aiosqlite
import ormsgpack
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

import heliograph.types
from agent.meter import Spending
from heliograph.storage import database_error

FILE = "checkpoints.sqlite"
NOUNS: tuple[type, ...] = (
    Spending,
    *(
        noun
        for noun in (getattr(heliograph.types, name) for name in heliograph.types.__all__)
        if isinstance(noun, type) and is_dataclass(noun)
    ),
)
"""What may stand in a checkpoint beside plain values; anything else is refused when it is read."""

FIELDS = {noun: tuple(field.name for field in fields(noun)) for noun in NOUNS}
KEYWORDS = 2
"""LangGraph's number for what a call with keyword arguments builds: module, name, and these."""
OPTIONS = (
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_UUID
    | ormsgpack.OPT_REPLACE_SURROGATES
)
"""What LangGraph packs with: all but plain values and our nouns is left to it."""


class StateSerializer(JsonPlusSerializer):
    """LangGraph's msgpack, for our nouns only; sequences, which msgpack brings back as lists, are tuples again.

    Writes the same bytes as LangGraph, ten times as fast: LangGraph tries some twenty other types before dataclasses.
    """

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=NOUNS)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Write a checkpoint or a single value of a channel; what has more in it than nouns LangGraph writes."""
        if not isinstance(obj, bytes | bytearray | None):
            with suppress(ormsgpack.MsgpackEncodeError):
                return "msgpack", _packed(obj)
        return super().dumps_typed(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Read a checkpoint, or a single value of a channel that was written after it."""
        read = super().loads_typed(data)
        if isinstance(read, dict) and isinstance(channels := read.get("channel_values"), dict):
            return {**read, "channel_values": {name: restored(value) for name, value in channels.items()}}
        return restored(read)


def _packed(value: Any) -> bytes:
    return ormsgpack.packb(value, default=_call_of, option=OPTIONS)


def _call_of(noun: Any) -> ormsgpack.Ext:
    """Return the call that builds a noun.

    Raises:
        TypeError: it is none.
    """
    kind = type(noun)
    if (names := FIELDS.get(kind)) is None:
        raise TypeError(f"{kind.__name__} is no noun of the state")
    values = {name: getattr(noun, name) for name in names}
    return ormsgpack.Ext(KEYWORDS, _packed((kind.__module__, kind.__name__, values)))


def restored(value: Any) -> Any:
    """Return a value of the state with tuples where it has lists, inside of nouns too."""
    if isinstance(value, list | tuple):
        return tuple(map(restored, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: restored(getattr(value, field.name)) for field in fields(value)})
    return value


@asynccontextmanager
async def checkpoints(folder: Path) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """Open the checkpoints of the run in `folder`; a killed process loses none that was written.

    Raises:
        StoreDamaged: the file is no database; a run is resumed without it, from its record.
        StoreError: it cannot be written.
    """
    path = folder / FILE
    try:
        async with _connected(path) as connection:
            await connection.execute("PRAGMA synchronous = NORMAL")
            saver = AsyncSqliteSaver(connection, serde=StateSerializer())
            await saver.setup()
            yield saver
    except sqlite3.Error as err:
        raise database_error(
            err, path, f"ask the question again, or remove it and heliograph resume {folder.name}"
        ) from err


@asynccontextmanager
async def _connected(path: Path) -> AsyncIterator[aiosqlite.Connection]:
    """Connect; a run that is stopped meanwhile leaves no thread behind, which would speak to a loop that is closed.

    aiosqlite tells its thread to end, and does not wait for it where it is cancelled; it has no public name for it.
    """
    connection = aiosqlite.connect(path)
    try:
        async with connection:
            yield connection
    finally:
        connection._thread.join()
