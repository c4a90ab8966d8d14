"""The page stands alone, leads from every figure to its questions, and takes any text for text."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.omgqa.measures import means
from eval.omgqa.records import OmgQuestion
from eval.omgqa.reporting.page.document import report_html
from eval.omgqa.reporting.page.evidence import EXCERPT, OTHERS
from eval.omgqa.reporting.page.markup import Markup, foreign, tag
from eval.omgqa.reporting.report import report
from eval.omgqa.results import JudgedRun, Results
from eval.omgqa.runs import CitedClaim
from tests.eval.omgqa.reporting.moons import (
    DUCK,
    MODEL,
    MULTI,
    POOL,
    PROMPT,
    QUESTIONS,
    RESULTS,
    RUNS,
    WIKI,
    any_runs,
    documents,
    unit,
)

VOID = {"meta", "br"}


@dataclass
class Seen(HTMLParser):
    """What a parser finds: elements as they close, their attributes, and the text within each."""

    open: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]


def seen(page: str) -> Seen:
    parser = Seen()
    parser.feed(page)
    parser.close()
    return parser


def page_of_results(results: Results) -> Seen:
    return seen(report_html(report(results), documents()))


@pytest.fixture(scope="module")
def whole() -> Seen:
    return page_of_results(RESULTS)


def test_the_page_is_well_formed(whole: Seen) -> None:
    assert whole.open == []
    assert Counter(whole.values("id")).most_common(1)[0][1] == 1


def test_the_page_refers_to_nothing_but_itself(whole: Seen) -> None:
    assert whole.values("src") == whole.values("srcset") == whole.values("action") == []
    links = whole.values("href")
    assert links and all(link.startswith("#") for link in links)
    assert {link[1:] for link in links} <= set(whole.values("id"))
    assert "link" not in whole.tags and "iframe" not in whole.tags and "img" not in whole.tags
    assert not any(name.startswith("on") for _, name, _ in whole.attributes)


def test_the_page_fetches_nothing_and_runs_only_its_own_script() -> None:
    page = report_html(report(RESULTS))
    assert "url(" not in page and "@import" not in page and "http:" not in page and "https:" not in page
    assert page.count("<script") == 1
    policy = next(value for value in seen(page).values("content") if "default-src" in value)
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and "unsafe" not in policy


def test_every_table_has_a_caption_and_heads_with_a_scope(whole: Seen) -> None:
    assert whole.tags.count("caption") == whole.tags.count("table")
    scopes = [value for tag, name, value in whole.attributes if (tag, name) == ("th", "scope")]
    assert len(scopes) == whole.tags.count("th") and set(scopes) == {"col", "row"}


def test_what_scrolls_can_be_reached_by_keys_and_charts_have_names(whole: Seen) -> None:
    assert whole.values("tabindex") == ["0"] * whole.tags.count("table")
    charts = [value for tag, name, value in whole.attributes if (tag, name) == ("svg", "role")]
    assert charts == ["img"] * len(charts) and len(charts) >= 3


def test_figures_of_the_ranking_lead_to_the_questions_of_their_system() -> None:
    page = report_html(report(RESULTS))
    ranking = page[page.index('<section id="ranking">') :].partition("</section>")[0]
    assert '<a href="#s1">0.776</a>' in ranking
    assert f"<caption>Answers of {DUCK}</caption>" in page[page.index('<div id="s1">') :].partition("</table>")[0]


def test_figures_by_modalities_lead_to_those_questions_alone() -> None:
    page = report_html(report(RESULTS))
    rows = page[page.index('<tbody id="s2m3">') :].partition("</tbody>")[0]
    assert rows.count("<tr>") == 2  # both seeds
    assert '<a href="#s2m3">0.770</a>' in page


def test_a_question_shows_its_evidence_with_each_judgement(whole: Seen) -> None:
    assert f"{MODEL} {PROMPT[:8]}" in whole.text
    assert "relevant 0.75" in whole.text and PROMPT in whole.text
    assert "What s1/i1 of en:Iapetus@7 says of moons." in whole.text
    assert "Evidence: 5 pieces, 3 of them relevant and 2 irrelevant" in whole.text


def test_an_answer_shows_claims_citations_rounds_and_its_run() -> None:
    page = report_html(report(RESULTS))
    answer = page[page.index('id="s2a4"') :].partition("</details>")[0]
    assert "The m3 moon is so." in answer
    assert "cites <a href=" in answer and "judged supported" in answer
    assert "<dt>after round 3</dt>" in answer
    assert "heliograph trace show 20260921T141320250-m30" in answer


def test_an_answer_is_said_once_where_its_claims_are_all_of_it() -> None:
    assert report_html(report(RESULTS)).count("The m1 moon is so") == sum(each.run.question == "m1" for each in RUNS)
    more = replace(RUNS[0], run=replace(RUNS[0].run, answer="Well. The m1 moon is so [1]."))
    assert "Well. The m1 moon is so [1]." in report_html(report(replace(RESULTS, runs=(more,))))


def test_a_question_that_was_not_asked_says_so_and_counts_nowhere() -> None:
    unasked = {"m9": replace(QUESTIONS["m1"], id="m9", question="Which moon of Mars is larger?")}
    found = report(replace(RESULTS, unasked=unasked))
    page = seen(report_html(found))
    assert "m9 Which moon of Mars is larger? — not asked" in page.text
    assert found.headline.endswith("to 4 questions, judged by judge-model, 1 more were not asked")
    assert found.tables == report(RESULTS).tables
    assert "not asked" not in page_of_results(RESULTS).text


def test_the_same_failure_of_all_systems_is_said_once() -> None:
    reason = "No evidence answers this."
    failed = [replace(each, run=replace(each.run, abstained=True, answer=reason, claims=())) for each in RUNS[:3]]
    runs = tuple(
        replace(each, run=replace(each.run, question="m1", system=name))
        for each, name in zip(failed, (WIKI, DUCK, MULTI), strict=True)
    )
    page = seen(report_html(report(replace(RESULTS, runs=runs))))
    assert page.text.count(reason) == 1
    assert f"All 3 systems abstained: {reason}" in page.text
    other = replace(runs[0], run=replace(runs[0].run, answer="No page is about this."))
    text = seen(report_html(report(replace(RESULTS, runs=(other, *runs[1:]))))).text
    assert "systems abstained" not in text and text.count(reason) == 2


def test_evidence_that_nobody_judged_is_listed_and_marked() -> None:
    page = report_html(report(replace(RESULTS, pool=())))
    assert "Moon" in page and "10?" not in page
    assert re.search(r"<dd>\d+− \d+\+ \d+\?</dd>", page)  # what WIKI found for m3


def test_long_evidence_is_cut() -> None:
    long = documents()
    key = next(iter(long))
    long[key] = replace(long[key], leaves=tuple(replace(leaf, text="x" * 1000) for leaf in long[key].leaves))
    page = report_html(report(RESULTS), long)
    assert "x" * EXCERPT + "…" in page and "x" * (EXCERPT + 1) not in page


def test_of_irrelevant_evidence_that_nobody_found_the_first_is_listed() -> None:
    others = tuple(replace(POOL[-1], evidence=unit(f"Jupiter/p{number}"), judge=MODEL) for number in range(1, 251))
    page = report_html(report(replace(RESULTS, pool=(*POOL, *others))))
    assert page.count(">Jupiter</th>") == OTHERS
    assert "150 more were judged, which no answer here found and none called relevant." in page
    assert "Evidence: 255 pieces, 3 of them relevant" in page


def hostile(text: str) -> Results:
    question = QUESTIONS["m1"]
    claim = CitedClaim(text, RUNS[0].run.cited, "supported")
    run = replace(RUNS[0].run, system=text, answer=f"{text}!", run=text, claims=(claim,))
    asked = OmgQuestion("m1", text, (text,), (), question.modalities, text)
    judged = replace(POOL[0], judge=text, prompt=text)
    return Results(text, {}, {"m1": asked}, (judged,), (replace(RUNS[0], run=run),))


def hostile_page(text: str) -> str:
    """Draw a page that has one text wherever it has any from elsewhere."""
    said = {
        key: replace(page, leaves=tuple(replace(leaf, text=text) for leaf in page.leaves))
        for key, page in documents().items()
    }
    return report_html(report(hostile(text)), said)


@pytest.fixture(scope="module")
def plain() -> Seen:
    return seen(hostile_page("plain"))


@given(text=st.text(min_size=1).filter(str.strip))
@settings(max_examples=40, deadline=None)
def test_any_text_stays_text(text: str, plain: Seen) -> None:
    assert seen(hostile_page(text)).tags == plain.tags


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "</style></script></title>--><!--",
        "javascript:alert(1)",
        "&lt;b&gt; &amp; &#x3c;",
        "]]> \x00\x1b[31m \ud800 \u202e",
    ],
)
def test_markup_in_text_is_shown_and_not_read(text: str, plain: Seen) -> None:
    page = hostile_page(text)
    assert page.encode()
    found = seen(page)
    assert found.tags == plain.tags
    if text.isprintable():
        assert text in found.text


@given(st.text())
def test_text_is_escaped_in_elements_and_attributes(text: str) -> None:
    found = seen(tag("p", text, title=text) + foreign("span", text))
    assert found.tags == ["p", "span"]
    assert found.values("title") == ["".join(found.texts[: len(found.texts) // 2])] or not text


def test_only_what_was_made_as_markup_is_markup() -> None:
    assert tag("p", Markup("<br>"), "<br>") == "<p><br>&lt;br&gt;</p>"
    assert tag("p", None_="x", class_=None, aria_label="a") == '<p None="x" aria-label="a"></p>'


@given(any_runs())
@settings(max_examples=10, deadline=None)
def test_the_page_of_any_results_is_whole(runs: tuple[JudgedRun, ...]) -> None:
    found = page_of_results(replace(RESULTS, runs=runs))
    assert found.open == []
    assert {link[1:] for link in found.values("href")} <= set(found.values("id"))


@given(st.permutations(RUNS), st.permutations(POOL))
@settings(max_examples=5, deadline=None)
def test_equal_results_give_equal_pages(runs: list[JudgedRun], pool: list) -> None:
    shuffled = replace(RESULTS, runs=tuple(runs), pool=tuple(pool))
    assert report_html(report(shuffled), documents()) == report_html(report(RESULTS), documents())


def test_figures_on_the_page_are_means() -> None:
    found = report(RESULTS)
    (standing,) = (each for each in found.scored.standings if each.system == WIKI)
    expected = means(each.measures for each in standing.runs)
    page = report_html(found)
    row = page[page.index(f'scope="row">{WIKI}</th>') :].partition("</tr>")[0]
    assert re.findall(r">(\d\.\d{3})<", row) == [f"{expected[name]:.3f}" for name in found.tables[0].columns[2:]]


def test_seeds_are_told_apart() -> None:
    assert f"2. {MULTI} (seed 1)" in report_html(report(RESULTS))
