"""What tells one model file from another: a digest of its bytes."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from heliograph.errors import ModelMissing


def fingerprint(files: Iterable[Path]) -> str:
    """Return twelve digits that change with the content of any of the files.

    Raises:
        ModelMissing: a file cannot be read.
    """
    digest = hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as err:
            raise ModelMissing(f"cannot read {path}: {err.strerror}; name an existing model file") from err
    return digest.hexdigest()[:12]
