"""Keep secrets out of what is written."""

import re
from collections.abc import Sequence
from functools import cache

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
    A string spelt with the escapes of JSON is the same string: who reads the JSON gets it back.
    """

    def __init__(self, secrets: Sequence[str] = (), *, cautious: bool = False) -> None:
        self._cautious = cautious
        self._secrets = tuple(sorted((secret for secret in set(secrets) if secret), key=lambda s: (-len(s), s)))

    def text(self, value: str) -> str:
        """Mask every known secret inside a string, the longest first."""
        for secret in self._secrets:
            spelt = _spelt(secret) if "\\" in value else None
            value = spelt.sub(MASK, value) if spelt else value.replace(secret, MASK)
        return _PASSWORD.sub(MASK, _KEY_LIKE.sub(MASK, value)) if self._cautious else value

    def hides(self, name: str, value: object) -> bool:
        """Say whether the value under this name is a secret."""
        if value is None or value is True or value is False or not _SECRET_NAME.search(name):
            return False
        if isinstance(value, str):
            return value != ""
        return not (isinstance(value, int | float) and _COUNT_NAME.search(name))


@cache
def _spelt(secret: str) -> re.Pattern[str] | None:
    """Return what finds a secret whose characters are escaped, each or none, however often; None for mere backslashes.

    Backslashes of the text and of the secret do not count, and those before it go with it, so that JSON stays JSON. It
    takes time by the length of the text alone: a run of backslashes is gone through once, not again for a part of it.
    """
    characters = [(re.escape(each), f"u(?i:{ord(each):04x})") for each in secret if each != "\\"]
    if not characters:
        return None
    (first, coded), *others = characters
    between = r"(?:\\(?:u005[cC])?)*+"
    following = (f"{between}(?:{plain}|(?<=\\\\){code})" for plain, code in others)
    return re.compile("".join((rf"(?:{first}|(?<!\\)\\++(?:{first}|{coded}))", *following)))
