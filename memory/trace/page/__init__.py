"""A run as one HTML page that asks nothing of any other place: its tree, its time line, all that its spans say."""

from memory.trace.page.document import trace_html

__all__ = ["trace_html"]
