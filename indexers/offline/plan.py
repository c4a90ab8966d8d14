"""Which pages a build is made of, and how they are cut into shards; fixed before the first page is read."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heliograph.errors import StoreDamaged, UsageError
from heliograph.storage import MALFORMED
from heliograph.version import VERSION
from indexers.offline.filesets import FileSet, Origin, damaged, needed, opened, origins, writing
from indexers.offline.shelf import Encoding, Shelf, encoder_of, pages_of
from indexers.offline.texts import MappedTexts, write_texts

PLAN = "plan"
PAGES_A_SHARD = 200
Links = Literal["all", "given"]
"""`given`: only links that pages carry, so no index of all titles has to be in memory; `all` also finds links for
tables that carry none."""
Proposals = Literal["words", "all"]
"""What proposes the edges that late interaction compares: `words`, BM25 alone; `all`, token vectors too.
A finished graph can be given their centroids later, so this is not part of what a build is."""
DIGITS = 12
_IDENTITY, _TITLES = "identity.json", "titles"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a build is asked for."""

    pages_a_shard: int = PAGES_A_SHARD
    encoding: Encoding | None = None
    links: Links = "all"
    proposals: Proposals = "words"


@dataclass(frozen=True, slots=True)
class Work:
    """All that a map function needs besides the number of its shard."""

    shelf: Shelf
    out: Path
    settings: Settings


@dataclass(frozen=True, slots=True)
class Plan:
    """The titles of a build, sorted, and the runs of them that are shards."""

    files: FileSet
    identity: Origin
    titles: MappedTexts

    @property
    def shards(self) -> tuple[range, ...]:
        """The places of the titles of each shard."""
        return cut(len(self.titles), int(self.identity["pages_a_shard"]))

    def titles_in(self, shard: int) -> list[str]:
        """Return the titles of a shard."""
        places = self.shards[shard]
        return self.titles[places.start : places.stop]


def cut(total: int, size: int) -> tuple[range, ...]:
    """Cut so many pages into shards of `size`, the last one shorter."""
    return tuple(range(start, min(start + size, total)) for start in range(0, total, size))


def planned(work: Work) -> Plan:
    """Return the plan of a build, made at its beginning and kept.

    One that is damaged is made again; one by which nothing was ever made gives way to another.

    Raises:
        UsageError: the folder holds a build of other pages or settings, or there are no pages.
        StoreFull | StoreError: it cannot be written.
    """
    folder, wanted = work.out / PLAN, _identity(work)
    kept = _kept(folder)
    if kept is None:
        _refuse_another(work.out, wanted, origins(work.out))
    elif kept.identity != wanted and _begun(work.out):
        _refuse_another(work.out, wanted, (kept.identity,))
    if kept is None or not kept.identity == kept.files.origin == wanted:
        titles = sorted(set(asyncio.run(pages_of(work.shelf).titles())))
        if not titles:
            raise UsageError(f"{wanted['wiki']} has no pages; name another SOURCE")
        with writing(folder, wanted) as draft:
            write_texts(draft.path, _TITLES, titles)
            (draft.path / _IDENTITY).write_text(json.dumps(wanted, indent=1), encoding="utf-8")
            draft.counts["pages"] = len(titles)
        kept = _read(needed(folder))
    return kept


def _kept(folder: Path) -> Plan | None:
    """Return the plan that a folder has, None where it is damaged."""
    try:
        found = opened(folder)
        if found is None:
            return None
        found.verify()
        return _read(found)
    except StoreDamaged:
        return None


def _begun(out: Path) -> bool:
    """Tell whether any part but the plan was made."""
    return sum(1 for _ in origins(out)) > 1


def _refuse_another(out: Path, wanted: Origin, found: Iterable[Origin]) -> None:
    for origin in found:
        other = sorted(name for name in {*wanted, *origin} if wanted.get(name) != origin.get(name))
        if other:
            told = ", ".join(
                f"{name.replace('_', ' ')} ({_told(origin, name)} there, {_told(wanted, name)} asked for)"
                for name in other
            )
            raise UsageError(f"{out} holds a build of another {told}; name another --out, or delete that folder")


def _told(origin: Origin, name: str) -> str:
    """Return a value of an origin as a reader knows it; of a sha256 the beginning, as it is enough."""
    return str(origin.get(name) or "none")[: DIGITS if name == "edition" else None]


def plan_in(out: Path) -> Plan:
    """Return the plan that a folder was built by.

    Raises:
        UsageError: the folder holds no build.
        StoreDamaged: the plan cannot be read.
    """
    kept = opened(out / PLAN)
    if kept is None:
        raise UsageError(f"no graph in {out}; build one: heliograph graph build SOURCE --out {out}")
    return _read(kept)


def _read(files: FileSet) -> Plan:
    files.verify_file(_IDENTITY)
    path = files.path(_IDENTITY)
    try:
        identity = dict(json.loads(path.read_text(encoding="utf-8")))
        plan = Plan(files, identity, MappedTexts(files.folder, _TITLES))
        whole = (len(plan.titles) == files.count("pages"), bool(plan.shards), isinstance(identity["encoder"], str))
    except (OSError, *MALFORMED) as err:
        raise damaged(files.folder, f"{_IDENTITY} cannot be read ({type(err).__name__})") from err
    if not all(whole):
        raise damaged(files.folder, "its titles are not as many as it says")
    return plan


def _identity(work: Work) -> Origin:
    """Return what may not change between two runs of one build."""
    pages, encoding = pages_of(work.shelf), work.settings.encoding
    return {
        "wiki": pages.wiki,
        "edition": pages.edition,
        "pages_a_shard": work.settings.pages_a_shard,
        "links": work.settings.links,
        "encoder": "" if encoding is None else encoder_of(encoding).name,
        "heliograph": VERSION,
    }
