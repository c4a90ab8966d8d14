"""Foreign bytes become pictures of ours, or an error; nothing else."""

import struct
import tracemalloc
import zlib
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from heliograph.errors import PageUnavailable
from tools.pictures import MOST_BYTES, picture_of


def encoded(format: str, mode: str = "RGB", size: tuple[int, int] = (40, 30), **options: object) -> bytes:
    out = BytesIO()
    image = Image.linear_gradient("L").resize(size).convert(mode)
    if mode.endswith("A"):
        image.putalpha(100)
    image.save(out, format, **options)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


@pytest.mark.parametrize(
    ("data", "kind", "mode"),
    [
        (encoded("PNG"), "image/png", "RGB"),
        (encoded("PNG", "L"), "image/png", "L"),
        (encoded("PNG", "1"), "image/png", "L"),
        (encoded("PNG", "P"), "image/png", "RGB"),
        (encoded("PNG", "RGBA"), "image/png", "RGBA"),
        (encoded("PNG", "LA"), "image/png", "RGBA"),
        (encoded("JPEG"), "image/jpeg", "RGB"),
        (encoded("JPEG", "CMYK"), "image/jpeg", "RGB"),
        (encoded("JPEG", "L"), "image/jpeg", "L"),
        (encoded("GIF", "P"), "image/png", "RGB"),
        (encoded("WEBP"), "image/jpeg", "RGB"),
        (encoded("WEBP", "RGBA"), "image/png", "RGBA"),
        (encoded("WEBP", lossless=True), "image/jpeg", "RGB"),
    ],
)
def test_every_allowed_format_becomes_png_or_jpeg(data: bytes, kind: str, mode: str) -> None:
    picture = picture_of(data, url="u", licence="l", attribution="a")
    again = opened(picture.data)
    assert (picture.media_type, picture.width, picture.height) == (kind, 40, 30)
    assert (again.size, again.mode, again.get_format_mimetype()) == ((40, 30), mode, kind)
    assert (picture.url, picture.licence, picture.attribution) == ("u", "l", "a")


def test_sixteen_bits_of_grey_become_eight() -> None:
    out = BytesIO()
    Image.new("I;16", (2, 1), 0x8000).save(out, "PNG")
    assert opened(picture_of(out.getvalue()).data).getpixel((0, 0)) == 0x80


def test_metadata_is_left_behind_and_the_camera_is_held_upright() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x013B] = 6, "Unknown draughtsman"
    picture = picture_of(encoded("JPEG", exif=exif, comment=b"secret", icc_profile=b"profile"))
    again = opened(picture.data)
    assert (picture.width, picture.height) == (30, 40)
    assert not again.getexif() and b"secret" not in picture.data and "icc_profile" not in again.info


def test_texts_in_a_png_are_left_behind() -> None:
    info = PngInfo()
    info.add_text("Comment", "secret", zip=False)
    assert opened(picture_of(encoded("PNG", pnginfo=info, dpi=(72, 72))).data).info == {}


def test_a_large_picture_is_made_smaller() -> None:
    picture = picture_of(encoded("PNG", "L", (2560, 1000)))
    assert (picture.width, picture.height) == (1280, 500)


def huge_png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    pixels = zlib.compress(bytes(1_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def huge_webp() -> bytes:
    data = bytearray(encoded("WEBP", "RGBA"))
    assert data[12:16] == b"VP8X"
    data[24:30] = (16_382).to_bytes(3, "little") * 2
    return bytes(data)


def huge_gif() -> bytes:
    data = bytearray(encoded("GIF", "P"))
    data[6:10] = struct.pack("<HH", 60_000, 60_000)
    return bytes(data)


@pytest.mark.parametrize("data", [huge_png(30_000, 30_000), huge_png(5_001, 5_000), huge_webp(), huge_gif()])
def test_huge_dimensions_are_refused_before_anything_is_unpacked(data: bytes) -> None:
    tracemalloc.start()
    with pytest.raises(PageUnavailable, match="pixels; at most 25,000,000 are decoded"):
        picture_of(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


def test_too_many_bytes_are_refused() -> None:
    with pytest.raises(PageUnavailable, match="at most 10,000,000 are read"):
        picture_of(b"\x89PNG\r\n\x1a\n" + bytes(MOST_BYTES))


@pytest.mark.parametrize(
    "data",
    [b"", b"GIF89a", b"RIFF1234WEBPVP8X", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"BM" + bytes(60), b"<svg/>",
     b"%PDF-1.4", encoded("TIFF"), encoded("BMP"), encoded("PNG")[:60], encoded("JPEG")[:300]],
)  # fmt: skip
def test_other_formats_and_half_pictures_are_refused(data: bytes) -> None:
    with pytest.raises(PageUnavailable, match="cannot be decoded"):
        picture_of(data)


SAMPLES = [encoded("PNG", "P"), encoded("JPEG"), encoded("WEBP"), encoded("WEBP", "RGBA"), encoded("GIF", "P")]


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(SAMPLES), st.data())
def test_damaged_pictures_are_decoded_or_refused(sample: bytes, data: st.DataObject) -> None:
    damaged = bytearray(sample)
    for place in data.draw(st.lists(st.integers(0, len(sample) - 1), min_size=1, max_size=6)):
        damaged[place] = data.draw(st.integers(0, 255))
    try:
        picture = picture_of(bytes(damaged))
    except PageUnavailable:
        return
    assert opened(picture.data).size == (picture.width, picture.height)
