"""DuckDuckGo over the pages of one wiki; the only door to ddgs."""

from tools.duckduckgo.pace import Pace
from tools.duckduckgo.search import DuckDuckGo

__all__ = ["DuckDuckGo", "Pace"]
