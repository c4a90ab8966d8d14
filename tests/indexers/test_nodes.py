"""Evidence as LlamaIndex nodes."""

from llama_index.core.schema import MetadataMode, NodeRelationship

from heliograph.types import EvidenceId, PageKey
from indexers.nodes import EvidenceNodes, evidence_of, page_node, source_of, texts_of
from indexers.pieces import ROWS_A_TABLE, Pieces, in_index, index_for, indexes_of, pieces_of
from indexers.render import render

PAGE = PageKey("demo:Jupiter@1")
TABLE = f"{PAGE}#s1/t1"


def nodes_of(document):
    found = pieces_of(document).pieces
    page = page_node(document.key, texts_of(found))
    return page, {node.node_id: node for node in EvidenceNodes({page.node_id: found})([page])}


def test_every_leaf_and_row_is_a_node_under_its_evidence_id(document):
    _, nodes = nodes_of(document())
    assert list(nodes) == [f"{PAGE}#s0/p1", TABLE, f"{TABLE}/r1", f"{TABLE}/r2", f"{TABLE}/r3", f"{PAGE}#s1/i1"]


def test_a_node_embeds_the_rendered_piece_and_nothing_else(document):
    page = document()
    _, nodes = nodes_of(page)
    for piece in pieces_of(page).pieces:
        assert nodes[piece.id].get_content(MetadataMode.EMBED) == render(piece)
        assert nodes[piece.id].metadata == {"page": PAGE, "evidence": piece.id}


def test_rows_hang_under_their_table_the_table_in_its_section_and_all_in_the_page(document):
    page, nodes = nodes_of(document())
    table, row = nodes[TABLE].relationships, nodes[f"{TABLE}/r2"].relationships
    assert {node.ref_doc_id for node in nodes.values()} == {page.node_id} == {"demo:Jupiter"}
    assert row[NodeRelationship.PARENT].node_id == TABLE
    assert table[NodeRelationship.PARENT].node_id == f"{PAGE}#s1"
    assert [child.node_id for child in table[NodeRelationship.CHILD]] == [f"{TABLE}/r{row}" for row in (1, 2, 3)]
    assert NodeRelationship.CHILD not in row


def test_a_long_piece_has_a_node_a_window_and_each_names_the_piece(document):
    _, nodes = nodes_of(document(paragraphs=["ring. " * 320]))
    piece = f"{PAGE}#s1/p1"
    names = [name for name in nodes if name.startswith(piece)]
    assert names == [piece, f"{piece}+2", f"{piece}+3"]
    assert {evidence_of(name) for name in names} == {piece}
    assert {nodes[name].metadata["evidence"] for name in names} == {piece}


def test_a_page_has_another_hash_exactly_when_a_node_would_change(document):
    def hash_of(page):
        return page_node(page.key, texts_of(pieces_of(page).pieces)).hash

    assert hash_of(document()) == hash_of(document())
    others = [document(revision="2"), document("Saturn"), document(paragraphs=["more"]), document(paragraphs=["less"])]
    assert len({hash_of(page) for page in [document(), *others]}) == 5


def test_a_page_is_one_source_in_all_its_states():
    assert source_of(PageKey("demo:A%40b@12")) == source_of(PageKey("demo:A%40b@13")) == "demo:A%40b"


def test_pieces_are_the_leaves_and_after_each_table_its_rows_up_to_the_cap(document):
    page = document()
    assert pieces_of(page, 1) == Pieces(
        PAGE,
        tuple(
            piece for piece in pieces_of(page, ROWS_A_TABLE).pieces if piece.id not in (f"{TABLE}/r2", f"{TABLE}/r3")
        ),
        (f"{TABLE}: 1 of 3 rows are indexed",),
    )


def test_every_piece_is_in_exactly_one_index_and_every_index_is_asked_once(document):
    pieces = pieces_of(document()).pieces
    for strategy in ("text-only", "textual-visual", "modality-specific"):
        names = indexes_of(strategy)
        held = [piece.id for name in names for piece in in_index(strategy, name, pieces)]
        asked = [index_for(strategy, modality) for modality in ("text", "table", "image")]
        assert sorted(held) == sorted(EvidenceId(piece.id) for piece in pieces)
        assert tuple(name for name in asked if name) == names
