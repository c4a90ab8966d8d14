"""Files, folders and models as commands are given them; an empty path would stand for the current folder."""

import os
from pathlib import Path

import click


class Place(click.Path):
    """A path that names something."""

    def convert(
        self, value: "str | os.PathLike[str]", param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path; an empty one is refused."""
        if not os.fspath(value):
            self.fail("the path is empty; name a file or a folder", param, ctx)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


class BaseSource(Place):
    """A path, or the address of a server, `bolt://…`, which stays as it is."""

    def convert(  # type: ignore[override]
        self, value: "str | os.PathLike[str]", param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | str:
        """Return a path, or an address as text."""
        return value if isinstance(value, str) and "://" in value else super().convert(value, param, ctx)


class Destination(Place):
    """A path that is written to: a device or a pipe would swallow what is built in it."""

    def convert(
        self, value: "str | os.PathLike[str]", param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path of a file, of a folder or of nothing yet."""
        path = super().convert(value, param, ctx)
        try:
            strange = path.exists() and not (path.is_file() or path.is_dir())
        except OSError as err:
            self.fail(f"{path} cannot be written ({err.strerror}); name another", param, ctx)
        if strange:
            self.fail(f"{path} is neither a file nor a folder; name another", param, ctx)
        return path


class Name(click.ParamType[str]):
    """The name of a model or an address; an empty one, of a variable that is not set, would stand for none."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; a blank one is refused."""
        if not value.strip():
            self.fail("it is empty; give a name", param, ctx)
        return value


NAME = Name()
PLACE = Place(path_type=Path)
BASE_SOURCE = BaseSource(path_type=Path)
DESTINATION = Destination(path_type=Path)
OUT_FILE = Destination(path_type=Path, dir_okay=False)
OUT_FOLDER = Destination(path_type=Path, file_okay=False)
