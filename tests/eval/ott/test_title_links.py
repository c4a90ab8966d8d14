"""The title links of the unlinked baseline by hand."""

from pathlib import Path

import numpy as np

from eval.ott.corpus import OttCorpus
from eval.ott.reading import read_corpus
from eval.ott.title_links import title_edges
from tests.eval.ott.lights import LIGHTS, write_folder


def test_a_cell_links_the_passage_whose_title_it_is_and_a_number_none(corpus: OttCorpus) -> None:
    assert title_edges(corpus).dtype == np.int32
    assert title_edges(corpus).tolist() == [[0, 1], [1, 2], [2, -1], [3, 1]]


def test_a_title_counts_without_accents_marks_and_parenthesis_and_three_of_a_name_do(tmp_path: Path) -> None:
    names = [f"/wiki/Holm_({kind})" for kind in ("boat", "isle", "light", "tune")] + ["/wiki/%C3%86_Holm-Varn"]
    passages = [{"passage_id": name, "text": "Text ."} for name in names]
    rows = [["HOLM", "holm ( boat )"], ["Holm Varn !", "H"], ["", "holm varn"]]
    table = {**LIGHTS, "rows": rows, "links": [[[0, name] for name in names], [], []]}
    corpus = read_corpus(write_folder(tmp_path, [table], passages), "full")
    assert corpus.passages.titles[0] == "Æ Holm-Varn"
    assert title_edges(corpus).tolist() == [[0, 1], [0, 2], [0, 3], [1, 0], [2, 0]]


def test_a_corpus_without_equal_titles_has_rows_alone(tmp_path: Path) -> None:
    table = {**LIGHTS, "header": ["Name"], "rows": [["A"], [""]], "links": [[[0, "/wiki/1871"]], []]}
    corpus = read_corpus(write_folder(tmp_path, [table]), "full")
    assert title_edges(corpus).tolist() == [[0, -1], [1, -1]]
