"""The program `heliograph`: Ctrl-C ends it in one line from the start, while its commands are still being imported."""

from importlib import import_module

from heliograph.interrupts import starting


def main() -> None:
    """Run the command line."""
    starting()
    import_module("app").main()
