"""The map on Ray Data: on this machine, or on a cluster whose machines share the folders. The only door to Ray."""

import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from heliograph.errors import HeliographError, UsageError
from indexers.models.onnx import processors
from indexers.offline.plan import Work
from indexers.offline.running import Done, MapFunction, Runner, failed, peak_memory, raise_failed

HostAndPort = tuple[str, int]
LOCAL, FOUND = "local", "auto"
ADDRESSES = f"{LOCAL}, {FOUND} or HOST:PORT"
INSTALL = "pip install 'heliograph[ray]'"
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
}
LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""Read when Ray is imported: with it 127.0.0.1 stays what it is, else Ray takes whatever address the machine has."""
KNOCK_SECONDS = 10.0
OBJECT_STORE = 100_000_000
"""Bytes of the object store of a local Ray: nothing but the numbers of shards travels."""
MOST_BLOCKS = 10_000
"""Blocks that shards are handed out in: one a shard, up to so many."""

Row = dict[str, Any]


@contextmanager
def on_ray(address: str) -> Iterator[Runner]:
    """Give a runner on the Ray of an address, or on one that lives on this machine for as long: `local`.

    A local Ray listens on loopback only and reports to nobody.

    Raises:
        UsageError: Ray is not installed or does not start, or nobody is at the address.
    """
    place = _place(address)
    os.environ.update(QUIET | (LOOPBACK if _is_here(address, place) else {}))
    try:
        import ray
        import ray.data
    except ImportError as err:
        raise UsageError(f"--ray needs Ray Data ({err}); {INSTALL}, or build without --ray") from err
    _knock(place)
    folder = _own_folder() if address == LOCAL else None
    try:
        _start(ray, address, folder)
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        yield _mapped
    finally:
        ray.shutdown()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _place(address: str) -> HostAndPort | None:
    """Return host and port of an address; one that Ray is to start or to find by itself has none.

    Raises:
        UsageError: it is no address.
    """
    if address in (LOCAL, FOUND):
        return None
    try:
        place = urlsplit(f"//{address}")
        host, port = place.hostname, place.port
    except ValueError as err:
        raise UsageError(f"--ray {address} is no address ({err}); give {ADDRESSES}") from err
    if host is None or port is None:
        raise UsageError(f"--ray {address} is no address; give {ADDRESSES}")
    return host, port


def _is_here(address: str, place: HostAndPort | None) -> bool:
    if place is None:
        return address == LOCAL
    try:
        return place[0] == "localhost" or ip_address(place[0]).is_loopback
    except ValueError:
        return False


def _knock(place: HostAndPort | None) -> None:
    """Find out at once that nobody is at a place; Ray itself asks again for minutes."""
    if place is None:
        return
    try:
        socket.create_connection(place, KNOCK_SECONDS).close()
    except (OSError, UnicodeError) as err:
        raise UsageError(f"no Ray at {place[0]}:{place[1]} ({err}); start one, or use --ray {LOCAL}") from err


def _own_folder() -> str:
    try:
        return tempfile.mkdtemp(prefix="ray-")
    except OSError as err:
        raise _not_started(err) from err


def _not_started(err: Exception) -> UsageError:
    return UsageError(
        f"Ray does not start on this machine ({err}); set TMPDIR to a folder that can be written and has a short path, "
        "or build without --ray"
    )


def _start(ray: Any, address: str, folder: str | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": True}
    try:
        if folder is None:
            ray.init(address=address, **quiet)
        else:
            ray.init(
                address="local",
                num_cpus=processors(),
                include_dashboard=False,
                object_store_memory=OBJECT_STORE,
                _node_ip_address="127.0.0.1",
                _temp_dir=folder,
                **quiet,
            )
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as err:
        if folder is not None:
            raise _not_started(err) from err
        raise UsageError(
            f"cannot use the Ray at {address!r} ({err}); RAY_AUTH_TOKEN must be here what it is there, "
            f"or use --ray {LOCAL}"
        ) from err


def _mapped(function: MapFunction, work: Work, shards: Sequence[int]) -> Iterator[Done]:
    import ray.data

    if not shards:
        return
    items = [{"shard": shard} for shard in shards]
    rows = ray.data.from_items(items, override_num_blocks=min(len(items), MOST_BLOCKS))
    for row in rows.map(partial(_row, function, work)).iter_rows():
        if row["error"]:
            raise_failed(row)
        yield Done(int(row["shard"]), int(row["memory"]))


def _row(function: MapFunction, work: Work, row: Row) -> Row:
    """Do one shard; an error that we know travels as words, for Ray would wrap it."""
    said = {"error": "", "message": ""}
    try:
        function(work, int(row["shard"]))
    except HeliographError as err:
        said = failed(err)
    return {"shard": row["shard"], "memory": peak_memory(), **said}
