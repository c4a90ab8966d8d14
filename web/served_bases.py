"""The knowledge bases that a server reads: those among its sources, each opened when it is first asked for."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from heliograph.errors import StoreError, UnknownName, UsageError
from heliograph.paths import base_folders
from heliograph.types import TripleType
from indexers.skb.knowledge_base import BuiltKnowledgeBase, open_base
from tools.skb.row_paths import BaseName


class ServedBases:
    """Bases by the names of their folders, with a number behind where several have one name.

    Args:
        sources: names of sources, of which some are bases: `skb:PATH`.
    """

    def __init__(self, sources: Iterable[str]) -> None:
        self._folders: dict[str, Path] = {}
        self._open: dict[str, BuiltKnowledgeBase] = {}
        self._told: dict[str, tuple[tuple[TripleType, ...], tuple[str, ...]]] = {}
        for folder in base_folders(sources):
            self._folders[_free(folder.stem, self._folders)] = folder

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the bases."""
        return tuple(self._folders)

    async def base(self, name: str) -> BuiltKnowledgeBase:
        """Return a base.

        Raises:
            UnknownName: there is none of this name here.
            UsageError | StoreDamaged: it cannot be opened.
        """
        if name not in self._folders:
            there = f"there are {', '.join(self.names)}" if self._folders else "serve one with --source skb:PATH"
            raise UnknownName(f"no knowledge base {name[:100]!r} is served here; {there}")
        if name not in self._open:
            self._open[name] = await asyncio.to_thread(open_base, self._folders[name])
        return self._open[name]

    async def called(self, own: BaseName) -> tuple[str, BuiltKnowledgeBase] | None:
        """Return the base that pages mean, with its name here; None if it is none that can be opened, or several."""
        found = []
        for name in self.names:
            with suppress(UsageError, StoreError):
                if own.is_of(base := await self.base(name)):
                    found.append((name, base))
        return found[0] if len(found) == 1 else None

    async def described(self, name: str) -> tuple[tuple[TripleType, ...], tuple[str, ...]]:
        """Return the kinds of triples of a base and what to know of it; all of it is read the first time.

        Raises:
            UnknownName | UsageError | StoreDamaged: as `base`.
        """
        if name not in self._told:
            base = await self.base(name)
            self._told[name] = await base.schema(), await base.remarks()
        return self._told[name]


def _free(name: str, taken: Mapping[str, Path]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
