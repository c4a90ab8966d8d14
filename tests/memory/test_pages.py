import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from heliograph.errors import StoreDamaged, StoreError, StoreFull, StoreLocked, UnknownName
from heliograph.types import Page, PageKey
from memory.pages import FilePageStore

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


def page(title: str = "Mars", html: str = "<p>The red planet</p>", revision: str = "1", wiki: str = "w") -> Page:
    return Page(wiki, title, revision, f"https://example.org/{title}", html, "2026-01-02T03:04:05+00:00", "CC0", "us")


def noise(number: int, length: int = 400) -> str:
    """Text that compression cannot make small."""
    return "".join(chr(0x4E00 + (number * 7919 + place * place * 104729) % 20000) for place in range(length))


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.z"))


@pytest.fixture
def store(tmp_path: Path) -> FilePageStore:
    return FilePageStore(tmp_path / "pages")


def test_a_page_comes_back_under_its_key_its_title_and_the_title_it_was_asked_by(store: FilePageStore) -> None:
    mars = page()
    key = store.put(mars, "e1", "Red Planet")
    assert key == "w:Mars@1"
    assert [store.get(key), store.find("w", "e1", "Mars"), store.find("w", "e1", "Red Planet")] == [mars] * 3


def test_another_wiki_edition_or_title_finds_nothing(store: FilePageStore) -> None:
    store.put(page(), "e1", "Mars")
    assert [store.find("v", "e1", "Mars"), store.find("w", "e2", "Mars"), store.find("w", "e1", "mars")] == [None] * 3


def test_an_unknown_key_is_named_with_the_next_step(store: FilePageStore) -> None:
    with pytest.raises(UnknownName, match=r"w:Venus@1 is kept; ask a question"):
        store.get(PageKey("w:Venus@1"))


def test_putting_a_page_again_changes_nothing(store: FilePageStore, tmp_path: Path) -> None:
    store.put(page(), "e1", "Mars")
    before = store.size(), files(tmp_path)
    store.put(page(), "e1", "Mars")
    assert (store.size(), files(tmp_path)) == before


def test_a_page_in_another_state_leaves_nothing_of_the_old_one(store: FilePageStore, tmp_path: Path) -> None:
    store.put(page(html=noise(1)), "e1", "Mars")
    key = store.put(page(html="short"), "e2", "Mars")
    assert store.get(key).html == "short"
    assert [sum(file.stat().st_size for file in files(tmp_path)), len(files(tmp_path))] == [store.size(), 1]


def test_equal_texts_are_kept_once_and_go_with_the_last_page_that_has_them(
    store: FilePageStore, tmp_path: Path
) -> None:
    store.put(page("A"), "e", "A")
    alone = store.size()
    store.put(page("B"), "e", "B")
    assert (store.size(), len(files(tmp_path))) == (alone, 1)
    store.put(page("A", html="other"), "e", "A")
    assert (store.find("w", "e", "B"), len(files(tmp_path))) == (page("B"), 2)
    store.put(page("B", html="other"), "e", "B")
    assert (store.find("w", "e", "B"), len(files(tmp_path))) == (page("B", html="other"), 1)


def test_the_page_used_longest_ago_goes_first(tmp_path: Path) -> None:
    store = FilePageStore(tmp_path)
    for title, number in (("A", 1), ("B", 2), ("C", 3)):
        store.put(page(title, noise(number)), "e", title)
    store.find("w", "e", "A")
    freed = store.purge(store.size() - 1)
    kept = [title for title in "ABC" if store.find("w", "e", title)]
    assert (kept, freed > 0) == (["A", "C"], True)


def test_purge_says_exactly_what_it_freed(store: FilePageStore, tmp_path: Path) -> None:
    for number in range(6):
        store.put(page(f"P{number}", noise(number // 2)), "e", f"P{number}")
    before = sum(file.stat().st_size for file in files(tmp_path))
    freed = store.purge(before // 2)
    assert before - freed == sum(file.stat().st_size for file in files(tmp_path)) == store.size() <= before // 2
    assert [store.purge(0), store.size(), files(tmp_path)] == [before - freed, 0, []]


def test_a_page_larger_than_the_store_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    store = FilePageStore(tmp_path, max_bytes=500)
    store.put(page(), "e", "Mars")
    with pytest.raises(StoreFull, match=r"page 'Big' alone is larger than the page store may be; raise store_bytes"):
        store.put(page("Big", noise(1, 1000)), "e", "Big")
    assert store.find("w", "e", "Mars") == page()


@pytest.mark.parametrize("harm", ["missing", "empty", "cut", "flipped", "of another page"])
def test_a_damaged_page_is_an_error_by_key_and_is_read_again_by_title(
    store: FilePageStore, tmp_path: Path, harm: str
) -> None:
    key = store.put(page(), "e", "Mars")
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    store.put(page("Venus", "<p>other</p>"), "e", "Venus")
    (other,) = [found for found in files(tmp_path) if found != file]
    match harm:
        case "missing":
            file.unlink()
        case "empty":
            file.write_bytes(b"")
        case "cut":
            file.write_bytes(whole[:-3])
        case "flipped":
            file.write_bytes(bytes([*whole[:-1], whole[-1] ^ 1]))
        case _:
            file.write_bytes(other.read_bytes())
    with pytest.raises(StoreDamaged, match="heliograph store purge --pages"):
        store.get(key)
    assert store.find("w", "e", "Mars") is None
    store.put(page(), "e", "Mars")
    assert (store.find("w", "e", "Mars"), store.get(key), file.read_bytes()) == (page(), page(), whole)


def test_putting_a_page_mends_its_damaged_file(store: FilePageStore, tmp_path: Path) -> None:
    key = store.put(page(), "e", "Mars")
    files(tmp_path)[0].write_bytes(b"rubbish")
    store.put(page(), "e", "Mars")
    assert store.get(key) == page()


@pytest.mark.parametrize("content", [b"rubbish " * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_index_is_named_with_the_remedy(store: FilePageStore, tmp_path: Path, content: bytes) -> None:
    store.put(page(), "e", "Mars")
    (tmp_path / "pages" / "pages.sqlite").write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"pages\.sqlite cannot be read .* heliograph store purge --pages"):
        store.find("w", "e", "Mars")


def test_an_index_of_another_make_is_damaged_and_not_full(tmp_path: Path) -> None:
    index = sqlite3.connect(tmp_path / "pages.sqlite")
    index.execute("CREATE TABLE pages (something INTEGER)")
    index.close()
    with pytest.raises(StoreDamaged):
        FilePageStore(tmp_path).put(page(), "e", "Mars")


def test_an_index_that_another_process_writes_is_locked_and_not_full(tmp_path: Path) -> None:
    store = FilePageStore(tmp_path, wait_seconds=0.05)
    store.put(page(), "e", "Mars")
    other = sqlite3.connect(tmp_path / "pages.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(StoreLocked, match=r"is being written by another process; try again"):
            store.put(page("Venus"), "e", "Venus")
    finally:
        other.close()
    assert store.find("w", "e", "Mars") == page()


def test_a_folder_that_cannot_be_made_is_neither_full_nor_damaged(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot write") as caught:
        FilePageStore(tmp_path / "file" / "pages").put(page(), "e", "Mars")
    assert type(caught.value) is StoreError


def test_an_index_that_is_a_folder_cannot_be_opened_and_is_not_full(tmp_path: Path) -> None:
    (tmp_path / "pages.sqlite").mkdir()
    with pytest.raises(StoreError, match="check its permissions") as caught:
        FilePageStore(tmp_path).find("w", "e", "Mars")
    assert type(caught.value) is StoreError


def test_a_store_whose_folder_was_removed_begins_anew(store: FilePageStore, tmp_path: Path) -> None:
    store.put(page(), "e", "Mars")
    (tmp_path / "pages").rename(tmp_path / "away")
    assert (store.find("w", "e", "Mars"), store.size()) == (None, 0)
    store.put(page(), "e", "Mars")
    assert store.find("w", "e", "Mars") == page()


LIMITED = """
    import random, resource, sys
    from pathlib import Path
    sys.path[:0] = {paths!r}
    from heliograph.errors import StoreFull
    from heliograph.types import Page
    from memory.pages import FilePageStore

    store = FilePageStore(Path({folder!r}))
    store.put(Page("w", "Small", "1", "u", "small", "t"), "e", "Small")
    resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
    try:
        for number in range(300):
            html = random.Random(number).randbytes({length}).hex()
            store.put(Page("w", f"P{{number}}", "1", "u" * 2000, html, "t"), "e", f"P{{number}}")
    except StoreFull as err:
        print(err)
    else:
        print("not full")
    print(store.find("w", "e", "Small").html)
"""


@pytest.mark.parametrize(("limit", "length"), [(100_000, 150_000), (120_000, 10)], ids=["page", "index"])
def test_a_full_disk_is_called_full_and_what_was_kept_stays(tmp_path: Path, limit: int, length: int) -> None:
    program = textwrap.dedent(LIMITED).format(paths=sys.path, folder=str(tmp_path), limit=limit, length=length)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    said, small = done.stdout.splitlines()
    assert ("no space left to write" in said, small) == (True, "small"), done.stdout
    assert list(tmp_path.rglob("*.partial")) == []


HAMMER = """
    import random, sys
    from pathlib import Path
    sys.path[:0] = {paths!r}
    from heliograph.types import Page
    from memory.pages import FilePageStore

    store = FilePageStore(Path({folder!r}), max_bytes=6_000)
    for step in range(25):
        number = ({seed} + step) % 8
        html = random.Random(number).randbytes(700).hex()
        store.put(Page("w", f"P{{number}}", "1", "u", html, "t"), "e", f"P{{number}}")
        found = store.find("w", "e", f"P{{(number * 3 + {seed}) % 8}}")
        assert found is None or found.html == random.Random(int(found.title[1:])).randbytes(700).hex()
"""


def test_processes_share_a_store_without_a_wrong_page_or_a_byte_too_many(tmp_path: Path) -> None:
    programs = [textwrap.dedent(HAMMER).format(paths=sys.path, folder=str(tmp_path), seed=seed) for seed in range(3)]
    running = [subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) for program in programs]
    complaints = [process.communicate()[1] for process in running]
    on_disk = sum(file.stat().st_size for file in files(tmp_path))
    assert (complaints, on_disk) == ([b""] * 3, FilePageStore(tmp_path).size())
    assert 3_000 < on_disk <= 6_000


@settings(max_examples=40, deadline=None)
@given(wiki=ANY_TEXT, title=ANY_TEXT, revision=ANY_TEXT, html=ANY_TEXT, asked=ANY_TEXT, edition=ANY_TEXT)
def test_whatever_is_put_comes_back_as_it_was(
    wiki: str, title: str, revision: str, html: str, asked: str, edition: str
) -> None:
    kept = Page(wiki, title, revision, title, html, asked, wiki, revision)
    with TemporaryDirectory() as folder:
        store = FilePageStore(Path(folder))
        key = store.put(kept, edition, asked)
        assert [store.get(key), store.find(wiki, edition, title), store.find(wiki, edition, asked)] == [kept] * 3


class LimitedStore(RuleBasedStateMachine):
    """A store of 3,000 bytes beside a list of what was used when."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = FilePageStore(Path(self.folder.name), max_bytes=3_000)

    @rule(number=st.integers(0, 9), variant=st.integers(0, 1), length=st.integers(1, 400))
    def put(self, number: int, variant: int, length: int) -> None:
        kept = page(f"P{number}", noise(variant, length))
        self.store.put(kept, "e", kept.title)
        assert self.store.find("w", "e", kept.title) == kept

    @rule(number=st.integers(0, 9))
    def find(self, number: int) -> None:
        found = self.store.find("w", "e", f"P{number}")
        assert found is None or found.title == f"P{number}"

    @rule(to_bytes=st.integers(0, 3_000))
    def purge(self, to_bytes: int) -> None:
        before = self.store.size()
        freed = self.store.purge(to_bytes)
        assert (before - freed, self.store.size() <= to_bytes) == (self.store.size(), True)

    @invariant()
    def the_files_are_what_the_store_says_and_within_its_limit(self) -> None:
        on_disk = sum(file.stat().st_size for file in files(Path(self.folder.name)))
        assert on_disk == self.store.size() <= 3_000

    def teardown(self) -> None:
        self.folder.cleanup()


TestLimitedStore = LimitedStore.TestCase
TestLimitedStore.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
