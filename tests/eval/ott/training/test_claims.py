"""What a checker learns from: composed claims, those that people judged, and claims made of the corpus alone."""

import json
import random
from pathlib import Path

import pytest

from eval.omgqa.judging.expertqa import read_claims
from eval.ott.corpus import OttCorpus
from eval.ott.training.claim_lists import ClaimLists, answers_as_claims, is_held_out, judged_by_people
from eval.ott.training.claim_pretraining import SHARES, ClaimPretraining
from eval.ott.training.claim_wordings import exchanged_places, negated, opposed, overclaimed, reworded
from eval.ott.training.claims import read_composed_claims
from heliograph.errors import UsageError
from indexers.models.checker import RELATIONS
from indexers.models.reader import Candidate, CandidateAnswer, Piece, Reading
from indexers.models.training.checking import CheckingExample
from indexers.models.training.reading import Mark, ReadingExample

LINE = {
    "question": "who built the tower at skerry head",
    "claim": "The tower at Skerry Head was built by Ada Brandt.",
    "label": "supported",
    "change": "none",
    "answers": True,
    "table": "Lights_0",
    "row": 1,
    "passage": "/wiki/Skerry_Head",
}


def written(folder: Path, *lines: dict[str, object]) -> Path:
    path = folder / "claims.jsonl"
    path.write_text("".join(json.dumps({**LINE, **line}) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_claim_has_the_evidence_that_its_line_names(corpus: OttCorpus, tmp_path: Path) -> None:
    alone = {"passage": None, "claim": "Skerry Head was lit in 1871."}
    first, second = read_composed_claims(written(tmp_path, {}, alone), corpus)
    assert (first.row, first.passage, second.passage) == (1, 2, -1)
    assert [piece.text for piece in first.evidence(corpus).pieces] == [
        "Lights ; List -- Sound | Name is Skerry Head ; Lit is 1871",
        "Skerry Head : A tower by Ada Brandt .",
    ]
    assert second.evidence(corpus).second is None
    assert not first.is_development


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"row": 9}, "the corpus has no such row of 'Lights_0'"),
        ({"table": "Nowhere_0"}, "the corpus has no such row of 'Nowhere_0'"),
        ({"passage": "/wiki/Tower"}, "the row does not link '/wiki/Tower'"),
        ({"label": "contradicted"}, "a claim that is contradicted has no change 'none'"),
        ({"label": "partial", "change": "date"}, "a claim that is partial has no change 'date'"),
        ({"change": "offpoint"}, "a claim beside the point does not answer"),
        ({"label": "refuted"}, "label"),
        ({"table": "Towers_0", "row": 0, "passage": None}, "nothing is learned from the table 'Towers_0'"),
    ],
)
def test_a_claim_that_the_corpus_does_not_bear_out_is_refused(
    corpus: OttCorpus, tmp_path: Path, wrong: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        read_composed_claims(written(tmp_path, wrong), corpus, {"Towers_0"})


def test_a_claim_that_stands_twice_is_refused(corpus: OttCorpus, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"claims\.jsonl:2: the claim stands there twice"):
        read_composed_claims(written(tmp_path, {}, {}), corpus)


def test_every_claim_is_learned_with_its_evidence_and_with_its_question(corpus: OttCorpus, tmp_path: Path) -> None:
    claims = read_composed_claims(written(tmp_path, {}, {"claim": "Skerry Head was lit.", "answers": False}), corpus)
    judged = (CheckingExample("People judged it.", claims[0].evidence(corpus), RELATIONS[1:]),)
    lists = ClaimLists(claims, judged, corpus)
    epoch = lists.epoch(0, 0)
    assert len(epoch) == len(lists) == 5
    assert epoch == lists.epoch(0, 0) != lists.epoch(1, 0)
    assert {(each.text, each.answers) for each in epoch if each.answers is not None} == {
        (LINE["question"], True),
        (LINE["question"], False),
    }
    assert judged[0] in epoch
    assert sorted(each.text for each in lists.all()) == sorted(each.text for each in epoch)


class TakesYears:
    """Reads the years of a candidate as its answers, the last one first."""

    def read(self, need: str, candidates: tuple[Candidate, ...]) -> tuple[Reading, ...]:
        words = [[word for word in each.first.text.split() if word.isdecimal()] for each in candidates]
        return tuple(
            Reading(tuple(CandidateAnswer("span", year, -float(at)) for at, year in enumerate(reversed(years))), -9, -1)
            for years in words
        )


def test_a_reader_s_mistakes_are_claims_that_do_not_hold() -> None:
    lit, dark = Candidate(Piece("lit in 1871 , dark in 1902")), Candidate(Piece("sold in 1950"))
    asked = ReadingExample("when was it lit?", (lit,), (Mark(0, 0, 7, 11),))
    unanswerable = ReadingExample("when was it lit?", (dark,), (), "none", (0,))
    told = ReadingExample("was it lit?", (lit,), (), "yes", (0,))
    found = list(answers_as_claims([asked, unanswerable, told], TakesYears(), 0))
    assert [(each.text, each.candidate, each.relations) for each in found] == [
        ("when was it lit? 1871", lit, ("supported",)),
        ("when was it lit? 1902", lit, ("contradicted",)),
        ("when was it lit? 1950", dark, ("contradicted", "unrelated")),
        ("was it lit? yes", lit, ("supported",)),
        ("was it lit? no", lit, ("contradicted",)),
    ]


def test_people_say_that_a_claim_is_not_supported_and_not_why(tmp_path: Path) -> None:
    questions = [f"What is it, number {number}?" for number in range(40)]
    lines = [
        {
            "question": question,
            "claims": [
                {"claim": f"{said} [1].", "evidence": ["[1] here\n\nIt is this."], "support": said}
                for said in ("Complete", "Partial", "Incomplete")
            ],
        }
        for question in questions
    ]
    path = tmp_path / "people.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    learned, held_out = judged_by_people(path, held_out=False), judged_by_people(path, held_out=True)
    development = read_claims(path).of("development")
    assert len(learned) + len(held_out) == len(development) < 3 * len(questions)
    assert len(held_out) == sum(map(is_held_out, development)) > 0
    assert {each.relations for each in learned} == {("supported",), ("partial",), RELATIONS[1:]}
    assert learned[0].candidate.first.text == "It is this."


def test_claims_made_of_the_corpus_are_the_same_whenever_they_are_drawn(corpus: OttCorpus) -> None:
    source = ClaimPretraining(corpus, {"Towers_0"}, 60)
    epoch = source.epoch(0, 7)
    assert len(epoch) == 60
    assert list(epoch) == list(source.epoch(0, 7)) != list(source.epoch(1, 7))
    assert {each.relations for each in epoch} <= {(relation,) for relation in SHARES}
    assert ("supported",) in {each.relations for each in epoch}
    assert not any("Towers" in each.candidate.first.text for each in epoch)
    assert source.digest != ClaimPretraining(corpus, (), 60).digest


def test_a_supported_claim_says_no_year_that_its_evidence_lacks(corpus: OttCorpus) -> None:
    for each in ClaimPretraining(corpus, (), 200).epoch(0, 0):
        years = {year for year in ("1871", "1889") if year in each.text}
        shown = " ".join(piece.text for piece in each.candidate.pieces)
        if each.relations == ("supported",) and years:
            assert all(year in shown for year in years)


def test_a_word_turns_a_claim_into_another() -> None:
    draw = random.Random(0)
    assert exchanged_places(draw, "Ada taught Ben .", ("Ada", "Ben")) == "Ben taught Ada ."
    assert exchanged_places(draw, "Ada Lund taught .", ("Ada Lund",)) == ""
    assert opposed(draw, "It was lit before 1871 .") == "It was lit after 1871 ."
    assert opposed(draw, "It was lit .") == ""
    assert negated(draw, "It was lit .") in ("It was not lit .", "It was never lit .")
    assert negated(draw, "Lit again .") == ""
    assert overclaimed(draw, "It is a tower .").startswith("It is the ")
    assert overclaimed(draw, "It stands .") == ""


def test_a_claim_in_other_words_keeps_its_names_and_years() -> None:
    said = "Ada Brandt ( born 3 May 1840 ) built a tower in Holm in 1871 ."
    for seed in range(50):
        other = reworded(random.Random(seed), said)
        assert all(part in other for part in ("Ada Brandt", "Holm", "1871"))
