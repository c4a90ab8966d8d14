"""Addresses of servers as settings may name them."""

from urllib.parse import urlsplit

from heliograph.errors import UsageError


def check_base_url(
    base_url: str, name: str = "base_url", key: str = "api_key", example: str = "http://127.0.0.1:8000/v1"
) -> None:
    """Refuse what is no address of a server, and secrets in one: addresses are shown and recorded, keys are not.

    The other arguments are for the message: the setting, the one of its key, and what an address looks like.

    Raises:
        UsageError: it cannot be used, or holds a password or a query.
    """
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or not base_url.isprintable() or " " in base_url:
        raise UsageError(f"a {name} is no address of a server; write it as {example}")
    if parts.username or parts.password or parts.query or parts.fragment:
        shown = f"{parts.scheme}://{parts.hostname}{parts.path}"
        raise UsageError(f"{name} of {shown} holds a password or a query; a key belongs into {key}")
