"""Figures of a reader over rankings, with one that finds the words it is told."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from bench.reader import answer_of, cut, figures, fit, gold_edge, main, on_gold, oracle, read_all, scores
from bench.reader_fit import Read
from eval.ott.corpus import OttCorpus
from eval.ott.judging import gold_of
from eval.ott.questions import AnswerNode
from eval.ott.ranking import Unit
from eval.ott.results import QuestionResult, write_results
from heliograph.errors import UsageError
from indexers.models.answer_choice import ChoiceWeights, read_choice
from indexers.models.encoder_graph import EncoderWeights, reader_logits
from indexers.models.reader import LOGITS, Candidate, CandidateAnswer, Reader, Reading
from tests.eval.ott.lights import BY_WHOM, WHEN, write_folder, write_questions
from tests.indexers.test_encoder_graph import HEADS, PLACES, WIDTH, drawn

EDGES = (Unit(2), Unit(0, (1,)), Unit(1, (2,)))


class WordReader:
    """Answers with the phrase wherever a candidate has it, and with the row's first word elsewhere."""

    def __init__(self, phrase: str) -> None:
        self.phrase = phrase
        self.needs: list[str] = []
        self.given: list[tuple[Candidate, ...]] = []

    def read(self, need: str, candidates: Sequence[Candidate]) -> tuple[Reading, ...]:
        self.needs.append(need)
        self.given.append(tuple(candidates))
        return tuple(map(self._read, candidates))

    def _read(self, candidate: Candidate) -> Reading:
        has = any(self.phrase in piece.text for piece in candidate.pieces)
        text = self.phrase if has else candidate.first.text.split()[0]
        return Reading((CandidateAnswer("span", text, -0.1),), -3.0, -0.5 if has else -4.0)


def read(corpus: OttCorpus, titled: bool = False) -> tuple[list[Read], WordReader]:
    reader = WordReader("Ada Brandt")
    results = {BY_WHOM.id: QuestionResult(BY_WHOM.id, EDGES, {}, {}, scores=(0.1, 0.2, 0.9))}
    return list(read_all(reader, corpus, [BY_WHOM, WHEN], results, titled)), reader


def test_edges_and_the_gold_edge_are_read(corpus: OttCorpus) -> None:
    (whom, when), reader = read(corpus)
    assert reader.needs == ["By whom?", "By whom?", "When?", "When?"]
    assert (len(whom.readings), whom.holds, whom.scores) == (3, (False, False, True), (0.1, 0.2, 0.9))
    assert (when.readings, len(when.gold)) == ((), 1)
    assert read(corpus, titled=True)[1].needs[0] == "By whom in Lights List -- Sound ?"


def test_figures_by_hand(corpus: OttCorpus) -> None:
    both, _ = read(corpus)
    weights = ChoiceWeights(share=1.0, prior=0.5)
    assert [answer_of(each, weights, 3).text for each in both] == ["Ada Brandt", ""]
    assert answer_of(both[0], weights, 2).exact == 0
    assert scores([answer_of(each, weights, 3) for each in both]) == (50, 50)
    assert (oracle(both, 2), oracle(both, 3)) == (0, 50)
    assert on_gold(both) == (50, 50)
    lines = list(figures(both, weights, 3))
    assert lines[:2] == ["gold edge: EM 50.0, F1 50.0", "first  1: EM 0.0, F1 0.0, oracle 0.0"]
    assert lines[3] == "first  3: EM 50.0, F1 50.0, oracle 50.0"
    assert [line.partition(":")[0] for line in lines[4:]] == ["probability", "confidence"]


def test_scores_choose_where_the_order_does_not(corpus: OttCorpus) -> None:
    both, _ = read(corpus)
    weights = ChoiceWeights(share=0.0, prior=5.0, rule="best")
    assert answer_of(both[0], weights, 3).exact == 0
    scored = ChoiceWeights(share=0.0, prior=5.0, rule="best", prior_of="score", temperature=0.1)
    assert answer_of(both[0], scored, 3).exact == 1


def test_the_best_ranked_gold_edge_is_read_alone(corpus: OttCorpus) -> None:
    linked_twice = replace(WHEN, answer_nodes=(AnswerNode("1871", 1, 1, None),))
    gold = gold_of(linked_twice, corpus)
    assert gold_edge(gold, corpus, (Unit(0, (1,)), Unit(1, (0,)), Unit(1, (2,)))) == (Unit(1, (0,)),)
    assert gold_edge(gold, corpus, ()) == (Unit(1, (2,)),)


def test_a_result_is_cut_with_its_scores() -> None:
    found = cut(QuestionResult("q", EDGES, {}, {}, scores=(4.0, 3.0, 2.0)), 2)
    assert (found.ranking, found.scores) == (EDGES[:2], (4.0, 3.0))


def test_what_is_fitted_stands_beside_the_model(corpus: OttCorpus, tmp_path, capsys: pytest.CaptureFixture) -> None:
    both, _ = read(corpus)
    fit([both[0]] * 4, ChoiceWeights(first=3, model="reader-1"), tmp_path / "choice.json")
    assert scores([answer_of(both[0], read_choice(tmp_path / "choice.json", "reader-1"), 3)]) == (100, 100)
    said = capsys.readouterr().out
    assert said.startswith("each half with the weights of the other: EM 100.0, F1 100.0, calibration error ")


def small_model(folder: Path) -> Path:
    """Write a reader whose weights are drawn, and a card."""
    draw = np.random.default_rng(3)
    shapes = {"0.weight": (WIDTH, WIDTH), "0.bias": (WIDTH,), "2.weight": (LOGITS, WIDTH), "2.bias": (LOGITS,)}
    head = {name: draw.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    folder.mkdir()
    (folder / "model.onnx").write_bytes(reader_logits(EncoderWeights.of(drawn(3), HEADS), head))
    words = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "Holm", "Light", "1889", "Ada", "Brandt", "By", "whom", "When")
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(words)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.save(str(folder / "tokenizer.json"))
    (folder / "README.md").write_text("# reader\n\nTrained by `heliograph train reader`.\n")
    return folder


def test_the_command_reads_once_fits_and_notes_in_the_card(tmp_path: Path, monkeypatch, capsys) -> None:
    data, model = write_folder(tmp_path), small_model(tmp_path / "model")
    questions = write_questions(tmp_path / "tuning.jsonl", [BY_WHOM, WHEN])
    ranked = [QuestionResult(each.id, EDGES, {}, {}, None, (0.0, 1.0, 2.0)) for each in (BY_WHOM, WHEN)]
    write_results(tmp_path / "ranked.jsonl", ranked)
    files = ("--data", data, "--questions", questions, "--rankings", tmp_path / "ranked.jsonl", "--k", 3)
    kept = ("--room", PLACES, "--keep", tmp_path / "kept.npz")

    def run(*more: object) -> str:
        monkeypatch.setattr("sys.argv", ["reader", *map(str, (model, *files, *kept, *more))])
        main()
        return capsys.readouterr().out

    first = run("--fit", "--prior", "score")
    weights = read_choice(model / "choice.json", Reader(model).name)
    assert (weights.prior_of, weights.first) == ("score", 3)
    assert "first  3: EM " in first
    card = (model / "README.md").read_text()
    assert "## Figures on tuning\n\n- 2 questions, ChoiceWeights(" in card and "`choice.json`" in card
    (data / "passages.jsonl.xz").unlink()
    assert run() == first.partition("\n")[2]
    write_results(tmp_path / "ranked.jsonl", [replace(each, scores=()) for each in ranked])
    with pytest.raises(UsageError, match="has no scores; leave --prior score out"):
        run("--fit", "--prior", "score")
