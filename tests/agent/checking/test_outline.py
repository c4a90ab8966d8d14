"""Parts of an answer after the check: what they lost is gone, markers count up in the order of reading."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.checking import CheckedAnswer, check_answer
from agent.checking.outline import MOST_GROUPS, outline_of, split_claim
from agent.citations import ExtractiveClaimVerifier
from heliograph.types import (
    Block,
    BlockCell,
    Cell,
    CitationPolicy,
    Document,
    Draft,
    DraftBlock,
    DraftCell,
    DraftClaim,
    Evidence,
    EvidenceId,
    Figure,
    ImageEvidence,
    Judgment,
    PageKey,
    Place,
    Quote,
    Scored,
    Section,
    TableEvidence,
    TextEvidence,
    UnsaidClaim,
)
from tests.fakes import FakeAnswerer

KEY = PageKey("made.up:Orvo@7")
PLACE = Place(KEY, "Orvo", "s1", ("Moons",))
TEXT = TextEvidence(
    EvidenceId(f"{KEY}#s1/p1"), PLACE, "paragraph", "Alba was found in 1789. Fenn was found in 1655. Edda is grey."
)
TABLE = TableEvidence(
    EvidenceId(f"{KEY}#s1/t1"),
    PLACE,
    "table",
    "Moons of Orvo",
    ("Name", "Diameter (km)"),
    ((Cell("Alba"), Cell("396")), (Cell("Fenn"), Cell("5,150"))),
)
IMAGE = ImageEvidence(EvidenceId(f"{KEY}#s1/i1"), PLACE, "fenn.png", "Fenn seen by Pathway 4", "")
SECTIONS = (Section("s0", "", 1, None),)
DOCUMENT = Document(KEY, "made.up", "Orvo", "7", "https://made.up/Orvo", SECTIONS, (TEXT, TABLE, IMAGE), "CC BY", "us")
EVIDENCE: tuple[Scored[Evidence], ...] = tuple(Scored(piece, 0.0) for piece in (TEXT, TABLE, IMAGE))
ALBA, FENN, EDDA = (
    DraftClaim(text, (Quote(TEXT.id, text),))
    for text in ("Alba was found in 1789.", "Fenn was found in 1655.", "Edda is grey.")
)
FALSE = DraftClaim("Fenn was found in 1656.", FENN.quotes)
NEEDS = ("What of Orvo?", "When was Fenn found?", "What colour is Edda?")


def heading(text: str, need: int | None = None, level: int = 1) -> DraftBlock:
    return DraftBlock("heading", text=text, level=level, need=need)


def cell(text: str, row: int, quote: str) -> DraftCell:
    return DraftCell(text, Quote(EvidenceId(f"{TABLE.id}/r{row}"), quote))


async def checked(
    claims: Sequence[DraftClaim], *blocks: DraftBlock, policy: CitationPolicy = "drop", not_found: tuple[str, ...] = ()
) -> CheckedAnswer:
    draft = Draft(tuple(claims), blocks=blocks, not_found=not_found)
    return await check_answer(
        draft, policy, ExtractiveClaimVerifier(), FakeAnswerer(), EVIDENCE, {KEY: DOCUMENT}, needs=NEEDS
    )


async def test_claims_are_said_and_numbered_in_the_order_of_the_parts():
    answer = await checked((EDDA, ALBA, FENN), DraftBlock("list", (2, 1)), DraftBlock("paragraph", (0, 1)))

    assert [claim.text for claim in answer.claims] == [FENN.text, ALBA.text, EDDA.text]
    assert answer.blocks == (Block("list", (0, 1)), Block("paragraph", (2, 1)))
    assert answer.text == (
        "- Fenn was found in 1655. [1]\n- Alba was found in 1789. [2]\n\nEdda is grey. [3] Alba was found in 1789. [2]"
    )


async def test_an_empty_section_disappears_and_its_need_is_named():
    answer = await checked(
        (ALBA, FALSE),
        heading("Orvo", level=1),
        heading("Alba", 0, 2),
        DraftBlock("paragraph", (0,), need=0),
        heading("Fenn", 1, 2),
        DraftBlock("paragraph", (1,), need=1),
        not_found=("What colour is Edda?",),
    )

    assert answer.text == "# Orvo\n\n## Alba\n\nAlba was found in 1789. [1]"
    assert [block.kind for block in answer.blocks] == ["heading", "heading", "paragraph"]
    assert answer.not_found == ("What colour is Edda?", "When was Fenn found?")
    assert [(each.text, each.verdict) for each in answer.not_said] == [(FALSE.text, "unsupported")]


async def test_a_need_that_another_part_answers_is_not_named():
    answer = await checked((FENN, FALSE), DraftBlock("paragraph", (0,), need=1), DraftBlock("list", (1,), need=1))

    assert answer.not_found == ()


async def test_a_heading_over_nothing_but_headings_disappears_with_them():
    answer = await checked(
        (ALBA, FALSE),
        DraftBlock("paragraph", (0,)),
        heading("Fenn"),
        heading("Find", level=2),
        DraftBlock("list", (1,)),
    )

    assert answer.blocks == (Block("paragraph", (0,)),)


async def test_cells_of_a_table_have_markers_between_those_of_claims():
    rows = (
        (DraftCell("Alba"), cell("396", 1, "396"), DraftCell("1789", Quote(TEXT.id, ALBA.text))),
        (DraftCell("Fenn"), cell("5,150 km", 2, "5,150"), DraftCell("1656", Quote(TEXT.id, FENN.text))),
        (DraftCell("Edda"), cell("1,527", 1, "396"), DraftCell("", None)),
    )
    header = ("Moon", "Diameter | km", "Found")
    table = DraftBlock("table", text="Moons [9]", header=header, rows=rows)
    answer = await checked((ALBA, EDDA), DraftBlock("paragraph", (0,)), table, DraftBlock("paragraph", (1,)))

    assert answer.blocks[1] == Block(
        "table",
        text="Moons",
        header=header,
        rows=(
            (BlockCell("Alba"), BlockCell("396", (2,)), BlockCell("1789", (1,))),
            (BlockCell("Fenn"), BlockCell("5,150 km", (3,)), BlockCell("")),
        ),
    )
    assert answer.text.split("\n\n")[2].splitlines() == [
        "| Moon | Diameter \\| km | Found |",
        "| --- | --- | --- |",
        "| Alba | 396 [2] | 1789 [1] |",
        "| Fenn | 5,150 km [3] |  |",
    ]
    assert [citation.marker for citation in answer.citations] == [1, 2, 3, 4]
    assert [each.text for each in answer.not_said] == ["1656", "1,527"]
    assert answer.not_said[0].reason == "not in its quotes, titles or captions, nor in the question: 1656"


async def test_a_cell_that_says_something_else_than_its_quote_is_empty():
    table = DraftBlock("table", header=("Moon",), rows=((cell("Alba", 1, "Alba"), cell("frozen lakes", 1, "396")),))
    answer = await checked((), table)

    assert answer.blocks == (Block("table", header=("Moon",), rows=((BlockCell("Alba", (1,)), BlockCell("")),)),)
    assert answer.not_said == (UnsaidClaim("frozen lakes", "unsupported", "its quote says something else"),)


async def test_a_table_without_a_row_left_disappears():
    table = DraftBlock("table", (0,), header=("Moon",), rows=((DraftCell("Edda"), cell("1,527", 1, "396")),))

    assert (await checked((ALBA,), table)).blocks == (Block("paragraph", (0,)),)
    assert (await checked((ALBA,), DraftBlock("paragraph", (0,)), replace(table, claims=()))).blocks == (
        Block("paragraph", (0,)),
    )


async def test_flag_keeps_cells_and_says_so():
    table = DraftBlock("table", header=("Moon",), rows=((cell("1,527", 1, "396"),),))
    answer = await checked((FALSE,), DraftBlock("paragraph", (0,)), table, policy="flag")

    assert answer.text == (
        "Fenn was found in 1656. (unsupported) [1]\n\n| Moon |\n| --- |\n| 1,527 (unsupported) [2] |"
    )
    assert answer.not_said == ()


async def test_a_figure_has_a_marker_and_a_licence():
    answer = await checked((FENN,), DraftBlock("paragraph", (0,)), DraftBlock("figure", text="Fenn", figure=IMAGE.id))

    assert answer.blocks[1] == Block("figure", text="Fenn", figure=Figure(IMAGE.id, 2, "Fenn", "CC BY"))
    assert answer.text == "Fenn was found in 1655. [1]\n\nFenn [2]"
    assert (answer.citations[1].quote, answer.citations[1].modality) == (IMAGE.caption, "image")


async def test_a_figure_of_no_picture_at_hand_disappears():
    answer = await checked(
        (FENN,), DraftBlock("figure", (0,), figure=EvidenceId("elsewhere")), DraftBlock("figure", figure=TEXT.id)
    )

    assert answer.blocks == (Block("paragraph", (0,)),)


async def test_claims_of_no_part_follow_as_a_paragraph():
    answer = await checked((ALBA, FENN), DraftBlock("list", (1, 9)))

    assert answer.blocks == (Block("list", (0,)), Block("paragraph", (1,)))


async def test_parts_without_a_claim_or_a_row_are_no_answer():
    answer = await checked(
        (FALSE,), heading("Fenn"), DraftBlock("paragraph", (0,)), DraftBlock("figure", figure=IMAGE.id)
    )

    assert (answer.abstained, answer.text, answer.blocks, answer.citations) == (True, "", (), ())
    assert [each.text for each in answer.not_said] == [FALSE.text]


async def test_each_section_is_verified_in_one_call_and_neighbours_join_until_few_enough():
    asked: list[int] = []

    class Counting(ExtractiveClaimVerifier):
        async def verify(self, claims, cited) -> tuple[Judgment, ...]:
            asked.append(len(claims))
            return await super().verify(claims, cited)

    def blocks(sizes: Sequence[int]) -> tuple[DraftBlock, ...]:
        starts = [sum(sizes[:n]) for n in range(len(sizes))]
        pairs = ((heading(f"S{n}"), DraftBlock("list", tuple(range(at, at + sizes[n])))) for n, at in enumerate(starts))
        return tuple(block for pair in pairs for block in pair)

    for sizes, groups in (((2, 1, 3), [2, 1, 3]), ((3, 1, 1, 3, 3, 3, 3, 1), [3, 2, 3, 3, 3, 4]), ((4,), [4])):
        asked.clear()
        draft = Draft((ALBA,) * sum(sizes), blocks=blocks(sizes))
        await check_answer(draft, "drop", Counting(), FakeAnswerer(), EVIDENCE, {KEY: DOCUMENT})
        assert asked == groups
    assert len(outline_of(Draft((ALBA,) * 40, blocks=blocks([1] * 40)), {}).groups()) == MOST_GROUPS


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ('Armstrong said: "Houston, base here. The Eagle has landed." It was July.', 2),
        ("Ada wrote: “It burns. It burns well.” Then she left. Nobody came.", 3),
        ('It is 5" wide. It is long.', 2),
    ],
)
def test_a_quotation_stays_in_one_claim(text: str, sentences: int) -> None:
    claims = split_claim(DraftClaim(text, ()), {})
    assert " ".join(claim.text for claim in claims) == text
    assert len(claims) == sentences
