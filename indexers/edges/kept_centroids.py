"""The files of a centroid index: the manifest is replaced last and names them, with a checksum of each.

Lists are kept in parts of ascending nodes. A new part is joined with those before it that are no longer than itself,
so there are few of them, and a node's entries are written again only as often as the index doubles.
"""

import json
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from heliograph.errors import StoreDamaged
from heliograph.protocols import Vectors
from heliograph.storage import MALFORMED, storage_error
from indexers.edges.inverted import InvertedLists

SCHEMA = "heliograph.centroids/1"
MANIFEST, CENTROIDS = "manifest.json", "centroids"
REMEDY = "delete the folder and build the index again"


Fingerprint = Callable[[slice], int]
"""The checksum of which texts some nodes of the store are."""


@dataclass(frozen=True, slots=True)
class Part:
    """Lists of the nodes from `begin` up to `end`: the number of their files, their entries, and two checksums."""

    number: int
    begin: int
    end: int
    fingerprint: int
    entries: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index holds: how many nodes its centroids were trained on, the centroids' shape and checksum, parts."""

    trained: int
    dimensions: int
    centroids: int
    checksum: int
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class CentroidFiles:
    """An opened index: centroids of shape (dimensions, centroids), and its parts in ascending order of nodes."""

    folder: Path
    manifest: Manifest
    centroids: Vectors
    lists: tuple[InvertedLists, ...]

    @classmethod
    def begun(cls, folder: Path, centroids: Vectors, trained: int) -> Self:
        """Write centroids, shape (centroids, dimensions), without any node, in place of what is there."""
        content = np.ascontiguousarray(centroids.T, np.float32)
        manifest = Manifest(trained, content.shape[0], content.shape[1], zlib.crc32(content.tobytes()))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / MANIFEST).unlink(missing_ok=True)
        except OSError as err:
            raise storage_error(err, folder) from err
        _clear(folder, manifest)
        _write(folder / CENTROIDS, content.tobytes())
        _write_manifest(folder, manifest)
        return cls(folder, manifest, content, ())

    @classmethod
    def opened(cls, folder: Path, dimensions: int) -> Self:
        """Map the files, and read each once to compare its checksum.

        Raises:
            StoreDamaged: there is no index of such vectors, or a file is not what was written.
        """
        manifest = _read_manifest(folder)
        if manifest.dimensions != dimensions:
            raise StoreDamaged(f"{folder} is of vectors of {manifest.dimensions} numbers, not {dimensions}; {REMEDY}")
        shape = (manifest.dimensions, manifest.centroids)
        centroids: Vectors = _mapped(folder / CENTROIDS, np.float32, shape)
        if zlib.crc32(centroids.data) != manifest.checksum:
            raise StoreDamaged(f"{folder / CENTROIDS} was altered; {REMEDY}")
        lists = tuple(_opened_part(folder, part, manifest.centroids) for part in manifest.parts)
        return cls(folder, manifest, centroids, lists)

    @property
    def end(self) -> int:
        """How many nodes of the store are covered: those below this number."""
        return self.manifest.parts[-1].end if self.manifest.parts else 0

    def grown(self, lists: InvertedLists, end: int, fingerprint: Fingerprint) -> Self:
        """Write lists of the nodes up to `end`, joined with the parts before them that are no longer."""
        kept, joined, begin = list(zip(self.manifest.parts, self.lists, strict=True)), [lists], self.end
        while kept and len(kept[-1][1]) <= sum(map(len, joined)):
            before = kept.pop()
            begin, joined = before[0].begin, [before[1], *joined]
        whole = InvertedLists.joined(joined) if len(joined) > 1 else lists
        number = 1 + max((part.number for part in self.manifest.parts), default=0)
        part = Part(number, begin, end, fingerprint(slice(begin, end)), len(whole), _checksum(whole))
        offsets, nodes = _paths(self.folder, number)
        _write(offsets, whole.offsets.tobytes())
        _write(nodes, whole.nodes.tobytes())
        manifest = replace(self.manifest, parts=(*(part for part, _ in kept), part))
        _write_manifest(self.folder, manifest)
        _clear(self.folder, manifest)
        opened = (*(lists for _, lists in kept), _opened_part(self.folder, part, self.manifest.centroids))
        return replace(self, manifest=manifest, lists=opened)


def _paths(folder: Path, number: int) -> tuple[Path, Path]:
    return folder / f"{number}.offsets", folder / f"{number}.nodes"


def _clear(folder: Path, manifest: Manifest) -> None:
    """Remove lists that the manifest does not name; a reader that has them open keeps them."""
    named = {path for part in manifest.parts for path in _paths(folder, part.number)}
    for path in (*folder.glob("*.offsets"), *folder.glob("*.nodes")):
        if path not in named:
            path.unlink(missing_ok=True)


def _opened_part(folder: Path, part: Part, centroids: int) -> InvertedLists:
    offsets, nodes = _paths(folder, part.number)
    found = InvertedLists(_mapped(offsets, np.int64, (centroids + 1,)), _mapped(nodes, np.int32, (part.entries,)))
    if _checksum(found) != part.checksum:
        raise StoreDamaged(f"{nodes} or {offsets.name} was altered; {REMEDY}")
    return found


def _checksum(lists: InvertedLists) -> int:
    return zlib.crc32(lists.nodes.data, zlib.crc32(lists.offsets.data))


def _mapped(path: Path, kind: Any, shape: tuple[int, ...]) -> Any:
    if 0 in shape:
        return np.zeros(shape, kind)
    try:
        return np.asarray(np.memmap(path, kind, mode="r", shape=shape))
    except (OSError, ValueError) as err:
        raise StoreDamaged(f"{path} is missing or cut short; {REMEDY}") from err


def _read_manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    try:
        kept = json.loads(path.read_text(encoding="ascii"))
        schema, parts = kept.pop("schema"), tuple(Part(**part) for part in kept.pop("parts"))
        found = Manifest(**kept, parts=parts)
        if not all(type(each) is int for said in (kept, *map(asdict, parts)) for each in said.values()):
            raise ValueError("what is no whole number")
    except (OSError, *MALFORMED) as err:
        raise StoreDamaged(f"{path} cannot be read ({type(err).__name__}); {REMEDY}") from err
    if schema != SCHEMA:
        raise StoreDamaged(f"{folder} is of schema {schema}, not {SCHEMA}; {REMEDY}")
    return found


def _write(path: Path, content: bytes) -> None:
    """Write a new file: whoever has the one of this name mapped keeps what it was."""
    try:
        path.unlink(missing_ok=True)
        path.write_bytes(content)
    except OSError as err:
        raise storage_error(err, path) from err


def _write_manifest(folder: Path, manifest: Manifest) -> None:
    fresh = folder / f"{MANIFEST}.new"
    try:
        fresh.write_text(json.dumps({"schema": SCHEMA, **asdict(manifest)}), encoding="ascii")
        fresh.replace(folder / MANIFEST)
    except OSError as err:
        raise storage_error(err, folder) from err
