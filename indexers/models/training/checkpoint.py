"""What a training keeps, so that one that was killed goes on where it was: weights, optimiser, chance and step."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from heliograph.errors import StoreDamaged, UsageError
from heliograph.storage import storage_error
from indexers.models.pytorch import loaded_torch
from indexers.models.training.masters import Masters

FILE = "training.pt"


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
        raise UsageError(
            f"{path} is of another training (other data, model or schedule); name another --out, or delete the folder"
        )
    masters.restore(kept)
    loaded_torch().set_rng_state(kept["random"])
    return Progress(int(kept["step"]), tuple(kept["figures"]))


def _read(path: Path) -> dict[str, Any]:
    import pickle

    try:
        kept: dict[str, Any] = loaded_torch().load(path, weights_only=True)
    except (OSError, RuntimeError, EOFError, KeyError, pickle.UnpicklingError) as err:
        raise StoreDamaged(f"{path} cannot be read ({type(err).__name__}); delete it to begin anew") from err
    return kept
