"""The next step of somebody whose files cannot be written, or are another's, where they are."""

ANOTHER = "name another folder with --out"
A_COPY = "work on a copy of the folder elsewhere"
"""Of a folder that was made before."""
ANOTHER_FILE = "name another file with --out"
