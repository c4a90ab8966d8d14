"""Keep secrets out of what is written."""

import re
from collections.abc import Sequence

MASK = "***"

_SECRET_NAME = re.compile(r"key(?!word|board|note|stone)|token|secret|password|authorization", re.IGNORECASE)
_COUNT_NAME = re.compile(r"tokens$", re.IGNORECASE)
_KEY_LIKE = re.compile(
    r"\b(?:sk|pk|rk|hf|gh[opsu]|github_pat|glpat|xox[abprs]|AIza|AKIA|ya29)[-_]?[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+)*"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
    r"|(?<=Bearer )[A-Za-z0-9._~+/=-]{8,}|(?<=Basic )[A-Za-z0-9+/=]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.DOTALL,
)
"""Keys as the usual services form them, tokens of requests, and private keys."""
_PASSWORD = re.compile(r"(?<=://)[^/\s:@]*:[^/\s@]+(?=@)")
"""A name and a password in an address."""


class Redaction:
    """Replace secret values by a mask: those under a telling name, and known strings wherever they stand.

    A number under a name that ends in `tokens` is a count of tokens and stays. `cautious` is for what leaves the
    machine: then whatever has the form of a key, and passwords in addresses, are masked too, of whomever they are.
    """

    def __init__(self, secrets: Sequence[str] = (), *, cautious: bool = False) -> None:
        self._cautious = cautious
        self._secrets = tuple(sorted((secret for secret in set(secrets) if secret), key=lambda s: (-len(s), s)))

    def text(self, value: str) -> str:
        """Mask every known secret inside a string, the longest first."""
        for secret in self._secrets:
            value = value.replace(secret, MASK)
        return _PASSWORD.sub(MASK, _KEY_LIKE.sub(MASK, value)) if self._cautious else value

    def hides(self, name: str, value: object) -> bool:
        """Say whether the value under this name is a secret."""
        if value is None or value is True or value is False or not _SECRET_NAME.search(name):
            return False
        if isinstance(value, str):
            return value != ""
        return not (isinstance(value, int | float) and _COUNT_NAME.search(name))
