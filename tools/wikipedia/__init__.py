"""Live MediaWiki: search, pages and pictures of one wiki, politely; the only door to mwclient."""

from tools.wikipedia.wiki import LivePage, Wikipedia

__all__ = ["LivePage", "Wikipedia"]
