import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memory.housekeeping
from heliograph.errors import StoreLocked, UsageError
from heliograph.types import Page
from indexers.lock import WriterLock
from memory.housekeeping import purge, render_sizes
from memory.pages import FilePageStore

NOON = 1_767_268_800.0
"""2026-01-01T12:00:00 UTC."""
KEPT = (
    "heliograph.toml",
    "pages.old/a.z",
    "pages-backup",
    "runs2/r/trace.jsonl",
    "indexes.bak/x",
    "embeddings.sqlite.bak",
    "my-embeddings.sqlite",
)
PARTS = {
    "indexes": (
        "indexes/chroma/data.bin",
        "embeddings.sqlite",
        "embeddings.sqlite-wal",
        "alignments.sqlite",
        "tokens/model/codes",
    ),
    "pages": ("pages/pages.sqlite", "pages/ab/abc.z"),
    "runs": ("runs/20260101T110000000-aaaaaa/trace.jsonl",),
    "eval": ("eval/ott/abc.jsonl", "eval/ott/tokens/model/codes"),
}
TOLD_ALONE = {
    "memory": ("episodes.sqlite", "episodes.sqlite-journal"),
    "chats": ("conversations.sqlite", "chat_history"),
    "sessions": ("sessions.sqlite",),
    "demo": ("demo.zim",),
    "models": ("capabilities.json",),
}
"""Parts whose size is told and that no option of purge removes."""
INSIDE_A_PART = {"pages.sqlite", "checkpoints.sqlite", "documents.sqlite", "vectors.sqlite"}
OUTSIDE = {"texts.sqlite", "chunks.sqlite", "entities.sqlite"}
"""Of a knowledge base, which stands where whoever built it put it."""


STAYING = (*KEPT, *(name for names in TOLD_ALONE.values() for name in names))


def fill(home: Path) -> None:
    """Write ten bytes to every file of every part, and to files that only look alike."""
    for name in (*STAYING, *(name for names in PARTS.values() for name in names)):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(b"0123456789")


def files(home: Path) -> set[str]:
    found = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}
    return {name for name in found if not name.endswith(("writer.lock", "writer.pid"))}


@settings(max_examples=8, deadline=None)
@given(chosen=st.sets(st.sampled_from(sorted(PARTS)), min_size=1))
def test_purge_removes_exactly_what_it_names(tmp_path_factory: pytest.TempPathFactory, chosen: set[str]) -> None:
    home = tmp_path_factory.mktemp("home")
    fill(home)
    said = purge(
        home,
        indexes="indexes" in chosen,
        pages="pages" in chosen,
        runs="runs" in chosen,
        measurements="eval" in chosen,
    )
    gone = {name for part in chosen for name in PARTS[part]}
    assert files(home) == {*STAYING, *(name for names in PARTS.values() for name in names)} - gone
    assert said == f"removed {', '.join(part for part in PARTS if part in chosen)}: {10 * len(gone)} bytes"


def test_measurements_in_use_are_not_removed(tmp_path: Path) -> None:
    fill(tmp_path)
    before = files(tmp_path)
    with WriterLock(tmp_path / "eval" / "ott" / "tokens" / "model"), pytest.raises(StoreLocked):
        purge(tmp_path, indexes=False, pages=False, runs=False, measurements=True)
    assert files(tmp_path) == before


def test_sizes_are_told_part_by_part(tmp_path: Path) -> None:
    fill(tmp_path)
    assert render_sizes(tmp_path).splitlines() == [
        f"indexes  {50:>15} bytes",
        f"pages    {20:>15} bytes",
        f"runs     {10:>15} bytes",
        f"eval     {20:>15} bytes",
        f"memory   {20:>15} bytes",
        f"chats    {20:>15} bytes",
        f"sessions {10:>15} bytes",
        f"demo     {10:>15} bytes",
        f"models   {10:>15} bytes",
        f"all      {170:>15} bytes in {tmp_path}",
    ]


def test_every_database_that_the_code_names_is_in_some_part() -> None:
    root = Path(memory.housekeeping.__file__).parents[1]
    folders = ("heliograph", "agent", "indexers", "memory", "tools", "web", "eval")
    code = "".join(path.read_text(encoding="utf8") for folder in folders for path in (root / folder).rglob("*.py"))
    named = set(re.findall(r'"([\w-]+\.sqlite)"', code))
    listed = {name for names in memory.housekeeping.PARTS.values() for name in names}
    assert named - INSIDE_A_PART - OUTSIDE == {name for name in listed if name.endswith(".sqlite")}


def test_a_home_that_is_not_there_takes_nothing_and_is_not_made(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert purge(home, indexes=True, pages=True, runs=True) == "removed indexes, pages, runs: 0 bytes"
    assert purge(home, indexes=False, pages=True, runs=False, to_bytes=5) == "removed pages: 0 bytes"
    assert render_sizes(home).endswith(f"all                    0 bytes in {home}")
    assert not home.exists()


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({}, "nothing is chosen; add --indexes, --pages, --runs or --eval"),
        ({"runs": True, "to_bytes": 1}, "--to-bytes is for pages; add --pages"),
        ({"pages": True, "older_than": 1.0}, "--older-than is for runs; add --runs"),
        ({"pages": True, "to_bytes": -1}, "--to-bytes cannot be negative; 0 removes all pages"),
    ],
)
def test_a_choice_that_means_nothing_is_refused_and_removes_nothing(tmp_path: Path, choice, message) -> None:
    fill(tmp_path)
    before = files(tmp_path)
    with pytest.raises(UsageError) as caught:
        purge(tmp_path, **{"indexes": False, "pages": False, "runs": False, **choice})
    assert (str(caught.value), files(tmp_path)) == (message, before)


def test_pages_can_be_cut_down_to_a_size(tmp_path: Path) -> None:
    store = FilePageStore(tmp_path / "pages")
    for title in ("A", "B"):
        store.put(Page("w", title, "1", "u", title * 50, "t"), "e", title)
    before = store.size()
    said = purge(tmp_path, indexes=False, pages=True, runs=False, to_bytes=before - 1)
    assert (store.find("w", "e", "A"), store.size() <= before - 1) == (None, True)
    assert said == f"removed pages: {before - store.size()} bytes"


def test_runs_older_than_some_days_go_by_the_time_in_their_names(tmp_path: Path) -> None:
    names = ("20251229T115959000-aaaaaa", "20251229T120001000-bbbbbb", "20260101T110000000-cccccc")
    for name in names:
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "trace.jsonl").write_bytes(b"0123456789")
    said = purge(tmp_path, indexes=False, pages=False, runs=True, older_than=3, now=lambda: NOON)
    assert said == "removed runs: 10 bytes"
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == list(names[1:])


def test_a_run_of_another_name_is_as_old_as_its_last_change(tmp_path: Path) -> None:
    for name in ("mine", "20269999T999999000-aaaaaa"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    assert purge(tmp_path, indexes=False, pages=False, runs=True, older_than=1) == "removed runs: 0 bytes"
    assert len(list((tmp_path / "runs").iterdir())) == 2


@pytest.mark.parametrize(
    "choice",
    [
        {"indexes": True},
        {"pages": True},
        {"pages": True, "to_bytes": 0},
        {"runs": True},
        {"runs": True, "older_than": 0.0},
        {"measurements": True},
        dict.fromkeys(("indexes", "pages", "runs", "measurements"), True),
    ],
)
def test_nothing_is_removed_while_another_process_works_in_the_home_folder(tmp_path: Path, choice) -> None:
    fill(tmp_path)
    before = files(tmp_path)
    with WriterLock(tmp_path), pytest.raises(StoreLocked):
        purge(tmp_path, **{"indexes": False, "pages": False, "runs": False, **choice})
    assert files(tmp_path) == before


def test_a_linked_folder_is_emptied_and_its_link_stays(tmp_path: Path) -> None:
    elsewhere, home = tmp_path / "elsewhere", tmp_path / "home"
    (elsewhere / "ab").mkdir(parents=True)
    (elsewhere / "ab" / "abc.z").write_bytes(b"0123456789")
    home.mkdir()
    (home / "pages").symlink_to(elsewhere)
    assert purge(home, indexes=False, pages=True, runs=False) == "removed pages: 10 bytes"
    assert ((home / "pages").is_symlink(), list(elsewhere.iterdir())) == (True, [])
