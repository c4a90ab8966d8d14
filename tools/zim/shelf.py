"""An archive as the shelf of an offline build (`indexers.offline.shelf`): a path that travels to other processes."""

from dataclasses import dataclass
from pathlib import Path

from tools.zim.archive import ZimArchive


@dataclass(frozen=True, slots=True)
class ZimShelf:
    """All pages of one archive."""

    path: Path

    def opened(self) -> ZimArchive:
        """Open the archive for this process.

        Raises:
            ArchiveUnreadable: it is missing, cut or damaged.
        """
        archive = ZimArchive(self.path)
        archive.open()
        return archive
