"""How soon the command line says something: --help, and the first line of progress.

usage: python -m bench.start_up [--repeat 9]
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time


def main() -> None:
    """Print medians in seconds, beside a Python that does nothing."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--repeat", type=int, default=9)
    args = ask.parse_args()
    for name, command in (
        ("python -c pass", [sys.executable, "-c", "pass"]),
        ("heliograph --help", [sys.executable, "-m", "app", "--help"]),
        (
            "heliograph ask: first line",
            [sys.executable, "-m", "app", "ask", "--preset", "demo", "Who discovered Titan?"],
        ),
    ):
        times = [_first_output(command) for _ in range(args.repeat)]
        print(f"{name:28} median {statistics.median(times):.3f} s, worst {max(times):.3f} s")


def _first_output(command: list[str]) -> float:
    """Return the seconds until the first byte on stdout or stderr, or until the end where there is none."""
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, "HELIOGRAPH_HOME": home}
        ) as process:
            assert process.stdout is not None
            process.stdout.read(1)
            seconds = time.perf_counter() - start
            process.communicate()
    return seconds


if __name__ == "__main__":
    main()
