"""Pictures: foreign bytes in, our own bytes out.

A picture is believed in nothing: its size is read off its head before anything is unpacked, Pillow decodes it, and
its pixels alone are written anew.
"""

import struct
import zlib
from io import BytesIO

from PIL import GifImagePlugin, Image, ImageOps, JpegImagePlugin, PngImagePlugin, WebPImagePlugin
from PIL.ImageFile import ImageFile

from heliograph.errors import PageUnavailable
from heliograph.types import Picture

MOST_PIXELS = 25_000_000
MOST_BYTES = 10_000_000
WIDEST = 1_280
"""Pixels of the longer side that is kept."""
JPEG_QUALITY = 85

_DECODING_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    OverflowError,
    MemoryError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)
"""What Pillow's decoders raise for bytes that are no picture or half of one."""


def picture_of(data: bytes, *, url: str = "", licence: str = "", attribution: str = "") -> Picture:
    """Decode PNG, JPEG, WebP or GIF (its first frame) and encode it anew, at most 1,280 pixels on a side.

    Raises:
        PageUnavailable: another format, too many bytes or pixels, or damaged.
    """
    if len(data) > MOST_BYTES:
        raise PageUnavailable(f"the picture has {len(data):,} bytes; at most {MOST_BYTES:,} are read")
    try:
        with _opened(data) as image:
            image.load()
            plain = _plain(ImageOps.exif_transpose(image))
    except _DECODING_ERRORS as err:
        raise PageUnavailable(f"the picture cannot be decoded: {err}") from err
    lossy = data.startswith((b"\xff\xd8", b"RIFF")) and plain.mode in ("L", "RGB")
    out = BytesIO()
    if lossy:
        plain.save(out, "JPEG", quality=JPEG_QUALITY)
    else:
        plain.save(out, "PNG")
    kind = "image/jpeg" if lossy else "image/png"
    return Picture(out.getvalue(), kind, plain.width, plain.height, url, licence, attribution)


def _opened(data: bytes) -> ImageFile:
    """Read the head of a picture, and refuse it where it promises too much.

    WebP's decoder makes room for the whole picture at once, so its size is read here.
    """
    stream = BytesIO(data)
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        image: ImageFile = PngImagePlugin.PngImageFile(stream)
    elif data.startswith(b"\xff\xd8\xff"):
        image = JpegImagePlugin.JpegImageFile(stream)
    elif data.startswith((b"GIF87a", b"GIF89a")):
        image = GifImagePlugin.GifImageFile(stream)
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        _refuse_huge(*_webp_size(data))
        image = WebPImagePlugin.WebPImageFile(stream)
    else:
        raise ValueError("it is neither PNG nor JPEG, WebP or GIF")
    _refuse_huge(*image.size)
    return image


def _webp_size(data: bytes) -> tuple[int, int]:
    """Read width and height off the first chunk (RFC 9649): lossy, lossless or extended."""
    match data[12:16]:
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    raise ValueError("it is no WebP")


def _refuse_huge(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise ValueError(f"it has {width:,} x {height:,} pixels; at most {MOST_PIXELS:,} are decoded")


def _plain(image: Image.Image) -> Image.Image:
    """Return the pixels alone: grey, RGB or RGBA of 8 bits, small enough, without metadata."""
    if image.mode.startswith(("I", "F")):
        image = image.convert("F").point(lambda value: value * (1 / 256) + 0)
        plain = image.convert("L")
    elif image.has_transparency_data:
        plain = image.convert("RGBA")
    else:
        plain = image.convert("L" if image.mode in ("1", "L") else "RGB")
    plain.thumbnail((WIDEST, WIDEST))
    plain.info = {}
    return plain
