"""MuSiQue (Trivedi et al. 2022) and HotpotQA (Yang et al. 2018): paragraphs under titles, some of them supporting.

Pages are made of a corpus beside the questions, or of the paragraphs of all questions of the file, so that fewer
questions are not easier. Paragraphs of one title are one page.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path

from eval.drawing import ALL, Draw, in_order
from eval.omgqa.converting.conversion import Conversion
from eval.omgqa.converting.entries import read_entries
from eval.omgqa.converting.gold import GoldText
from eval.omgqa.converting.multihop_lines import CorpusLine, HotpotLine, MusiqueLine
from eval.omgqa.converting.titles import page_title
from eval.omgqa.converting.writing_pages import PageWriter, one_line
from eval.omgqa.records import OmgQuestion
from heliograph.errors import UsageError

UNANSWERABLE = "their own paragraphs do not answer them, and those of other questions may"
UNSUPPORTED = "no supporting fact is named"
UNFOUND = "a supporting fact is in neither their paragraphs nor the corpus"

Sentences = Mapping[str, Sequence[str]]
"""What stands under each title."""


def convert_musique(questions: Path, corpus: Path | None = None, draw: Draw = ALL) -> Conversion:
    """Convert the questions of MuSiQue-Ans; a supporting paragraph is a fact.

    Of MuSiQue-Full the unanswerable ones are left out: each has a twin whose paragraphs, in one corpus with its own,
    answer it.

    Raises:
        UsageError: a file cannot be read, a record has another shape, or two questions have one id.
    """
    lines = [line for _, line in read_entries(questions, MusiqueLine)]
    writer = PageWriter()
    if corpus is None:
        for paragraph in (each for line in lines for each in line.paragraphs):
            writer.add_paragraph(paragraph.title, paragraph.paragraph_text)
    else:
        _read_corpus(corpus, writer)
    answerable = in_order((line for line in lines if line.answerable), lambda line: line.id, questions, draw)
    gold = {line.id: _supporting(line) for line in answerable}
    asked = [line for line in answerable if gold[line.id]]
    left_out = {
        UNANSWERABLE: [line.id for line in lines if not line.answerable],
        UNSUPPORTED: [line.id for line in answerable if not gold[line.id]],
    }
    return Conversion(
        tuple(_question(line.id, line.question, [line.answer, *line.answer_aliases], "MuSiQue") for line in asked),
        tuple(fact for line in asked for fact in gold[line.id]),
        writer.pages(),
        "leaf",
        left_out,
    )


def convert_hotpotqa(questions: Path, corpus: Path | None = None, draw: Draw = ALL) -> Conversion:
    """Convert the questions of HotpotQA; a supporting sentence is a fact.

    A fact that names no sentence of its paragraph, as some of the release do, is the whole paragraph. Titles are
    unescaped: the release has them in HTML.

    Raises:
        UsageError: a file cannot be read, a record has another shape, or two questions have one id.
    """
    lines = [line for _, line in read_entries(questions, HotpotLine)]
    writer, known = PageWriter(), dict[str, Sequence[str]]()
    if corpus is None:
        for title, sentences in (each for line in lines for each in line.context):
            writer.add_paragraph(unescape(title), "".join(sentences))
    else:
        known = _read_corpus(corpus, writer)
    ordered = in_order(lines, lambda line: line.id, questions, draw)
    gold = {line.id: _facts(line, known) for line in ordered}
    asked = [line for line in ordered if gold[line.id]]
    return Conversion(
        tuple(_question(line.id, line.question, [line.answer], "HotpotQA") for line in asked),
        tuple(fact for line in asked for fact in gold[line.id] or ()),
        writer.pages(),
        "leaf",
        {
            UNSUPPORTED: [line.id for line in ordered if not line.supporting_facts],
            UNFOUND: [line.id for line in ordered if gold[line.id] is None],
        },
    )


def _question(name: str, question: str, answers: Sequence[str], source: str) -> OmgQuestion:
    said = dict.fromkeys(answer for answer in answers if answer.strip())
    return OmgQuestion(name, one_line(question), tuple(said), (), ("text",), source)


def _supporting(line: MusiqueLine) -> tuple[GoldText, ...]:
    supporting = (each for each in line.paragraphs if each.is_supporting)
    facts = (GoldText(line.id, page_title(each.title), one_line(each.paragraph_text)) for each in supporting)
    return tuple(dict.fromkeys(facts))


def _facts(line: HotpotLine, corpus: Sentences) -> tuple[GoldText, ...] | None:
    """Return the facts of a question, None where one of them is nowhere."""
    context: dict[str, list[str]] = defaultdict(list)
    for title, sentences in line.context:
        context[page_title(unescape(title))] += sentences
    facts: dict[GoldText, None] = {}
    for title, number in line.supporting_facts:
        name = page_title(unescape(title))
        paragraph = context.get(name) or corpus.get(name) or ()
        sentence = one_line(paragraph[number]) if number < len(paragraph) else ""
        text = sentence or one_line("".join(paragraph))
        if not text:
            return None
        facts.setdefault(GoldText(line.id, name, text))
    return tuple(facts)


def _read_corpus(path: Path, writer: PageWriter) -> dict[str, Sequence[str]]:
    """Add the paragraphs of a corpus to the pages, and return its sentences."""
    known: dict[str, Sequence[str]] = {}
    for _, line in read_entries(path, CorpusLine):
        title = unescape(line.title) if line.sentences is not None else line.title
        writer.add_paragraph(title, line.paragraph)
        known.setdefault(page_title(title), line.sentences or (line.paragraph,))
    if not known:
        raise UsageError(f"{path} has no paragraphs; name another file with --corpus")
    return known
