"""What an encoder learns from: its queries, its negatives, what is refused; and one training as a user would run it."""

import json
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from eval.stark.encoder_training import (
    HARD,
    EncoderLists,
    EncoderTraining,
    Lesson,
    answers_of,
    divided,
    lessons_of,
    own_negatives,
    rank_figures,
    without_answers,
)
from eval.stark.queries import StarkQuery
from heliograph.errors import StoreDamaged, UsageError
from indexers.models.training.dual_encoder import EncoderExample
from indexers.models.training.schedule import Schedule
from indexers.skb.knowledge_base import BuiltKnowledgeBase
from tools.skb.dense_retrieval import Instruction

Cli = Callable[..., Result]
NAMES = {"phobos": "Phobos", "deimos": "Deimos", "titan": "Titan", "rhea": "Rhea"}
LESSONS = tuple(
    Lesson(f"q{number}", frozenset({number, 90}), (number + 10, number + 20, number + 30)) for number in range(5)
)


def query(id: str, split: str, answers: tuple[str, ...] = ("titan",)) -> StarkQuery:
    return StarkQuery(id, f"the moon {id}", answers, split)


def ids(queries: Sequence[StarkQuery]) -> set[str]:
    return {each.id for each in queries}


def test_only_train_is_learned_from_where_there_is_a_val_beside_it() -> None:
    queries = [query("a", "train"), query("b", "val"), query("c", "test"), query("d", "human"), query("e", "test-0.1")]
    learned, validated = divided(queries, "train")
    assert (ids(learned), ids(validated)) == ({"a"}, {"b"})


@pytest.mark.parametrize(("named", "split"), [("val", "val"), ("train", "train"), ("", "train"), ("", "val")])
def test_one_in_five_is_held_out_where_one_split_is_for_both(named: str, split: str) -> None:
    queries = [query(f"q{number}", named) for number in range(11)]
    learned, validated = divided(queries, split)  # type: ignore[arg-type]  # a parameter is any text
    assert (len(learned), len(validated)) == (9, 2)
    assert ids(learned) | ids(validated) == ids(queries)
    assert divided(queries[::-1], split) == (learned, validated)  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize(
    ("splits", "split", "said"),
    [
        (["val"] * 9, "train", "no queries of the split train to learn from; learn from its split val: --split val"),
        (["test"] * 9, "val", "no queries of the split val to learn from; name queries that have one"),
        (["test", "human"], "train", "no queries of the split train"),
        ([], "train", "no queries of the split train"),
        (["val"] * 4, "val", "4 queries are too few"),
    ],
)
def test_queries_that_nothing_may_be_learned_from_are_refused(splits: list[str], split: str, said: str) -> None:
    queries = [query(str(number), each) for number, each in enumerate(splits)]
    with pytest.raises(UsageError, match=said):
        divided(queries, split)  # type: ignore[arg-type]  # a parameter is any text


async def test_negatives_are_what_bm25_ranks_highest_and_no_answer(base: BuiltKnowledgeBase) -> None:
    queries = [
        StarkQuery("a", "Titan or Rhea", ("titan",), "train"),
        StarkQuery("b", "Titan, Rhea", ("mars",), "train"),
    ]
    answers = await answers_of(base, queries, Path("q.jsonl"))
    assert answers == {"a": frozenset({3}), "b": frozenset()}  # a planet is no candidate
    said = list[str]()
    (lesson,) = await lessons_of(base, queries, answers, Instruction("Find: "), said.append)
    assert (lesson.query, lesson.answers) == ("Find: Titan or Rhea", frozenset({3}))
    assert lesson.negatives[0] == 4
    assert 3 not in lesson.negatives
    assert said[0] == "1 queries have no answer among the candidates and teach nothing"
    assert without_answers(range(100), frozenset({0, 2})) == [1, *range(3, HARD + 2)]


async def test_an_answer_that_the_base_does_not_have_is_refused_with_its_query(base: BuiltKnowledgeBase) -> None:
    with pytest.raises(UsageError, match=r"the query a of q\.jsonl: .*nix.*; name the base that it was made for"):
        await answers_of(base, [query("a", "train", ("titan", "nix"))], Path("q.jsonl"))


def test_an_epoch_has_each_query_once_with_an_answer_and_a_negative_drawn_anew(tmp_path: Path) -> None:
    lists = EncoderLists(LESSONS, "moons", tmp_path)
    first, second = lists.epoch(0, 7), lists.epoch(1, 7)
    assert first == EncoderLists(LESSONS, "moons", tmp_path).epoch(0, 7)
    for epoch in (first, second, lists.epoch(0, 8)):
        assert sorted(each.query for each in epoch) == ["q0", "q1", "q2", "q3", "q4"]
        for each in epoch:
            lesson = LESSONS[int(each.query[1])]
            assert each.positive in lesson.answers
            assert len(each.negatives) == 1 and each.negatives[0] in lesson.negatives
    assert len({str(sorted(map(str, epoch))) for epoch in (first, second, lists.epoch(0, 8))}) == 3
    assert lists.digest != EncoderLists(LESSONS[:4], "moons", tmp_path).digest
    assert lists.digest != EncoderLists(LESSONS, "planets", tmp_path).digest


class Numbers:
    """A student whose vectors of queries are given; it ranks entities by one number."""

    def __init__(self, asked: Sequence[float]) -> None:
        self._asked = asked

    def encoded_queries(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[each] for each in self._asked[: len(texts)]], dtype=np.float32)


def test_after_a_refresh_negatives_are_of_the_encoders_own_ranking_and_stay_those_of_their_epoch(
    tmp_path: Path,
) -> None:
    lists = EncoderLists(LESSONS, "moons", tmp_path / "negatives", 3)
    numbers, vectors = np.arange(40, 45), np.array([[1.0], [2.0], [3.0], [4.0], [5.0]], dtype=np.float32)
    lists.refresh(Numbers([1.0] * 5), numbers, vectors)  # type: ignore[arg-type]  # before any epoch: BM25's stay
    before = lists.epoch(0, 7)
    assert all(each.negatives[0] < 40 for each in before)
    lists.refresh(Numbers([1.0] * 5), numbers, vectors[:, :])  # type: ignore[arg-type]  # a fake has what is used
    drawn = lists.epoch(1, 7)
    assert all(each.negatives[0] in range(40, 45) for each in drawn)
    again = EncoderLists(LESSONS, "moons", tmp_path / "negatives", 3)
    assert (again.epoch(0, 7), again.epoch(1, 7)) == (before, drawn)
    assert sorted(each.query for each in [*before, *drawn][:5]) == ["q0", "q1", "q2", "q3", "q4"]
    (tmp_path / "negatives" / "1.npy").write_bytes(b"cut")
    with pytest.raises(StoreDamaged, match=r"1\.npy cannot be read .*to begin anew"):
        again.epoch(1, 7)


def test_answers_are_never_among_an_encoders_own_negatives() -> None:
    lessons = (Lesson("up", frozenset({44})), Lesson("down", frozenset({40, 42})))
    vectors = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]], dtype=np.float32)
    found = list(own_negatives(Numbers([1.0, -1.0]), lessons, np.arange(40, 45), vectors))  # type: ignore[arg-type]
    assert found == [[43, 42, 41, 40], [41, 43, 44]]


def test_validation_measures_what_eval_stark_run_measures() -> None:
    vectors = np.array([[1.0], [2.0], [3.0]], dtype=np.float32)
    asked = [EncoderExample("up", 1, (), frozenset({1})), EncoderExample("down", 0, (), frozenset({0, 2}))]
    found = rank_figures(Numbers([1.0, -1.0]), asked, np.arange(3), vectors)  # type: ignore[arg-type]  # as above
    assert (found.value, found.measures["Hit@1"], found.measures["R@20"]) == (0.75, 0.5, 1.0)
    assert str(found) == "Hit@1 50.0, Hit@5 100.0, R@20 100.0, MRR 75.0"


def test_with_a_refresh_an_epoch_is_the_steps_between_two(tmp_path: Path) -> None:
    schedule = Schedule(epochs=4, batch=10, learning_rate=1e-3, warmup=0)
    training = EncoderTraining(skb=tmp_path, queries=tmp_path, out=tmp_path, schedule=schedule)
    assert training.scheduled(95) == schedule
    refreshed = EncoderTraining(skb=tmp_path, queries=tmp_path, out=tmp_path, schedule=schedule, refresh=15)
    assert refreshed.scheduled(95).epochs == 3
    assert refreshed.asked() != training.asked()
    assert EncoderTraining(skb=tmp_path, queries=tmp_path, out=tmp_path, refresh=10**6).scheduled(95).epochs == 1
    assert training.asked() == json.loads(json.dumps(training.asked()))


@pytest.fixture
def queries(tmp_path: Path) -> Path:
    """Ten queries of val, two per moon and two more, and one of test, whose answer the base does not have."""
    asked = [
        {"id": f"{id} {n}", "query": f"{name} {n}", "answer_ids": [id]} for n in (1, 2) for id, name in NAMES.items()
    ]
    asked += [{"id": f"more {n}", "query": f"Titan again {n}", "answer_ids": ["titan", "rhea"]} for n in (1, 2)]
    lines = [each | {"split": "val"} for each in asked]
    lines.append({"id": "test", "query": "Which one?", "answer_ids": ["nix"], "split": "test"})
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf8")
    return tmp_path / "q.jsonl"


@pytest.fixture
def train(cli: Cli, base: BuiltKnowledgeBase, queries: Path, tmp_path: Path) -> Cli:
    """Run a training of the moons; options that differ follow."""

    def run(*more: object) -> Result:
        usual = ("--skb", base.folder, "--queries", queries, "--out", tmp_path / "out", "--split", "val")
        return cli("train", "skb-encoder", *usual, *more)

    return run


def test_what_cannot_be_learned_from_is_refused_in_one_line(train: Cli, tmp_path: Path) -> None:
    unknown = tmp_path / "unknown.jsonl"
    lines = [{"id": str(n), "query": "Which?", "answer_ids": ["nix"], "split": "train"} for n in range(5)]
    unknown.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf8")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep me", encoding="utf8")
    refused = {
        ("--split", "train"): (2, "no queries of the split train to learn from; learn from its split val"),
        ("--split", "test"): (2, "Invalid value for '--split'"),
        ("--queries", unknown, "--split", "train"): (2, "; name the base that it was made for"),
        ("--out", tmp_path / "mine"): (2, "mine holds something that is no training; name another folder with --out"),
        ("--start", "./none"): (4, "no folder ./none; correct --start"),
        ("--refresh", 0): (2, "Invalid value for '--refresh'"),
        ("--skb", tmp_path / "none"): (2, "none"),
    }
    for options, (code, said) in refused.items():
        done = train(*options)
        assert (done.exit_code, said in done.stderr) == (code, True), done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_training_is_refused(train: Cli, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "training.json").write_text('{"kind": "another"}', encoding="utf-8")
    (tmp_path / "out" / "training.pt").write_bytes(b"a checkpoint")
    done = train()
    assert (done.exit_code, "is of another training" in done.stderr) == (2, True)


@pytest.mark.skipif(find_spec("torch") is not None, reason="the extra is installed")
def test_without_the_extra_a_training_ends_before_anything_is_ranked(train: Cli, tmp_path: Path) -> None:
    done = train()
    assert (done.exit_code, done.stderr.count("\n")) == (4, 1)
    assert "PyTorch is not installed" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.models
@pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="needs sentence-transformers")
def test_an_encoder_is_trained_exported_and_asked(
    train: Cli, cli: Cli, base: BuiltKnowledgeBase, queries: Path, tmp_path: Path
) -> None:
    """The packaged MiniLM, four steps with refreshes between them; the same command again learns nothing more."""
    short = ("--epochs", 2, "--batch", 4, "--refresh", 2, "--query-instruction", "Find: ", "--learning-rate", 1e-4)
    done = train(*short)
    assert done.exit_code == 0, done.stderr
    assert "MRR of validation" in done.stdout
    assert sorted(path.name for path in (tmp_path / "out" / "negatives").iterdir()) == ["1.npy", "2.npy"]
    card = (tmp_path / "out" / "model" / "README.md").read_text(encoding="utf8")
    assert "Trained by `heliograph train skb-encoder` from all-MiniLM-L6-v2-int8" in card
    assert train(*short).stdout == done.stdout
    other = train(*short, "--seed", 1)
    assert (other.exit_code, "is of another training" in other.stderr) == (2, True)
    exported = cli("train", "export", tmp_path / "out" / "model", tmp_path / "onnx")
    assert exported.exit_code == 0, exported.stderr
    for folder in (tmp_path / "out" / "model", tmp_path / "onnx"):
        run = (
            "eval",
            "stark",
            "run",
            "--skb",
            base.folder,
            "--queries",
            queries,
            "--split",
            "val",
            "--system",
            "dense",
        )
        asked = cli(*run, "--embedding", folder, "--out", tmp_path / f"{folder.name}.jsonl", "--json")
        assert asked.exit_code == 0, asked.stderr
        said = (tmp_path / f"{folder.name}.jsonl").read_text(encoding="utf8")
        assert f"({folder.name}-" in said and "queries after 'Find: '" in said
        assert json.loads(asked.stdout)["measures"]["MRR"] > 0.8
