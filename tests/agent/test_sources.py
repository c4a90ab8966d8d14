"""Sources are built from their names, and what a source needs is imported only where one is named."""

import subprocess
import sys
from pathlib import Path

from agent.assembly.sources import build_sources
from heliograph.config import Settings


def test_bases_of_one_name_are_told_apart_and_one_that_is_named_twice_is_one(tmp_path: Path) -> None:
    folders = [str(tmp_path / name / "own.skb") for name in ("one", "two", "one")]
    sources = build_sources(Settings(sources=tuple(f"skb:{each}" for each in folders), fallback=f"skb:{folders[1]}"))
    first, second, again = sources.searches
    assert first is again and first.name != second.name
    assert sources.fallback == (second,)


def test_searches_of_bases_are_heard_and_take_questions_and_those_of_archives_do_not(tmp_path: Path) -> None:
    named = Settings(sources=("zim:wiki.zim", f"skb:{tmp_path / 'own.skb'}"))
    built, said = build_sources(named), list[str]()
    heard = built.with_progress(said.append)
    assert heard.searches[0] is built.searches[0] and heard.searches[1] is not built.searches[1]
    assert [(each.name, each.takes_questions) for each in heard.searches] == [("zim:wiki", False), ("skb:own", True)]


def test_a_base_is_imported_only_where_one_is_named() -> None:
    program = (
        "import sys; from heliograph.config import Settings; from agent.assembly.services import build_services; "
        "from agent.assembly.sources import build_sources; build_sources(Settings(sources=('zim:wiki.zim',))); "
        "print([each for each in sys.modules if each.startswith('tools.skb')])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"
