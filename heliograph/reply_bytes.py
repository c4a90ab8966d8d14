"""The bytes of a model server's reply, unpacked no further than a limit: two megabytes of gzip may hold gigabytes."""

import zlib

from heliograph.errors import NoCompletion, ReplyTooLong

ENCODING = "gzip"
"""What a request may say it takes: of one packing it is known how to stop in the middle."""


class ReplyBytes:
    """Unpack the chunks of one reply as they come.

    Raises (from all of it):
        NoCompletion: it is packed in another way, or cannot be unpacked.
        ReplyTooLong: it has more than `most_bytes`, unpacked.
    """

    def __init__(self, server: str, encoding: str, most_bytes: int) -> None:
        packing = encoding.strip().lower()
        if packing not in ("", "identity", ENCODING):
            raise NoCompletion(f"{server} packs its reply as {encoding[:40]!r}, which was not asked for")
        self._server = server
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16) if packing == ENCODING else None
        self._most = self._left = most_bytes

    def unpacked(self, chunk: bytes) -> bytes:
        """Return what a chunk holds."""
        try:
            part = self._part(chunk)
        except zlib.error as err:
            raise NoCompletion(f"{self._server} sent a reply that cannot be unpacked: {err}") from err
        self._left -= len(part)
        if self._left < 0:
            raise ReplyTooLong(
                f"{self._server} sent more than {self._most:,} bytes for one reply; is it an OpenAI-compatible API?"
            )
        return part

    def _part(self, chunk: bytes) -> bytes:
        if self._inflate is None:
            return chunk
        return b"" if self._inflate.eof else self._inflate.decompress(chunk, self._left + 1)
