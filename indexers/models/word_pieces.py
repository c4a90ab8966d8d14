"""The word pieces of texts, by the vocabulary that comes with the embedded model: BERT's, without capitals."""

from collections.abc import Callable
from typing import Any

from heliograph.errors import ModelMissing
from indexers.models.onnx import INSTALL, packaged_files


def word_piece_ends() -> Callable[[str], list[int]]:
    """Return a function from a text to where each of its pieces ends, in characters; the two end marks are left out.

    Raises:
        ModelMissing: the vocabulary is not installed.
    """
    tokenizer = _tokenizer()

    def ends(text: str) -> list[int]:
        plain = text.encode("utf-8", "replace").decode("utf-8")
        return [end for _, end in tokenizer.encode(plain, add_special_tokens=False).offsets]

    return ends


def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    path = packaged_files().tokenizer.path
    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except OSError as err:
        raise ModelMissing(f"cannot read {path}: {err.strerror}; {INSTALL}") from err
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
