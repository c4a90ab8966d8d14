"""Whether all of a build is what was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heliograph.errors import ModelMissing, StoreDamaged
from indexers.offline.build import finals_in
from indexers.offline.encodings import FILE, asks_for_centroids, kept_name
from indexers.offline.filesets import NO_ORIGIN, PART, Origin, needed
from indexers.offline.linking import LINKS
from indexers.offline.parsing import SHARDS
from indexers.offline.plan import PLAN, Plan, plan_in
from indexers.offline.proposing import CENTROIDS
from indexers.offline.spool import STAMP, kept_stamp
from indexers.offline.texts import REMEDY

State = Literal["ok", "damaged", "missing"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part, in words; what a build that was stopped has not made yet is missing."""

    state: State
    detail: str

    @property
    def good(self) -> bool:
        """Whether nothing is to be mended or made."""
        return self.state == "ok"


def check(folder: Path) -> Iterator[Finding]:
    """Read every part of a build once: what is searched, which must be there, and the shards that are.

    Raises:
        UsageError: the folder holds no build.
        StoreDamaged: its plan cannot be read.
    """
    plan = plan_in(folder)
    finals = finals_in(folder, plan)
    if asks_for_centroids(folder) and folder / CENTROIDS not in finals:
        finals = (*finals, folder / CENTROIDS)
    wanted = [folder / PLAN, *finals]
    known = {*wanted, folder / SHARDS, folder / LINKS}
    for path in (*wanted, *(path for path in sorted(folder.iterdir()) if path.is_dir() and path not in known)):
        yield _part(folder, path, plan.identity if path in known else NO_ORIGIN)
    done, shards = _finished(folder / SHARDS), len(plan.shards)
    if done < shards and not all(path.exists() for path in finals):
        yield Finding("missing", f"{SHARDS}: {done:,} of {shards:,} are there")
    for path in (*_within(folder / SHARDS), *_within(folder / LINKS)):
        yield _part(folder, path, plan.identity)
    yield from _notes(folder, plan)


def _part(folder: Path, path: Path, origin: Origin) -> Finding:
    name = path.relative_to(folder)
    if path.name.endswith(PART):
        return Finding("ok", f"{name}: was being written when a build was stopped")
    if not path.exists():
        return Finding("missing", f"{name}: is not there: the build was stopped before it, or somebody deleted it")
    try:
        found = needed(path)
        found.verify(origin)
    except StoreDamaged as err:
        return Finding("damaged", str(err))
    return Finding("ok", f"{name}: {len(found.files)} files, {found.size:,} bytes")


def _notes(folder: Path, plan: Plan) -> Iterator[Finding]:
    """Yield what is wrong with the two files beside the parts; a build writes both again."""
    try:
        if plan.identity["encoder"] and (folder / FILE).exists():
            kept_name(folder)
    except ModelMissing:
        yield Finding("damaged", f"{folder / FILE} is damaged: it does not say where the model is; {REMEDY}")
    if (folder / STAMP).exists() and not kept_stamp(folder):
        yield Finding("damaged", f"{folder / STAMP} is damaged: it does not say of which files the pages are; {REMEDY}")


def _within(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _finished(folder: Path) -> int:
    return sum(not path.name.endswith(PART) for path in _within(folder))
