from agent.extractive.leads import leads
from heliograph.types import EvidenceId, Link, PageKey, Place, Scored, TextEvidence


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
