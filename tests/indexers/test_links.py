"""Links that leave a piece."""

from heliograph.types import (
    Cell,
    EvidenceId,
    ImageEvidence,
    Link,
    PageKey,
    Place,
    TableEvidence,
    TableSegment,
    TextEvidence,
)
from indexers.links import links_of

PLACE = Place(PageKey("demo:Jupiter@1"), "Jupiter", "s0")
IO, EUROPA = Link("Io", "Io (moon)"), Link("Europa", "Europa (moon)")
NAME = EvidenceId("demo:Jupiter@1#s0/t1")


def test_links_come_in_reading_order_and_a_spanned_copy_adds_none():
    first, second = (Cell("Io", (IO,)), Cell("near")), (Cell("Io", (IO,), spanned=True), Cell("Europa", (EUROPA,)))
    table = TableEvidence(NAME, PLACE, "table", "", ("a", "b"), (first, second))
    assert links_of(table) == (IO, EUROPA)
    assert links_of(TableSegment(NAME, PLACE, NAME, 2, "", ("a", "b"), second)) == (EUROPA,)
    assert links_of(TextEvidence(NAME, PLACE, "paragraph", "…", (EUROPA, IO))) == (EUROPA, IO)
    assert links_of(ImageEvidence(NAME, PLACE, "x.png", "", "")) == ()
