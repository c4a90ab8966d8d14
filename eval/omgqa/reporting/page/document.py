"""The page: tables and charts first, then systems with their answers, then questions with their evidence."""

import base64
import hashlib
from collections.abc import Iterable, Mapping

from eval.omgqa.records import OmgDocument
from eval.omgqa.reporting.page.drawn import charts_of
from eval.omgqa.reporting.page.markup import Markup, foreign, tag
from eval.omgqa.reporting.page.places import places
from eval.omgqa.reporting.page.questions import questions_markup
from eval.omgqa.reporting.page.script import SCRIPT
from eval.omgqa.reporting.page.style import STYLE
from eval.omgqa.reporting.page.systems import systems_markup
from eval.omgqa.reporting.page.tables import MEASURES, table_markup
from eval.omgqa.reporting.report import Report
from heliograph.types import PageKey

TITLE = "Systems on OMG-QA"
MEANT: Mapping[str, str] = {
    "Avg": "the mean of the ten: PDR to F1-DR, PER to F1-ER, ERU, RUE, CUE and CCM",
    "PDR, RDR, F1-DR": "precision and recall of documents, relevant where they hold relevant evidence, and both in one",
    "PER, RER, F1-ER": "precision and recall of evidence, and both in one; what no judge has seen counts as irrelevant",
    "PER@8, RER@8, F1-ER@8": "the same of the first eight leaves of what the writer was shown",
    "unjudged": "the share of retrieved evidence that no judge has seen, which makes precision too low; less is better",
    "bpref": "how seldom judged irrelevant evidence stands above relevant one; the unjudged is passed over",
    "ERU": "the share of retrieved evidence that is relevant and rightly used in the answer",
    "RUE": "the share of cited evidence that is relevant",
    "CUE, CCM": "the share of answers that use evidence as it says, and that cite all that needs it, by a judge's word",
    "citation precision": "the share of citations that their claims need, or that say them alone",
    "citation recall": "the share of claims that their citations together support",
    "true abstention": "the share of unanswerable questions that were left unanswered",
    "correct": "the share of questions with known answers whose answer states one of them; an abstention states none",
    "coverage": "the share of questions that were answered, whether or not they have an answer",
    "selective accuracy": "the share of the answers given that are right; one to a question that has none is wrong",
    "by judge": "by the word of a judge on whether the answer states a known one, in place of accepted strings",
    "false abstention": "the share of answerable questions that were left unanswered; less is better",
}


def report_html(report: Report, documents: Mapping[PageKey, OmgDocument] | None = None) -> str:
    """Return a page that needs no other file; what `documents` say of judged evidence is shown in part."""
    there, scored = places(report.scored), report.scored
    cuts = (
        (table.key, table.caption, _table(table_markup(table, there), charts_of(table, scored)))
        for table in report.tables
    )
    sections = [
        *cuts,
        ("systems", "Systems, answer by answer", systems_markup(scored, there)),
        (
            "questions",
            "Questions, with evidence and answers",
            _questions(questions_markup(scored, documents or {}, there)),
        ),
        (MEASURES, "What the columns mean", _meanings()),
    ]
    body = tag(
        "body",
        tag("a", "Skip to the tables", href="#ranking", class_="skip"),
        tag(
            "header",
            tag("h1", TITLE),
            foreign("p", report.headline),
            _contents((key, name) for key, name, _ in sections),
        ),
        tag("main", *(tag("section", tag("h2", name), content, id=key) for key, name, content in sections)),
        tag("script", Markup(SCRIPT)),
    )
    return "<!doctype html>\n" + tag("html", _head(), body, lang="en") + "\n"


def _head() -> Markup:
    """Allow the page its own style and script, and nothing else, whatever its text may turn out to be."""
    allowed = f"style-src '{_hash(STYLE)}'; script-src '{_hash(SCRIPT)}'"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", TITLE),
        tag("style", Markup(STYLE)),
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _contents(sections: Iterable[tuple[str, str]]) -> Markup:
    links = (tag("li", tag("a", name, href=f"#{key}")) for key, name in sections)
    return tag("nav", tag("ul", *links), aria_label="Sections")


def _table(table: Markup, charts: Iterable[Markup]) -> Markup:
    return tag("div", table, *charts)


def _questions(listed: Markup) -> Markup:
    said = "Answers name evidence by its number there: + relevant, − irrelevant, ? not judged."
    return tag("div", tag("p", said, class_="note"), listed)


def _meanings() -> Markup:
    return tag("dl", *(piece for name, meant in MEANT.items() for piece in (tag("dt", name), tag("dd", meant))))
