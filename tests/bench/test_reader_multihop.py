"""A reader over paragraphs of MuSiQue and HotpotQA, with one that finds the words it is told."""

from pathlib import Path

from bench.reader_multihop import Paragraphs, figures
from eval.omgqa.converting.gold import GoldText
from eval.omgqa.converting.multihop import convert_hotpotqa, convert_musique
from eval.ott.ranking import Unit
from indexers.models.answer_choice import ChoiceWeights
from tests.bench.test_reader import WordReader
from tests.eval.omgqa.converting.written import BEAM, MINK, lines

WEIGHTS = ChoiceWeights(within=0.0, share=1.0, prior=1.0, rule="best")


def corpus(folder: Path) -> Path:
    return lines(
        folder / "corpus.jsonl",
        {"title": "Light", "text": "Who built the light of the light?"},
        {"title": "Holm", "text": "Holm is an  island."},
        {"title": "Holm", "text": "Its light is old."},
        {"title": "Ada Brandt", "text": "She built on Holm."},
        {"title": "A &amp; B", "sentences": ["A sign."]},
        {"title": "Mink", "sentences": ["A mink swims.", " It is <old>."]},
    )


def test_supporting_paragraphs_are_those_that_hold_a_fact_under_its_title(tmp_path: Path) -> None:
    paragraphs = Paragraphs.of(corpus(tmp_path))
    facts = [fact for fact in convert_musique(lines(tmp_path / "m.jsonl", BEAM)).gold if isinstance(fact, GoldText)]
    assert paragraphs.supporting(facts) == (Unit(None, (1,)), Unit(None, (3,)))
    found = convert_hotpotqa(lines(tmp_path / "h.jsonl", MINK))
    sentences = [fact for fact in found.gold if isinstance(fact, GoldText)]
    assert paragraphs.supporting(sentences) == (Unit(None, (4,)), Unit(None, (5,)))


def test_bm25_ranks_paragraphs_by_title_and_text(tmp_path: Path) -> None:
    paragraphs = Paragraphs.of(corpus(tmp_path))
    assert paragraphs.best("Who built the light?", 1) == (Unit(None, (0,)),)
    assert paragraphs.best("mink", 20) == (Unit(None, (5,)),)


def test_figures_are_of_supporting_paragraphs_without_order_and_of_the_best_in_theirs(tmp_path: Path) -> None:
    asked, path = convert_musique(lines(tmp_path / "m.jsonl", BEAM)), corpus(tmp_path)
    paragraphs, reader = Paragraphs.of(path), WordReader("Brandt")
    first, second, third = figures(reader, WEIGHTS, paragraphs, asked, 1)
    assert first.startswith("supporting: EM 100.0, F1 100.0, oracle 100.0, ")
    assert second.startswith("BM25's 1: EM 0.0, F1 0.0, oracle 0.0, ")
    assert third == "all supporting paragraphs among BM25's 1: 0.0"
    assert list(map(len, reader.given)) == [2, 1]
    *_, last = figures(reader, WEIGHTS, paragraphs, asked, 5)
    assert last == "all supporting paragraphs among BM25's 5: 100.0"
