"""Titles as wikis and archives tell pages apart."""

from indexers.parser.text import tidy


def page_title(title: str) -> str:
    """Return a title as an archive writes it: on one line, `_` read as a space, nothing unseen in it."""
    return tidy(title.replace("\0", "").replace("_", " "))


def same_title(title: str) -> str:
    """Return what two titles of one page have in common: wikis do not heed the case of the first letter."""
    name = page_title(title)
    return name[:1].upper() + name[1:]
