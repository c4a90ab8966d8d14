"""What a training keeps, so that one that was killed goes on where it was: weights, optimiser, chance and step."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from heliograph.errors import StoreDamaged, UsageError
from heliograph.storage import storage_error
from indexers.models.pytorch import loaded_torch
from indexers.models.training.masters import Masters

FILE, ASKED = "training.pt", "training.json"

Asked = Mapping[str, object]
"""What a training was asked for, as JSON has it: of all that its digest hashes, what is known at once."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is: steps done, and the development figure of each epoch so far."""

    step: int = 0
    figures: tuple[float, ...] = ()


def keep(folder: Path, plan: str, progress: Progress, masters: Masters) -> None:
    """Write the checkpoint in one move: a kill in the middle leaves the last one as it was.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    torch = loaded_torch()
    path, fresh = folder / FILE, folder / f"{FILE}.new"
    try:
        torch.save({"plan": plan, **asdict(progress), "random": torch.get_rng_state(), **masters.state()}, fresh)
        fresh.replace(path)
    except OSError as err:
        raise storage_error(err, path) from err


def restore(folder: Path, plan: str, masters: Masters) -> Progress:
    """Take up the checkpoint of a folder, if it has one.

    Raises:
        UsageError: it belongs to another training: other data, model or schedule.
        StoreDamaged: it cannot be read.
    """
    path = folder / FILE
    if not path.exists():
        return Progress()
    kept = _read(path)
    if kept["plan"] != plan:
        raise _another(path)
    masters.restore(kept)
    loaded_torch().set_rng_state(kept["random"])
    return Progress(int(kept["step"]), tuple(kept["figures"]))


def refuse_another(folder: Path, asked: Asked) -> None:
    """Stop before anything slow where a folder has a checkpoint of what was asked for otherwise.

    Raises:
        UsageError: it has. Where the folder does not say, `restore` finds out by the plan.
    """
    path = folder / FILE
    if path.exists() and _asked(folder) not in (None, asked):
        raise _another(path)


def keep_asked(folder: Path, asked: Asked) -> None:
    """Write down what is asked for, unless there is a checkpoint, which may be of something else.

    Raises:
        StoreFull | StoreError: it cannot be written.
    """
    if (folder / FILE).exists():
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ASKED).write_text(json.dumps(asked, indent=1) + "\n", encoding="utf-8")
    except OSError as err:
        raise storage_error(err, folder / ASKED) from err


def _asked(folder: Path) -> object:
    try:
        return json.loads((folder / ASKED).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _another(path: Path) -> UsageError:
    return UsageError(
        f"{path} is of another training (other data, model or schedule); name another --out, or delete the folder"
    )


def _read(path: Path) -> dict[str, Any]:
    import pickle

    try:
        kept: dict[str, Any] = loaded_torch().load(path, weights_only=True)
    except (OSError, RuntimeError, EOFError, KeyError, pickle.UnpicklingError) as err:
        raise StoreDamaged(f"{path} cannot be read ({type(err).__name__}); delete it to begin anew") from err
    return kept
