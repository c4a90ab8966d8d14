"""The command writes files that the harness and `snapshot build` read, and says what it left out."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from eval.cli.converting import convert_command
from eval.omgqa.converting.gold_lines import read_gold
from eval.omgqa.converting.multihop import convert_musique
from eval.omgqa.converting.reading import gold_documents
from eval.omgqa.converting.resolving import resolve
from eval.omgqa.dataset import read_omg_questions
from heliograph.errors import HeliographError, StoreError, StoreFull, UsageError
from tests.disks import largest_file
from tests.eval.omgqa.converting.written import BEAM, lines, mmqa_question, paragraph, write_mmqa
from tests.eval.ott.lights import WHEN, write_folder, write_questions
from tools.zim import ZimArchive, build_snapshot

Convert = Callable[..., Result]


@pytest.fixture
def convert(tmp_path: Path) -> Convert:
    def converted(*given: object, out: str = "out") -> Result:
        found = CliRunner().invoke(convert_command, [*map(str, given), "--out", str(tmp_path / out)])
        if isinstance(found.exception, HeliographError):
            raise found.exception
        return found

    return converted


async def test_an_archive_of_the_pages_holds_all_that_is_gold(tmp_path: Path, convert: Convert) -> None:
    twin = {**BEAM, "answerable": False}
    path = lines(tmp_path / "m.jsonl", BEAM, twin)
    found = convert("musique", "--questions", path)
    out = tmp_path / "out"
    assert found.output == (
        "1 questions left out, since their own paragraphs do not answer them, and those of other questions may; "
        "the first is 2hop__1\n"
        "of the pages as they are written, 2 of 2 supporting facts found\n"
        f"1 questions, 2 supporting facts, 2 pages: {out / 'questions.jsonl'}, {out / 'gold.jsonl'}, "
        f"{out / 'pages.jsonl'}\n"
        f"next: heliograph snapshot build {out / 'pages.jsonl'} {out / 'musique.zim'}\n"
    )
    conversion = convert_musique(path)
    questions = read_omg_questions(out / "questions.jsonl")
    gold = read_gold(out / "gold.jsonl", [question.id for question in questions])
    assert (questions, gold) == (conversion.questions, conversion.gold)
    assert build_snapshot([out / "pages.jsonl"], tmp_path / "m.zim").left_out == ()
    documents = await gold_documents(gold, ZimArchive(tmp_path / "m.zim"))
    resolved = resolve(gold, documents, "leaf")
    assert (len(resolved.judgements), resolved.unresolved) == (2, ())


def test_of_ott_no_pages_are_written(tmp_path: Path, convert: Convert) -> None:
    questions = write_questions(tmp_path / "q.jsonl", [WHEN])
    found = convert("hybridqa", "--questions", questions, "--data", write_folder(tmp_path))
    assert found.stdout == (
        f"1 questions, 2 supporting facts: {tmp_path / 'out' / 'questions.jsonl'}, {tmp_path / 'out' / 'gold.jsonl'}\n"
    )
    assert [question.source for question in read_omg_questions(tmp_path / "out" / "questions.jsonl")] == ["HybridQA"]


def test_of_mmqa_the_first_are_written(tmp_path: Path, convert: Convert) -> None:
    path = write_mmqa(tmp_path, *(mmqa_question(name, ("t1", "text")) for name in "abc"))
    assert convert("mmqa", "--questions", path, "--data", tmp_path, "--first", 2).stdout.startswith("2 questions, 2 ")


def test_halves_are_written_apart(tmp_path: Path, convert: Convert) -> None:
    path = write_mmqa(tmp_path, *(mmqa_question(name, ("t1", "text")) for name in "abc"))
    asked = {
        half: convert("mmqa", "--questions", path, "--data", tmp_path, "--half", half, out=half).stdout[:11]
        for half in ("report", "development")
    }
    assert asked == {"report": "2 questions", "development": "1 questions"}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("musique", "--data", "."), "--data is not of musique; its corpus is a file, --corpus"),
        (("mmqa", "--data", ".", "--corpus", "c"), "--corpus is not of mmqa; its corpus is a folder, --data"),
        (("ott",), "ott needs --data, the folder of its corpus"),
    ],
)
def test_options_of_another_data_set_are_refused(convert: Convert, given: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        convert(*given, "--questions", "q.jsonl")


def test_nothing_is_written_over(tmp_path: Path, convert: Convert) -> None:
    path = lines(tmp_path / "m.jsonl", BEAM)
    convert("musique", "--questions", path)
    (tmp_path / "out" / "questions.jsonl").unlink()
    with pytest.raises(UsageError, match=r"gold\.jsonl is there already; name another folder with --out"):
        convert("musique", "--questions", path)
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["gold.jsonl", "pages.jsonl"]


def test_where_no_question_is_left_nothing_is_written(tmp_path: Path, convert: Convert) -> None:
    path = lines(tmp_path / "m.jsonl", {**BEAM, "paragraphs": [paragraph("Owl", "It hoots.")]})
    with pytest.raises(UsageError, match="no question is left to be asked"):
        convert("musique", "--questions", path)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_takes_nothing_is_named(tmp_path: Path, convert: Convert) -> None:
    (tmp_path / "out").mkdir(mode=0o700)
    (tmp_path / "out" / f".questions.jsonl.{os.getpid()}.partial").mkdir()
    with pytest.raises(
        StoreError,
        match=r"cannot write .*questions\.jsonl: .* or name another folder with --out",
    ):
        convert("musique", "--questions", lines(tmp_path / "m.jsonl", BEAM))


def test_where_one_file_has_no_room_none_is_left_so_that_the_same_command_goes_on(
    tmp_path: Path, convert: Convert
) -> None:
    path = lines(tmp_path / "m.jsonl", BEAM)
    full = r"out/pages\.jsonl; free some space or name another folder with --out"
    with largest_file(200), pytest.raises(StoreFull, match=full):
        convert("musique", "--questions", path)
    assert not any((tmp_path / "out").iterdir())
    assert convert("musique", "--questions", path).exit_code == 0


def test_what_nobody_sees_in_a_question_is_left_out_so_that_it_can_be_asked(tmp_path: Path, convert: Convert) -> None:
    path = lines(tmp_path / "m.jsonl", {**BEAM, "question": "Who built the li\u00adght\u200b of  Holm?"})
    convert("musique", "--questions", path)
    (question,) = read_omg_questions(tmp_path / "out" / "questions.jsonl")
    assert question.question == "Who built the light of Holm?"
