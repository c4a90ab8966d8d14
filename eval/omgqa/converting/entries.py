"""Files of records as data sets are released: JSON lines, or one JSON array in a file that is named `.json`."""

import gzip
import json
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from eval.lines import Line, read_placed_lines
from heliograph.errors import UsageError
from heliograph.storage import plain_file

_PACKED = (".xz", ".gz")


def read_entries(path: Path, shape: type[Line]) -> Iterator[tuple[str, Line]]:
    """Yield the records of a file, each with its place: `FILE:LINE`, or `FILE: record NUMBER` of an array.

    Either may be compressed by xz or gzip.

    Raises:
        UsageError: the file is missing or damaged, or a record has another shape; its place and field are named.
    """
    name = path.stem if path.suffix in _PACKED else path.name
    if not name.endswith(".json"):
        yield from read_placed_lines(path, shape)
        return
    for number, record in enumerate(_array(path), start=1):
        place = f"{path}: record {number}"
        yield place, _validated(record, shape, place)


def _array(path: Path) -> list[object]:
    try:
        records = json.loads(_unpacked(plain_file(path).read_bytes(), path.suffix))
    except FileNotFoundError as err:
        raise UsageError(f"no file {path}; name a file of the data set") from err
    except (gzip.BadGzipFile, EOFError, lzma.LZMAError, zlib.error) as err:
        raise UsageError(f"{path} cannot be unpacked: {err}; fetch the file again") from err
    except OSError as err:
        raise UsageError(f"{path} cannot be read ({err.strerror or err}); name a file of the data set") from err
    except (ValueError, RecursionError) as err:
        raise UsageError(f"{path} is no JSON: {err}; fetch the file again, or name one of JSON lines .jsonl") from err
    if not isinstance(records, list):
        raise UsageError(f"{path} is no JSON array of records; name a file as the data set is released")
    return records


def _unpacked(content: bytes, suffix: str) -> bytes:
    match suffix:
        case ".xz":
            return lzma.decompress(content)
        case ".gz":
            return gzip.decompress(content)
    return content


def _validated(record: object, shape: type[Line], place: str) -> Line:
    try:
        return shape.model_validate_json(json.dumps(record))  # arrays are tuples in JSON only
    except ValidationError as err:
        first = err.errors(include_url=False)[0]
        at = ".".join(map(str, first["loc"])) or "the record"
        needed = ", ".join(field.alias or name for name, field in shape.model_fields.items())
        raise UsageError(f"{place}: {at}: {first['msg']}; a record is a JSON object with {needed}") from err
