"""Which kind of model a folder holds, as its descriptions say; nothing is loaded."""

from collections.abc import Mapping
from pathlib import Path

from heliograph.errors import ModelMissing

Marks = Mapping[str, str]
"""Words that a file of a folder has where the model is of a kind; one such file is enough."""
LATE_INTERACTION: Marks = {"config_sentence_transformers.json": "MultiVectorEncoder", "config.json": "HF_ColBERT"}
CROSS_ENCODER: Marks = {"config_sentence_transformers.json": "CrossEncoder", "config.json": "ForSequenceClassification"}

SENTENCE_ENCODER: Marks = {"modules.json": "Pooling"}
PROMPTS_FILE = "config_sentence_transformers.json"
"""What of a sentence encoder's folder says which texts go before queries and documents."""
EXPORTED_ENCODER: Marks = {PROMPTS_FILE: "SentenceTransformer"}
"""Of the form without PyTorch too, which has no `modules.json`."""


def is_of(folder: Path, kind: Marks) -> bool:
    """Tell whether a folder holds a model of a kind.

    Raises:
        ModelMissing: a description cannot be read.
    """
    return any(mark in _text(folder / name) for name, mark in kind.items())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    except OSError as err:
        raise ModelMissing(f"cannot read {path}: {err.strerror}; name an existing model file") from err


def is_exported(folder: Path) -> bool:
    """Tell whether a folder holds the form without PyTorch of a model."""
    return (folder / "model.onnx").is_file()


def is_exported_encoder(folder: Path) -> bool:
    """Tell whether a folder holds the form without PyTorch of a sentence encoder.

    Raises:
        ModelMissing: a description cannot be read.
    """
    return is_exported(folder) and not (folder / "modules.json").exists() and is_of(folder, EXPORTED_ENCODER)
