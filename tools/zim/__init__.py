"""ZIM archives: Wikipedia without a network, and snapshots of one's own; the only door to libzim."""

from tools.zim.archive import ZimArchive
from tools.zim.content import Content, Credit, LeftOut, SourceImage, entry_path
from tools.zim.integrity import verify_archive
from tools.zim.relinking import entry_link, rewritten
from tools.zim.shelf import ZimShelf
from tools.zim.snapshot import SnapshotReport, build_snapshot, refuse_present, write_snapshot

__all__ = [
    "Content",
    "Credit",
    "LeftOut",
    "SnapshotReport",
    "SourceImage",
    "ZimArchive",
    "ZimShelf",
    "build_snapshot",
    "entry_link",
    "entry_path",
    "refuse_present",
    "rewritten",
    "verify_archive",
    "write_snapshot",
]
