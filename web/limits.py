"""How much a server takes on unless it is told otherwise."""

RUNNING, PLACES = 8, 200
"""What is worked at side by side, and what runs or waits, at most."""
