"""Keep secrets out of what is written."""

import re
from collections.abc import Sequence

MASK = "***"

_SECRET_NAME = re.compile(r"key(?!word|board|note|stone)|token|secret|password|authorization", re.IGNORECASE)
_COUNT_NAME = re.compile(r"tokens$", re.IGNORECASE)


class Redaction:
    """Replace secret values by a mask: those under a telling name, and known strings wherever they stand.

    A number under a name that ends in `tokens` is a count of tokens and stays.
    """

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self._secrets = tuple(sorted((secret for secret in set(secrets) if secret), key=lambda s: (-len(s), s)))

    def text(self, value: str) -> str:
        """Mask every known secret inside a string, the longest first."""
        for secret in self._secrets:
            value = value.replace(secret, MASK)
        return value

    def hides(self, name: str, value: object) -> bool:
        """Say whether the value under this name is a secret."""
        if value is None or value is True or value is False or not _SECRET_NAME.search(name):
            return False
        if isinstance(value, str):
            return value != ""
        return not (isinstance(value, int | float) and _COUNT_NAME.search(name))
