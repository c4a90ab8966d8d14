"""A cross-encoder by its name: a folder, or a model of sentence-transformers on the hub."""

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from heliograph.protocols import PairScorer
from indexers.models.kinds import CROSS_ENCODER, is_of
from indexers.models.named import placed, refuse_missing, refuse_missing_extra
from indexers.models.pairs import CrossEncoderScorer


def cross_encoder(name: str, setting: str, kind: str) -> PairScorer:
    """Return a trained cross-encoder, which is loaded at its first text.

    One that nobody trained would score by random weights, so a folder must say what it holds. The message of an error
    names what it was set with, `setting`, and which `kind` of training makes one.

    Raises:
        ModelMissing: there is no such model, it holds something else, or the extra `models` is not installed.
    """
    refuse_missing(name, setting)
    folder = expanded(name)
    if folder.is_dir() and not is_of(folder, CROSS_ENCODER):
        raise ModelMissing(
            f"{folder} holds no trained cross-encoder; correct {setting} "
            f"(heliograph train {kind} leaves one in OUT/model)"
        )
    refuse_missing_extra(setting)
    return CrossEncoderScorer(placed(name))
