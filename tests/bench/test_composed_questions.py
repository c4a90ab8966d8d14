"""Which composed questions and claims are kept, by hand."""

import json
from pathlib import Path

import pytest

from bench.composed_questions import same, verdicts
from eval.ott.corpus import OttCorpus

LINE = {"kind": "passage", "style": "short", "table": "Lights_0", "row": 1, "passage": "/wiki/Skerry_Head"}
ASKED = (
    ("who built the tower", "Ada Brandt"),
    ("who drew the tower", "Ada Brandt"),
    ("whose tower is it", "Ada Brandt"),
    ("what stands there", "A lantern"),
    ("who is behind the tower", "Ada Brandt"),
)
SECOND = (
    {"n": 0, "answer": "ada brandt", "fault": ""},
    {"n": 1, "answer": "Ada Brandt", "fault": "ambiguous"},
    {"n": 2, "answer": "Karl", "fault": ""},
    {"n": 3, "answer": "lantern", "fault": ""},
)


def write_lines(path: Path, lines) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


@pytest.fixture
def composed(tmp_path: Path) -> Path:
    write_lines(tmp_path / "out" / "01.jsonl", ({**LINE, "question": asked, "answer": said} for asked, said in ASKED))
    write_lines(tmp_path / "out" / "02.jsonl", [{**LINE, "question": "never read again", "answer": "Ada Brandt"}])
    write_lines(tmp_path / "second" / "01.jsonl", SECOND)
    return tmp_path


def test_a_question_is_kept_where_both_readers_and_the_corpus_agree(composed: Path, corpus: OttCorpus) -> None:
    told = {line.question: why for line, why in verdicts(composed, corpus, ())}
    assert told == {
        "who built the tower": "",
        "who drew the tower": "fault: ambiguous",
        "whose tower is it": "is answered otherwise by the second reader",
        "what stands there": "the answer … does not stand where a question of kind … has it",
        "who is behind the tower": "was not read a second time",
    }


def test_questions_over_tables_that_are_kept_out_are_left_out(composed: Path, corpus: OttCorpus) -> None:
    told = [why for _, why in verdicts(composed, corpus, {"Lights_0"})]
    assert told[0] == "nothing is learned from the table …"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ada Brandt", "ada  brandt.", True),
        ("34 m", "34", True),
        ("", "", True),
        ("", "Ada", False),
        ("Oslo", "Bergen", False),
    ],
)
def test_answers_are_the_same_where_one_is_part_of_the_other(one: str, other: str, alike: bool) -> None:
    assert same(one, other) is alike


def test_the_file_has_what_was_kept(composed: Path, tmp_path: Path, monkeypatch, capsys) -> None:
    from bench.composed_questions import main
    from eval.ott.training.composed import read_composed
    from tests.eval.ott.lights import WHEN, mini, write_folder, write_questions

    data = write_folder(composed)
    public = [WHEN.__class__("w", "When?", ("1889",), "Towers_0", ())]
    questions = write_questions(data / "questions" / "ott_dev_public.jsonl", public)
    out = tmp_path / "composed.jsonl"
    given = ["--data", data, "--questions", questions, "--out", out, composed, composed]
    monkeypatch.setattr("sys.argv", ["composed_questions", *map(str, given)])
    main()
    assert [question.question for question in read_composed(out, mini(data))] == ["who built the tower"]
    said = capsys.readouterr().out
    assert said.startswith("composed.jsonl: 1 questions {'passage': 1}")
    assert "    1 kept\n" in said and "    1 stands there twice\n" in said


def test_claims_are_kept_as_they_were_mended(tmp_path: Path, monkeypatch, capsys) -> None:
    from bench.composed_claims import main
    from eval.ott.training.claims import read_composed_claims
    from tests.eval.ott.lights import WHEN, mini, write_folder, write_questions

    data = write_folder(tmp_path)
    public = [WHEN.__class__("w", "When?", ("1889",), "Towers_0", ())]
    write_questions(data / "questions" / "ott_dev_public.jsonl", public)
    place = {"table": "Lights_0", "row": 1, "passage": "/wiki/Skerry_Head", "question": "who built the tower"}
    said = {"claim": "Ada Brandt built it.", "label": "supported", "change": "none", "answers": False, **place}
    other = said | {"claim": "Karl built it.", "change": "entity"}
    write_lines(tmp_path / "a.jsonl", (said, other, said, said | {"row": 9}))
    write_lines(tmp_path / "mends.jsonl", [{"file": "a", "line": 1, "label": "supported", "answers": True}])
    out = tmp_path / "claims.jsonl"
    monkeypatch.setattr("sys.argv", ["composed_claims", "--data", str(data), "--out", str(out), str(tmp_path)])
    main()
    (kept,) = read_composed_claims(out, mini(data))
    assert (kept.claim, kept.answers) == ("Ada Brandt built it.", True)
    printed = capsys.readouterr().out
    assert printed.startswith("claims.jsonl: 1 claims {'supported': 1}\n")
    assert "    1 kept\n" in printed and "    1 stands there twice\n" in printed
    assert "    1 the corpus has no such row of 'Lights_0'\n" in printed
    assert "    1 a claim that is supported has no change 'entity'\n" in printed
