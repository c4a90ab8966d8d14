"""A trained late-interaction model, sentence encoder or model of windows as int8 ONNX, which runs without PyTorch."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from indexers.models.encoder_graph import (
    BERT,
    EncoderWeights,
    Floats,
    Int8Matrix,
    reader_logits,
    token_states,
    unit_vectors,
)
from indexers.models.fingerprint import FUSION_FILE, model_name
from indexers.models.kinds import PROMPTS_FILE, SENTENCE_ENCODER, is_exported_encoder, is_of
from indexers.models.multi_vector import DIMENSIONS, load_multi_vector, token_vectors
from indexers.models.named import refuse_missing
from indexers.models.onnx import LoadedModel, ModelFile, ModelFiles
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.models.pytorch import loaded_torch
from indexers.models.reader import Candidate, passage_piece, row_piece
from indexers.models.training.checking import CHECKER_HEAD, CheckerStudent, load_checker
from indexers.models.training.dual_encoder import load_encoder
from indexers.models.training.follow_ups import REWRITER_HEAD, FollowUpStudent, load_rewriter
from indexers.models.training.parsing import PARSER_HEAD, ParserStudent, load_parser
from indexers.models.training.reading import HEAD, ReaderStudent, load_reader

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
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

Windowed = ReaderStudent | CheckerStudent | ParserStudent | FollowUpStudent
Load = Callable[[str], Windowed]
STUDENTS: Mapping[str, Load] = {
    HEAD: load_reader,
    CHECKER_HEAD: load_checker,
    PARSER_HEAD: load_parser,
    REWRITER_HEAD: load_rewriter,
}
"""By the file of its head, what loads a student of windows."""


def is_windowed(model: str) -> bool:
    """Tell whether a folder holds a model of windows."""
    return _student(model) is not None


def _student(model: str) -> Load | None:
    return next((load for head, load in STUDENTS.items() if (expanded(model) / head).is_file()), None)


def export(model: str, folder: Path) -> None:
    """Write `model.onnx`, its weights as signed bytes, and `tokenizer.json`; activations are scaled as they come.

    The head of a model of windows, which is small, stays in float. What stands in the folder is replaced
    once the new form is known to agree with the model.

    Raises:
        ModelMissing: there is no such model, it is neither a model of windows nor a BERT encoder that has a projection
            or takes the mean of its tokens, or both forms do not agree.
        StoreFull | StoreError: the folder cannot be written.
    """
    refuse_missing(model, "MODEL")
    if is_of(expanded(model), SENTENCE_ENCODER):
        _export_encoder(model, folder)
    elif (load := _student(model)) is None:
        _export_retriever(model, folder)
    else:
        _export_windowed(model, load(model), folder)


def _export_encoder(model: str, folder: Path) -> None:
    encoder = load_encoder(model).to("cpu").float().eval()
    bert, pooling = encoder[0].model, encoder[1]
    if bert.config.model_type != BERT or getattr(pooling, "pooling_mode", "") != "mean":
        raise ModelMissing(
            f"only a {BERT} encoder that takes the mean of its tokens has a form that runs without PyTorch, and "
            f"{model} is none; name {model} itself as the embedding"
        )
    with _replaced(folder) as fresh:
        _write(fresh, token_states(_weights(bert)), encoder.tokenizer.backend_tokenizer)
        files = ModelFiles(ModelFile(fresh / MODEL), ModelFile(fresh / TOKENIZER))
        small = LoadedModel.load(files, bert.config.hidden_size)
        ours = [small.vector(line)[None] for line in COMPARED]
        theirs = [encoder.encode([line], normalize_embeddings=True, show_progress_bar=False) for line in COMPARED]
        found = agreement(ours, theirs) if ours[0].shape == theirs[0].shape else 0.0
        if not found >= LEAST_AGREEMENT:  # a model may give what is no number
            raise ModelMissing(
                f"the int8 form of {model} gives other vectors than the model: their mean cosine is "
                f"{found:.2f}, and {LEAST_AGREEMENT} is needed; name {model} itself as the embedding"
            )
        told = {"model_type": "SentenceTransformer", "prompts": encoder.prompts}
        (fresh / PROMPTS_FILE).write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _export_retriever(model: str, folder: Path) -> None:
    encoder = load_multi_vector(model).to("cpu").float().eval()
    if (kind := encoder[0].model.config.model_type) != BERT:
        raise ModelMissing(
            f"{model} is a model of kind {kind}, and only a {BERT} encoder has a form that runs without PyTorch; name "
            f"{model} itself as the retriever, or train one from a {BERT} encoder: heliograph train edge-retriever"
        )
    with _replaced(folder) as fresh:
        linear = encoder[1].linear
        bias = None if linear.bias is None else linear.bias.detach().numpy()
        projection = Int8Matrix.of(linear.weight.detach().numpy().T)
        graph = unit_vectors(_weights(encoder[0].model), projection, bias)
        _write(fresh, graph, encoder.tokenizer.backend_tokenizer)
        _refuse_another(model, encoder, fresh)


def _export_windowed(model: str, student: Windowed, folder: Path) -> None:
    if not student.has_small_form:
        raise ModelMissing(f"{model} is not of {BERT}'s kind, which alone has a form without PyTorch; name another one")
    student.module.to("cpu").eval()
    with _replaced(folder) as fresh:
        graph = reader_logits(_weights(student.module["encoder"]), _arrays(student.module["head"]))
        _write(fresh, graph, student.tokenizer)
        apart = student.apart(fresh, NEED, READ)
        if not apart <= student.farthest:
            raise ModelMissing(
                f"the int8 form of {model} {student.does} otherwise than the model (by {apart:.2f}); train it again"
            )


@contextmanager
def _replaced(folder: Path) -> Iterator[Path]:
    """Give a folder to write a model's files in; they take the place of those of `folder` where nothing was raised.

    What describes an encoder that stood there goes where the new form is of another kind.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as name:
            fresh = Path(name)
            yield fresh
            if is_exported_encoder(folder):
                (folder / PROMPTS_FILE).unlink()
            for file in fresh.iterdir():
                file.replace(folder / file.name)
    except OSError as err:
        raise storage_error(err, folder) from err


def _write(folder: Path, graph: bytes, tokenizer: Any) -> None:
    (folder / MODEL).write_bytes(graph)
    (folder / TOKENIZER).write_text(tokenizer.to_str(pretty=True), encoding="utf-8")


def _weights(encoder: Any) -> EncoderWeights:
    return EncoderWeights.of(_arrays(encoder), encoder.config.num_attention_heads)


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
