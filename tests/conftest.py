"""What every test has: no network, no settings but its own, a home folder, and a small archive to ask."""

import os
import signal
import struct
import sys
import zlib
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs in its background so
    signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("heliograph", deadline=None)
settings.load_profile("heliograph")

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

pytest_plugins = ["tests.servers.fixtures", "tests.evaluations"]

LOCAL_NAMES = {"localhost", "", None}

PAGES = {
    "Varn Islands": """# Varn Islands

The Varn Islands are a small archipelago in the Northern Sound. Fishing was their only trade until the first steamers
called there in 1862. The seat of the council is [Torvik](Torvik.md).

## Islands

*Table: Islands of the archipelago*

| Island | Area (km²) | Inhabitants | Lighthouse |
|---|---|---|---|
| Storholm | 41 | 930 | [Skerry Head Light](Skerry_Head_Light.md) |
| Lille Varn | 17 | 210 | [Holm Light](Holm_Light.md) |
| Gull Rock | 3 | 0 | none |
""",
    "Skerry Head Light": """# Skerry Head Light

Skerry Head Light is a lighthouse on Storholm, the largest of the [Varn Islands](Varn_Islands.md). The tower is 34 m
high and was first lit in 1871. It was designed by [Ada Brandt](Ada_Brandt.md).

![A round white tower on a cliff of dark slate](tower.png "The tower of Skerry Head Light seen from the ferry")

## Lamp

The lamp burned rape oil until 1904 and paraffin afterwards. Its beam carries 19 nautical miles.
""",
    "Holm Light": """# Holm Light

Holm Light stands on Lille Varn. The wooden house with a lantern on its roof was first lit in 1889 and closed in 1957.
It is a museum today.
""",
    "Ada Brandt": """# Ada Brandt

Ada Brandt was an engineer of lighthouses. She was born in [Torvik](Torvik.md) in 1838 and studied in Lund.
She built eleven towers, among them [Skerry Head Light](Skerry_Head_Light.md).
""",
    "Torvik": """# Torvik

Torvik is the harbour town of the [Varn Islands](Varn_Islands.md). Its ropewalk closed in 1931.
""",
}
"""A place that does not exist, so that nothing of it can be known from elsewhere."""


class SocketBeyondLoopback(RuntimeError):
    """A test reached for the network."""


def _refuse_network(event: str, given: tuple[Any, ...]) -> None:
    """Let sockets reach this machine only; an audit hook sees what C code asks of Python's sockets too."""
    if event in ("socket.connect", "socket.sendto") and isinstance(given[1], tuple):
        _refuse_beyond_loopback(given[1][0])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        _refuse_beyond_loopback(given[0])


def _refuse_beyond_loopback(host: Any) -> None:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name in LOCAL_NAMES:
        return
    try:
        loopback = ip_address(name).is_loopback
    except ValueError:
        loopback = False
    if not loopback:
        raise SocketBeyondLoopback(f"a test asked for {name!r}; tests reach this machine only")


sys.addaudithook(_refuse_network)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give each test a home folder that does not exist yet, and no other setting from the environment."""
    for name in [name for name in os.environ if name.startswith("HELIOGRAPH_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "home"
    monkeypatch.setenv("HELIOGRAPH_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an archive of five linked pages with a table and a picture; the wiki is called varn."""
    from tools.zim import build_snapshot

    folder = tmp_path_factory.mktemp("varn")
    for title, text in PAGES.items():
        (folder / f"{title.replace(' ', '_')}.md").write_text(text, encoding="utf8")
    (folder / "tower.png").write_bytes(_white_pixel())
    out = tmp_path_factory.mktemp("archives") / "varn.zim"
    build_snapshot([folder], out, name="varn")
    return out


@pytest.fixture(scope="session")
def cli() -> Callable[..., Result]:
    """Run `heliograph` with arguments in this process; keywords set environment variables."""
    from app import main

    def run(*args: object, **environment: str) -> Result:
        return CliRunner().invoke(main, [str(arg) for arg in args], env=environment, prog_name="heliograph")

    return run


def _white_pixel() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\x00\xff")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
