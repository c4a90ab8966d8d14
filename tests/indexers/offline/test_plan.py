"""Pages are cut into shards that hold each page once, in order; an altered plan is named, and made again."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import StoreDamaged
from indexers.offline.filesets import MANIFEST, SEAL
from indexers.offline.plan import PLAN, cut, plan_in
from tests.indexers.offline.worlds import SKY, built, sums


@given(st.integers(0, 2_000), st.integers(1, 300))
def test_shards_are_runs_of_one_length_and_leave_nothing_out(total: int, size: int) -> None:
    shards = cut(total, size)
    assert [place for shard in shards for place in shard] == list(range(total))
    assert all(len(shard) == size for shard in shards[:-1])
    assert all(1 <= len(shard) <= size for shard in shards)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("identity.json", b"{"),
        ("identity.json", b"[" * 1_000),
        ("identity.json", b"\xff"),
        ("titles.ends.npy", b"\x93NUMPY"),
        ("titles.ends.npy", b""),
    ],
)
def test_an_altered_plan_is_named_and_made_again(tmp_path: Path, name: str, content: bytes) -> None:
    out = tmp_path / "sky"
    built(SKY, out, pages_a_shard=2)
    before, size = sums(out), (out / PLAN / name).stat().st_size
    (out / PLAN / name).write_bytes(content[:size].ljust(size))
    with pytest.raises(StoreDamaged, match=r"plan.*; give the command that built it again, it mends what is broken"):
        plan_in(out)
    built(SKY, out, pages_a_shard=2)
    assert sums(out) == before


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("origin", [{}, {"wiki": "sea"}, {"wiki": 10**30}])
def test_a_plan_whose_manifest_is_of_another_build_is_made_again(
    tmp_path: Path, origin: dict[str, object], sealed: bool
) -> None:
    out = tmp_path / "sky"
    built(SKY, out, pages_a_shard=2)
    before, manifest = sums(out), out / PLAN / MANIFEST
    kept = json.loads(manifest.read_text())
    if not sealed:
        del kept[SEAL]
    manifest.write_text(json.dumps({**kept, "origin": origin}))
    built(SKY, out, pages_a_shard=2)
    assert sums(out) == before
