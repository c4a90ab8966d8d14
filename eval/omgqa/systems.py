"""A system is one choice for each module of OMG-QA, section 3; a file names one system or the choices of a grid.

docs/omgqa.md describes the file. What a choice needs (a server, weights, the name of a wiki's caller) stands beside the
choices by name, so that a file lists what the paper ran whether or not it can be run here.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from heliograph.config import ENDPOINTS, load_settings
from heliograph.errors import UsageError

GRIDS = Path(__file__).with_name("grids")
BUILT_IN, NONE = "minilm", "none"
"""The embedding that comes with the project; no language model, or images by their captions alone."""
ROUNDS: Mapping[str, int] = {"single-round": 1, "multi-round": 3}
SOURCES: Mapping[str, tuple[str, ...]] = {
    "wikipedia": ("wikipedia",),
    "duckduckgo": ("duckduckgo",),
    "both": ("wikipedia", "duckduckgo"),
}
NO_SERVER: Mapping[str, str] = {"base_url": "", "model": ""}
UNSET: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(ENDPOINTS, NO_SERVER),
    "clip": {"model": "", "pretrained": ""},
}
"""Models that a user has set elsewhere are none of a system's, unless its file names them."""

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


def grid_file(name: Path) -> Path:
    """Return the file of systems of a name: one that comes with the project, unless there is such a file."""
    ours = GRIDS / f"{name}.toml"
    return ours if not name.is_file() and len(name.parts) == 1 and ours.is_file() else name


def read_systems(path: Path) -> tuple[System, ...]:
    """Read the systems of a file in its order, each once.

    Raises:
        UsageError: the file cannot be read, is no TOML, or names what there is not; the field is named.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf8"))
        file = _File.model_validate(content)
    except OSError as err:
        raise UsageError(f"cannot read {path}: {err.strerror}; name a file of systems") from err
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise UsageError(f"{path} is no TOML: {err}") from err
    except ValidationError as err:
        first = err.errors(include_url=False)[0]
        at = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(f"{path}: {at}: {first['msg']}; docs/omgqa.md lists the choices") from err
    systems = tuple(dict.fromkeys(system for grid in file.grid for system in _expanded(grid, file, path)))
    for system in systems:
        _refuse_unusable(system, path)
    return systems


def _listed(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _choices(default: str) -> Any:
    return Field(default_factory=lambda: [default], min_length=1)


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Grid(_Shape):
    """One choice or several for each module; a grid stands for all their combinations."""

    documents: Annotated[list[Documents], BeforeValidator(_listed)] = _choices("zim")
    indexing: Annotated[list[Indexing], BeforeValidator(_listed)] = _choices("modality-specific")
    text_retriever: Annotated[list[TextRetriever], BeforeValidator(_listed)] = _choices("dense")
    embedding: Annotated[list[str], BeforeValidator(_listed)] = _choices(BUILT_IN)
    image_retriever: Annotated[list[str], BeforeValidator(_listed)] = _choices(NONE)
    llm: Annotated[list[str], BeforeValidator(_listed)] = _choices(NONE)
    strategy: Annotated[list[Strategy], BeforeValidator(_listed)] = _choices("multi-round")
    graph: Annotated[list[Graph], BeforeValidator(_listed)] = _choices("off")
    pages: Annotated[list[Annotated[int, Field(ge=1, le=100)]] | list[None], BeforeValidator(_listed)] = [None]


class _Server(_Shape):
    """A language model or an embedding model: its name for its server, and the server; none where it is not at hand.

    Keys are not written here: HELIOGRAPH_LLM__API_KEY and HELIOGRAPH_EMBED__API_KEY have them.
    """

    model: str = ""
    base_url: str = ""
    structured: str = "auto"
    context_tokens: int = 8192
    seconds: float = 120.0
    at_once: int = 8
    vision: bool = False


class _Weights(_Shape):
    """An image model of open_clip."""

    model: str
    pretrained: str = ""


class _File(_Shape):
    grid: list[_Grid] = Field(min_length=1)
    llms: dict[str, _Server] = {}
    embeddings: dict[str, _Server] = {}
    images: dict[str, _Weights] = {}
    settings: dict[str, Any] = {}


def _expanded(grid: _Grid, file: _File, path: Path) -> Iterable[System]:
    """Yield the combinations of a grid; choices that make no difference in one are made the same."""
    for documents, indexing, retriever, embedding, image, llm, strategy, graph, pages in product(
        grid.documents,
        grid.indexing,
        grid.text_retriever,
        grid.embedding,
        grid.image_retriever,
        grid.llm,
        grid.strategy,
        grid.graph,
        grid.pages,
    ):
        chosen = System(
            documents,
            indexing,
            retriever,
            BUILT_IN if retriever in ("sparse", "generative") else embedding,
            NONE if indexing == "text-only" else image,
            llm,
            strategy,
            graph,
            pages=pages,
        )
        yield replace(chosen, **_resolved(chosen, file, path))


def _resolved(system: System, file: _File, path: Path) -> dict[str, Any]:
    """Return the settings of a system, and what it lacks."""
    settings: dict[str, Any] = {
        **UNSET,
        "indexing": system.indexing,
        "text_retriever": system.text_retriever,
        "rounds": ROUNDS[system.strategy],
        "graph": system.graph,
        **_shared(system),
        **file.settings,
    }
    lacking: list[str] = []
    if system.documents != "zim":
        settings["sources"] = SOURCES[system.documents]
        if not (settings.get("contact") or load_settings({}).contact):
            lacking.append(f"[settings] contact: {system.documents} wants to know whom to write to")
    elif not settings.get("sources"):
        raise UsageError(f'{path}: settings.sources: documents = "zim" needs the archive, sources = ["zim:PATH"]')
    models = (
        ("embed", "embeddings", file.embeddings, system.embedding),
        ("clip", "images", file.images, system.image_retriever),
        ("llm", "llms", file.llms, system.llm),
    )
    for setting, table, known, name in models:
        if name not in (BUILT_IN, NONE):
            settings[setting] = {**UNSET[setting], **_named(known, name, table, path)}
    if system.llm != NONE and not settings["llm"]["base_url"]:
        lacking.append(f"[llms.{system.llm}] base_url: no server is named for it")
    if system.llm == NONE and system.text_retriever in ("generative", "hybrid-generative"):
        lacking.append(f"a language model: {system.text_retriever} retrieval asks one which sections to read")
    return {"settings": settings, "lacking": tuple(lacking)}


def _shared(system: System) -> dict[str, int]:
    """Return the pages of a question, and the share of each of its rounds."""
    if system.pages is None:
        return {}
    return {"max_pages": system.pages, "pages_per_round": -(-system.pages // ROUNDS[system.strategy])}


def _refuse_unusable(system: System, path: Path) -> None:
    """Refuse settings that Heliograph would refuse; a model without a server is no fault here."""
    settings = dict(system.settings)
    if not settings["llm"]["base_url"]:
        settings["llm"] = NO_SERVER
    try:
        load_settings(settings)
    except UsageError as err:
        raise UsageError(f"{path}: {system.name}: {err}") from err


def _named(known: Mapping[str, _Shape], name: str, table: str, path: Path) -> dict[str, Any]:
    if name not in known:
        raise UsageError(f"{path}: {table}: nothing says what {name!r} is; add [{table}.{name}] with its model")
    return known[name].model_dump(exclude_unset=True)


def _retrievers(system: System) -> str:
    """Abbreviate who finds text, tables and images, as Table 9 does."""
    found = _SHORT[system.text_retriever]
    dense = system.text_retriever in ("dense", "hybrid-generative")
    text = f"{found}-{system.embedding}" if dense else found
    images = [] if system.image_retriever == NONE else [f"ie-{system.image_retriever}"]
    return "+".join([text, *images])
