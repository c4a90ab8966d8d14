"""One home folder opened for all that ask of it at the same time, whatever sources and limits each has."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from agent.assembly.backends import Backends, build_backends, edge_retriever, wants_models
from agent.assembly.sources import Sources, build_sources
from heliograph.config import Settings
from heliograph.doctor import refuse_foreign_names, refuse_missing_models
from heliograph.errors import UsageError

INDEXED_BY = frozenset(
    {"home", "indexing", "text_retriever", "embed", "clip", "graph_model", "store_bytes", "chroma_url", "chroma_token"}
)
"""Settings that decide what stands in the indexes and models behind them: whoever agrees on these shares them."""


class OpenHome:
    """The backends of one home folder: opened when first lent, shared by all that work, closed when told to.

    Settings that differ in sources or limits alone have the indexes in common. Not for several threads: everything that
    is lent belongs to one event loop at a time.
    """

    def __init__(self) -> None:
        self._opened: list[tuple[Settings, Backends]] = []
        self._at_work = 0
        self._runs: set[str] = set()

    @contextmanager
    def running(self, run: str) -> Iterator[None]:
        """Keep a run for one caller: two would write one record.

        Raises:
            UsageError: it is under way.
        """
        if run in self._runs:
            raise UsageError(f"the run {run} is under way; wait until it has ended")
        self._runs.add(run)
        try:
            yield
        finally:
            self._runs.remove(run)

    @contextmanager
    def lent(self, settings: Settings) -> Iterator[Backends]:
        """Lend the backends of these settings until the block ends.

        Raises:
            UsageError: work over other indexes is under way, or a source cannot be used.
            HeliographError: an archive, a model or the home folder cannot be used.
        """
        backends = self._of(settings)
        self._at_work += 1
        try:
            yield backends
        finally:
            self._at_work -= 1

    def close(self) -> None:
        """Release the home folder; who is lent it still loses it."""
        for place, (_, backends) in enumerate(self._opened):
            backends.close() if place == 0 else backends.hang_up()
        self._opened = []

    def _of(self, settings: Settings) -> Backends:
        for known, backends in self._opened:
            if _same(known, settings):
                return backends
        if self._opened and not _indexed_alike(self._opened[0][0], settings):
            if self._at_work:
                raise UsageError(
                    f"{self._at_work} questions with other settings are under way in {self._opened[0][0].home}; "
                    "wait until they have ended, or resume the run with heliograph resume in another home folder"
                )
            self.close()
        backends = _beside(self._opened[0][1], settings) if self._opened else _first(settings)
        self._opened.append((settings, backends))
        return backends


def _same(one: Settings, other: Settings) -> bool:
    """Tell whether two settings say the same; those of a manifest are of another class, and a form opens nothing."""
    return one.model_dump(exclude={"form"}) == other.model_dump(exclude={"form"})


def _indexed_alike(one: Settings, other: Settings) -> bool:
    """Tell whether two settings may share indexes; an index of pictures reads from the sources that it began with."""
    decisive = INDEXED_BY | ({"sources", "wiki", "fallback"} if one.clip.model else set())
    return one.model_dump(include=set(decisive)) == other.model_dump(include=set(decisive))


def _first(settings: Settings) -> Backends:
    """Build the backends and take the home folder; what cannot serve is refused here, not in the middle of a run."""
    refuse_foreign_names()
    backends = build_backends(settings)
    _refuse_unusable(settings, backends.sources)
    backends.index.reserve()
    return backends


def _beside(first: Backends, settings: Settings) -> Backends:
    """Return the backends of other settings over the indexes of the first."""
    sources = build_sources(settings)
    _refuse_unusable(settings, sources)
    return replace(first, sources=sources, connections=sources.connections)


def _refuse_unusable(settings: Settings, sources: Sources) -> None:
    if settings.graph != "off":
        edge_retriever(settings)  # refused here, not when its first page has been read
    if wants_models(settings):
        refuse_missing_models()
    for archive in sources.archives:
        archive.open()
