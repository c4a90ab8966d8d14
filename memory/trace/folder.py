"""The folder of one run: its manifest from the first instant, its trace, its answer at the end."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from heliograph.errors import StoreDamaged, StoreError, UnknownName
from heliograph.protocols import Clock
from heliograph.storage import storage_error
from heliograph.types import EvidenceId, MemoryScope
from heliograph.unsaid import unsaid
from memory.naming import named
from memory.trace.blobs import address
from memory.trace.branches import Branch, branches_of
from memory.trace.disk import write_whole
from memory.trace.encoding import Encoder, Json
from memory.trace.recorder import Listener, TraceRecorder
from memory.trace.redaction import Redaction

MANIFEST = "run.json"
ANSWER = "answer.json"
_RUN = re.compile(r"(\d{8}T\d{9})-\w+")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a run began with; `settings` hold no secrets once written, `started` is seconds since the epoch.

    `earlier` names the evidence that earlier turns of a conversation brought; `embedder` is the name of the embedding
    model, which of a model in a folder says what was in the folder. `branches` say from which step on the run went
    another way than the one that it was taken from; `settings` are those in force before the first of them. `scope`
    says whose question it is, None that nobody's past questions are heard and this one is not remembered.
    """

    run: str
    question: str
    version: str
    started: float
    settings: Mapping[str, object]
    earlier: tuple[EvidenceId, ...] = ()
    embedder: str = ""
    branches: tuple[Branch, ...] = ()
    scope: MemoryScope | None = None


def begun_of(run: str) -> float:
    """Return when a run began by its name, in seconds since the epoch; 0 where the name is none of ours."""
    found = _RUN.fullmatch(run)
    try:
        return datetime.strptime(found[1], "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC).timestamp() if found else 0.0
    except ValueError:
        return 0.0


def new_run_id(started: float, chance: str) -> str:
    """Make the name of a run: it sorts by time, and `chance` keeps runs of one instant apart."""
    instant = datetime.fromtimestamp(started, UTC)
    return f"{instant:%Y%m%dT%H%M%S}{instant.microsecond // 1000:03d}-{chance}"


def new_run_folder(home: Path, run: str) -> Path:
    """Make the folder of a run that begins.

    Raises:
        StoreFull: no space left.
        StoreError: there is a run of that name, or the folder cannot be made.
    """
    folder = home / "runs" / run
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
    except FileExistsError as err:
        raise StoreError(f"there is a run {run} already in {folder.parent}; start again for another name") from err
    except OSError as err:
        raise storage_error(err, folder) from err
    return folder


def new_manifest(
    question: str,
    settings: Mapping[str, object],
    version: str,
    clock: Clock,
    *,
    earlier: Sequence[EvidenceId] = (),
    embedder: str = "",
    scope: MemoryScope | None = None,
) -> Manifest:
    """Name a run that begins now.

    The random part of the name is recorded by the manifest and by every event; a replay takes it from there.
    """
    started = clock.now()
    run = new_run_id(started, token_hex(3))
    return Manifest(run, question, version, started, settings, tuple(earlier), embedder, scope=scope)


@contextmanager
def open_run(
    home: Path, manifest: Manifest, clock: Clock, secrets: Sequence[str] = (), listener: Listener = unsaid
) -> Iterator[TraceRecorder]:
    """Begin a run: folder and manifest are there before anything else happens."""
    folder = new_run_folder(home, manifest.run)
    write_manifest(folder, manifest, secrets)
    recorder = TraceRecorder(folder, manifest.run, clock, secrets, listener)
    try:
        yield recorder
    finally:
        recorder.close()


def write_manifest(folder: Path, manifest: Manifest, secrets: Sequence[str] = ()) -> None:
    """Write run.json, secrets masked."""
    values = asdict(manifest)
    if not manifest.branches:
        del values["branches"]
    _write_json(folder / MANIFEST, _plain(values, secrets))


def read_manifest(folder: Path) -> Manifest:
    """Read run.json.

    Raises:
        StoreDamaged: it is missing or not what `write_manifest` wrote.
    """
    path = folder / MANIFEST
    try:
        return _manifest(json.loads(path.read_text(encoding="utf8")))
    except (OSError, ValueError, RecursionError) as err:
        raise StoreDamaged(f"{path} cannot be read ({err}); `heliograph trace list` names the runs there are") from err


def write_answer(folder: Path, record: str) -> None:
    """Keep the answer record of a run, as it was printed."""
    write_whole(folder / ANSWER, record.rstrip("\n").encode() + b"\n")


def read_answer(folder: Path) -> str | None:
    """Return the answer record as it was printed; None where the run has not come to one.

    Raises:
        StoreDamaged: the file cannot be read.
    """
    path = folder / ANSWER
    try:
        return path.read_text(encoding="utf8").rstrip("\n")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as err:
        raise StoreDamaged(f"{path} cannot be read ({err}); `heliograph replay` makes the answer again") from err


def find_run(home: Path, name: str) -> Path:
    """Return the folder of a run by its name, by an unambiguous beginning of it, or the latest as `last`.

    Raises:
        UnknownName: no run has that name, or several begin so.
    """
    folders = run_folders(home)
    if not folders:
        raise UnknownName(f"no run is named {name!r}: there is none yet in {home}; heliograph ask begins one")
    return named(
        name,
        folders,
        lambda folder: folder.name,
        several="runs begin with",
        none="no run is named",
        next_step="`heliograph trace list` names the runs there are",
    )


def run_folders(home: Path) -> tuple[Path, ...]:
    """Return the folders of all runs, the oldest first."""
    runs = home / "runs"
    if not runs.is_dir():
        return ()
    return tuple(sorted(each for each in runs.iterdir() if each.is_dir() and not each.name.startswith(".")))


def _plain(value: Mapping[str, object], secrets: Sequence[str]) -> dict[str, Json]:
    """Encode a mapping without secrets; nothing in it is large."""
    encoded = Encoder(address, Redaction(secrets), blob_from=sys.maxsize).encode(value)
    return encoded if isinstance(encoded, dict) else {}


def _write_json(path: Path, value: Json) -> None:
    write_whole(path, json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n")


def _manifest(value: Json) -> Manifest:
    match value:
        case {
            "run": str(run),
            "question": str(question),
            "version": str(version),
            "started": int(started) | float(started),
            "settings": dict(settings),
            **rest,
        }:
            pieces = rest.get("earlier", [])
            earlier = tuple(EvidenceId(str(piece)) for piece in pieces) if isinstance(pieces, list) else ()
            embedder, branches = str(rest.get("embedder", "")), branches_of(rest.get("branches", []))
            scope = _scope(rest.get("scope"))
            return Manifest(run, question, version, started, settings, earlier, embedder, branches, scope)
        case _:
            raise ValueError("not the fields of a manifest")


def _scope(value: object) -> MemoryScope | None:
    """Read whose question it was, where the manifest says it."""
    match value:
        case {"user": str(user), "conversation": str(conversation)}:
            return MemoryScope(user, conversation)
        case _:
            return None
