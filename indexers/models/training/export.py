"""A trained late-interaction model, reader or checker as int8 ONNX, so that it runs without PyTorch."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from heliograph.storage import storage_error
from indexers.edges.fusion import read_weights
from indexers.models.checker import Checker, relations_of
from indexers.models.encoder_graph import EncoderWeights, Floats, Int8Matrix, reader_logits, unit_vectors
from indexers.models.fingerprint import FUSION_FILE, model_name
from indexers.models.multi_vector import DIMENSIONS, load_multi_vector, token_vectors
from indexers.models.named import refuse_missing
from indexers.models.onnx import LoadedModel, ModelFile, ModelFiles
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import Candidate, Reader, passage_piece, row_piece
from indexers.models.training.checking import CHECKER_HEAD, CheckerStudent, CheckingExample, load_checker
from indexers.models.training.reading import HEAD, ReaderStudent, load_reader
from indexers.models.training.window_student import WindowStudent

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
BERT = "bert"
LEAST_AGREEMENT = 0.95
"""Mean cosine of the token vectors of both forms; what ships has 0.993."""
COMPARED = (
    "Skerry Head Light | Skerry Head Light is a lighthouse on a rock, lit in 1871.",
    "Harbours of the north | Harbour : Torvik ; Depth (m) : 9 ; Boats : 140",
    "Which island has the taller of the two towers?",
    "the, of and 7",
)
"""Lines that both forms encode: a passage, a row, a question, and next to nothing."""
READ = (
    Candidate(
        row_piece(("Harbours of the north", ""), ("Harbour", "Depth (m)", "Boats"), ("Torvik", "9", "140")),
        passage_piece("Torvik", "Torvik is a harbour on the island of Holm , dredged in 1903 ."),
    ),
    Candidate(row_piece(("Skerry Head Light",), ("Lit", "Height"), ("1871", "24 m"))),
)
NEED = "when was the harbour with a depth of 9 m dredged?"
LARGEST_DIFFERENCE = 1.5
"""Mean difference of the log-probabilities of the same answers of both forms of a reader."""
FARTHEST_SUPPORT = 0.3
"""Largest difference of the probabilities of support of both forms of a checker."""


def export(model: str, folder: Path) -> None:
    """Write `model.onnx`, its weights as signed bytes, and `tokenizer.json`; activations are scaled as they come.

    What stands in the folder is replaced once the new form is known to agree with the model.

    Raises:
        ModelMissing: there is no such model, it is no BERT encoder with a projection, or both forms do not agree.
        StoreFull | StoreError: the folder cannot be written.
    """
    refuse_missing(model, "MODEL")
    encoder = load_multi_vector(model).to("cpu").float().eval()
    if (kind := encoder[0].model.config.model_type) != BERT:
        raise ModelMissing(
            f"{model} is a model of kind {kind}, and only a {BERT} encoder has a form that runs without PyTorch; name "
            f"{model} itself as the retriever, or train one from a {BERT} encoder: heliograph train edge-retriever"
        )
    with _replaced(folder) as fresh:
        _write(encoder, fresh)
        _refuse_another(model, encoder, fresh)


def is_reader(model: str) -> bool:
    """Tell whether a folder holds a reader."""
    return (expanded(model) / HEAD).is_file()


def export_reader(model: Path, folder: Path) -> None:
    """Write the form of a reader that runs without PyTorch; its head, which is small, stays in float.

    Raises:
        ModelMissing: the folder holds no reader, or both forms do not agree.
        StoreFull | StoreError: the folder cannot be written.
    """
    student = load_reader(str(model))
    student.module.to("cpu").eval()
    with _replaced(folder) as fresh:
        _write_windowed(student, fresh)
        _refuse_another_reader(model, student, fresh)


def is_checker(model: str) -> bool:
    """Tell whether a folder holds a checker."""
    return (expanded(model) / CHECKER_HEAD).is_file()


def export_checker(model: Path, folder: Path) -> None:
    """Write the form of a checker that runs without PyTorch; its heads, which are small, stay in float.

    Raises:
        ModelMissing: the folder holds no checker, or both forms do not agree.
        StoreFull | StoreError: the folder cannot be written.
    """
    student = load_checker(str(model))
    student.module.to("cpu").eval()
    with _replaced(folder) as fresh:
        _write_windowed(student, fresh)
        _refuse_another_checker(model, student, fresh)


def _write_windowed(student: WindowStudent, folder: Path) -> None:
    encoder, head = student.module["encoder"], student.module["head"]
    weights = EncoderWeights.of(_arrays(encoder), encoder.config.num_attention_heads)
    (folder / MODEL).write_bytes(reader_logits(weights, _arrays(head)))
    (folder / TOKENIZER).write_text(student.tokenizer.to_str(pretty=True), encoding="utf-8")


@contextmanager
def _replaced(folder: Path) -> Iterator[Path]:
    """Give a folder to write a model's files in; they take the place of those of `folder` where nothing was raised."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as name:
            fresh = Path(name)
            yield fresh
            for file in (MODEL, TOKENIZER):
                (fresh / file).replace(folder / file)
    except OSError as err:
        raise storage_error(err, folder) from err


def _refuse_another_reader(model: Path, student: ReaderStudent, folder: Path) -> None:
    ours, theirs = Reader(folder).read(NEED, READ), student.read(NEED, READ)
    apart = float(np.mean([abs(one.none - other.none) for one, other in zip(ours, theirs, strict=True)]))
    if not apart <= LARGEST_DIFFERENCE:
        raise ModelMissing(f"the int8 form of {model} reads otherwise than the model (by {apart:.2f}); train it again")


def _refuse_another_checker(model: Path, student: CheckerStudent, folder: Path) -> None:
    examples = [CheckingExample(NEED, candidate) for candidate in READ]
    ours = Checker(folder).check([(NEED, candidate) for candidate in READ])
    theirs = [relations_of(logits) for logits in student.logits(examples)]
    apart = max(abs(one.supported - other.supported) for one, other in zip(ours, theirs, strict=True))
    if not apart <= FARTHEST_SUPPORT:
        raise ModelMissing(f"the int8 form of {model} checks otherwise than the model (by {apart:.2f}); train it again")


def _write(encoder: Any, folder: Path) -> None:
    states, linear = encoder[0].model, encoder[1].linear
    weights = EncoderWeights.of(_arrays(states), states.config.num_attention_heads)
    bias = None if linear.bias is None else linear.bias.detach().numpy()
    (folder / MODEL).write_bytes(unit_vectors(weights, Int8Matrix.of(linear.weight.detach().numpy().T), bias))
    (folder / TOKENIZER).write_text(encoder.tokenizer.backend_tokenizer.to_str(pretty=True), encoding="utf-8")


def _arrays(module: Any) -> dict[str, Floats]:
    return {name: value.numpy() for name, value in module.state_dict().items() if value.is_floating_point()}


def _refuse_another(model: str, encoder: Any, folder: Path) -> None:
    small = LoadedModel.load(ModelFiles(ModelFile(folder / MODEL), ModelFile(folder / TOKENIZER)), DIMENSIONS)
    with loaded_torch().no_grad():
        theirs = [vectors.numpy() for vectors in token_vectors(encoder, COMPARED, "query")]
    ours = [small.token_vectors(line).vectors for line in COMPARED]
    alike = [one.shape for one in ours] == [other.shape for other in theirs]
    found = agreement(ours, theirs) if alike else 0.0
    if not found >= LEAST_AGREEMENT:  # a model may give what is no number
        raise ModelMissing(
            f"the int8 form of {model} gives other vectors than the model: their mean cosine is {found:.2f}, and "
            f"{LEAST_AGREEMENT} is needed; name {model} itself as the retriever, or train another one: "
            "heliograph train edge-retriever"
        )


def carry_weights(model: str, folder: Path) -> bool:
    """Copy the weights of the fused reranker that stand beside a model to its exported form; tell if there are any.

    Raises:
        ModelMissing: they were fitted to another model.
    """
    beside = expanded(model) / FUSION_FILE
    if not beside.is_file():
        return False
    weights = read_weights(beside)
    if weights.model != model_name(model):
        raise ModelMissing(f"{beside} was fitted to {weights.model}, not to {model}; fit it: heliograph train fusion")
    replace(weights, model=OnnxTokenEncoder(folder).name).write(folder / FUSION_FILE)
    return True


def agreement(ours: Sequence[np.ndarray[Any, Any]], theirs: Sequence[np.ndarray[Any, Any]]) -> float:
    """Return the mean cosine of token vectors of two forms of a model, token by token."""
    return float(np.mean(np.concatenate([(one * other).sum(axis=1) for one, other in zip(ours, theirs, strict=True)])))
