"""Large payloads beside the trace, each under the SHA-256 of its content."""

import zlib
from hashlib import sha256
from pathlib import Path

from heliograph.errors import StoreDamaged
from heliograph.storage import storage_error
from memory.trace.disk import write_whole


def address(data: bytes) -> str:
    """Return the name of a blob without storing it."""
    return sha256(data).hexdigest()


class BlobStore:
    """Compressed, content-addressed files in one folder; the same content is stored once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Keep `data` and return its address.

        Raises:
            StoreFull: no space left.
        """
        name = address(data)
        path = self.folder / name
        if not path.exists():
            self._make_folder()
            write_whole(path, zlib.compress(data, level=1))
        return name

    def get(self, name: str) -> bytes:
        """Return the content under an address.

        Raises:
            StoreDamaged: the blob is missing, or its content is not what its name promises.
        """
        path = self.folder / name
        try:
            data = zlib.decompress(path.read_bytes())
        except OSError as err:
            raise StoreDamaged(f"blob {name} is missing from {self.folder}; the run cannot be replayed") from err
        except zlib.error as err:
            raise StoreDamaged(f"blob {path} does not decompress; the run cannot be replayed") from err
        if address(data) != name:
            raise StoreDamaged(f"blob {path} holds other content than its name says; the run cannot be replayed")
        return data

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as err:
            raise storage_error(err, self.folder) from err
