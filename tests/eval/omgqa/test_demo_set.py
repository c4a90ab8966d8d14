"""The labels of the demo articles' question set hold, and what is written from them reads back."""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from eval.omgqa.dataset import labels_by, read_documents, read_judgements, read_omg_questions
from eval.omgqa.records import AUTHORS
from indexers.parser import page_of
from tools.zim import ZimArchive, build_snapshot

DEMO = Path(__file__).parents[3] / "demo"
HALVES = ("development", "report")
MODULES = ("demo_labels", "demo_leaves", "demo_faults", "demo_pool")
RIDGE = {"title": "Iapetus (moon)", "modality": "text", "contains": "Parts are about 13 km high"}


@pytest.fixture(scope="module")
def demo() -> Iterator[SimpleNamespace]:
    """The modules of demo/omgqa, which is a folder of scripts and no package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DEMO / "omgqa"))
        yield SimpleNamespace(**{name.removeprefix("demo_"): import_module(name) for name in MODULES})
    for name in MODULES:
        del sys.modules[name]


@pytest.fixture(scope="module")
def labels(demo: SimpleNamespace) -> dict[str, Any]:
    return {label.id: label for label in demo.labels.read_labels()}


@pytest.fixture(scope="module")
def known(demo: SimpleNamespace) -> Any:
    return demo.faults.corpus()


@pytest.fixture(scope="module")
def written(demo: SimpleNamespace, labels: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("set")
    demo.pool.write_set(out, tuple(labels.values()))
    return out


def test_nothing_is_wrong_with_the_labels(demo: SimpleNamespace, labels: dict[str, Any], known: Any) -> None:
    assert list(demo.faults.faults(tuple(labels.values()), known)) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"answers": ["6 km"]}, "c20: 18 - 13 = 5.0, not '6 km'"),
        ({"computed": "19 - 14", "answers": ["5 km"]}, "c20: no evidence says 19"),
        ({"computed": "", "answers": ["five leagues"]}, "c20: no evidence says 'five leagues'"),
        ({"modalities": ["text", "table"]}, "is said to need ['table', 'text']"),
        ({"open": [RIDGE]}, "are both evidence and open"),
        ({"open": [RIDGE | {"contains": "Parts are about 14 km"}]}, "c20: 0 leaves are Iapetus (moon), text"),
        ({"open": [RIDGE | {"contains": "Iapetus"}]}, "c20: 3 leaves are Iapetus (moon), text, 'Iapetus'"),
        ({"facts": [{"says": ["Iapetus", "14 km"], "evidence": [RIDGE]}]}, "does not say ('Iapetus', '14 km')"),
        ({"facts": [{"says": ["Iapetus", "ridge"], "evidence": [RIDGE]}]}, "('Iapetus', 'ridge') and is no evidence"),
        ({"facts": [], "answers": [], "computed": "", "modalities": [], "absent": [["walnut"]]}, "holds ('walnut',)"),
        ({"id": "c01"}, "two questions are c01"),
        ({"question": "For how many years does the Sun stay up without a break at a pole of Uranus?"}, "09.jsonl f30"),
    ],
)
def test_what_is_wrong_is_said(
    demo: SimpleNamespace, labels: dict[str, Any], known: Any, change: dict[str, Any], complaint: str
) -> None:
    as_written = labels["c20"].model_dump(mode="json") | change
    changed = type(labels["c20"]).model_validate_json(json.dumps(as_written))
    found = list(demo.faults.faults((labels["c01"], changed), known))
    assert any(complaint in fault for fault in found), found


@pytest.mark.parametrize("half", HALVES)
def test_each_half_reads_back(written: Path, labels: dict[str, Any], half: str) -> None:
    questions = read_omg_questions(written / half / "questions.jsonl")
    documents = read_documents(written / half / "documents.jsonl")
    nodes = {key: frozenset(leaf.id.partition("#")[2] for leaf in each.leaves) for key, each in documents.items()}
    pool = read_judgements(written / half / "pool.jsonl", [question.id for question in questions], nodes.get)
    assert {page_of(each.evidence) for each in pool} == documents.keys()
    judged = labels_by(AUTHORS, pool)
    assert len(documents) == 44
    assert [question.id for question in questions] == [each.id for each in labels.values() if each.half == half]
    for question in questions:
        assert judged[question.id].relevant == set(question.evidence)
        assert len(judged[question.id].irrelevant) >= 350


def test_the_halves_are_alike_in_size(labels: dict[str, Any]) -> None:
    sizes = [sum(label.half == half for label in labels.values()) for half in HALVES]
    assert sum(sizes) == len(labels)
    assert min(sizes) >= 0.4 * len(labels)


def test_what_a_label_leaves_open_is_not_judged(demo: SimpleNamespace, labels: dict[str, Any], known: Any) -> None:
    documents = demo.leaves.articles()
    judged = {each.evidence for each in demo.pool.judgements(labels["c12"], documents)}
    assert known.ids(labels["c12"].open)
    assert not known.ids(labels["c12"].open) & judged


def test_an_image_is_not_judged_by_the_text_around_it(demo: SimpleNamespace, labels: dict[str, Any]) -> None:
    """The picture in the section on Venera's landings is shown with the text on the light meter."""
    documents = demo.leaves.articles()
    judged = {each.evidence for each in demo.pool.judgements(labels["p17"], documents)}
    images = {leaf.id for leaf in demo.leaves.leaves_of(documents) if leaf.place.title == "Venera programme"}
    assert [leaf.partition("#")[2] for leaf in images - judged] == ["s2/i1"]


async def test_ids_are_those_of_any_archive_of_the_articles(demo: SimpleNamespace, tmp_path: Path) -> None:
    build_snapshot([DEMO / "articles"], tmp_path / "demo.zim", title="Another", metadata={"License": "CC0-1.0"})
    page = await ZimArchive(tmp_path / "demo.zim").fetch("Mimas")
    (mimas,) = (document for document in demo.leaves.articles() if document.title == "Mimas")
    assert (mimas.wiki, mimas.revision) == (page.wiki, page.revision)
