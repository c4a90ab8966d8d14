"""Checkpoints of one run in its folder: SQLite, strict msgpack, and types restored at this boundary alone."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import aiosqlite
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


class StateSerializer(JsonPlusSerializer):
    """LangGraph's msgpack, for our nouns only; sequences, which msgpack brings back as lists, are tuples again."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=NOUNS)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Read a checkpoint, or a single value of a channel that was written after it."""
        read = super().loads_typed(data)
        if isinstance(read, dict) and isinstance(channels := read.get("channel_values"), dict):
            return {**read, "channel_values": {name: restored(value) for name, value in channels.items()}}
        return restored(read)


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
