"""ZIM archives: Wikipedia without a network, and snapshots of one's own; the only door to libzim."""

from tools.zim.archive import ZimArchive
from tools.zim.integrity import verify_archive
from tools.zim.snapshot import SnapshotReport, build_snapshot

__all__ = ["SnapshotReport", "ZimArchive", "build_snapshot", "verify_archive"]
