"""What students of windows share: an encoder of BERT's kind, a head of two layers over its states, a tokenizer.

What the columns of the head mean is the student's own (`reading`, `checking`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from indexers.models.encoder_graph import BERT, EncoderWeights, exported_head
from indexers.models.multi_vector import STEP
from indexers.models.precision import products_in_bfloat16
from indexers.models.pytorch import best_device, first_line, loaded_torch
from indexers.models.reader import MARKS, Window, Windows

HEAD_RATE = 10.0
"""How many times the schedule's rate the head learns at, which begins with nothing."""
FROZEN_LAYERS = 2
"""The lowest layers that stay as they are, with what words mean: a third less to compute."""
WINDOWS_AT_ONCE = {"cpu": 16, "cuda": 128, "mps": 32}
"""Windows that go through the encoder together, by the device."""
CACHED_PIECES = 60_000
"""Pieces whose tokens are kept, about 2 GB: several epochs see the same ones."""


class WindowStudent:
    """An encoder and a head that learn together; `beside` names the file of the head in a model's folder."""

    beside: ClassVar[str]
    frozen_layers: ClassVar[int] = FROZEN_LAYERS

    def __init__(self, encoder: Any, head: Any, tokenizer: Any, frozen_layers: int | None = None) -> None:
        torch = loaded_torch()
        self.module = torch.nn.ModuleDict({"encoder": encoder, "head": head}).to(best_device())
        still = range(self.frozen_layers if frozen_layers is None else frozen_layers)
        frozen = ("encoder.embeddings.", *(f"encoder.encoder.layer.{layer}." for layer in still))
        for name, weight in self.module.named_parameters():
            weight.requires_grad = not name.startswith(frozen)
        self.tokenizer = tokenizer
        self.windows = Windows(tokenizer, cached=CACHED_PIECES)
        config = encoder.config
        self._padding: int = config.pad_token_id or 0
        self._has_segments = getattr(config, "type_vocab_size", 0) > 1

    def quicken(self) -> None:
        """Do nothing: products are in bfloat16 by themselves (`window_logits`), and the head needs its float32."""

    def rate_of(self, weight: str) -> float:
        """Return a higher rate for the head."""
        return HEAD_RATE if weight.startswith("head.") else 1.0

    def save(self, folder: Path) -> None:
        """Write the encoder as its library loads it, and beside it the head and the tokenizer."""
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        self.module["encoder"].save_pretrained(str(folder))
        head = {name: value.contiguous() for name, value in self.module["head"].state_dict().items()}
        save_file(head, folder / self.beside)
        self.tokenizer.save(str(folder / "tokenizer.json"))

    @property
    def has_small_form(self) -> bool:
        """Whether there is a form of it that runs without PyTorch: of BERT's kind alone."""
        return bool(self.module["encoder"].config.model_type == BERT)

    def packed(self, batch: Sequence[Any]) -> Any:
        """Return the batch as it is."""
        return batch

    def window_logits(self, windows: Sequence[Window]) -> list[Any]:
        """Return logits of each window, shape (tokens, columns)."""
        every = self.padded_logits(windows) if windows else ()
        return [logits[: len(window.ids)] for logits, window in zip(every, windows, strict=True)]

    def padded_logits(self, windows: Sequence[Window], pieces: NDArray[np.int64] | None = None) -> Any:
        """Return logits of windows, shape (windows, tokens of the longest, columns); those of like length go together.

        `pieces` are ids of this model by those in the windows, where these are of another tokenizer (`spelling`).
        """
        torch, together = loaded_torch(), WINDOWS_AT_ONCE[best_device()]
        order = sorted(range(len(windows)), key=lambda number: len(windows[number].ids))
        longest, found = len(windows[order[-1]].ids), []
        for start in range(0, len(order), together):
            given = self._padded([windows[number] for number in order[start : start + together]], pieces)
            with products_in_bfloat16():
                states = self.module["encoder"](**given).last_hidden_state
            logits = self.module["head"](states.to(torch.float32))[:, :longest]
            found.append(torch.nn.functional.pad(logits, (0, 0, 0, longest - logits.shape[1])))
        return torch.cat(found)[np.argsort(order)]

    def spelling(self, other: Any) -> NDArray[np.int64] | None:
        """Return ids of this tokenizer's pieces by those that the same ones have in another; None where all agree.

        Raises:
            ModelMissing: it has not all of them.
        """
        own, theirs = self.tokenizer.get_vocab(), other.get_vocab()
        if own == theirs:
            return None
        found = np.zeros(max(theirs.values()) + 1, dtype=np.int64)
        for piece, id in theirs.items():
            known = own.get(MARKS.get(piece, piece), own.get(piece))
            if known is None:
                raise ModelMissing(f"the teacher has no piece {piece!r}; name one whose tokenizer has the same pieces")
            found[id] = known
        return found

    def _padded(self, windows: Sequence[Window], pieces: NDArray[np.int64] | None) -> dict[str, Any]:
        torch = loaded_torch()
        width = -(-max(len(window.ids) for window in windows) // STEP) * STEP
        ids = np.full((len(windows), width), self._padding, dtype=np.int64)
        mask, kinds = (np.zeros((len(windows), width), dtype=np.int64) for _ in range(2))
        for row, window in enumerate(windows):
            count = len(window.ids)
            ids[row, :count] = window.ids if pieces is None else pieces[list(window.ids)]
            mask[row, :count] = 1
            kinds[row, window.starts[0] : count] = 1
        given = {"input_ids": ids, "attention_mask": mask} | ({"token_type_ids": kinds} if self._has_segments else {})
        device = self.module["encoder"].device
        return {name: torch.from_numpy(each).to(device) for name, each in given.items()}


def load_parts(kind: str, start: str, beside: str, columns: int, seed: int) -> tuple[Any, Any, Any]:
    """Return encoder, head and tokenizer of a folder; a head that is not there is drawn by `seed`.

    The folder may hold the form that runs without PyTorch of a model of windows, as one ships: its bytes become floats
    again. Its head is taken where it has as many columns: a reader that was begun without had forgotten how to answer.

    Raises:
        ModelMissing: there is no such encoder, or it has no tokenizer of its own.
    """
    torch = loaded_torch()
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
        from transformers import AutoModel, AutoTokenizer
    except ImportError as err:
        from heliograph.doctor import INSTALL_MODELS

        raise ModelMissing(f"transformers is not installed; {INSTALL_MODELS}") from err
    torch.manual_seed(seed)
    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "add_pooling_layer": False}
    try:
        exported = expanded(start) / "model.onnx"
        if exported.is_file():
            encoder, tokenizer = _restored(exported)
        else:
            encoder = AutoModel.from_pretrained(start, use_safetensors=True, **still)
            tokenizer = AutoTokenizer.from_pretrained(start).backend_tokenizer
        head = _new_head(encoder.config.hidden_size, columns)
        if (path := expanded(start) / beside).is_file():
            head.load_state_dict(load_file(path))
        elif exported.is_file():
            state = {name: torch.tensor(value) for name, value in exported_head(exported.read_bytes()).items()}
            if all(state[name].shape == value.shape for name, value in head.state_dict().items()):
                head.load_state_dict(state)
    except (OSError, ValueError, LookupError, RuntimeError, SafetensorError, AttributeError) as err:
        raise ModelMissing(f"no {kind} can begin from {start!r} ({first_line(err)}); correct its name") from err
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return encoder, head, tokenizer


def _restored(exported: Path) -> tuple[Any, Any]:
    """Return encoder and tokenizer of a form without PyTorch, its bytes as floats.

    Raises:
        KeyError | IndexError | ValueError | RuntimeError: it is no reader and no checker.
    """
    from tokenizers import Tokenizer

    encoder = restored_bert(EncoderWeights.exported(exported.read_bytes()))
    return encoder, Tokenizer.from_file(str(exported.parent / "tokenizer.json"))


def restored_bert(weights: EncoderWeights) -> Any:
    """Return a BERT module that has the weights of a form without PyTorch as floats.

    Raises:
        KeyError | RuntimeError: weights are missing, or have other shapes.
    """
    from transformers import BertConfig, BertModel

    torch = loaded_torch()
    state = weights.state()
    pieces, width = state["embeddings.word_embeddings.weight"].shape
    config = BertConfig(
        vocab_size=pieces,
        hidden_size=width,
        num_hidden_layers=weights.layers,
        num_attention_heads=weights.heads,
        intermediate_size=len(state["encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(state["embeddings.position_embeddings.weight"]),
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="sdpa",
    )
    encoder = BertModel(config, add_pooling_layer=False)
    encoder.load_state_dict({name: torch.tensor(state[name]) for name in encoder.state_dict()})
    return encoder


def _new_head(width: int, columns: int) -> Any:
    torch = loaded_torch()
    return torch.nn.Sequential(torch.nn.Linear(width, width), torch.nn.GELU(), torch.nn.Linear(width, columns))
