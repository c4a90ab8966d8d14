"""Evidence as LlamaIndex nodes: a node a window, ids of our own, SOURCE, PARENT and CHILD set.

Imports LlamaIndex (1 s): import this module on first use only.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from llama_index.core.schema import (
    BaseNode,
    ImageNode,
    NodeRelationship,
    ObjectType,
    RelatedNodeInfo,
    TextNode,
    TransformComponent,
)
from llama_index.core.schema import Document as PageNode
from numpy.typing import NDArray
from pydantic import PrivateAttr

from heliograph.types import Evidence, EvidenceId, ImageEvidence, PageKey, TableSegment
from indexers.render import windows

PAGE = "page"
EVIDENCE = "evidence"
WINDOW_MARK = "+"
"""Stands before a window's number in a node id; evidence ids are percent-encoded and hold none."""


Relationships = dict[NodeRelationship, RelatedNodeInfo | list[RelatedNodeInfo]]


def source_of(page: PageKey) -> str:
    """Name a page in whatever state: an update replaces the nodes of the state before."""
    return page.rsplit("@", 1)[0]


def evidence_of(node_id: str) -> EvidenceId:
    """Name the piece that a node is a window of."""
    return EvidenceId(node_id.split(WINDOW_MARK, 1)[0])


def texts_of(pieces: Sequence[Evidence]) -> tuple[tuple[EvidenceId, str], ...]:
    """Return what is embedded of pieces, each text with the piece that it is of."""
    return tuple((piece.id, text) for piece in pieces for text in windows(piece))


def page_node(page: PageKey, texts: Sequence[tuple[EvidenceId, str]]) -> PageNode:
    """Stand for a page in LlamaIndex's docstore; its hash changes exactly when a node's text or id would."""
    digest = hashlib.sha256(page.encode())
    for piece, text in texts:
        digest.update(f"\n{piece}\n{text}".encode("utf-8", "replace"))
    return PageNode(id_=source_of(page), text=digest.hexdigest(), metadata={PAGE: page})


def picture_node(image: ImageEvidence, vector: NDArray[np.float32]) -> ImageNode:
    """Stand for a picture by its vector in the space of an image model."""
    source = RelatedNodeInfo(node_id=source_of(image.place.page), node_type=ObjectType.DOCUMENT)
    return ImageNode(
        id_=image.id,
        embedding=vector.tolist(),
        metadata={PAGE: image.place.page, EVIDENCE: image.id},
        relationships={NodeRelationship.SOURCE: source},
    )


class EvidenceNodes(TransformComponent):
    """Turn the page nodes of one index into the nodes of their evidence."""

    _pieces: Mapping[str, Sequence[Evidence]] = PrivateAttr()

    def __init__(self, pieces: Mapping[str, Sequence[Evidence]]) -> None:
        super().__init__()
        self._pieces = pieces

    def __call__(self, nodes: Sequence[BaseNode], **_: Any) -> list[BaseNode]:
        """Return the nodes of all pieces, page by page in document order."""
        return [node for page in nodes for node in _nodes_of(self._pieces[page.node_id], page)]


def _nodes_of(pieces: Sequence[Evidence], page: BaseNode) -> list[TextNode]:
    rows: dict[EvidenceId, list[RelatedNodeInfo]] = {}
    for piece in pieces:
        if isinstance(piece, TableSegment):
            rows.setdefault(piece.table, []).append(_related(piece.id))
    return [
        _node(piece, number, text, _relationships(piece, page, rows.get(piece.id, [])))
        for piece in pieces
        for number, text in enumerate(windows(piece), start=1)
    ]


def _node(piece: Evidence, number: int, text: str, relationships: Relationships) -> TextNode:
    return TextNode(
        id_=piece.id if number == 1 else f"{piece.id}{WINDOW_MARK}{number}",
        text=text.encode("utf-8", "replace").decode("utf-8"),
        metadata={PAGE: piece.place.page, EVIDENCE: piece.id},
        excluded_embed_metadata_keys=[PAGE, EVIDENCE],
        excluded_llm_metadata_keys=[PAGE, EVIDENCE],
        relationships=relationships,
    )


def _relationships(piece: Evidence, page: BaseNode, children: list[RelatedNodeInfo]) -> Relationships:
    parent = piece.table if isinstance(piece, TableSegment) else f"{piece.place.page}#{piece.place.section}"
    related: Relationships = {
        NodeRelationship.SOURCE: RelatedNodeInfo(node_id=page.node_id, node_type=ObjectType.DOCUMENT),
        NodeRelationship.PARENT: _related(parent),
    }
    return {**related, NodeRelationship.CHILD: children} if children else related


def _related(node_id: str) -> RelatedNodeInfo:
    return RelatedNodeInfo(node_id=node_id, node_type=ObjectType.TEXT)
