"""Commands killed (kill -9) once a file of theirs has so many lines, and reports without what a kill may change."""

import json
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MOST_SECONDS = 600.0
POLL = 0.001
PAID = ("fetched", "pages reused", "in the index", "in the cache", "embedded", "embeddings reused")
"""Columns of the table of reuse that tell what answers paid: what a killed one had paid for is there for the next."""
MAY_DIFFER = (
    "the run and the cost of each answer",
    "the table of cost",
    f"of the table of reuse: {', '.join(PAID)}",
)


def whole_lines(path: Path) -> bytes:
    """Return a file to the end of its last whole line; nothing where there is no file."""
    content = path.read_bytes() if path.exists() else b""
    return content[: content.rfind(b"\n") + 1]


def count_lines(path: Path) -> int:
    """Count the whole lines of a file."""
    return whole_lines(path).count(b"\n")


def killed(command: Sequence[str], environment: Mapping[str, str], path: Path, count: int, log: Path) -> int:
    """Run a command, kill it when `path` has `count` lines, and return how many it has then.

    Raises:
        RuntimeError: the command ended before that, or never came to it; what it said is in the message.
    """
    deadline = time.monotonic() + MOST_SECONDS
    with log.open("w", encoding="utf8") as said:
        with subprocess.Popen(command, env=environment, stdout=said, stderr=said) as process:
            while count_lines(path) < count and process.poll() is None and time.monotonic() < deadline:
                time.sleep(POLL)
            process.kill()
        if process.returncode != -signal.SIGKILL or count_lines(path) < count:
            raise RuntimeError(f"not killed at line {count} of {path.name}: {log.read_text(encoding='utf8')[-2000:]}")
    return count_lines(path)


def comparable(report: str) -> dict[str, Any]:
    """Read a report in JSON, and take out of it what differs between two runs, one of which was killed."""
    record: dict[str, Any] = json.loads(report)
    for system in record["systems"].values():
        for answer in system["answers"]:
            del answer["run"], answer["cost"]
    del record["tables"]["cost"]
    for row in record["tables"]["reuse"]["rows"]:
        for column in PAID:
            del row["cells"][column]
    return record
