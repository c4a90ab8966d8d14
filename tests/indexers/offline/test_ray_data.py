"""The map on Ray Data writes the bytes that this process writes."""

import socket
from importlib.util import find_spec
from pathlib import Path

import pytest

from heliograph.errors import StoreDamaged, UsageError
from indexers.offline.ray_data import on_ray
from indexers.offline.running import failed, raise_failed
from tests.indexers.offline.test_killing import built, pages_in
from tests.indexers.offline.worlds import sums

HERE = find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not HERE, reason="needs the extra `ray`: pip install 'heliograph[ray]'")


@needs_ray
@pytest.mark.slow
def test_a_local_ray_writes_the_same_bytes(tmp_path: Path) -> None:
    source = pages_in(tmp_path)
    built(source, tmp_path / "here")
    built(source, tmp_path / "ray", "--ray", "local")
    assert sums(tmp_path / "here") == sums(tmp_path / "ray")


@pytest.mark.skipif(HERE, reason="the extra `ray` is installed")
def test_without_ray_its_extra_is_named() -> None:
    with pytest.raises(UsageError, match=r"--ray needs Ray Data .*; pip install 'heliograph\[ray\]'"), on_ray("local"):
        pass


def test_an_error_of_a_worker_is_the_same_here() -> None:
    with pytest.raises(StoreDamaged, match="shard 7 is cut"):
        raise_failed(failed(StoreDamaged("shard 7 is cut")))


@needs_ray
def test_nobody_at_an_address_is_said_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    refused = pytest.raises(UsageError, match=rf"no Ray at 127\.0\.0\.1:{port} .*; start one, or use --ray local")
    with refused, on_ray(f"127.0.0.1:{port}"):
        pass


@needs_ray
def test_nobody_is_at_a_name_that_no_machine_can_have() -> None:
    with pytest.raises(UsageError, match=r"^no Ray at a\.\.b:80 "), on_ray("a..b:80"):
        pass


@pytest.mark.parametrize(
    "address", ["here", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:x", "[::1", ":6379", "ray://head:1"]
)
def test_what_is_no_address_is_said_before_ray_is_looked_for(address: str) -> None:
    refused = pytest.raises(UsageError, match=r"^--ray .* is no address.*; give local, auto or HOST:PORT$")
    with refused, on_ray(address):
        pass


@needs_ray
@pytest.mark.parametrize("folder", ["none", "x" * 100], ids=["missing", "too long a path"])
def test_a_ray_that_does_not_start_is_an_error_with_a_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    if folder != "none":
        (tmp_path / folder).mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / folder))
    with pytest.raises(UsageError, match=r"Ray does not start on this machine .*; set TMPDIR to "), on_ray("local"):
        pass
