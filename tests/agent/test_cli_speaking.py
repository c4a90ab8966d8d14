"""What is printed moves no cursor and sets no colour: pages, wikis and models may write codes of terminals."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from agent.cli.speaking import NOT_INK, printable
from memory.pages import FilePageStore
from memory.trace import COLOURED
from tests.fakes import make_page, paragraph

Cli = Callable[..., Result]

CODES = st.sampled_from(
    ["\x1b", "\x1b[", "\x1b]0;", "\x07", "\x1b\\", "\x9b", "31m", "\x1b[2J", "\x1b(0", "\r", "\b", "\x7f", "\ud83d"]
)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("\x1b[31mIo\x1b[0m", "Io"),
        ("\x1b]0;owned\x07Io", "Io"),
        ("\x1b]8;;http://evil.example\x1b\\Io\x1b]8;;\x1b\\", "Io"),
        ("\x1bP1;2|17/ab\x1b\\Io", "Io"),
        ("Io\x1b[2J\x1b[1;1H\x1b(0\x1bc moon", "Io moon"),
        ("good\r\x1b[2Kbad\b\b", "goodbad"),
        ("\x1b]never ended", "never ended"),
        ("\x9b31mIo\x7f", "\\u009b31mIo\\u007f"),
        ("half \ud83d", "half \\ud83d"),
        ("Ægir\u00a0–\tIo 👩\u200d🚀\n", "Ægir\u00a0–\tIo 👩\u200d🚀\n"),
    ],
)
def test_codes_of_terminals_are_left_out_and_words_stay(written: str, printed: str) -> None:
    assert printable(written) == printed


@given(st.lists(CODES | st.text(max_size=5), max_size=12).map("".join))
def test_nothing_that_a_terminal_obeys_is_left(written: str) -> None:
    left = printable(written)
    assert not {sign for sign in left if sign < " " or "\x7f" <= sign <= "\x9f"} - {"\n", "\t"}
    left.encode()


@given(st.text(st.characters(min_codepoint=0x7E, max_codepoint=0xA0) | st.just("\udc80")))
def test_json_stays_what_it_says(text: str) -> None:
    assert json.loads(printable(json.dumps(text, ensure_ascii=False))) == text


def test_colours_of_ours_stay_and_other_codes_go() -> None:
    written = f"{COLOURED.bold}Io\x1b[32m{COLOURED.plain} {COLOURED.dim}{COLOURED.red}\x1b[8mhidden\x1b[1;1H"
    assert printable(written, NOT_INK) == f"{COLOURED.bold}Io{COLOURED.plain} {COLOURED.dim}{COLOURED.red}hidden"


def test_an_error_repeats_no_code(cli: Cli) -> None:
    refused = cli("show", "varn:\x1b]0;owned\x07Io@1#s0/p1")
    assert (refused.exit_code, refused.stderr.partition("@")[0]) == (2, "heliograph: no page varn:Io")


def test_evidence_is_shown_without_the_codes_of_its_page(cli: Cli, home: Path) -> None:
    page = replace(make_page("Io", "Io is a moon."), url="https://varn.example/\x1b]0;owned\x07Io")
    FilePageStore(home / "pages").put(page, "1", "Io")
    shown = cli("show", paragraph("Io"))
    assert shown.stdout.splitlines()[1] == "https://varn.example/Io", shown.stderr
