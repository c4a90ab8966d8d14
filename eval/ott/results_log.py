"""Results as they come: one line a question, on the disk before the next is asked, and read back after a kill.

Beside `x.jsonl` stands the folder `x.run`: what made these results, so that no others are ever mixed with them, the
lock of the process that writes, and the trace of a language model.
"""

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from eval.ott.results import QuestionResult, read_results, result_line
from heliograph.errors import UsageError
from heliograph.storage import MALFORMED, storage_error
from indexers.lock import WriterLock
from memory.trace.disk import write_whole

BEGINNING = b'{"id": '
"""How every line of results begins."""
MADE_BY = "made_by.json"


@dataclass(frozen=True, slots=True)
class ResultsLog:
    """The results of one run by question, and the file that grows with them."""

    path: Path
    results: dict[str, QuestionResult] = field(default_factory=dict)

    def append(self, result: QuestionResult) -> None:
        """Keep a result.

        Raises:
            StoreFull | StoreError: the file cannot be written.
        """
        try:
            with self.path.open("a", encoding="utf8") as lines:
                lines.write(result_line(result))
        except OSError as err:
            raise storage_error(err, self.path) from err
        self.results[result.id] = result


def folder_of(path: Path) -> Path:
    """Return the folder beside a file of results."""
    return path.with_suffix(".run")


def open_log(path: Path, digest: str, made_by: Mapping[str, object], stack: ExitStack) -> ResultsLog:
    """Open the results of a run for this process alone; a line that a kill cut short is dropped.

    Args:
        path: the file; it begins empty where there is none.
        digest: of everything that decides the results.
        made_by: the same for people to read.
        stack: frees the file when it is closed.

    Raises:
        UsageError: the file holds something else, or the results of another run.
        StoreLocked: another process writes it.
        StoreFull | StoreError: it cannot be written.
    """
    folder = folder_of(path)
    stack.enter_context(WriterLock(folder, "name another file with --out"))
    known = _made_by(folder, path, digest)
    if known != digest and (known is not None or _begun(path)):
        raise UsageError(f"{path} has results of other options, questions or models; name another file with --out")
    try:
        record = json.dumps({"digest": digest, **made_by}, indent=1)
        write_whole(folder / MADE_BY, f"{record}\n".encode())
        path.touch()
        _cut(path)
    except OSError as err:
        raise storage_error(err, path) from err
    return ResultsLog(path, {result.id: result for result in read_results(path)})


def _made_by(folder: Path, results: Path, digest: str) -> str | None:
    """Return the digest of what made the results; None where nothing was written yet.

    A record that cannot be read decides nothing where there are no results, or where their name says whose they are.
    """
    path = folder / MADE_BY
    try:
        return str(json.loads(path.read_text(encoding="utf8"))["digest"])
    except FileNotFoundError:
        return None
    except (OSError, *MALFORMED) as err:
        if not _begun(results):
            return None
        if results.stem == digest:
            return digest
        raise UsageError(
            f"{path} cannot be read ({type(err).__name__}), so nothing says what made {results}; "
            "name another file with --out, or delete both"
        ) from err


def _begun(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _cut(path: Path) -> None:
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    torn = content[len(whole) :]
    if not torn.startswith(BEGINNING[: len(torn)]):
        raise UsageError(f"{path} is no file of results; name another with --out")
    os.truncate(path, len(whole))
