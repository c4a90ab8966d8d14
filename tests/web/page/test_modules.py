"""The modules of the page keep their rules: small, typed, without markup, style or addresses of others."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[3] / "web" / "static"
MODULES = sorted(STATIC.glob("*.js"))
MOST_LINES = 300
SINKS = (
    r"\b(?:inner|outer)HTML\b",
    r"\binsertAdjacentHTML\b",
    r"\bdocument\.write",
    r"\bDOMParser\b",
    r"\bcreateContextualFragment\b",
    r"\bsetHTML",
    r"\beval\(",
    r"\bnew Function\b",
    r"\.style\b",
    r"\bpostMessage\b",
    r"\bimport\(",
    r"\bsrcdoc\b",
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_short_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf8")
    assert len(text.splitlines()) <= MOST_LINES
    assert re.match(r"/\*\*\n \* \S.*[\s\S]*? \* @module " + path.stem + r"\n \*/", text)
    assert path.stem not in {"utils", "helpers", "manager", "base", "common", "misc"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_has_a_way_to_turn_text_into_markup_script_or_style(path: Path) -> None:
    text = re.sub(r"/\*[\s\S]*?\*/", "", path.read_text(encoding="utf8"))
    assert [sink for sink in SINKS if re.search(sink, text)] == []


def test_addresses_are_set_in_one_module() -> None:
    setting = [path.name for path in MODULES if re.search(r"\.(?:href|src|action)\s*=[^=]", path.read_text("utf8"))]
    assert setting == ["links.js"]


@pytest.mark.parametrize("path", sorted(STATIC.iterdir()), ids=lambda path: path.name)
def test_nothing_names_another_server(path: Path) -> None:
    found = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"']*", path.read_text(encoding="utf8"))
    assert [address for address in found if address != "http://www.w3.org/2000/svg"] == []


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    text = (STATIC / "index.html").read_text(encoding="utf8")
    assert re.findall(r"<script[^>]*>", text) == ['<script type="module" src="/static/main.js">']
    assert not re.search(r"<style|\sstyle=|\son\w+=|<iframe|<base", text)


def test_the_folder_is_flat_and_every_import_is_of_it() -> None:
    assert all(path.is_file() for path in STATIC.iterdir())
    for path in MODULES:
        for name in re.findall(r'from "([^"]+)"', path.read_text(encoding="utf8")):
            assert (STATIC / name).is_file(), f"{path.name}: {name}"


@pytest.mark.npm
def test_the_types_of_the_modules_agree(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm")
    got = subprocess.run(
        [npm, "install", "--silent", "--fetch-retries=0", "--prefix", str(tmp_path), "typescript@5"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    if got.returncode:
        pytest.skip(f"npm cannot fetch typescript: {got.stderr[-200:]}")
    flags = "--noEmit --allowJs --checkJs --strict --target esnext --module esnext --moduleResolution bundler"
    found = subprocess.run(
        [tmp_path / "node_modules" / ".bin" / "tsc", *flags.split(), "--lib", "esnext,dom,dom.iterable", *MODULES],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert found.stdout == ""
