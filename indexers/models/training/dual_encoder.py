"""What learns to find documents: one encoder for queries and for documents, which dense retrieval compares.

Every query of a batch is compared with all documents of the batch: its own, one that a ranking puts high and that does
not answer, and those of the others (Karpukhin et al. 2020, DPR). DPR has two encoders; here both are one, as dense
retrieval asks one model, and vectors have length 1, as it compares them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heliograph.protocols import Vectors
from indexers.models.encoder_graph import EncoderWeights
from indexers.models.multi_vector import LONGEST, STEP, grouped
from indexers.models.named import loader
from indexers.models.onnx import MAX_TOKENS, MODEL_NAME, packaged_files
from indexers.models.precision import products_in_bfloat16
from indexers.models.pytorch import best_device, loaded_torch
from indexers.models.training.development import Say
from indexers.models.training.loop import Measured
from indexers.models.training.objective import Judged, Tensor, ranking_loss
from indexers.models.training.window_student import restored_bert
from indexers.pace import Pace

SHARPNESS = 20.0
"""What cosines are multiplied by before the softmax: those of unit vectors are too close to each other without it."""
DOCUMENTS_AT_ONCE = 256
"""Documents read between two lines of progress."""
MARKS = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "pad", "cls", "sep", "mask")}
"""Of the packaged tokenizer, by the names that its library has for them."""

Documents = Callable[[Sequence[int]], Sequence[str]]
"""Returns the texts of documents by their numbers."""


@dataclass(frozen=True, slots=True)
class EncoderExample:
    """A query, a document that answers it, documents that do not, and all that do; documents are numbers."""

    query: str
    positive: int
    negatives: tuple[int, ...]
    answers: frozenset[int]


@dataclass(frozen=True, slots=True)
class Packed:
    """A batch as tokens of its queries and documents; shape of both marks: (queries, documents)."""

    queries: dict[str, Tensor]
    documents: dict[str, Tensor]
    positive: Tensor
    counted: Tensor


class DualEncoderStudent:
    """A sentence-transformers model that learns to bring a query near the documents that answer it.

    Args:
        encoder: the model.
        documents: gives texts; tokens of each are kept, at most 1 KB per document.
        measured: finds how well the student does.
    """

    def __init__(
        self,
        encoder: Any,
        documents: Documents,
        measured: "Callable[[DualEncoderStudent, Sequence[EncoderExample], Say], Measured]",
    ) -> None:
        self.module, self._documents, self._measured = encoder, documents, measured
        self._tokens = dict[int, NDArray[np.int32]]()

    def quicken(self) -> None:
        """Do nothing: products are in bfloat16 by themselves, and the weights stay in float32."""

    def rate_of(self, weight: str) -> float:  # noqa: ARG002 - every weight learns alike
        """Return 1: all weights learn at the schedule's rate."""
        return 1.0

    def packed(self, batch: Sequence[EncoderExample]) -> Packed:
        """Return a batch as tokens, each document once, and which of them count for which query.

        What answers a query and is not the document drawn for it counts neither for nor against it.
        """
        torch = loaded_torch()
        drawn = (number for each in batch for number in (each.positive, *each.negatives))
        numbers = list(dict.fromkeys(drawn))
        positive = np.array([[number == each.positive for number in numbers] for each in batch])
        counted = np.array([[number not in each.answers for number in numbers] for each in batch]) | positive
        return Packed(
            self._padded(self._tokenized([each.query for each in batch])),
            self._padded(self._of_documents(numbers)),
            *(torch.from_numpy(each).to(self.module.device) for each in (positive, counted)),
        )

    def loss(self, batch: Packed) -> Tensor:
        """Return the mean negative log-likelihood of the document drawn for each query."""
        torch = loaded_torch()
        scores = SHARPNESS * self._vectors(batch.queries) @ self._vectors(batch.documents).T
        untaught = torch.zeros_like(batch.counted)
        return ranking_loss(Judged(scores, batch.positive, batch.counted, torch.zeros_like(scores), untaught))

    def measure(self, development: Sequence[EncoderExample], say: Say) -> Measured:
        """Return how well the model does on development queries."""
        return self._measured(self, development, say)

    def save(self, folder: Path) -> None:
        """Write a folder that sentence-transformers loads."""
        self.module.save(str(folder), create_model_card=False)

    def encoded_queries(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors of queries, without gradients."""
        return self._encoded(self._tokenized(texts))

    def encoded_documents(self, numbers: Sequence[int], say: Say) -> Vectors:
        """Return unit vectors of documents, without gradients, and say how far it is."""
        found, pace = list[Vectors](), Pace("documents encoded", len(numbers), say)
        for start in range(0, len(numbers), DOCUMENTS_AT_ONCE):
            part = numbers[start : start + DOCUMENTS_AT_ONCE]
            found.append(self._encoded(self._of_documents(part)))
            pace.done(start + len(part))
        return np.concatenate(found)

    def _of_documents(self, numbers: Sequence[int]) -> list[NDArray[np.int32]]:
        unknown = [number for number in numbers if number not in self._tokens]
        if unknown:
            self._tokens |= zip(unknown, self._tokenized(self._documents(unknown)), strict=True)
        return [self._tokens[number] for number in numbers]

    def _tokenized(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        longest = self.module.max_seq_length or LONGEST
        plain = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        found = self.module.tokenizer(plain, truncation=True, max_length=longest)["input_ids"]
        return [np.array(ids, dtype=np.int32) for ids in found]

    def _padded(self, rows: Sequence[NDArray[np.int32]]) -> dict[str, Tensor]:
        torch = loaded_torch()
        longest = self.module.max_seq_length or LONGEST
        width = min(longest, -(-max(map(len, rows)) // STEP) * STEP)
        ids = np.full((len(rows), width), self.module.tokenizer.pad_token_id or 0, dtype=np.int64)
        mask = np.zeros((len(rows), width), dtype=np.int64)
        for row, own in enumerate(rows):
            ids[row, : len(own)], mask[row, : len(own)] = own, 1
        given = {"input_ids": ids, "attention_mask": mask}
        return {name: torch.from_numpy(each).to(self.module.device) for name, each in given.items()}

    def _vectors(self, features: dict[str, Tensor]) -> Tensor:
        with products_in_bfloat16():
            found = self.module(dict(features))["sentence_embedding"]
        return loaded_torch().nn.functional.normalize(found.float(), dim=1)

    def _encoded(self, rows: Sequence[NDArray[np.int32]]) -> Vectors:
        found: list[Any] = [None] * len(rows)
        with loaded_torch().no_grad():
            for part in grouped(list(map(len, rows)), str(self.module.device)):
                vectors = self._vectors(self._padded([rows[place] for place in part])).cpu().numpy()
                for place, vector in zip(part, vectors, strict=True):
                    found[place] = vector
        return np.array(found, dtype=np.float32)


def load_encoder(start: str) -> Any:
    """Load a sentence-transformers model by folder or name, or the packaged one by MODEL_NAME; blocks.

    Its weights are float32, the packaged ones their bytes made floats again.

    Raises:
        ModelMissing: there is no such model.
    """
    with loader("SentenceTransformer", f"the embedding model {start!r}", "correct it") as load:
        return _packaged() if start == MODEL_NAME else load(start)


def _packaged() -> Any:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast
    from transformers.models.bert.modeling_bert import BertPooler

    files = packaged_files()
    bert = restored_bert(EncoderWeights.packaged(files.model.path.read_bytes()))
    bert.pooler = BertPooler(bert.config)  # unused, but without it the library says at every load that it lacks one
    for weight in bert.pooler.parameters():
        weight.detach().zero_()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_file(str(files.tokenizer.path)), model_max_length=MAX_TOKENS, **MARKS
    )
    with TemporaryDirectory(prefix="heliograph-") as folder:
        bert.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        modules = [Transformer(folder, max_seq_length=MAX_TOKENS), Pooling(bert.config.hidden_size), Normalize()]
        return SentenceTransformer(modules=modules, device=best_device())
