"""The site builds strictly without a network, its links lead somewhere, and it loads nothing from elsewhere."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from bs4 import BeautifulSoup

pytest.importorskip("sphinx", reason="the extra docs is not installed; make docs installs it")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src", "object": "data"}
NO_PROXY = {"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
"""An address at which nobody answers: what asks the network fails."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "-b", "html"]
    done = subprocess.run(
        [*build, "-d", out / "doctrees", ROOT / "docs", out / "html"],
        env={**os.environ, **NO_PROXY},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return out / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, BeautifulSoup]:
    return {path: BeautifulSoup(path.read_text(encoding="utf8"), "lxml") for path in sorted(site.rglob("*.html"))}


def test_every_link_within_the_site_leads_to_a_page_and_a_place_on_it(pages: dict[Path, BeautifulSoup]) -> None:
    places = {path: {tag["id"] for tag in page.find_all(id=True)} for path, page in pages.items()}
    broken = []
    for path, page in pages.items():
        for link in page.find_all("a", href=True):
            href, anchor = urldefrag(link["href"])
            if "://" in href or href.startswith("mailto:"):
                continue
            target = (path.parent / unquote(href)).resolve() if href else path
            known = places.get(target)
            if not target.exists() or (anchor and known is not None and unquote(anchor) not in known):
                broken.append(f"{path.name}: {link['href']}")
    assert broken == []
    assert len(pages) > 60


def test_a_browser_is_sent_nowhere_else(site: Path, pages: dict[Path, BeautifulSoup]) -> None:
    foreign = [
        f"{path.name}: {tag[attribute]}"
        for path, page in pages.items()
        for name, attribute in LOADED.items()
        for tag in page.find_all(name)
        if tag.get(attribute, "").startswith(("http:", "https:", "//")) and tag.get("rel") != ["canonical"]
    ]
    assert foreign == []
    styles = [path for path in site.rglob("*.css") if "url(http" in (text := path.read_text()) or "@import" in text]
    assert styles == []


def test_the_reference_is_made_of_the_docstrings(pages: dict[Path, BeautifulSoup]) -> None:
    text = {path.name: page.get_text(" ") for path, page in pages.items() if path.parent.name == "reference"}
    places = {tag["id"] for page in pages.values() for tag in page.find_all(id=True)}
    assert {"heliograph.Heliograph.ask", "heliograph.Heliograph.stream", "heliograph.sync.Heliograph.ask"} <= places
    assert "Answer one question and keep the run under the home folder." in text["python.html"]
    assert "--allow-origin" in text["commands.html"]
    assert "Find table rows together with the passages" in text["mcp.html"]
    assert "a prompt is longer than the model's context" in text["errors.html"]
