"""The models that ship, and others in their place: the edge retriever by its name, and the reader of edges."""

from pathlib import Path

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from heliograph.protocols import TokenEncoder
from indexers.edges.fusion import FusionWeights, read_weights
from indexers.models.answer_choice import CHOICE_FILE, read_choice
from indexers.models.fingerprint import FUSION_FILE
from indexers.models.kinds import LATE_INTERACTION, is_exported
from indexers.models.named import refuse_missing
from indexers.models.onnx_tokens import SHIPPED, OnnxTokenEncoder
from indexers.models.reader import SHIPPED_READER, Reader
from indexers.models.tokens import MultiVectorTokenEncoder


def token_encoder(name: str, setting: str, otherwise: str) -> TokenEncoder:
    """Return the shipped edge retriever, or a late-interaction model by its folder or its name on the hub.

    Raises:
        ModelMissing: it is not there. The message names what it was set with, `setting`, and what can be done
            `otherwise`.
    """
    folder = expanded(name) if name else SHIPPED
    if is_exported(folder):
        return OnnxTokenEncoder(folder)
    if not name:
        raise ModelMissing(
            f"no edge retriever in {SHIPPED}; name a late-interaction model with {setting} "
            f"(a folder, or a name on the hub such as colbert-ir/colbertv2.0), or {otherwise}"
        )
    refuse_missing(name, setting)
    if folder.is_dir() and not any((folder / file).is_file() for file in LATE_INTERACTION):
        raise ModelMissing(f"{folder} holds no late-interaction model; correct {setting}, or {otherwise}")
    return MultiVectorTokenEncoder(name)


def fusion_weights(path: Path, retriever: str) -> FusionWeights:
    """Return the weights of a fused reranker that were fitted to a retriever.

    Raises:
        ModelMissing: there are none, or they were fitted to another one.
    """
    weights = read_weights(path)
    if weights.model != retriever:
        raise ModelMissing(
            f"{path} was fitted to the retriever {weights.model}, not to {retriever}; fit it: heliograph train fusion"
        )
    return weights


def fused_retriever(name: str, setting: str, otherwise: str) -> TokenEncoder:
    """Return an edge retriever that has the weights of a fused reranker beside it; no model is loaded for that.

    Raises:
        ModelMissing: it is not there, or it has no weights that were fitted to it; a name on the hub never has.
    """
    if name and not expanded(name).is_dir():
        raise ModelMissing(
            f"{setting} names {name}, and there is no such folder; name one that heliograph train export wrote, leave "
            f"{setting} out, or {otherwise} (a model of a hub has no weights of its reranker beside it: download it "
            "and fit them by heliograph train fusion)"
        )
    encoder = token_encoder(name, setting, otherwise)
    fusion_weights(weights_beside(name), encoder.name)
    return encoder


def weights_beside(name: str) -> Path:
    """Return where the weights of a retriever's fused reranker stand."""
    return (expanded(name) if name else SHIPPED) / FUSION_FILE


def shipped_reader(folder: Path = SHIPPED_READER) -> Reader:
    """Return the reader that ships, or one in a folder, with the weights of its choice beside it; nothing is loaded.

    Raises:
        ModelMissing: it is not there, or it has no weights that were chosen for it.
    """
    if not is_exported(folder):
        raise ModelMissing(
            f"no reader in {folder}; make one: heliograph train reader, and python -m bench.reader OUT/onnx --fit"
        )
    reader = Reader(folder)
    read_choice(folder / CHOICE_FILE, reader.name)
    return reader
