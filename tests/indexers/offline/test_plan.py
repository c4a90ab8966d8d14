"""Pages are cut into shards that hold each page once, in order."""

from hypothesis import given
from hypothesis import strategies as st

from indexers.offline.plan import cut


@given(st.integers(0, 2_000), st.integers(1, 300))
def test_shards_are_runs_of_one_length_and_leave_nothing_out(total: int, size: int) -> None:
    shards = cut(total, size)
    assert [place for shard in shards for place in shard] == list(range(total))
    assert all(len(shard) == size for shard in shards[:-1])
    assert all(1 <= len(shard) <= size for shard in shards)
