"""How the site is built: `make docs`. Everything it loads comes with it; no page asks another host for anything."""

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app import BlockingHeliograph  # noqa: TID251 - to be shown by the name under which it is imported
from heliograph.version import VERSION

BlockingHeliograph.__name__ = "Heliograph"  # autodoc takes a class of another name for an alias, without members

project = "Heliograph"
author = "the authors of Heliograph"
project_copyright = "Apache-2.0"
release = VERSION

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
]
exclude_patterns = ["build"]
source_suffix = {".md": "markdown"}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
autodoc_inherit_docstrings = False
napoleon_numpy_docstring = False
napoleon_attr_annotations = True

html_theme = "furo"
html_title = f"Heliograph {VERSION}"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"footer_icons": []}

HERE = Path(__file__).resolve().parent
LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+)[^)]*\)")


def name_files_elsewhere(_app: Any, document: str, source: list[str]) -> None:
    """Name files of the repository that are no pages of the site, where a link on the web could lead nowhere."""

    def named(link: re.Match[str]) -> str:
        target = ((HERE / document).parent / link[2]).resolve()
        return link[0] if target.is_relative_to(HERE) else f"`{target.relative_to(HERE.parent)}` of the repository"

    source[0] = LINK.sub(named, source[0])


def draw_trees(_app: Any, what: str, name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Show the tree of errors as it is drawn."""
    if (what, name) == ("module", "heliograph.errors"):
        lines[1:] = ["", "::", "", *(f"   {line}" for line in lines[2:]), ""]


def setup(app: Any) -> None:
    """Hook both in."""
    app.connect("source-read", name_files_elsewhere)
    app.connect("autodoc-process-docstring", draw_trees)
