"""Folders of files that appear whole or not at all: written beside their name, summed, and renamed."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from heliograph.errors import StoreDamaged
from heliograph.storage import MALFORMED, storage_error
from indexers.pace import Say

SCHEMA = "heliograph.graph/2"
MANIFEST = "fileset.json"
SEAL = "sha256"
"""What of a manifest is the checksum of the rest; those of earlier builds have none."""
PART = ".part"
"""Ending of a folder that is being written."""

Origin = Mapping[str, str | int]
"""What a build is made of, its source and its settings by name; empty for what belongs to no build."""
NO_ORIGIN: Origin = {}


@dataclass(frozen=True, slots=True)
class Sum:
    """The size of a file in bytes, and its sha256."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class FileSet:
    """A finished folder: its files by their paths in it, what was counted when it was written, and of which build."""

    folder: Path
    files: Mapping[str, Sum]
    counts: Mapping[str, int]
    origin: Origin = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(each.size for each in self.files.values())

    def path(self, name: str) -> Path:
        """Return where a file is."""
        return self.folder / name

    def verify(self, origin: Origin = NO_ORIGIN) -> None:
        """Read everything once, as a part of a build where its origin is given.

        Raises:
            StoreDamaged: a file is not what was written; it is named. Or the whole is of another build.
        """
        if origin and origin != self.origin:
            raise damaged(self.folder, f"its {MANIFEST} says that it is of another build")
        for name in self.files:
            self.verify_file(name)

    def verify_file(self, name: str) -> None:
        """Read one file; raises StoreDamaged as `verify` does."""
        if _sum(self.path(name)) != self.files.get(name):
            raise damaged(self.folder, f"{name} was altered")

    def count(self, name: str) -> int:
        """Return what was counted under a name.

        Raises:
            StoreDamaged: nothing was.
        """
        if name not in self.counts:
            raise damaged(self.folder, f"its {MANIFEST} does not count {name}")
        return self.counts[name]


@dataclass(slots=True)
class Draft:
    """A folder in the making; `counts` go into its manifest."""

    path: Path
    origin: Origin = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


@contextmanager
def writing(folder: Path, origin: Origin = NO_ORIGIN) -> Iterator[Draft]:
    """Give an empty folder that takes the place of `folder` when it is left without an error.

    `origin` is that of the build it is a part of.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    part = folder.with_name(folder.name + PART)
    draft = Draft(part, origin)
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        yield draft
        _write_manifest(draft)
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    except OSError as err:
        raise storage_error(err, folder) from err


def opened(folder: Path) -> FileSet | None:
    """Return the file set of a folder; None where none was finished.

    Raises:
        StoreDamaged: its manifest cannot be read, or a file is missing or of another size.
    """
    if not folder.exists():
        return None
    try:
        kept = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if kept.pop(SEAL, None) not in (None, _seal(kept)):
            raise damaged(folder, f"{MANIFEST} was altered")
        files = {name: Sum(int(size), str(digest)) for name, (size, digest) in kept["files"].items()}
        counts = {name: int(count) for name, count in kept["counts"].items()}
        if kept["schema"] != SCHEMA:
            raise damaged(folder, f"it is of schema {kept['schema']}, not {SCHEMA}")
        found = FileSet(folder, files, counts, dict(kept["origin"]))
        sizes = {name: found.path(name).stat().st_size for name in files}
    except FileNotFoundError as err:
        raise damaged(folder, f"{os.path.relpath(err.filename, folder)} is missing") from err
    except (OSError, *MALFORMED) as err:
        raise damaged(folder, f"{MANIFEST} cannot be read ({type(err).__name__})") from err
    for name, wanted in files.items():
        if sizes[name] != wanted.size:
            raise damaged(folder, f"{name} has {sizes[name]:,} bytes where {wanted.size:,} are expected")
    return found


def origins(folder: Path) -> Iterator[Origin]:
    """Yield of which builds the parts in a folder say that they are, damaged ones too where that can be read."""
    for path in sorted(folder.rglob(MANIFEST)):
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            sealed, said = kept.pop(SEAL, None) in (None, _seal(kept)), dict(kept["origin"])
        except (OSError, *MALFORMED):
            continue
        if said and sealed:
            yield said


def needed(folder: Path) -> FileSet:
    """Return the file set of a folder that must be there; raises StoreDamaged as `opened` does."""
    found = opened(folder)
    if found is None:
        raise damaged(folder, "it is missing")
    return found


def whole(folder: Path, say: Say, origin: Origin = NO_ORIGIN) -> bool:
    """Read a file set once, and tell whether it is there as it was written; that it is damaged is said.

    It is read as a part of a build where its `origin` is given.
    """
    try:
        found = opened(folder)
        if found is not None:
            found.verify(origin)
    except StoreDamaged as err:
        say(f"{str(err).partition(';')[0]}; it is made again")
        return False
    return found is not None


def sweep(*folders: Path) -> None:
    """Remove what killed processes were writing in some folders, whose writer this one is."""
    for folder in folders:
        for part in folder.glob(f"*{PART}"):
            shutil.rmtree(part, ignore_errors=True)


def damaged(folder: Path, fault: str) -> StoreDamaged:
    """Return the error of a part of a graph, with what mends it."""
    return StoreDamaged(f"{folder} is damaged: {fault}; give the command that built it again, it mends what is broken")


def _write_manifest(draft: Draft) -> None:
    paths = sorted(path for path in draft.path.rglob("*") if path.is_file())
    sums = {path.relative_to(draft.path).as_posix(): _sum(path) for path in paths}
    files = {name: [each.size, each.sha256] for name, each in sums.items()}
    counts, origin = (dict(sorted(each.items())) for each in (draft.counts, draft.origin))
    kept = {"schema": SCHEMA, "origin": origin, "counts": counts, "files": files}
    (draft.path / MANIFEST).write_text(json.dumps({**kept, SEAL: _seal(kept)}, indent=1), encoding="utf-8")


def _seal(kept: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def _sum(path: Path) -> Sum:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return Sum(file.tell(), digest)
    except OSError as err:
        raise damaged(path.parent, f"{path.name} cannot be read ({err.strerror})") from err
