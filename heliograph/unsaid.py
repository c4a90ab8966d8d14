"""Whom to tell where nobody wants to hear: progress, trace events, checked claims."""


def unsaid(_: object) -> None:
    """Tell nobody."""
