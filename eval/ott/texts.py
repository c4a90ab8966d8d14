"""Many texts in little memory: one stretch of UTF-8, each text cut out of it when asked for."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts by position; a str each would take two bytes a character wherever one character is not Latin."""

    blob: bytearray
    ends: "array[int]"

    @classmethod
    def pack(cls, texts: Iterable[str]) -> Self:
        """Pack texts in the order given, holding one of them at a time."""
        blob, ends = bytearray(), array("q")
        for text in texts:
            blob += text.encode("utf-8", "surrogatepass")
            ends.append(len(blob))
        return cls(blob, ends)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, position: int) -> str:
        if not 0 <= position < len(self.ends):
            raise IndexError(position)
        start = self.ends[position - 1] if position else 0
        return self.blob[start : self.ends[position]].decode("utf-8", "surrogatepass")
