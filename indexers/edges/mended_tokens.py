"""A token store whose vectors can be made again: it is read once, and what of it is damaged is left out."""

from pathlib import Path

from heliograph.errors import StoreDamaged
from heliograph.storage import storage_error
from indexers.edges.blocks import RECORD, read_blocks, whole_blocks
from indexers.edges.token_store import BLOCKS, FILES, MANIFEST, TokenStore, widths
from indexers.pace import Say


def mended_store(folder: Path, model: str, dimensions: int, say: Say = lambda _: None) -> TokenStore:
    """Open a store after comparing every checksum, about a second a gigabyte; what is not whole is said.

    Vectors before the first damaged ones are kept. The caller has the folder for itself.

    Raises:
        StoreFull | StoreError: the folder cannot be written.
    """
    try:
        _keep_whole(folder, dimensions, say)
        return TokenStore(folder, model, dimensions)
    except StoreDamaged as err:
        say(f"{str(err).partition(';')[0]}; its vectors are made again")
    try:
        for name in (MANIFEST, BLOCKS, *FILES):
            (folder / name).unlink(missing_ok=True)
    except OSError as err:
        raise storage_error(err, folder) from err
    return TokenStore(folder, model, dimensions)


def _keep_whole(folder: Path, dimensions: int, say: Say) -> None:
    """Forget the appends from the first damaged one on; what stands behind the last record is cut off by the next."""
    blocks = read_blocks(folder / BLOCKS, "")
    try:
        whole = whole_blocks(folder, blocks, widths(dimensions))
        if whole == len(blocks):
            return
        kept, lost = (sum(block.nodes for block in some) for some in (blocks[:whole], blocks[whole:]))
        say(f"{folder} was altered or cut short: vectors of {kept:,} lines are kept, those of {lost:,} are made again")
        with (folder / BLOCKS).open("r+b") as file:
            file.truncate(whole * RECORD.itemsize)
    except OSError as err:
        raise storage_error(err, folder) from err
