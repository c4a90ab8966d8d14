"""Whether a file is a whole ZIM archive: by its header, and small ones by their checksum too.

It matters: libzim may read a damaged index for ever. A large archive would take minutes each time; `verify_archive`
is there for whoever doubts one: heliograph doctor --archive PATH.
"""

import hashlib
import struct
from pathlib import Path

from heliograph.errors import ArchiveUnreadable

MAGIC = b"\x5a\x49\x4d\x04"
HEADER_BYTES = 80
CHECKSUM_AT = 72
"""Where the header says at what byte the checksum stands, which is the last thing in the file."""
CHECKSUM_BYTES = 16
CHECKED_BYTES = 64_000_000
"""Archives up to this size are read whole before they are opened: a tenth of a second at most."""
CHUNK_BYTES = 1_000_000
SHOWN_PATH = 200
"""Characters of a path that cannot be read in a message."""


def check_file(path: Path, checked_bytes: int = CHECKED_BYTES) -> None:
    """Accept a file that is as long as its header says, or an archive in pieces (wiki.zimaa, wiki.zimab …).

    Raises:
        ArchiveUnreadable: missing, a folder, not readable, no ZIM archive, cut, or damaged and no longer than
            `checked_bytes`.
    """
    try:
        if path.is_dir():
            hint = f"heliograph snapshot build {path} OUT.zim makes an archive of it"
            raise ArchiveUnreadable(f"{path} is a folder; {hint}")
        if path.is_fifo() or path.is_char_device() or path.is_socket():
            raise ArchiveUnreadable(f"{path} is no file; name an archive as zim:PATH")
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
        size = path.stat().st_size
    except FileNotFoundError as err:
        if _is_in_pieces(path):
            return
        hint = "make demo builds it" if path.name == "demo.zim" else "name an existing one as zim:PATH"
        raise ArchiveUnreadable(f"no archive at {path}; {hint}") from err
    except (OSError, ValueError) as err:
        raise _unreadable(path, err) from err
    _check_header(path, header, size)
    if size <= checked_bytes:
        verify_checksum(path)


def verify_archive(path: Path) -> None:
    """Check a file as `check_file` does, and read it whole however large it is.

    Raises:
        ArchiveUnreadable: what is wrong with it.
    """
    check_file(path, 0)
    verify_checksum(path)


def verify_checksum(path: Path) -> None:
    """Read a whole archive and compare it with the checksum at its end; about 2 s for each GB.

    Raises:
        ArchiveUnreadable: they differ, or the file cannot be read.
    """
    digest = hashlib.md5(usedforsecurity=False)
    try:
        left = path.stat().st_size - CHECKSUM_BYTES
        with path.open("rb") as file:
            while chunk := file.read(min(CHUNK_BYTES, left)):
                digest.update(chunk)
                left -= len(chunk)
            stated = file.read(CHECKSUM_BYTES)
    except OSError as err:
        raise _unreadable(path, err) from err
    if stated != digest.digest():
        raise ArchiveUnreadable(f"{path} is damaged: its content does not fit its checksum; fetch it again")


def _is_in_pieces(path: Path) -> bool:
    try:
        return path.with_name(f"{path.name}aa").is_file()
    except OSError:  # a name with no room for two more letters
        return False


def _unreadable(path: Path, err: OSError | ValueError) -> ArchiveUnreadable:
    """Return what says why a path cannot be read, of a long one its beginning."""
    said = str(path)[:SHOWN_PATH] + "…" * (len(str(path)) > SHOWN_PATH)
    reason = err.strerror if isinstance(err, OSError) else err
    return ArchiveUnreadable(f"cannot read {said}: {reason}; check its name and permissions")


def _check_header(path: Path, header: bytes, size: int) -> None:
    if not header.startswith(MAGIC):
        raise ArchiveUnreadable(f"{path} is not a ZIM archive; heliograph snapshot build makes one of HTML or Markdown")
    if len(header) < HEADER_BYTES:
        raise ArchiveUnreadable(f"{path} is cut: it ends within its header; fetch it again")
    expected = struct.unpack_from("<Q", header, CHECKSUM_AT)[0] + CHECKSUM_BYTES
    if size != expected:
        how = "cut" if size < expected else "too long"
        raise ArchiveUnreadable(f"{path} is {how}: {size:,} bytes where {expected:,} are expected; fetch it again")
