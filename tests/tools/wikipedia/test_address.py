"""Addresses of wikis, of revisions, of sections, and of files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import ContactMissing, UsageError
from tools.wikipedia import Wikipedia
from tools.wikipedia.address import WikiAddress, file_name, wiki_address


@pytest.mark.parametrize(
    ("wiki", "expected"),
    [
        ("en.wikipedia.org", WikiAddress("https", "en.wikipedia.org", "/w/")),
        (" EN.Wikipedia.org ", WikiAddress("https", "en.wikipedia.org", "/w/")),
        ("https://en.wikipedia.org/w/api.php", WikiAddress("https", "en.wikipedia.org", "/w/")),
        ("http://127.0.0.1:8765/w/", WikiAddress("http", "127.0.0.1:8765", "/w/")),
        ("http://127.0.0.1:8765", WikiAddress("http", "127.0.0.1:8765", "/w/")),
        ("http://localhost:8765/", WikiAddress("http", "localhost:8765", "/")),
        ("http://[::1]:8765/mediawiki", WikiAddress("http", "[::1]:8765", "/mediawiki/")),
        ("wiki.example.org/deep/w", WikiAddress("https", "wiki.example.org", "/deep/w/")),
    ],
)
def test_a_wiki_is_named_by_host_or_script_path(wiki: str, expected: WikiAddress) -> None:
    assert wiki_address(wiki) == expected


@pytest.mark.parametrize(
    "wiki",
    ["", "a b", "ftp://x/w/", "https://user:word@en.wikipedia.org/", "https://x/w/?a=b", "http://x:99999/w/", "x#y",
     "http://[::1", "-.org", "http://en.wikipedia.org/w/"],
)  # fmt: skip
def test_what_names_no_wiki_is_refused(wiki: str) -> None:
    with pytest.raises(UsageError, match="wiki"):
        wiki_address(wiki)


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("en.wikipedia.org", True), ("commons.wikimedia.org", True), ("www.mediawiki.org", True),
        ("wikidata.org", True),
        ("wikipedia.org.evil.example", False), ("notwikipedia.org", False), ("127.0.0.1:8765", False),
    ],
)  # fmt: skip
def test_wikimedias_hosts_are_known(host: str, ours: bool) -> None:
    assert WikiAddress("https", host, "/w/").of_wikimedia is ours


def test_a_permalink_names_title_and_revision() -> None:
    address = wiki_address("en.wikipedia.org")
    assert address.permalink("Salt & Slate", "7") == "https://en.wikipedia.org/w/index.php?title=Salt_%26_Slate&oldid=7"
    assert address.permalink("100% ?#é", "7").endswith("title=100%25_%3F%23%C3%A9&oldid=7")


COMMONS = "//upload.wikimedia.org/wikipedia/commons"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (f"{COMMONS}/thumb/a/ab/Fort_Brockhurst.jpg/220px-Fort_Brockhurst.jpg", "Fort Brockhurst.jpg"),
        (f"{COMMONS}/a/ab/Fort_Brockhurst.jpg", "Fort Brockhurst.jpg"),
        (f"{COMMONS}/thumb/a/ab/Map.svg/lang-de-330px-Map.svg.png", "Map.svg"),
        (f"{COMMONS}/thumb/a/ab/Film.webm/220px--Film.webm.jpg", "Film.webm"),
        ("https://thumb.wikimedia.org/wikipedia/commons/thumb/a/ab/X.png/250px-X.png", "X.png"),
        ("https://thumb.wikimedia.org/wikipedia/commons/a/ab/X.png/250px-X.png", "X.png"),
        ("/images/thumb/8/87/Reyle%27s_gentian.webp/330px-Reyle%27s_gentian.webp.png", "Reyle's gentian.webp"),
        ("/images/8/87/Clock.png?20240501", "Clock.png"),
        ("/images/thumb/Clock.png/330px-Clock.png", "Clock.png"),
        ("/images/Clock.png", "Clock.png"),
        ("https://wikimedia.org/api/rest_v1/media/math/render/svg/0123abcd", None),
        ("/w/images/", None),
        ("", None),
        ("http://[", None),
        ("/images/a%7Cb.png", None),
        ("/images/thumb/a/ab/..", None),
    ],
)
def test_the_file_behind_an_address_is_named(source: str, name: str | None) -> None:
    assert file_name(source) == name


@pytest.mark.parametrize(
    ("link", "url"),
    [
        (f"{COMMONS}/a/ab/X.png", f"https:{COMMONS}/a/ab/X.png"),
        ("https://thumb.wikimedia.org/x.png", "https://thumb.wikimedia.org/x.png"),
        ("/static/x.png", "https://en.wikipedia.org/static/x.png"),
        ("http://upload.wikimedia.org/x.png", None),
        ("https://upload.wikimedia.org.evil.example/x.png", None),
        ("https://upload.wikimedia.org:8443/x.png", None),
        ("https://user@upload.wikimedia.org/x.png", None),
        ("https://upload.wikimedia.org@evil.example/x.png", None),
        ("https://127.0.0.1/x.png", None),
        ("file:///etc/passwd", None),
        ("data:image/png;base64,AAAA", None),
        ("//[", None),
        ("", None),
    ],
)
def test_only_the_file_hosts_of_the_wiki_are_asked(link: str, url: str | None) -> None:
    assert wiki_address("en.wikipedia.org").file_url(link) == url


def test_a_wiki_of_this_machine_serves_its_files_without_tls() -> None:
    here = wiki_address("http://127.0.0.1:8765/w/")
    assert here.file_url("/images/x.png") == "http://127.0.0.1:8765/images/x.png"
    assert here.file_url("http://127.0.0.1:8766/images/x.png") is None
    assert wiki_address("http://wiki.example.org/w/").file_url("/images/x.png") is None


@given(st.text(max_size=80))
def test_no_text_breaks_the_reading_of_addresses(text: str) -> None:
    file_name(text)
    wiki_address("en.wikipedia.org").file_url(text)


def test_a_live_wiki_needs_a_contact_and_says_which_setting() -> None:
    for wiki in ("en.wikipedia.org", "http://127.0.0.1:8765/w/"):
        with pytest.raises(ContactMissing, match=r"`contact` \(HELIOGRAPH_CONTACT\)"):
            Wikipedia(wiki, "  ")


@pytest.mark.parametrize("contact", ["a@b.example\r\nX: y", "kéeper@b.example", "a (b)"])
def test_a_contact_that_no_header_can_carry_is_refused(contact: str) -> None:
    with pytest.raises(UsageError, match="plain ASCII"):
        Wikipedia("en.wikipedia.org", contact)


def test_wikimedia_is_asked_one_thing_at_a_time_whatever_is_set() -> None:
    wikis = ("en.wikipedia.org", "commons.wikimedia.org", "http://127.0.0.1:8765/w/")
    assert [Wikipedia(wiki, "a@b.example", 8).at_once for wiki in wikis] == [1, 1, 8]
