"""Evidence as LlamaIndex nodes: a node a window, ids of our own, SOURCE, PARENT and CHILD set.

Imports LlamaIndex (1 s): import this module on first use only.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.schema import (
    BaseNode,
    NodeRelationship,
    ObjectType,
    RelatedNodeInfo,
    TextNode,
    TransformComponent,
)
from llama_index.core.schema import Document as PageNode
from pydantic import PrivateAttr

from heliograph.types import Evidence, EvidenceId, PageKey, TableEvidence, TableSegment
from indexers.render import windows

PAGE = "page"
EVIDENCE = "evidence"
WINDOW_MARK = "+"
"""Stands before a window's number in a node id; evidence ids are percent-encoded and hold none."""


def source_of(page: PageKey) -> str:
    """Name a page in whatever state: an update replaces the nodes of the state before."""
    return page.rsplit("@", 1)[0]


def evidence_of(node_id: str) -> EvidenceId:
    """Name the piece that a node is a window of."""
    return EvidenceId(node_id.split(WINDOW_MARK, 1)[0])


def page_node(page: PageKey, pieces: Sequence[Evidence]) -> PageNode:
    """Stand for a page in LlamaIndex's docstore; its hash changes exactly when a node's text or id would."""
    digest = hashlib.sha256(page.encode())
    for piece in pieces:
        for text in windows(piece):
            digest.update(f"\n{piece.id}\n{text}".encode("utf-8", "replace"))
    return PageNode(id_=source_of(page), text=digest.hexdigest(), metadata={PAGE: page})


class EvidenceNodes(TransformComponent):
    """Turn the page nodes of one index into the nodes of their evidence."""

    _pieces: Mapping[str, Sequence[Evidence]] = PrivateAttr()

    def __init__(self, pieces: Mapping[str, Sequence[Evidence]]) -> None:
        super().__init__()
        self._pieces = pieces

    def __call__(self, nodes: Sequence[BaseNode], **_: Any) -> list[BaseNode]:
        """Return the nodes of all pieces, page by page in document order."""
        return [node for page in nodes for piece in self._pieces[page.node_id] for node in _nodes_of(piece, page)]


def _nodes_of(piece: Evidence, page: BaseNode) -> list[TextNode]:
    return [
        TextNode(
            id_=piece.id if number == 1 else f"{piece.id}{WINDOW_MARK}{number}",
            text=text.encode("utf-8", "replace").decode("utf-8"),
            metadata={PAGE: piece.place.page, EVIDENCE: piece.id},
            excluded_embed_metadata_keys=[PAGE, EVIDENCE],
            excluded_llm_metadata_keys=[PAGE, EVIDENCE],
            relationships=_relationships(piece, page),
        )
        for number, text in enumerate(windows(piece), start=1)
    ]


def _relationships(piece: Evidence, page: BaseNode) -> dict[NodeRelationship, Any]:
    parent = piece.table if isinstance(piece, TableSegment) else f"{piece.place.page}#{piece.place.section}"
    related: dict[NodeRelationship, Any] = {
        NodeRelationship.SOURCE: RelatedNodeInfo(node_id=page.node_id, node_type=ObjectType.DOCUMENT),
        NodeRelationship.PARENT: RelatedNodeInfo(node_id=parent, node_type=ObjectType.TEXT),
    }
    if isinstance(piece, TableEvidence) and piece.rows:
        related[NodeRelationship.CHILD] = [
            RelatedNodeInfo(node_id=f"{piece.id}/r{row}", node_type=ObjectType.TEXT)
            for row in range(1, len(piece.rows) + 1)
        ]
    return related
