"""What tells one model file from another: a digest of its bytes."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from heliograph.errors import ModelMissing
from heliograph.paths import expanded

DECIDING = frozenset({".safetensors", ".json", ".txt", ".model"})
"""Endings of the files of a model's folder that decide what it gives: weights, settings, vocabularies."""
FUSION_FILE = "fusion.json"
"""The weights of the fused reranker, which lie beside the retriever and do not change what it gives."""


def model_name(given: str) -> str:
    """Name a model that is given as a folder or by its name on the hub.

    Raises:
        ModelMissing: a file cannot be read.
    """
    folder = expanded(given)
    return folder_name(folder) if folder.is_dir() else given


def folder_name(folder: Path) -> str:
    """Name the model of a folder by the folder and by what is in it.

    Raises:
        ModelMissing: a file cannot be read.
    """
    files = (path for path in folder.rglob("*") if path.suffix in DECIDING and path.name != FUSION_FILE)
    return f"{folder.name}-{fingerprint(sorted(path for path in files if path.is_file()))}"


def fingerprint(files: Iterable[Path]) -> str:
    """Return twelve digits that change with the content of any of the files.

    Raises:
        ModelMissing: a file cannot be read.
    """
    digest = hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as err:
            raise ModelMissing(f"cannot read {path}: {err.strerror}; name an existing model file") from err
    return digest.hexdigest()[:12]
