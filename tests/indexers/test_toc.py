"""The table of contents reads as OMG-QA's Figure 2 and leads back to its nodes."""

import pytest

from heliograph.errors import UnknownName
from heliograph.types import Document, ImageEvidence, Page, Section, TableEvidence
from indexers.parser import parse_page
from indexers.toc import node_at, nodes, table_of_contents

HTML = """<p>Lead.</p><figure><img src="w.jpg"><figcaption>The whole tower</figcaption></figure>
<h2>Background</h2><p>One.</p><p>Two.</p>
<h3>Party tickets</h3><table><caption>2020 ticket</caption><tr><th>Name<th>Post<tr><td>A<td>B</table>
<figure><img src="p.jpg"><figcaption>A poll worker</figcaption></figure><img src="bare.jpg">
<h2>Campaign</h2><h4>Debates</h4><table><tr><th>Day<th>Place<tr><td>1<td>2</table><table><tr><td>1<td>2</table>"""

CONTENTS = """- [image] The whole tower [2]
- Background [3]
 - Party tickets [6]
  - [table] 2020 ticket [7]
  - [image] A poll worker [8]
- Campaign [10]
 - Debates [11]
  - [table] Day, Place [12]"""


@pytest.fixture(scope="module")
def document() -> Document:
    return parse_page(Page("w", "Election", "7", "", HTML, ""))


def test_sections_tables_and_images_share_one_numbering(document):
    assert table_of_contents(document) == CONTENTS


def test_the_generative_retriever_sees_sections_only(document):
    assert table_of_contents(document, listed=()) == (
        "- Background [3]\n - Party tickets [6]\n- Campaign [10]\n - Debates [11]"
    )


def test_tables_can_be_listed_without_images(document):
    assert "[image]" not in table_of_contents(document, listed=("table",))
    assert "- [table] 2020 ticket [7]" in table_of_contents(document, listed=("table",))


def test_every_number_leads_back_to_its_node(document):
    assert node_at(document, 0) == Section("s0", "Election", 1, None)
    assert node_at(document, 6) == Section("s2", "Party tickets", 3, "s1")
    assert isinstance(node_at(document, 7), TableEvidence)
    assert isinstance(node_at(document, 9), ImageEvidence)
    assert tuple(node_at(document, number) for number in range(14)) == nodes(document)
    assert {node.id for node in nodes(document)} == {x.id for x in (*document.sections, *document.leaves)}


@pytest.mark.parametrize("number", [-1, 14])
def test_a_number_outside_the_contents_is_refused(document, number):
    with pytest.raises(UnknownName) as error:
        node_at(document, number)
    assert str(error.value) == f'no node {number} in "Election"; its nodes are 0 to 13'
