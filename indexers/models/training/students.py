"""What learns to rank: models that score the candidates of a batch of examples, and keep themselves as a folder."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from indexers.models.multi_vector import STEP, token_vectors
from indexers.models.precision import quickened
from indexers.models.pytorch import loaded_torch
from indexers.models.training.development import Figures, Say, measure
from indexers.models.training.examples import Candidate, Example
from indexers.models.training.objective import Judged, Tensor, ranking_loss


class RankingStudent(ABC):
    """A model that ranks the candidates of lists: equation 6 is minimised, nDCG is measured."""

    module: Any

    @abstractmethod
    def judge(self, batch: Sequence[Example]) -> Judged:
        """Score a batch, with gradients."""

    @abstractmethod
    def rank(self, query: str, candidates: Sequence[Candidate]) -> list[float]:
        """Score candidates without gradients."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the model in the form that its library loads."""

    def quicken(self) -> None:
        """Turn the weights to bfloat16."""
        quickened(self.module)

    def rate_of(self, weight: str) -> float:  # noqa: ARG002 - every weight learns alike
        """Return 1: all weights learn at the schedule's rate."""
        return 1.0

    def packed(self, batch: Sequence[Example]) -> Sequence[Example]:
        """Return the batch as it is."""
        return batch

    def loss(self, batch: Sequence[Example]) -> Tensor:
        """Return the loss of equation 6, and of a teacher the distance to it."""
        return ranking_loss(self.judge(batch))

    def measure(self, development: Sequence[Example], say: Say) -> Figures:
        """Rank each list and average."""
        return measure(self.rank, development, say)


class LateInteractionStudent(RankingStudent):
    """MaxSim over the token vectors of a candidate's texts (HELIOS, equation 4); the lists of a batch are one.

    The texts of an edge are encoded apart, and a token of the query takes the closest token of either: every text is
    encoded once for all edges that it is part of, here and in the index.
    """

    def __init__(self, encoder: Any) -> None:
        self.module = encoder

    def judge(self, batch: Sequence[Example]) -> Judged:
        """Compare every query with the candidates of all lists but those elsewhere that answer it too."""
        torch = loaded_torch()
        candidates = [candidate for example in batch for candidate in example.candidates]
        similar = self._similarities([example.query for example in batch], candidates)
        answers = [set(example.positives) for example in batch]
        right = torch.tensor([[candidate in own for candidate in candidates] for own in answers])
        listed = _own(batch)
        teacher, taught = _taught(batch)
        device = similar.device
        return Judged(similar, *(each.to(device) for each in (listed & right, listed | ~right, teacher, taught)))

    def rank(self, query: str, candidates: Sequence[Candidate]) -> list[float]:
        """Return sim(q, e) of equation 4 for each candidate."""
        with loaded_torch().no_grad():
            scores: list[float] = self._similarities([query], candidates)[0].tolist()
        return scores

    def save(self, folder: Path) -> None:
        """Write a folder that MultiVectorEncoder loads."""
        self.module.save(str(folder), create_model_card=False)

    def _similarities(self, queries: Sequence[str], candidates: Sequence[Candidate]) -> Tensor:
        torch = loaded_torch()
        texts = list(dict.fromkeys(text for candidate in candidates for text in candidate))
        place = {text: number for number, text in enumerate(texts)}
        asked = token_vectors(self.module, queries, "query")
        spoken = token_vectors(self.module, texts, "document")
        lengths = torch.tensor([len(vectors) for vectors in spoken])
        tokens = torch.cat(spoken)
        first = [place[candidate[0]] for candidate in candidates]
        last = [place[candidate[-1]] for candidate in candidates]
        rows = []
        for query in asked:
            maxima = torch.segment_reduce(tokens @ query.T, "max", lengths=lengths.to(tokens.device), axis=0)
            rows.append(torch.maximum(maxima[first], maxima[last]).sum(1))
        return torch.stack(rows)


class CrossEncoderStudent(RankingStudent):
    """All-to-all interaction: query and candidate are read together; each query is compared with its own list."""

    def __init__(self, encoder: Any, pairs_at_once: int = 32) -> None:
        self.module = encoder.model
        self._encoder = encoder
        self._pairs_at_once = pairs_at_once

    def judge(self, batch: Sequence[Example]) -> Judged:
        """Score each query's own list."""
        torch = loaded_torch()
        pairs = [(example.query, candidate) for example in batch for candidate in example.candidates]
        scores = self._scores(pairs)
        own = _own(batch)
        positive = torch.zeros_like(own)
        start = 0
        for row, example in enumerate(batch):
            positive[row, start : start + len(example.positives)] = True
            start += len(example.candidates)
        teacher, taught = _taught(batch)
        table = scores.unsqueeze(0).expand(len(batch), -1)
        return Judged(table, *(each.to(scores.device) for each in (positive, own, teacher, taught)))

    def rank(self, query: str, candidates: Sequence[Candidate]) -> list[float]:
        """Return the score of each candidate."""
        with loaded_torch().no_grad():
            scores: list[float] = self._scores([(query, candidate) for candidate in candidates]).tolist()
        return scores

    def save(self, folder: Path) -> None:
        """Write a folder that CrossEncoder loads."""
        self._encoder.save_pretrained(str(folder), create_model_card=False)

    def _scores(self, pairs: Sequence[tuple[str, Candidate]]) -> Tensor:
        torch = loaded_torch()
        order = sorted(range(len(pairs)), key=lambda number: sum(map(len, pairs[number][1])))
        found: list[Any] = [None] * len(pairs)
        for start in range(0, len(order), self._pairs_at_once):
            part = order[start : start + self._pairs_at_once]
            logits = self._logits([pairs[number] for number in part])
            for row, number in enumerate(part):
                found[number] = logits[row]
        return torch.stack(found)

    def _logits(self, pairs: Sequence[tuple[str, Candidate]]) -> Tensor:
        queries, texts = [query for query, _ in pairs], [joined(candidate) for _, candidate in pairs]
        features = self._encoder.tokenizer(
            queries,
            texts,
            truncation="only_second",
            max_length=self._encoder.max_seq_length,
            padding=True,
            pad_to_multiple_of=STEP,
            return_tensors="pt",
        ).to(self.module.device)
        return self.module(**features).logits[:, 0].float()


def joined(candidate: Candidate) -> str:
    """Return a candidate as one text: x of equation 1."""
    return " | ".join(candidate)


def _own(batch: Sequence[Example]) -> Tensor:
    torch = loaded_torch()
    sizes = [len(example.candidates) for example in batch]
    return torch.block_diag(*(torch.ones(1, size) for size in sizes)).bool()


def _taught(batch: Sequence[Example]) -> tuple[Tensor, Tensor]:
    torch = loaded_torch()
    told = [torch.tensor(example.teacher or (0.0,) * len(example.candidates)).unsqueeze(0) for example in batch]
    known = [torch.full((1, len(example.candidates)), float(bool(example.teacher))) for example in batch]
    return torch.block_diag(*told), torch.block_diag(*known).bool()
