"""Snapshots of folders: titles, links, pictures and figures of HTML and Markdown files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import UsageError
from tools.zim import ZimArchive, build_snapshot
from tools.zim.markdown import Rendered, render
from tools.zim.relinking import entry_link, relinked

PNG = b"\x89PNG\r\n\x1a\n picture"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


async def test_links_between_files_lead_to_their_pages_whatever_the_files_are_called(tmp_path):
    files: dict[str, str | bytes] = {
        "a/ac.md": "# AC/DC\n\n[Io](../b/io_moon.html#Orbit) and <a href='../b/c.md'>C</a>, [out](https://x.org/c.md)",
        "b/io_moon.html": "<title>Io &amp; co (moon)</title><p><a class=x href=../a/ac.md>band</a></p>",
        "b/c.md": "no heading, a link to [nothing](gone.md) and [a file](data.bin)",
        ".hidden/d.md": "# Hidden",
        "b/notes.bin": "no page",
    }
    report = build_snapshot([write(tmp_path / "src", files)], tmp_path / "o.zim", name="w")
    assert (report.pages, report.left_out) == (3, ('link to gone.md on "c": no such page',))
    archive = ZimArchive(tmp_path / "o.zim")
    band, moon, third = [await archive.fetch(title) for title in ("AC/DC", "Io & co (moon)", "c")]
    assert '<a href="../Io_&amp;_co_(moon)#Orbit">Io</a>' in band.html
    assert '<a href="../c">C</a>, <a href="https://x.org/c.md">out</a>' in band.html
    assert moon.html.endswith('<a class=x href="./AC/DC">band</a></p></body></html>\n')
    assert '<a href="gone.md">nothing</a>' in third.html


async def test_pictures_travel_with_their_pages_once_each(tmp_path):
    source = write(
        tmp_path,
        {
            "articles/one.md": '# One\n\n![Alt *x*](../images/p%20q.png "A “caption”")\n',
            "articles/two.html": "<h1>Two</h1><img srcset='x 2x' src='../images/p q.png' alt=href=z.png>",
            "images/p q.png": PNG,
        },
    )
    report = build_snapshot([source / "articles"], tmp_path / "o.zim")
    assert (report.pages, report.images, report.left_out) == (2, 1, ())
    archive = ZimArchive(tmp_path / "o.zim")
    link = "./_images/p%20q-a44fd144.png"
    figure = f'<figure><img src="{link}" alt="Alt x" title="A “caption”"><figcaption>A “caption”</figcaption></figure>'
    assert figure in (await archive.fetch("One")).html
    assert f'<img src="{link}" alt=href=z.png>' in (await archive.fetch("Two")).html
    assert await archive.read_image("One", link) == PNG


@pytest.mark.parametrize("link", ["gone.png", "fake.png", "../../secret.png", "page.md", "data.csv", "empty.png"])
def test_what_is_no_picture_of_the_folder_is_said_and_left_out(tmp_path, link):
    files = {
        "secret.png": PNG,
        "top/src/page.md": f"# Page\n\n![x]({link})",
        "top/src/fake.png": b"password",
        "top/src/data.csv": b"1,2",
        "top/src/empty.png": b"",
    }
    report = build_snapshot([write(tmp_path, files) / "top" / "src"], tmp_path / "o.zim")
    missing = () if link == "page.md" else (f'image {link} of "Page": no such picture',)
    assert (report.pages, report.images, report.left_out) == (1, 0, missing)


def test_two_files_of_one_title_are_told(tmp_path):
    report = build_snapshot([write(tmp_path / "s", {"a.md": "# Io", "b.md": "# Io\n\nmore"})], tmp_path / "o.zim")
    assert (report.pages, report.left_out) == (1, ("page 'Io': stands twice",))


def test_a_markdown_file_that_is_not_utf8_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"a\.md cannot be read: .*; pages are UTF-8 text"):
        build_snapshot([write(tmp_path / "s", {"a.md": b"# Z\xfcrich"})], tmp_path / "o.zim")


async def test_files_and_folders_of_one_snapshot_may_link_to_one_another(tmp_path):
    write(tmp_path, {"a/x.md": "# X\n\n[y](../y.md)", "y.md": "# Y"})
    build_snapshot([tmp_path / "a", tmp_path / "y.md"], tmp_path / "o.zim")
    assert '<a href="./Y">y</a>' in (await ZimArchive(tmp_path / "o.zim").fetch("X")).html


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Io *the* `moon`\n\n# Second", "Io the moon"),
        ("```\n# comment\n```\n\n# Io", "Io"),
        ("Io\n==\n", "Io"),
        ("## Section\n\n# Io", ""),
        ("text", ""),
        ("", ""),
    ],
)
def test_the_first_heading_is_the_title_if_it_is_of_the_first_level(text, title):
    assert render(text).title == title


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*Table: Moons*\n\n| a |\n|---|\n| 1 |", "<p><em>Table: Moons</em></p>\n<table>"),
        ('![a](x.png "T") beside', '<p><img src="x.png" alt="a" title="T" /> beside</p>'),
        ("![a](x.png)", '<p><img src="x.png" alt="a" /></p>'),
        ("<table><tr><td rowspan=2>raw</td></tr></table>", "<table><tr><td rowspan=2>raw</td></tr></table>"),
    ],
)
def test_markdown_is_rendered_with_tables_and_raw_html(text, html):
    assert render(text).html.startswith(html)


def test_a_figure_says_what_its_title_says_and_no_more():
    image = '<img src="x.png" alt="&lt;b&gt;" title="&quot;q&quot;">'
    figure = f"<figure>{image}<figcaption>&quot;q&quot;</figcaption></figure>\n"
    assert render("![\\<b>](x.png '\"q\"')") == Rendered("", figure)


@pytest.mark.parametrize(
    "html",
    [
        "<a href='https://x.org/a.md'>",
        "<a href='//x.org/a.md'>",
        "<a href='#a.md'>",
        "<a href='/a.md'>",
        "<a href=''>",
        "<a title='href=a.md'>",
        "<abbr href='a.md'>",
        "<a href='a.md",
        "text href='a.md'",
        "<img src='data:image/png;base64,xx'>",
    ],
)
def test_what_is_no_relative_link_is_left_as_it_is(html):
    assert relinked(html, lambda link, kind: "Page", "Here") == html


@given(st.text(max_size=300))
def test_html_without_an_entry_to_link_to_is_left_as_it_is(html):
    text = html.replace("srcset", "")
    assert relinked(f"<p>{text}</p>", lambda link, kind: None, "Here") == f"<p>{text}</p>"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30), st.sampled_from(["A", "A/B"]))
def test_a_link_is_never_taken_for_another_scheme_or_host(target, path):
    link = entry_link(path, target)
    assert link.startswith(("./", "../"))
    assert "?" not in link and "#" not in link and '"' not in link
