"""The check of the claims and questions over the demo archives names what is wrong."""

from types import SimpleNamespace
from typing import Any

import pytest

QUOTE = {"page": "Jupiter", "quote": "Hydrogen and helium make up about 99 per cent of the planet."}
EARTH = {"page": "Galileo (spacecraft)", "table": "Encounters on the way to Jupiter", "row": "Earth"}


@pytest.fixture(scope="module")
def pages(demo: SimpleNamespace) -> dict[str, Any]:
    return demo.check_everyday.by_title(demo.folder, demo.folder / "everyday")


@pytest.fixture
def parts(demo: SimpleNamespace) -> dict[str, list[Any]]:
    read = demo.check_everyday.read_lines
    return {part: read(demo.folder / "claims" / f"{part}.jsonl") for part in demo.check_everyday.CLAIMS}


@pytest.mark.parametrize(
    ("piece", "places"),
    [
        (QUOTE, 1),
        (QUOTE | {"quote": "Hydrogen and helium make up about 98 per cent of the planet."}, 0),
        (QUOTE | {"page": "Saturn"}, 0),
        (QUOTE | {"page": "Vulcan"}, 0),
        (EARTH, 2),
        (EARTH | {"with": "8 December 1992"}, 1),
        (EARTH | {"with": "9 December 1992"}, 0),
        (EARTH | {"table": "Encounters"}, 0),
        ({"page": "Voyager 1", "table": "Planetary flybys of the Voyager probes", "row": "Voyager 2"}, 4),
        ({"page": "Brindlemouth tramways", "picture": "tram_map.png"}, 1),
        ({"page": "Brindlemouth tramways", "picture": "bee_castes.png"}, 0),
    ],
)
def test_a_piece_of_evidence_names_one_place(
    demo: SimpleNamespace, pages: dict[str, Any], piece: dict[str, str], places: int
) -> None:
    faults = [] if places == 1 else [f"c01: {places} places are {piece}"]
    assert list(demo.check_everyday.check_evidence(pages, "c01", [piece])) == faults


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"id": "d02"}, "repeated: d02"),
        ({"label": False}, "development: 49 true and 51 false claims"),
        ({"kind": "wrong_unit"}, "d01: wrong_unit is no kind of True claims"),
        ({"evidence": []}, "d01: an unfinished claim"),
        ({"evidence": [QUOTE | {"page": "Saturn"}]}, "d01: 0 places are"),
        ({"claim": "Jupiter is large"}, "d01: an unfinished claim"),
    ],
)
def test_what_is_wrong_with_a_claim_is_said(
    demo: SimpleNamespace, pages: dict[str, Any], parts: dict[str, list[Any]], change: dict[str, Any], complaint: str
) -> None:
    assert list(demo.check_everyday.check_claims(pages, parts)) == []
    parts["development"][0] |= change
    found = list(demo.check_everyday.check_claims(pages, parts))
    assert [fault for fault in found if fault.startswith(complaint)], found


def test_no_part_cites_evidence_of_the_development_part(
    demo: SimpleNamespace, pages: dict[str, Any], parts: dict[str, list[Any]]
) -> None:
    parts["held_out"][0]["evidence"].append(parts["development"][0]["evidence"][0])
    (fault,) = demo.check_everyday.check_claims(pages, parts)
    assert fault.startswith("held_out cites ")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"accepted": "abstain"}, "ed01: answer and kind differ"),
        ({"accepted": []}, "ed01: answer and kind differ"),
        ({"gold": []}, "ed01: answer and kind differ"),
        ({"kind": "report"}, "wrong number of questions of some kind"),
        ({"part": "held_out"}, "the parts differ in size"),
        ({"id": "ed02"}, "repeated: ed02"),
    ],
)
def test_what_is_wrong_with_a_question_is_said(
    demo: SimpleNamespace, pages: dict[str, Any], change: dict[str, Any], complaint: str
) -> None:
    questions = demo.check_everyday.read_lines(demo.folder / "everyday" / "questions.jsonl")
    questions[0] |= change
    assert complaint in list(demo.check_everyday.check_questions(pages, questions))
