"""A system is one choice for each module of OMG-QA, section 3, and is named after its choices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

BUILT_IN, NONE = "minilm", "none"
"""The embedding that comes with the project; no language model, or images by their captions alone."""

Documents = Literal["wikipedia", "duckduckgo", "both", "zim"]
Indexing = Literal["text-only", "textual-visual", "modality-specific"]
TextRetriever = Literal["sparse", "dense", "generative", "hybrid-generative"]
Strategy = Literal["single-round", "multi-round"]
Graph = Literal["off", "light", "full"]

_SHORT: Mapping[str, str] = {
    "wikipedia": "W",
    "duckduckgo": "D",
    "both": "WD",
    "zim": "Z",
    "text-only": "TO",
    "textual-visual": "TI",
    "modality-specific": "MS",
    "sparse": "s",
    "dense": "te",
    "generative": "g",
    "hybrid-generative": "h",
    "single-round": "SR",
    "multi-round": "MR",
}
"""The abbreviations of Table 9, and Z for an archive."""


@dataclass(frozen=True, slots=True)
class System:
    """One configuration; `settings` are further settings by their names in heliograph.toml.

    `pages` is how many pages a question may read in all, shared equally between its rounds; None leaves each round its
    own, so that three rounds may read three times what one reads.
    `lacking` says what must be there before it can run, one a line; empty where nothing is known to be missing.
    """

    documents: Documents
    indexing: Indexing
    text_retriever: TextRetriever
    embedding: str
    image_retriever: str
    llm: str
    strategy: Strategy
    graph: Graph
    settings: Mapping[str, Any] = field(default_factory=dict, compare=False)
    lacking: tuple[str, ...] = field(default=(), compare=False)
    pages: int | None = None

    @property
    def name(self) -> str:
        """The choices as Table 9 abbreviates them, with the tier of the graph and the pages where they are chosen."""
        return " ".join(
            [
                _SHORT[self.documents],
                _SHORT[self.indexing],
                _retrievers(self),
                self.llm,
                _SHORT[self.strategy],
                *([] if self.graph == "off" else [f"graph-{self.graph}"]),
                *([] if self.pages is None else [f"{self.pages}-pages"]),
            ]
        )


def _retrievers(system: System) -> str:
    """Abbreviate who finds text, tables and images, as Table 9 does."""
    found = _SHORT[system.text_retriever]
    dense = system.text_retriever in ("dense", "hybrid-generative")
    text = f"{found}-{system.embedding}" if dense else found
    images = [] if system.image_retriever == NONE else [f"ie-{system.image_retriever}"]
    return "+".join([text, *images])
