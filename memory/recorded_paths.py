"""Paths over the pages read as they are recorded: what was found, not the base that it was found in."""

from collections.abc import Sequence

from heliograph.protocols import PathSearch, Recorder
from heliograph.types import Document, FoundPaths


class RecordedPaths:
    """A `PathSearch` whose every result is recorded; a replay makes no base."""

    def __init__(self, search: PathSearch, recorder: Recorder) -> None:
        self._search = search
        self._recorder = recorder

    async def paths(self, question: str, documents: Sequence[Document]) -> FoundPaths:
        """Look for paths, or give back what was found."""
        given = {"question": question, "pages": tuple(document.key for document in documents)}
        return await self._recorder.effect(
            "RETRIEVER", "paths", given, FoundPaths, lambda: self._search.paths(question, documents)
        )

    async def aclose(self) -> None:
        """Close what is searched."""
        await self._search.aclose()
