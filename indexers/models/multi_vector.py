"""Late-interaction models of sentence-transformers (MultiVectorEncoder): loaded, or begun from any text encoder.

`colbert-ir/colbertv2.0` and its like load as they are (HELIOS, section 4.1, names ColBERTv2). A model of another kind,
all-MiniLM-L6-v2 for one, gets a projection to DIMENSIONS whose rows are the principal components of its token states:
unlike a random one it ranks well before it has learned anything.
"""

import json
import string
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heliograph.errors import ModelMissing
from indexers.models.kinds import LATE_INTERACTION
from indexers.models.named import loader, placed
from indexers.models.pytorch import loaded_torch

DIMENSIONS = 128
"""Of a token's vector, as in ColBERTv2."""
LONGEST = 256
"""Tokens of a text; MiniLM has learned no more."""
TOKENS_AT_ONCE = 4000
"""Tokens that go through the model together on a processor: what fits its caches is fastest."""
STEP = 16
"""Lengths are padded to a multiple: each new shape costs the processor's library a new kernel."""


def load_multi_vector(model: str, sample: Sequence[str] = ()) -> Any:
    """Load a MultiVectorEncoder by folder or name; blocks, and may download.

    Args:
        model: a late-interaction model, or with a `sample` any text encoder.
        sample: texts whose token states give the projection of an encoder that has none.

    Raises:
        ModelMissing: there is no such model, or it is no late-interaction model and there is no sample.
    """
    called, remedy = f"the late-interaction model {model!r}", "correct its name"
    with loader("MultiVectorEncoder", called, remedy, attn_implementation="eager") as load:
        begun = not _is_multi_vector(placed(model))
        if begun and not sample:
            raise ModelMissing(f"{model!r} is no late-interaction model; train one: heliograph train edge-retriever")
        encoder = load(model)
    if begun:
        encoder.max_seq_length = min(LONGEST, encoder.max_seq_length or LONGEST)
        _skip_punctuation(encoder)
        with loaded_torch().no_grad():
            encoder[1].linear.weight.copy_(_principal_components(encoder, sample))
    return encoder


def token_vectors(encoder: Any, texts: Sequence[str], task: str) -> list[Any]:
    """Return one tensor (tokens, dimensions) a text, unit rows; gradients flow where the caller lets them."""
    found: list[Any] = [None] * len(texts)
    for part in batches(encoder, texts):
        features = padded(encoder, [texts[number] for number in part])
        hidden = encoder(features, task=task)
        for row, number in enumerate(part):
            found[number] = hidden["token_embeddings"][row][hidden["attention_mask"][row].bool()].float()
    return found


def batches(encoder: Any, texts: Sequence[str]) -> Iterator[list[int]]:
    """Group texts of like length, shortest first, TOKENS_AT_ONCE together; on an accelerator sixteen times as many."""
    tokens = encoder.tokenizer(list(texts), truncation=True, max_length=encoder.max_seq_length)["input_ids"]
    return grouped(list(map(len, tokens)), str(encoder.device))


def grouped(lengths: Sequence[int], device: str) -> Iterator[list[int]]:
    """Group the places of texts by their lengths in tokens, as `batches` does."""
    limit = TOKENS_AT_ONCE * (1 if device == "cpu" else 16)
    part: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        width = -(-lengths[number] // STEP) * STEP
        if part and width * (len(part) + 1) > limit:
            yield part
            part = []
        part.append(number)
    if part:
        yield part


def padded(encoder: Any, texts: Sequence[str]) -> Any:
    """Tokenize texts to one rectangle on the model's device."""
    return encoder.tokenizer(
        list(texts),
        truncation=True,
        max_length=encoder.max_seq_length,
        padding=True,
        pad_to_multiple_of=STEP,
        return_tensors="pt",
    ).to(encoder.device)


def _is_multi_vector(model: str) -> bool:
    from sentence_transformers.util import load_file_path

    for name, mark in LATE_INTERACTION.items():
        path = load_file_path(model, name)
        if path is not None and mark in json.dumps(json.loads(Path(path).read_text(encoding="utf-8"))):
            return True
    return False


def _skip_punctuation(encoder: Any) -> None:
    """Give documents no vectors for punctuation, as ColBERT does: an eighth of the index, and no use to MaxSim."""
    encoder[2].skiplist_words = list(string.punctuation)
    encoder[2].resolve_with_tokenizer(encoder.tokenizer)


def _principal_components(encoder: Any, sample: Sequence[str]) -> Any:
    """Return the projection, shape (DIMENSIONS, width of the encoder); a narrower encoder leaves rows of zeros."""
    torch = loaded_torch()
    states = []
    for part in batches(encoder, sample):
        features = padded(encoder, [sample[number] for number in part])
        states.append(encoder[0](features)["token_embeddings"][features["attention_mask"].bool()])
    cloud = torch.cat(states)
    _, vectors = torch.linalg.eigh(cloud.T @ cloud)
    widest = vectors.flip(1)[:, :DIMENSIONS].T
    return torch.nn.functional.pad(widest, (0, 0, 0, DIMENSIONS - len(widest)))
