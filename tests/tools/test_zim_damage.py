import asyncio
import os
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliograph.errors import ArchiveUnreadable
from heliograph.types import Query
from tools.zim import ZimArchive


def refused(path: Path) -> str:
    """Return why an archive cannot be opened; a search and a page say the same as `open`."""
    messages = set()
    for use in (
        ZimArchive(path).open,
        lambda: asyncio.run(ZimArchive(path).search(Query("fox"), 5)),
        lambda: asyncio.run(ZimArchive(path).fetch("Red fox")),
    ):
        with pytest.raises(ArchiveUnreadable) as caught:
            use()
        messages.add(str(caught.value))
    (message,) = messages
    return message


def test_making_an_archive_opens_nothing(tmp_path):
    assert ZimArchive(tmp_path / "none.zim").name == "zim:none"


def test_a_missing_archive_is_named(tmp_path):
    path = tmp_path / "none.zim"
    assert refused(path) == f"no archive at {path}; name an existing one as zim:PATH"


def test_a_missing_demo_is_built_by_make(tmp_path):
    assert refused(tmp_path / "demo.zim") == f"no archive at {tmp_path / 'demo.zim'}; make demo builds it"


def test_a_folder_is_told_to_become_an_archive(tmp_path):
    assert refused(tmp_path) == (
        f"{tmp_path} is a folder; heliograph snapshot build {tmp_path} OUT.zim makes an archive of it"
    )


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.zim")
    assert refused(tmp_path / "pipe.zim") == f"{tmp_path / 'pipe.zim'} is no file; name an archive as zim:PATH"


def test_a_path_through_a_file_is_refused(fox_zim):
    path = fox_zim / "inner.zim"
    assert refused(path) == f"cannot read {path}: Not a directory; check its name and permissions"


def test_a_path_that_no_file_system_has_room_for_is_refused_by_its_beginning(tmp_path):
    assert refused(Path("x" * 5_000)) == (
        f"cannot read {'x' * 200}…: File name too long; check its name and permissions"
    )
    path = tmp_path / ("x" * 254)
    assert refused(path).startswith(f"no archive at {path}; ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_archive_that_may_not_be_read_is_refused(fox_zim, tmp_path):
    path = tmp_path / "secret.zim"
    path.write_bytes(fox_zim.read_bytes())
    path.chmod(0)
    assert refused(path).endswith("Permission denied; check its name and permissions")


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 " * 50, b"<html>" * 50, b"ZIM"])
def test_what_is_no_archive_is_refused(tmp_path, content):
    path = tmp_path / "x.zim"
    path.write_bytes(content)
    assert refused(path) == f"{path} is not a ZIM archive; heliograph snapshot build makes one of HTML or Markdown"


def test_a_header_alone_or_less_is_refused(fox_zim, tmp_path):
    path, whole = tmp_path / "x.zim", fox_zim.read_bytes()
    path.write_bytes(whole[:70])
    assert refused(path) == f"{path} is cut: it ends within its header; fetch it again"
    path.write_bytes(whole[:80])
    assert refused(path) == f"{path} is cut: 80 bytes where {len(whole):,} are expected; fetch it again"


@settings(max_examples=25, deadline=None)
@given(share=st.floats(0.01, 0.9999))
def test_an_archive_that_is_cut_anywhere_is_refused(fox_zim, tmp_path_factory, share):
    whole = fox_zim.read_bytes()
    path = tmp_path_factory.mktemp("cut") / "x.zim"
    path.write_bytes(whole[: int(len(whole) * share)])
    assert refused(path).startswith(f"{path} is cut: ")


async def test_an_archive_in_pieces_is_read(fox_zim, tmp_path):
    whole = fox_zim.read_bytes()
    half = len(whole) // 2
    (tmp_path / "x.zimaa").write_bytes(whole[:half])
    (tmp_path / "x.zimab").write_bytes(whole[half:])
    assert (await ZimArchive(tmp_path / "x.zim").fetch("Tokyo")).title == "Tokyo"


def test_an_archive_that_is_too_long_is_refused(fox_zim, tmp_path):
    path, whole = tmp_path / "x.zim", fox_zim.read_bytes()
    path.write_bytes(whole + b"!")
    assert refused(path).startswith(f"{path} is too long: {len(whole) + 1:,} bytes where")


@settings(max_examples=100, deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_a_damaged_byte_anywhere_is_found_out_at_the_opening(fox_zim, tmp_path_factory, place, flip):
    content = bytearray(fox_zim.read_bytes())
    content[int(place * len(content))] ^= flip
    path = tmp_path_factory.mktemp("flip") / "x.zim"
    path.write_bytes(content)
    with pytest.raises(ArchiveUnreadable, match=r"x\.zim is (damaged|cut|too long|not a ZIM archive)"):
        ZimArchive(path).open()


def test_damage_in_an_archive_too_large_to_be_checked_is_told_when_it_is_read(make_zim, stored):
    path = make_zim([stored("Red_fox", "Red fox", "<p>The red fox and the lazy dog</p>" * 100)]).path
    content = path.read_bytes()
    (clusters,) = struct.unpack_from("<Q", content, 48)
    (first,) = struct.unpack_from("<Q", content, clusters)
    at = content.index(b"\x28\xb5\x2f\xfd", first)
    damaged = path.with_name("damaged.zim")
    for place in range(at, at + 20):
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        with pytest.raises(ArchiveUnreadable) as caught:
            asyncio.run(ZimArchive(damaged, checked_bytes=0).fetch("Red fox"))
        assert str(caught.value).startswith(f"{damaged} is damaged (")
        assert isinstance(caught.value.__cause__, RuntimeError)
