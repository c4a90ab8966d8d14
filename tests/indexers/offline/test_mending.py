"""Whatever is damaged of a build is named by a check and made again by the same command, with the same bytes."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heliograph.errors import ModelMissing, StoreLocked, UsageError
from indexers.lock import WriterLock
from indexers.offline.build import Build
from indexers.offline.checking import check
from indexers.offline.encodings import FILE
from indexers.offline.plan import Settings, Work
from indexers.offline.spool import STAMP
from tests.indexers.edges.worlds import WordEncoder
from tests.indexers.offline.worlds import SKY, MemoryShelf, WordEncoding, build, built, sums

PARTS = (
    "plan/titles.txt",
    "plan/identity.json",
    "passages/lines.txt",
    "passages/words/starts.npy",
    "passages/fileset.json",
    "segments/edges.npy",
    "segments/ids.ends.npy",
    "tokens/store/codes",
    "tokens/store/blocks",
    "centroids/passages.npy",
    "centroids/lists/centroids",
    "centroids/lists/manifest.json",
)
KEPT = ("shards/000001/tables.jsonl", "shards/000001/fileset.json", "links/000000/edges.npy")


class Nobody(WordEncoder):
    """An encoder by the name of a model that is not there."""

    name = "nobody"

    async def encode_documents(self, texts: Sequence[str]) -> tuple[np.ndarray, ...]:
        raise ModelMissing("no model nobody")


class NoEncoding(WordEncoding):
    """The encoding of a mistyped name."""

    def opened(self) -> WordEncoder:
        return Nobody()


def altered(path: Path, kind: str) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    match kind:
        case "altered":
            path.write_bytes(content)
        case "cut":
            path.write_bytes(content[: len(content) // 2])
        case "gone":
            path.unlink()


@pytest.mark.parametrize("kind", ["altered", "cut", "gone"])
@pytest.mark.parametrize("part", PARTS)
def test_what_is_searched_is_mended(tmp_path: Path, part: str, kind: str) -> None:
    out = tmp_path / "sky"
    settings = Settings(2, WordEncoding(), proposals="all")
    work = Work(SKY, out, settings)
    Build(work, lambda _: None).run()
    before = sums(out)
    altered(out / part, kind)
    assert sums(out) != before
    said: list[str] = []
    Build(work, said.append).run()
    assert sums(out) == before
    assert part.startswith("plan") or any("it is made again" in line and str(out) in line for line in said)


OTHER = replace(SKY, html=SKY.html[:3])
REMAINS = ("plan", "passages", "segments", "tokens", "shards", "links")


@pytest.mark.parametrize("left", REMAINS)
@pytest.mark.parametrize(
    ("shelf", "settings", "named"),
    [
        (OTHER, Settings(2, WordEncoding()), "edition"),
        (replace(SKY, wiki="sea"), Settings(2, WordEncoding()), "wiki"),
        (SKY, Settings(3), "encoder, pages a shard"),
    ],
)
def test_a_damaged_plan_is_not_made_again_of_anything_else(
    tmp_path: Path, shelf: MemoryShelf, settings: Settings, named: str, left: str
) -> None:
    out = tmp_path / "sky"
    built(SKY, out, pages_a_shard=2, encoding=WordEncoding())
    altered(out / "plan" / "titles.txt", "gone")
    for name in REMAINS:
        if name != left:
            shutil.rmtree(out / name)
    before = sums(out)
    told = ", ".join(rf"{name} \(.+ there, .+ asked for\)" for name in named.split(", "))
    with pytest.raises(UsageError, match=f"holds a build of another {told}; name another --out, or delete"):
        Build(Work(shelf, out, settings), lambda _: None).run()
    assert sums(out) == before
    built(SKY, out, pages_a_shard=2, encoding=WordEncoding())
    assert all(finding.good for finding in check(out))


def test_a_build_that_made_nothing_does_not_stand_in_anothers_way(tmp_path: Path) -> None:
    out = tmp_path / "sky"
    with pytest.raises(ModelMissing):
        built(SKY, out, encoding=NoEncoding())
    built(SKY, out, encoding=WordEncoding())
    assert all(finding.good for finding in check(out))


@pytest.mark.parametrize("part", ["passages", "segments", "shards/000001", "links/000000"])
def test_a_part_of_another_build_is_named_and_made_again(tmp_path: Path, part: str) -> None:
    out, other = tmp_path / "sky", tmp_path / "other"
    built(SKY, out, pages_a_shard=2)
    built(OTHER, other, pages_a_shard=2)
    before = sums(out)
    shutil.rmtree(out / part)
    shutil.copytree(other / part, out / part)
    (bad,) = (finding.detail for finding in check(out) if not finding.good)
    assert f"{part} is damaged: its fileset.json says that it is of another build" in bad
    altered(out / "segments" / "edges.npy", "gone")
    altered(out / "passages" / "lines.txt", "gone")
    built(SKY, out, pages_a_shard=2)
    assert sums(out) == before


@pytest.mark.parametrize("part", KEPT)
@pytest.mark.parametrize("kind", ["altered", "gone"])
def test_a_damaged_shard_is_named_and_made_again(tmp_path: Path, part: str, kind: str) -> None:
    out = tmp_path / "sky"
    built(SKY, out, pages_a_shard=2)
    before = sums(out)
    altered(out / part, kind)
    bad = [finding.detail for finding in check(out) if not finding.good]
    assert len(bad) == 1
    assert part.rpartition("/")[0] in bad[0]
    built(SKY, out, pages_a_shard=2)
    assert sums(out) == before


@pytest.mark.parametrize("gone", ["shards/000000", "shards/000001", "links/000000"])
@pytest.mark.parametrize("left_out", ["", "shards", "links"])
def test_shards_that_somebody_deleted_are_made_again_where_others_are_kept(
    tmp_path: Path, gone: str, left_out: str
) -> None:
    out = tmp_path / "sky"
    built(SKY, out, pages_a_shard=2)
    before = sums(out)
    shutil.rmtree(out / gone)
    if left_out and not gone.startswith(left_out):
        shutil.rmtree(out / left_out)
    built(SKY, out, pages_a_shard=2)
    after = sums(out)
    assert {name: before[name] for name in after} == after
    assert any(name.startswith(gone) for name in after)


def test_a_whole_build_is_told_part_by_part(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky", pages_a_shard=2)
    (tmp_path / "sky" / "shards" / "000009.part").mkdir()
    found = tuple(check(tmp_path / "sky"))
    assert all(finding.good for finding in found)
    assert [finding.detail.partition(":")[0] for finding in found] == [
        *("plan", "passages", "segments", "shards/000000", "shards/000001", "shards/000009.part"),
        *("links/000000", "links/000001"),
    ]


def test_a_folder_without_a_build_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no graph in"):
        list(check(tmp_path))


def test_a_part_that_is_missing_is_bad(tmp_path: Path) -> None:
    built(SKY, tmp_path / "sky")
    (tmp_path / "sky" / "segments").rename(tmp_path / "segments")
    (bad,) = (finding.detail for finding in check(tmp_path / "sky") if not finding.good)
    assert bad == "segments: is not there: the build was stopped before it, or somebody deleted it"


def test_a_build_that_was_stopped_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    out = tmp_path / "sky"
    built(SKY, out, pages_a_shard=2)
    for name in ("segments", "links", "shards/000001"):
        shutil.rmtree(out / name)
    found = [(finding.state, finding.detail.partition(":")[0]) for finding in check(out)]
    assert found == [
        *(("ok", "plan"), ("ok", "passages"), ("missing", "segments")),
        *(("missing", "shards"), ("ok", "shards/000000")),
    ]
    assert "shards: 1 of 2 are there" in [finding.detail for finding in check(out)]
    altered(out / "passages" / "lines.txt", "altered")
    assert [finding.state for finding in check(out)].count("damaged") == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [(STAMP, "{"), (STAMP, '{"files": 1}'), (FILE, '{"model": null}'), (FILE, "[" * 100_000)],
)
def test_what_stands_beside_the_parts_is_checked_too(tmp_path: Path, name: str, content: str) -> None:
    out = tmp_path / "sky"
    built(SKY, out, encoding=WordEncoding())
    (out / name).write_text(content)
    (bad,) = (finding for finding in check(out) if not finding.good)
    assert (bad.state, f"{name} is damaged: it does not say" in bad.detail) == ("damaged", True)


def test_what_killed_builds_left_is_removed_though_nothing_else_is_to_be_made(tmp_path: Path) -> None:
    out = tmp_path / "sky"
    built(SKY, out, pages_a_shard=2)
    before = sums(out)
    for left in ("pages.fresh.part.part", "segments.part", "shards/000001.part", "links/000000.part"):
        (out / left).mkdir()
        (out / left / "half").write_text("half")
    built(SKY, out, pages_a_shard=2)
    assert sums(out) == before
    assert not list(out.rglob("*.part"))


def test_one_process_builds_at_a_time(tmp_path: Path) -> None:
    with WriterLock(tmp_path / "sky"), pytest.raises(StoreLocked, match="is being written by process"):
        build(SKY, tmp_path / "sky").run()
