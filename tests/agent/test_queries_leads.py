from agent.extractive.leads import leads
from heliograph.types import Cell, EvidenceId, Link, PageKey, Place, Scored, TableEvidence, TextEvidence
from indexers.parser import segments


def piece(title: str, score: float, *targets: str) -> Scored:
    page = PageKey(f"w:{title}@1")
    links = tuple(Link(target, target) for target in targets)
    return Scored(TextEvidence(EvidenceId(f"{page}#s0/p1"), Place(page, title, "s0"), "paragraph", "", links), score)


def test_the_links_of_better_evidence_come_first() -> None:
    assert leads("who?", [piece("A", 0.1, "X", "Y"), piece("B", 0.7, "Y", "Z")], ()) == ("Y", "Z", "X")


def test_pages_that_were_read_and_titles_that_the_question_says_are_no_leads() -> None:
    evidence = [piece("A", 0.5, "Moon of Mars", "Mars", "B", "C"), piece("B", 0.4)]

    assert leads("Which moon of Mars?", evidence, (PageKey("w:C%20@1"), PageKey("w:C@2"))) == ()


def test_one_piece_gives_three_leads_at_most_and_all_five() -> None:
    evidence = [piece("A", 0.9, *"PQRS"), piece("B", 0.8, *"TUVW")]

    assert leads("?", evidence, ()) == ("P", "Q", "R", "T", "U")


def table(*rows: tuple[str, ...]) -> TableEvidence:
    page = PageKey("w:Squad@1")
    cells = tuple(tuple(Cell(text, links=(Link(text, text),)) for text in row) for row in rows)
    return TableEvidence(EvidenceId(f"{page}#s0/t1"), Place(page, "Squad", "s0"), "table", "", ("", ""), cells)


def test_a_row_leads_first_to_what_the_rows_beside_it_do_not_link_to() -> None:
    squad = table(("Defender", "Ann"), ("Defender", "Bo"), ("Defender", "Cy"))
    row = segments(squad)[1]

    assert leads("?", [Scored(row, 0.9), Scored(squad, 0.9)], ()) == ("Bo", "Defender")


def test_only_a_table_without_a_row_of_it_beside_it_leads_on_as_a_whole() -> None:
    squad = table(("Defender", "Ann"), ("Defender", "Bo"))

    assert "Ann" not in leads("?", [Scored(segments(squad)[1], 0.9), Scored(squad, 0.9)], ())
    assert leads("?", [Scored(squad, 0.9)], ()) == ("Defender", "Ann", "Bo")
