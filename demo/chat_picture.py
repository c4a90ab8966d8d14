"""Draw docs/chat.svg: a chat over the demo archive in a real terminal (tmux), its screen as an SVG of text.

Run it in the activated environment after `make home`: `python demo/chat_picture.py`. It needs tmux.
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path

LINES = ("Which is the largest moon of Neptune?", "Who discovered it, and when?", "And Titan?", "/evidence 1")
WIDTH, HEIGHT = 110, 68
LETTER, LINE, MARGIN = 8.4, 19, 16
PAPER, INK = "#10151d", "#dfe5ee"
STYLES = {"1": 'font-weight="bold"', "2": 'fill-opacity="0.55"', "31": 'fill="#ff8a80"'}
OUT = Path(__file__).resolve().parent.parent / "docs" / "chat.svg"
MOST_SECONDS = 120
_CODES = re.compile(r"\x1b\[([\d;]*)m")


def main() -> None:
    """Hold the chat and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/tmux"
        try:
            OUT.write_text(drawn(held(socket)), encoding="utf8")
        finally:
            subprocess.run(["tmux", "-S", socket, "kill-server"], capture_output=True, check=False)
    sys.stdout.write(f"{OUT}\n")


def held(socket: str) -> str:
    """Return the screen after a chat, with its colours."""
    size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
    tmux(socket, "-f", "/dev/null", "new-session", "-d", *size, "heliograph chat --preset demo")
    for line in LINES:
        wait_for_prompt(socket)
        tmux(socket, "send-keys", "-l", line)
        tmux(socket, "send-keys", "Enter")
    wait_for_prompt(socket)
    return tmux(socket, "capture-pane", "-e", "-p", "-S", "-").rstrip()


def wait_for_prompt(socket: str) -> None:
    """Wait until the last line is an empty prompt.

    Raises:
        TimeoutError: there is none after two minutes.
    """
    deadline = time.monotonic() + MOST_SECONDS
    time.sleep(0.5)
    while tmux(socket, "capture-pane", "-p").rstrip().splitlines()[-1:] not in ([">"], ["> "]):
        if time.monotonic() > deadline:
            raise TimeoutError(tmux(socket, "capture-pane", "-p"))
        time.sleep(0.2)


def drawn(screen: str) -> str:
    """Return a screen as an SVG that refers to nothing outside it."""
    lines = tuple(styled(screen))
    width, height = round(WIDTH * LETTER + 2 * MARGIN), len(lines) * LINE + 2 * MARGIN
    texts = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + number * LINE - 5}" xml:space="preserve">{line}</text>'
        for number, line in enumerate(lines, start=1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="A chat in a terminal">\n<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n'
        f'<g fill="{INK}" font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" '
        f'font-size="14">\n{texts}\n</g>\n</svg>\n'
    )


def styled(screen: str) -> Iterator[str]:
    """Return each line as stretches of one style, fixed to the width of their letters; a style lasts over lines."""
    style = ""
    for line in screen.splitlines():
        spans, place = [], 0
        for part, text in enumerate(_CODES.split(line)):
            if part % 2:
                style = " ".join(STYLES.get(code, "") for code in text.split(";")).strip()
            elif text:
                length = f'textLength="{len(text) * LETTER:.1f}" x="{MARGIN + place * LETTER:.1f}"'
                spans.append(f"<tspan {length} {style}>{escape(text)}</tspan>")
                place += len(text)
        yield "".join(spans)


def tmux(socket: str, *arguments: str) -> str:
    """Run tmux on a server of its own."""
    done = subprocess.run(["tmux", "-S", socket, *arguments], capture_output=True, check=True, encoding="utf8")
    return done.stdout


if __name__ == "__main__":
    main()
