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

LOCAL = "local"
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
        UsageError: Ray is not installed, or nobody is at the address.
    """
    os.environ.update(QUIET | (LOOPBACK if _is_here(address) else {}))
    try:
        import ray
        import ray.data
    except ImportError as err:
        raise UsageError(f"--ray needs Ray Data ({err}); {INSTALL}, or build without --ray") from err
    _knock(address)
    folder = tempfile.mkdtemp(prefix="ray-") if address == LOCAL else None
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


def _is_here(address: str) -> bool:
    host = urlsplit(f"//{address}").hostname or ""
    try:
        return address == LOCAL or host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _knock(address: str) -> None:
    """Find out at once that nobody is at HOST:PORT; Ray itself asks again for minutes."""
    place = urlsplit(f"//{address}")
    if place.hostname is None or place.port is None:
        return
    try:
        socket.create_connection((place.hostname, place.port), KNOCK_SECONDS).close()
    except OSError as err:
        raise UsageError(f"no Ray at {address} ({err}); start one, or use --ray {LOCAL}") from err


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
    except (ConnectionError, ValueError, RuntimeError) as err:
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
