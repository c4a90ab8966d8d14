"""Documents as OMG-QA keeps them: the parser's tree with the node numbers of Figure 2, and what a judge is shown."""

from agent.language.framing import words_of
from eval.omgqa.records import OmgDocument, OmgLeaf
from heliograph.types import Document, Section, modality_of
from indexers.toc import nodes


def omg_document(document: Document) -> OmgDocument:
    """Number the leaves of a parsed page by their places among all nodes, the lead being 0."""
    leaves = tuple(
        OmgLeaf(number, node.id, node.place.section, modality_of(node), words_of(node))
        for number, node in enumerate(nodes(document))
        if not isinstance(node, Section)
    )
    return OmgDocument(document.key, document.title, document.sections, leaves)
