"""The late-interaction model of a build, by its name, and where a search finds it again."""

import json
from dataclasses import dataclass
from pathlib import Path

from heliograph.errors import ModelMissing
from heliograph.paths import expanded
from heliograph.protocols import TokenEncoder
from heliograph.storage import MALFORMED, storage_error
from indexers.models.retrievers import token_encoder

SHIPPED_NAME = "shipped"
OPTION = "--encoder"
FILE = "encoder.json"


@dataclass(frozen=True, slots=True)
class NamedEncoding:
    """A model by its folder, by its name on the hub, or `shipped` for the one that comes with Heliograph."""

    name: str

    def opened(self) -> TokenEncoder:
        """Load it; a folder with `model.onnx` needs no PyTorch.

        Raises:
            ModelMissing: it is not there.
        """
        return token_encoder("" if self.name == SHIPPED_NAME else self.name, OPTION, "leave the option out")


def named(given: str) -> NamedEncoding:
    """Return the encoding of a name or folder; a folder is found again from elsewhere."""
    folder = expanded(given)
    return NamedEncoding(str(folder.resolve()) if folder.is_dir() else given)


def keep_name(encoding: NamedEncoding, out: Path, centroids: bool = False) -> None:
    """Write down by which name the model of a build was found, and whether centroids of its vectors are asked for.

    Raises:
        StoreFull | StoreError: the folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        fresh = out / f"{FILE}.new"
        fresh.write_text(json.dumps({"model": encoding.name, "centroids": centroids}), encoding="utf-8")
        fresh.replace(out / FILE)
    except OSError as err:
        raise storage_error(err, out / FILE) from err


def encoder_for(out: Path, model: str, given: str) -> TokenEncoder:
    """Return the encoder of a build whose vectors are of `model`: as it is `given`, else by the name that was kept.

    Raises:
        ModelMissing: it is not there, or is another one.
    """
    name = given or kept_name(out)
    found = named(name).opened()
    if found.name != model:
        raise ModelMissing(
            f"the graph in {out} has vectors of {model}, and {name!r} is {found.name}; "
            f"name that model with {OPTION}, or rank by words alone with {OPTION} none"
        )
    return found


def kept_name(out: Path) -> str:
    """Return the name by which the model of a build was found.

    Raises:
        ModelMissing: it was not written down, or cannot be read.
    """
    try:
        name = json.loads((out / FILE).read_text(encoding="utf-8"))["model"]
        if not isinstance(name, str) or not name:
            raise TypeError(name)
    except (OSError, *MALFORMED) as err:
        raise ModelMissing(f"{out / FILE} does not say where its model is; name it with {OPTION}") from err
    return name


def asks_for_centroids(out: Path) -> bool:
    """Tell whether a build was asked for centroids, which are there when it has ended."""
    try:
        return json.loads((out / FILE).read_text(encoding="utf-8"))["centroids"] is True
    except (OSError, *MALFORMED):
        return False
