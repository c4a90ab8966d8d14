"""`heliograph chat` in a real terminal (tmux) and in a pipe."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tools.zim import build_snapshot

ROOT = Path(__file__).resolve().parent.parent
HELIOGRAPH = [sys.executable, "-m", "app"]
MOST_SECONDS = 60
PROMPT_BACK_SECONDS = 2.0


class Terminal:
    """A terminal of its own tmux server, with one command running in it."""

    def __init__(self, folder: Path, width: int = 100) -> None:
        self._socket = folder / "tmux"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", "50", "sh")
        self._tmux("set-option", "-g", "history-limit", "20000")
        self.type("PS1='shell$ '")
        self.enter()

    def start(self, arguments: Sequence[object], home: Path) -> None:
        """Run heliograph in the shell of the terminal."""
        variables = f"HELIOGRAPH_HOME={home} PYTHONPATH={ROOT} OMP_WAIT_POLICY=PASSIVE"
        self.type(f"clear; {variables} {' '.join(map(str, [*HELIOGRAPH, *arguments]))}; echo ended with $?")
        self.enter()

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def press(self, key: str) -> None:
        self._tmux("send-keys", key)

    def enter(self) -> None:
        self.press("Enter")

    def ask(self, line: str) -> None:
        self.type(line)
        self.enter()

    def screen(self) -> str:
        """Return what was written, lines that the window broke joined again."""
        lines = self._tmux("capture-pane", "-p", "-J", "-S", "-").splitlines()
        return "\n".join(line.rstrip() for line in lines)

    def resize(self, width: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", "50")

    def wait_for(self, pattern: str, times: int = 1, seconds: float = MOST_SECONDS) -> str:
        """Wait until a pattern was written so often; return the screen."""
        deadline = time.monotonic() + seconds
        while len(re.findall(pattern, self.screen(), re.M)) < times:
            assert time.monotonic() < deadline, f"{pattern!r} is not in:\n{self.screen()}"
            time.sleep(0.05)
        return self.screen()

    def wait_for_prompt(self, seconds: float = MOST_SECONDS) -> str:
        """Wait until the last line is an empty prompt."""
        deadline = time.monotonic() + seconds
        while self.screen().rstrip().splitlines()[-1:] != [">"]:
            assert time.monotonic() < deadline, f"no prompt in:\n{self.screen()}"
            time.sleep(0.05)
        return self.screen()

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", str(self._socket), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf8").stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        if os.environ.get("CI"):
            pytest.fail("tmux is missing; apt-get install tmux")
        pytest.skip("tmux is missing; apt-get install tmux")
    opened = Terminal(tmp_path)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def long_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an archive of one page that takes a minute to embed, and a small one beside it."""
    folder = tmp_path_factory.mktemp("long")
    items = "\n\n".join(f"Berth {n} of the harbour has bollard {n * 7} and crane {n * 11}." * 3 for n in range(8_000))
    (folder / "Harbour.md").write_text(f"# Harbour\n\n{items}\n")
    (folder / "Lantern.md").write_text("# Lantern\n\nThe Lantern was lit in 1871 by Ada Brandt.\n")
    build_snapshot([folder], folder / "long.zim")
    return folder / "long.zim"


def test_a_conversation_in_a_terminal(terminal: Terminal, archive: Path, home: Path) -> None:
    terminal.start(["chat", "--source", f"zim:{archive}"], home)
    terminal.wait_for("^/help lists the commands")
    terminal.wait_for_prompt()

    terminal.ask("Who designed Skerry Head Light?")
    terminal.wait_for(r"^round 1: searching")
    terminal.wait_for(r"designed by Ada Brandt\.\s\[\d\]")
    terminal.wait_for_prompt()

    terminal.ask("When was it first lit?")
    terminal.wait_for(r"^understood as: When was Skerry Head Light first lit\?")
    terminal.wait_for("first lit in 1871")
    terminal.wait_for_prompt()

    terminal.ask("/evidence 1")
    terminal.wait_for(r"^\[1\] varn:Skerry%20Head%20Light@\w+#s0/p1\nzim://varn/")
    terminal.ask("/trace 1")
    terminal.wait_for('^ask "When was Skerry Head Light first lit')
    terminal.ask("/nothing")
    terminal.wait_for("^heliograph: there is no command '/nothing'; there are /trace, /sources")
    terminal.ask("/new")
    terminal.wait_for("^a new conversation")
    terminal.ask("Which island has Holm Light?")
    terminal.wait_for(r"^run 20\w+-\w+", times=3)
    terminal.wait_for_prompt()
    terminal.ask("/sources")
    terminal.wait_for(r"^zim:.*: ok|^varn: ok")
    terminal.wait_for("^round 1 read ")
    terminal.wait_for(r"^\[1\].*: no licence is stated")
    terminal.ask("/quit")
    terminal.wait_for("^ended with 0")
    assert "Traceback" not in terminal.screen()


def test_a_conversation_goes_on_after_a_restart_with_its_history(terminal: Terminal, archive: Path, home: Path) -> None:
    terminal.start(["chat", "--source", f"zim:{archive}"], home)
    terminal.wait_for_prompt()
    terminal.ask("Who designed Skerry Head Light?")
    terminal.wait_for(r"^run 20")
    terminal.wait_for_prompt()
    terminal.press("C-d")
    terminal.wait_for("^ended with 0")
    assert (home / "chat_history").stat().st_mode & 0o777 == 0o600
    assert (home / "conversations.sqlite").stat().st_mode & 0o777 == 0o600

    terminal.start(["chat", "--source", f"zim:{archive}", "--continue"], home)
    terminal.wait_for("^going on with 'Who designed Skerry Head Light\\?', 1 question \\(")
    terminal.wait_for_prompt()
    terminal.press("Up")
    terminal.wait_for(r"^> Who designed Skerry Head Light\?")
    terminal.press("C-c")
    terminal.wait_for("^Ctrl-C once more ends the chat")
    terminal.wait_for_prompt()
    terminal.ask("When was she born?")
    terminal.wait_for(r"^understood as: When was Ada Brandt born\?")
    terminal.wait_for("in 1838")
    terminal.wait_for_prompt()
    terminal.ask("/evidence 1")
    terminal.wait_for("^zim://varn/Ada")
    terminal.press("C-c")
    terminal.wait_for("^Ctrl-C once more", times=2)
    terminal.press("C-c")
    terminal.wait_for("^ended with 0")


def test_ctrl_c_ends_a_question_and_the_prompt_is_back_at_once(
    terminal: Terminal, long_archive: Path, home: Path
) -> None:
    terminal.start(["chat", "--source", f"zim:{long_archive}"], home)
    terminal.wait_for_prompt()
    terminal.ask("Which berth of the harbour has crane 77?")
    terminal.wait_for("^round 1: reading")
    time.sleep(1.5)
    began = time.monotonic()
    terminal.press("C-c")
    terminal.wait_for(r"^interrupted; go on with heliograph resume 20\w+-\w+", seconds=PROMPT_BACK_SECONDS + 1)
    terminal.wait_for_prompt(seconds=PROMPT_BACK_SECONDS + 1)
    assert time.monotonic() - began < PROMPT_BACK_SECONDS + 0.5
    terminal.ask("/help")
    terminal.wait_for("^/quit +end the chat")
    terminal.ask("/trace")
    terminal.wait_for("search_documents")
    terminal.ask("/quit")
    terminal.wait_for("^ended with 0", seconds=5)
    assert "Traceback" not in terminal.screen()


def test_a_run_that_was_interrupted_can_be_resumed(
    terminal: Terminal, archive: Path, home: Path, cli: Callable[..., object]
) -> None:
    terminal.start(["chat", "--source", f"zim:{archive}"], home)
    terminal.wait_for_prompt()
    terminal.ask("Who designed Skerry Head Light?")
    terminal.wait_for("^round 1: reading")
    terminal.press("C-c")
    said = terminal.wait_for("^interrupted; go on with heliograph resume|^run 20")
    terminal.wait_for_prompt()
    terminal.ask("/quit")
    terminal.wait_for("^ended with 0", seconds=10)
    found = re.search(r"heliograph resume (\S+)", said)
    if found is None:
        pytest.skip("the question was faster than the interrupt")
    done = subprocess.run(
        [*HELIOGRAPH, "resume", found[1]],
        env={**os.environ, "HELIOGRAPH_HOME": str(home), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Ada Brandt" in done.stdout) == (0, True), done.stderr


def test_a_narrow_window_that_changes_its_width(terminal: Terminal, archive: Path, home: Path) -> None:
    terminal.resize(24)
    terminal.start(["chat", "--source", f"zim:{archive}"], home)
    terminal.wait_for_prompt()
    terminal.ask("Who designed Skerry Head Light, the lighthouse on Storholm?")
    terminal.wait_for(r"Ada\s+Brandt")
    terminal.wait_for_prompt()
    terminal.resize(60)
    terminal.ask("Where was she born?")
    terminal.wait_for(r"understood as: Where was Ada Brandt born\?")
    terminal.wait_for("Torvik")
    terminal.wait_for_prompt()
    terminal.ask("/quit")
    terminal.wait_for("ended with 0")


def piped(archive: Path, home: Path, text: bytes, *more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*HELIOGRAPH, "chat", "--source", f"zim:{archive}", *more],
        env={**os.environ, "HELIOGRAPH_HOME": str(home), "PYTHONPATH": str(ROOT)},
        input=text,
        capture_output=True,
        timeout=MOST_SECONDS,
        check=False,
    )


def test_a_pipe_is_answered_line_by_line_without_prompts(archive: Path, home: Path) -> None:
    lines = ["", "Who designed Skerry Head Light?", "  ", "When was she born?", "/evidence 1", "/evidence 9", "/wrong"]
    done = piped(archive, home, "\n".join(lines).encode())
    written, said = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == 2, "a line failed"
    assert "Ada Brandt" in written
    assert "zim://varn/Ada" in written
    assert not re.search(r"^> ", written, re.M)
    assert "\x1b" not in written + said
    assert "understood as: When was Ada Brandt born?\n" in said
    assert "heliograph: no cited piece has the number '9'; /evidence 1" in said
    assert "heliograph: there is no command '/wrong'; there are /trace" in said


def test_errors_end_their_line_and_never_the_chat(archive: Path, home: Path) -> None:
    done = piped(
        archive, home, b"Who \x1b[31mis it?\nWho \xff?\n???\nWho designed Skerry Head Light?\n/evidence\n/trace x\n"
    )
    said = done.stderr.decode()
    assert done.returncode == 2
    assert "the question has the control character U+001B at place 5; remove it" in said
    assert "the question has the control character U+DCFF at place 5; remove it" in said
    assert "the question is empty" in said
    assert "Ada Brandt" in done.stdout.decode()
    assert "Traceback" not in said


def test_an_archive_that_is_not_there_is_said_for_each_question(tmp_path: Path, home: Path) -> None:
    done = piped(tmp_path / "none.zim", home, b"Who?\nWhat is Mars?\n")
    assert (done.returncode, done.stderr.count(b"heliograph: no archive at ")) == (5, 2)


def test_going_on_with_a_conversation_that_is_not_kept_is_2(archive: Path, home: Path) -> None:
    done = piped(archive, home, b"", "--continue")
    assert (done.returncode, b"no conversation is kept; heliograph chat begins one" in done.stderr) == (2, True)
    piped(archive, home, b"Who designed Skerry Head Light?\n")
    done = piped(archive, home, b"", "--continue", "1999")
    assert (done.returncode, b"no conversation is named '1999'" in done.stderr) == (2, True)
    done = piped(archive, home, b"/conversations\n/forget last\n/conversations\n", "--continue", "last")
    assert re.fullmatch(
        rb"20\S+  \d{4}-\d\d-\d\d \d\d:\d\d    1 question   Who designed Skerry Head Light\?\n"
        rb"forgot 20\S+, 'Who designed Skerry Head Light\?'; its runs are kept until heliograph store purge --runs\n"
        rb"no conversation is kept yet\n",
        done.stdout,
    )


def test_no_source_is_2_before_the_first_question(home: Path, cli: Callable[..., object]) -> None:
    done = subprocess.run(
        [*HELIOGRAPH, "chat"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=b"Who?\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, b"heliograph: no source: name one with --source zim:PATH" in done.stderr) == (2, True)
