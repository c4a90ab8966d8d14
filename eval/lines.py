"""Files of JSON lines, plain or compressed, read one validated line at a time."""

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from heliograph.errors import UsageError
from heliograph.storage import NOT_UNPACKED, open_unpacked

Line = TypeVar("Line", bound=BaseModel)


def read_lines(path: Path, shape: type[Line]) -> Iterator[Line]:
    """Yield the lines of a file, blank ones left out; `.xz`, `.gz` and `.bz2` are unpacked on the way.

    Raises:
        UsageError: the file is missing or damaged, or a line has another shape; file and line are named.
    """
    return (line for _, line in read_placed_lines(path, shape))


def read_placed_lines(path: Path, shape: type[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the lines of a file as `read_lines` does, each with its place, `FILE:NUMBER`.

    Raises:
        UsageError: as `read_lines`.
    """
    number = 0
    try:
        with open_unpacked(path) as lines:
            for number, line in enumerate(lines, start=1):
                if text := line.removeprefix(BOM_UTF8).strip():
                    place = f"{path}:{number}"
                    yield place, _validated(line, text, shape, place)
    except FileNotFoundError as err:
        raise UsageError(f"no file {path}; name the file, or the folder that it is in") from err
    except NOT_UNPACKED as err:
        raise UsageError(f"{path} cannot be unpacked after line {number}: {err}; fetch or pack it again") from err
    except OSError as err:
        raise UsageError(f"{path} cannot be read ({err.strerror or err}); name a file of JSON lines") from err


def _validated(line: bytes, text: bytes, shape: type[Line], place: str) -> Line:
    try:
        return shape.model_validate_json(text)
    except ValidationError as err:
        first = err.errors(include_url=False)[0]
        if first["type"] == "json_invalid" and not line.endswith(b"\n"):
            raise UsageError(
                f"{place}: the last line is cut short, or no JSON ({first['msg']}); "
                "give the command that writes the file again, or mend the line"
            ) from err
        at = ".".join(map(str, first["loc"])) or "the line"
        needed = ", ".join(field.alias or name for name, field in shape.model_fields.items())
        raise UsageError(f"{place}: {at}: {first['msg']}; a line is a JSON object with {needed}") from err
