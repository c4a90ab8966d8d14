"""The repository is what the design says: modules import, files stay readable, documents exist."""

import ast
import re
import socket
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("agent", "eval", "heliograph", "indexers", "memory", "prompts", "tools", "web")
SOURCES = sorted(path.relative_to(ROOT) for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
MODULES = ["app", *(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in SOURCES)]
MOST_LINES = 500
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}


@pytest.mark.parametrize("name", MODULES)
def test_every_module_imports_and_says_what_it_is_for(name: str) -> None:
    module = import_module(name)
    first, _, _ = (module.__doc__ or "").partition("\n\n")
    assert first.rstrip()[-1:] in {".", ":"}


@pytest.mark.parametrize("path", [Path("app.py"), *SOURCES], ids=str)
def test_a_file_stays_short_and_is_named_after_its_idea(path: Path) -> None:
    lines = (ROOT / path).read_text(encoding="utf8").splitlines()
    assert len(lines) <= MOST_LINES
    assert path.stem not in FORBIDDEN_NAMES
    assert not [line for line in lines if re.search(r"#.*\b(?:TODO|FIXME|XXX)\b", line)]


@pytest.mark.parametrize("path", [Path("app.py"), *SOURCES], ids=str)
def test_no_function_is_longer_than_the_wall_and_none_catches_everything(path: Path) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, node.name
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None
            assert ast.unparse(node.type) not in {"Exception", "BaseException"}


def test_tests_cannot_reach_the_network() -> None:
    for refused in (lambda: socket.getaddrinfo("example.org", 80), lambda: socket.create_connection(("192.0.2.1", 80))):
        with pytest.raises(RuntimeError, match="tests reach this machine only"):
            refused()
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


def test_packages_have_an_init_and_tests_have_none() -> None:
    folders = {path.parent for path in SOURCES}
    assert [str(folder) for folder in sorted(folders) if not (ROOT / folder / "__init__.py").exists()] == []
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_every_folder_of_tests_mirrors_one_of_the_code() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders - {"data", "servers", "bench", "demo"} <= set(PACKAGES)


@pytest.mark.parametrize(
    "name",
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "constraints.txt", "langgraph.json"],
)
def test_what_a_reader_looks_for_is_there(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [path.name[:3] for path in (ROOT / "docs" / "decisions").glob("*.md")]
    assert numbers
    assert len(set(numbers)) == len(numbers)


def test_the_version_is_in_the_changelog_and_in_the_package() -> None:
    from heliograph import __version__

    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf8")
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf8")


def test_the_links_of_the_documents_lead_somewhere() -> None:
    broken = []
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        shown = re.sub(r"^ *```.*?^ *```", "", path.read_text(encoding="utf8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)", shown):
            if "://" not in target and not (path.parent / target).exists():
                broken.append(f"{path.relative_to(ROOT)}: {target}")
    assert broken == []
