"""What is written reads back, and what is wrong is named with file, line and field."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.omgqa.dataset import (
    document_line,
    judgement_line,
    labels_by,
    read_documents,
    read_judgements,
    read_omg_questions,
)
from eval.omgqa.judged import Labels
from eval.omgqa.records import AUTHORS, Judgement, OmgQuestion
from eval.omgqa.trees import omg_document
from heliograph.errors import UsageError
from heliograph.types import EvidenceId, Page, PageKey
from indexers.parser import parse_page

HTML = """<p>Io is a moon.</p><table><tr><th>Plume</th><th>Height</th></tr><tr><td>Pele</td><td>300</td></tr></table>
<h2>Orbit</h2><p>It is close.</p><figure><img src="io.png" alt="Io"/><figcaption>Io in 1979</figcaption></figure>"""
IO = omg_document(parse_page(Page("w", "Io", "7", "", HTML, "2026-01-01T00:00:00Z")))
P1, T1 = EvidenceId("w:Io@7#s0/p1"), EvidenceId("w:Io@7#s0/t1")
QUESTION = {
    "id": "d1",
    "question": "How high is Pele?",
    "answers": ["300"],
    "evidence": [T1],
    "modalities": ["table"],
    "source": "demo",
}
JUDGEMENT = Judgement("d1", P1, True, AUTHORS)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(*lines: str | dict[str, Any]) -> Path:
        path = tmp_path / "a.jsonl"
        texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
        path.write_text("\n".join(text.rstrip("\n") for text in texts), encoding="utf8")
        return path

    return written


def test_a_question_is_read(write: Callable[..., Path]) -> None:
    assert read_omg_questions(write(QUESTION)) == (
        OmgQuestion("d1", "How high is Pele?", ("300",), (T1,), ("table",), "demo"),
    )


def test_a_question_may_be_labelled_apart(write: Callable[..., Path]) -> None:
    (question,) = read_omg_questions(write(QUESTION | {"evidence": None}))
    assert (question.answers, question.evidence) == (("300",), ())


def test_leaves_have_the_numbers_of_the_table_of_contents(write: Callable[..., Path]) -> None:
    assert [(leaf.number, leaf.id.partition("#")[2]) for leaf in IO.leaves] == [
        (1, "s0/p1"),
        (2, "s0/t1"),
        (4, "s1/p1"),  # 3 is the section
        (5, "s1/i1"),
    ]
    assert read_documents(write(document_line(IO))) == {IO.key: IO}


@given(
    st.builds(
        Judgement,
        st.just("d1"),
        st.sampled_from([P1, T1]),
        st.booleans(),
        st.text(min_size=1).filter(str.strip),
        st.text(),
        st.none() | st.floats(0, 1),
    )
)
def test_any_judgement_reads_back(tmp_path_factory: pytest.TempPathFactory, judgement: Judgement) -> None:
    path = tmp_path_factory.mktemp("pool") / "pool.jsonl"
    path.write_text(judgement_line(judgement), encoding="utf8", errors="surrogatepass")
    assert read_judgements(path, ["d1"]) == (judgement,)


def test_labels_are_those_of_one_judge() -> None:
    pool = [JUDGEMENT, Judgement("d1", T1, False, AUTHORS), Judgement("d1", T1, True, "extractive")]
    assert labels_by(AUTHORS, pool) == {"d1": Labels(frozenset({P1}), frozenset({T1}))}
    assert labels_by("nobody", pool) == {}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"question": " "}, r"a\.jsonl:2: question: Value error, is blank"),
        ({"evidence": ["Io"]}, r'a\.jsonl:2: evidence\.0: Value error, "Io" is no evidence id'),
        ({"modalities": ["sound"]}, r"a\.jsonl:2: modalities\.0: Input should be 'text', 'table' or 'image'"),
        ({"answers": []}, r"a\.jsonl:2: the line: Value error, answers and evidence are either both"),
        ({"evidence": []}, r"a\.jsonl:2: the line: Value error, answers and evidence are either both"),
        (
            {"answers": [], "evidence": None},
            r"a\.jsonl:2: the line: Value error, evidence is null, labelled apart, and",
        ),
        ({"anwsers": []}, r"a\.jsonl:2: anwsers: Extra inputs are not permitted"),
        ({"id": 3}, r"a\.jsonl:2: id: Input should be a valid string"),
    ],
)
def test_a_wrong_question_is_named(write: Callable[..., Path], change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read_omg_questions(write("", QUESTION | change))


def test_two_questions_of_one_id_are_refused(write: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="two questions of one id: d1"):
        read_omg_questions(write(QUESTION, QUESTION | {"question": "How low?"}))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("s0/p1", "s9/p1"), "leaf s9/p1 hangs in no section"),
        (('"number": 4', '"number": 3'), "leaf s1/p1 has number 3, and its place is 4"),
        (('"parent": "s0"', '"parent": "s4"'), "section s1 hangs in s4, which does not come before it"),
        (("s1/p1", "s1/x1"), "is no evidence id"),
    ],
)
def test_a_document_that_is_no_tree_is_refused(
    write: Callable[..., Path], change: tuple[str, str], complaint: str
) -> None:
    line = document_line(IO).replace(*change)
    if change[0] == "s0/p1":
        line = line.replace('"section": "s0"', '"section": "s9"', 1)
    with pytest.raises(UsageError, match=complaint):
        read_documents(write(line))


@pytest.mark.parametrize(
    ("judgement", "complaint"),
    [
        (Judgement("d2", P1, True, AUTHORS), r"a\.jsonl:1: question: there is no question 'd2'"),
        (Judgement("d1", EvidenceId("w:Io@7#s0/p9"), True, AUTHORS), r"1: node: w:Io@7 has no node s0/p9"),
    ],
)
def test_what_is_judged_must_be_there(write: Callable[..., Path], judgement: Judgement, complaint: str) -> None:
    nodes = {PageKey("w:Io@7"): frozenset({"s0/p1", "s0/t1"})}
    with pytest.raises(UsageError, match=complaint):
        read_judgements(write(judgement_line(judgement)), ["d1"], nodes.get)


def test_of_a_document_that_is_not_at_hand_what_is_judged_is_believed(write: Callable[..., Path]) -> None:
    judgement = Judgement("d1", EvidenceId("w:Io@8#s0/p1"), True, AUTHORS)
    assert read_judgements(write(judgement_line(judgement)), ["d1"], {}.get) == (judgement,)


def test_a_pool_says_one_thing_once(write: Callable[..., Path]) -> None:
    line = judgement_line(JUDGEMENT)
    with pytest.raises(UsageError, match="two judgements of one question, node and judge"):
        read_judgements(write(line, line.replace('"relevant"', '"irrelevant"')), ["d1"])


def test_an_empty_pool_is_named(write: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="has no judgements; pool and judge some runs first"):
        read_judgements(write(""), ["d1"])
