"""The file of a pool, open to be added to."""

from contextlib import ExitStack
from pathlib import Path

from eval.omgqa.elsewhere import A_COPY
from eval.omgqa.judging.growing import GrowingLines, open_growing

BEGINNING = b'{"question": '
"""How every line of a pool begins."""


def open_pool(path: Path, stack: ExitStack) -> GrowingLines:
    """Open a pool, and so its folder, for this process alone; a last line that a kill cut short is dropped.

    Raises:
        UsageError: the file ends in something else.
        StoreLocked: another process writes the folder.
        StoreFull | StoreError: it cannot be written.
    """
    return open_growing(path, BEGINNING, stack, A_COPY, path.parent)
