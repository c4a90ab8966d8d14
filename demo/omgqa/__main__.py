"""Write the question set in the form that the measures read, or say what is wrong with its labels.

usage: python demo/omgqa OUT      two folders, OUT/development and OUT/report
       python demo/omgqa --check
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from demo_faults import corpus, faults
from demo_labels import read_labels
from demo_pool import write_set


def main(arguments: Sequence[str]) -> int:
    """Run the one or the other; 1 where something is wrong, 2 where the arguments are."""
    labels = read_labels()
    match arguments:
        case ["--check"]:
            found = list(faults(labels, corpus()))
            print(*found, f"{len(labels)} questions, {len(found)} problems", sep="\n")
            return int(bool(found))
        case [out] if not out.startswith("-"):
            write_set(Path(out), labels)
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
