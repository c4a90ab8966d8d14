"""Chroma's own server on loopback, as its package ships it, to be stopped and started; and what is none."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.error import URLError
from urllib.request import urlopen

START_SECONDS = 60.0


class Chroma:
    """A server over a folder, at one address however often it is started."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        chroma = Path(sys.executable).with_name("chroma")
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--path", str(self.folder)]
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([chroma, "run", *where], stdout=log, stderr=log, cwd=self.folder)
        until = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text(errors="replace")
            assert time.monotonic() < until, "Chroma does not answer"
            time.sleep(0.05)

    def kill(self) -> None:
        """End it without a word to anybody."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/api/v2/heartbeat", timeout=5):
                return True
        except (URLError, OSError):
            return False


@contextmanager
def chroma_server(folder: Path) -> Iterator[Chroma]:
    """Run a server until the block ends."""
    server = Chroma(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def something_else(status: int, body: str, kind: str = "application/json", hangs: bool = False) -> Iterator[str]:
    """Give the address of a server that answers all requests alike, or none before the block ends."""
    over = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if hangs:
                over.wait(30)
            said = body.replace("TOKEN", self.headers.get("Authorization", "none")).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(said)))
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked may have given up
                self.end_headers()
                self.wfile.write(said)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()
