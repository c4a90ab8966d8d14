"""A trained late-interaction model as int8 ONNX, so that it runs without PyTorch."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from heliograph.doctor import INSTALL_MODELS
from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from heliograph.storage import storage_error
from indexers.edges.fusion import read_weights
from indexers.models.fingerprint import FUSION_FILE, model_name
from indexers.models.multi_vector import DIMENSIONS, load_multi_vector, token_vectors
from indexers.models.named import refuse_missing
from indexers.models.onnx import LoadedModel, ModelFile, ModelFiles
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.models.pytorch import loaded_torch

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "token_embeddings"
LEAST_AGREEMENT = 0.95
"""Mean cosine of the token vectors of both forms; what ships has 0.993."""
COMPARED = (
    "Skerry Head Light | Skerry Head Light is a lighthouse on a rock, lit in 1871.",
    "Harbours of the north | Harbour : Torvik ; Depth (m) : 9 ; Boats : 140",
    "Which island has the taller of the two towers?",
    "the, of and 7",
)
"""Lines that both forms encode: a passage, a row, a question, and next to nothing."""


def export(model: str, folder: Path) -> None:
    """Write `model.onnx`, its weights as signed bytes, and `tokenizer.json`; activations are scaled as they come.

    What stands in the folder is replaced once the new form is known to agree with the model.

    Raises:
        ModelMissing: there is no such model, the package onnx is not installed, or both forms do not agree.
        StoreFull | StoreError: the folder cannot be written.
    """
    refuse_missing(model, "MODEL")
    quantization = _quantization()
    encoder = load_multi_vector(model).to("cpu").float().eval()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as name:
            fresh = Path(name)
            _write(encoder, quantization, fresh)
            _refuse_another(model, encoder, fresh)
            for file in (MODEL, TOKENIZER):
                (fresh / file).replace(folder / file)
    except OSError as err:
        raise storage_error(err, folder) from err


def _quantization() -> Any:
    try:
        from onnxruntime import quantization  # type: ignore[import-untyped]
    except ImportError as err:
        raise ModelMissing(f"the package onnx is not installed; {INSTALL_MODELS}") from err
    return quantization


def _write(encoder: Any, quantization: Any, folder: Path) -> None:
    torch = loaded_torch()
    whole = folder / "float.onnx"
    sample = [torch.full((2, 8), value) for value in (100, 1, 0)]  # three tensors: one given twice counts as one input
    lengths = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    with torch.no_grad():
        torch.onnx.export(
            _TokenStates(encoder).eval(),
            tuple(sample),
            whole,
            input_names=list(INPUTS),
            output_names=[OUTPUT],
            dynamic_shapes=(lengths, lengths, lengths),
            external_data=False,
            verbose=False,
        )
    quantization.quantize_dynamic(whole, folder / MODEL, weight_type=quantization.QuantType.QInt8, per_channel=True)
    (folder / TOKENIZER).write_text(encoder.tokenizer.backend_tokenizer.to_str(pretty=True), encoding="utf-8")


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


def _TokenStates(encoder: Any) -> Any:  # noqa: N802 - it returns an instance of a class that torch must be there for
    torch = loaded_torch()

    class TokenStates(torch.nn.Module):  # type: ignore[name-defined,misc]
        """The encoder without its mask: token ids to unit vectors."""

        def __init__(self) -> None:
            super().__init__()
            self.states, self.projection = encoder[0].model, encoder[1].linear

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            hidden = self.states(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            return torch.nn.functional.normalize(self.projection(hidden), dim=-1)

    return TokenStates()
