"""Whether all of a build is what was written."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import StoreDamaged
from indexers.offline.build import finals_in
from indexers.offline.filesets import NO_ORIGIN, PART, needed
from indexers.offline.linking import LINKS
from indexers.offline.parsing import SHARDS
from indexers.offline.plan import PLAN, plan_in


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part, in words."""

    good: bool
    detail: str


def check(folder: Path) -> Iterator[Finding]:
    """Read every part of a build once: what is searched, which must be there, and the shards that are.

    Raises:
        UsageError: the folder holds no build.
        StoreDamaged: its plan cannot be read.
    """
    plan = plan_in(folder)
    wanted = [folder / PLAN, *finals_in(folder, plan)]
    known = {*wanted, folder / SHARDS, folder / LINKS}
    others = [path for path in sorted(folder.iterdir()) if path.is_dir() and path not in known]
    shards = [
        path for name in (SHARDS, LINKS) if (folder / name).is_dir() for path in sorted((folder / name).iterdir())
    ]
    for path in (*wanted, *others, *shards):
        if path.name.endswith(PART):
            yield Finding(True, f"{path.relative_to(folder)}: was being written when a build was stopped")
            continue
        try:
            found = needed(path)
            found.verify(plan.identity if found.origin else NO_ORIGIN)
            yield Finding(True, f"{path.relative_to(folder)}: {len(found.files)} files, {found.size:,} bytes")
        except StoreDamaged as err:
            yield Finding(False, str(err))
