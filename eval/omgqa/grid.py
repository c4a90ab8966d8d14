"""A file of systems: each `[[grid]]` stands for all combinations of its choices, each a system with its settings.

docs/omgqa.md describes the file. What a choice needs (a server, weights, the name of a wiki's caller) stands beside the
choices by name, so that a file lists what the paper ran whether or not it can be run here.
"""

import tomllib
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from eval.omgqa.systems import BUILT_IN, NONE, Documents, Graph, Indexing, Strategy, System, TextRetriever
from heliograph.config import ENDPOINTS, load_settings
from heliograph.errors import UsageError
from heliograph.storage import plain_file

GRIDS = Path(__file__).with_name("grids")
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
DECIDED_BY: Mapping[str, str] = {
    **dict.fromkeys(ENDPOINTS, "llm"),
    "embed": "embedding",
    "clip": "image_retriever",
    "rounds": "strategy",
    "max_pages": "pages",
    "pages_per_round": "pages",
}
"""The choices behind settings of other names."""


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
        content = tomllib.loads(plain_file(path).read_text(encoding="utf8"))
        file = _File.model_validate(content)
    except OSError as err:
        raise UsageError(f"cannot read {path}: {err.strerror}; name a file of systems") from err
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise UsageError(f"{path} is no TOML: {err}; docs/omgqa.md shows a file of systems") from err
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
    instructions: str = "auto"


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
    decided = _decided(system)
    _refuse_decided(decided.keys() & file.settings.keys(), system, path)
    settings = {**decided, **file.settings}
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


def _decided(system: System) -> dict[str, Any]:
    """Return the settings that choices decide, but for models, which the file describes."""
    return {
        **UNSET,
        "indexing": system.indexing,
        "text_retriever": system.text_retriever,
        "rounds": ROUNDS[system.strategy],
        "graph": system.graph,
        **_shared(system),
    }


def _refuse_decided(names: Set[str], system: System, path: Path) -> None:
    """Refuse settings that a choice decides: a system would be named after another thing than is run."""
    if names:
        name = min(names)
        raise UsageError(
            f"{path}: settings.{name}: a [[grid]] decides it by {DECIDED_BY.get(name, name)}, and the name of "
            f"{system.name!r} would say another thing than is run; choose it there, and leave it out here"
        )


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
