"""Entity recognition and linking of table cells (HELIOS, section 4.1: early fusion)."""

from indexers.linking.given import given_links
from indexers.linking.linker import MOST, THRESHOLD, CellLink, Linker
from indexers.linking.segments import SegmentLinker
from indexers.linking.titles import TitleIndex

__all__ = ["MOST", "THRESHOLD", "CellLink", "Linker", "SegmentLinker", "TitleIndex", "given_links"]
