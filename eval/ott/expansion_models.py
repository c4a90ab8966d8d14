"""The models that node expansion may be given: g_n, and f_{S→P} with f_{P→S} (HELIOS, section 4.2)."""

from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from heliograph.protocols import PairScorer, TokenEncoder
from indexers.models.kinds import LATE_INTERACTION, is_of
from indexers.models.named import refuse_missing_extra
from indexers.models.onnx_tokens import OnnxTokenEncoder
from indexers.models.rerankers import cross_encoder
from indexers.models.retrievers import token_encoder
from indexers.models.training.loop import BEST

PASSAGES, SEGMENTS = "passages", "segments"
"""Folders of the two retrievers of expanded queries, named by what they find."""
NODE_RERANKER, EXPANSION_RETRIEVERS = "--node-reranker", "--expansion-retrievers"
TRAIN = "make both: heliograph train expansion-retrievers"


@dataclass(frozen=True, slots=True)
class ExpansionRetrievers:
    """f_{S→P}, which finds passages for an expanded query, and f_{P→S}, which finds table segments."""

    passages: TokenEncoder
    segments: TokenEncoder

    @property
    def name(self) -> str:
        """The names of both, in this order."""
        return f"{self.passages.name} {self.segments.name}"


def node_reranker(name: str) -> PairScorer:
    """Return g_n.

    Raises:
        ModelMissing: it is not there.
    """
    return cross_encoder(name, NODE_RERANKER, "node-reranker")


def expansion_retrievers(folder: str) -> ExpansionRetrievers:
    """Return the two models of a folder that `heliograph train expansion-retrievers` wrote, or of their exported forms.

    Raises:
        ModelMissing: one is not there.
    """
    home = expanded(folder)
    found = ExpansionRetrievers(_retriever(home, PASSAGES), _retriever(home, SEGMENTS))
    if not all(isinstance(each, OnnxTokenEncoder) for each in (found.passages, found.segments)):
        refuse_missing_extra(EXPANSION_RETRIEVERS)
    return found


def _retriever(home: Path, side: str) -> TokenEncoder:
    """Return the model in SIDE/model, where training leaves it, or in SIDE itself, where it was exported to."""
    found = next((folder for folder in (home / side / BEST, home / side) if folder.is_dir()), None)
    if found is None:
        raise ModelMissing(f"no folder {home / side}; correct {EXPANSION_RETRIEVERS}, or {TRAIN}")
    encoder = token_encoder(str(found), EXPANSION_RETRIEVERS, TRAIN)
    if not isinstance(encoder, OnnxTokenEncoder) and not is_of(found, LATE_INTERACTION):
        raise ModelMissing(f"{found} holds no late-interaction model; correct {EXPANSION_RETRIEVERS}, or {TRAIN}")
    return encoder
