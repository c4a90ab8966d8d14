"""Where two runs part: first different query, documents lost and gained, verdicts, claims and answers."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from heliograph.types import (
    Answer,
    Citation,
    CitedMarker,
    Claim,
    EvidenceId,
    Need,
    NeedVerdict,
    Observation,
    PageKey,
    RoundRecord,
    Usage,
    Verdict,
)
from memory.trace import Manifest, RunDiff, diff_json, diff_runs, render_diff
from memory.trace.account import Account, Step
from memory.trace.parting import Change, OtherClaim, OtherQuery, OtherRound, Parting

A, B, C = (EvidenceId(f"w:{title}@1#s0/p1") for title in "ABC")


def citation(marker: int, evidence: EvidenceId) -> Citation:
    return Citation(marker, evidence, "text", "t", "", "1", "u", "q", "", "")


def account(run: str, made: tuple[RoundRecord, ...], claims: tuple[Claim, ...], **settings: object) -> Account:
    answer = Answer(
        schema="heliograph.answer/2",
        run=run,
        question="Which?",
        answer=" ".join(claim.text for claim in claims),
        abstained=False,
        mode="extractive",
        stop_reason="sufficient",
        citations=(citation(1, A), citation(2, B)),
        claims=claims,
        rounds=made,
        evidence=(Observation(A, "text", 0.5, 1),),
        sources=(),
        notes=(),
        model_failures=(),
        usage=Usage(),
        seconds=1.0,
    )
    steps = tuple(Step("reflect", f"{number}", {"verdict": repr(each)}) for number, each in enumerate(made))
    return Account(Manifest(run, "Which?", "0", 0.0, settings), steps, made, answer)


def claim(text: str, verdict: str, *markers: int) -> Claim:
    return Claim(text, tuple(CitedMarker(marker, "supported") for marker in markers), verdict)


ONE = RoundRecord(1, ("mars", "red"), (PageKey("w:A@1"), PageKey("w:B@1")), (A,), Verdict(False, ("size",)))
TWO = RoundRecord(2, ("size",), (PageKey("w:C@1"),), (C,), Verdict(True))
FIRST = account(
    "first",
    (ONE, TWO),
    (
        claim("Mars is red. [1]", "supported", 1),
        claim("It is big. [2]", "supported", 2),
        claim("Gone. [1]", "partial", 1),
    ),
    rounds=3,
    llm={"model": "a", "base_url": ""},
    home="/one",
)
SECOND = account(
    "second",
    (replace(ONE, queries=("mars", "dust"), documents=(PageKey("w:A@1"), PageKey("w:D@1")), verdict=Verdict(True)),),
    (
        claim("Mars is red. [2]", "supported", 2),
        claim("It is big [2]", "partial", 2),
        claim("New. [1]", "supported", 1),
    ),
    rounds=1,
    llm={"model": "b", "base_url": ""},
    home="/two",
)


def test_every_difference_is_told() -> None:
    one, other = FIRST.answer, SECOND.answer
    assert one and other
    assert diff_runs(FIRST, SECOND) == RunDiff(
        first="first",
        second="second",
        questions=None,
        settings={"rounds": (3, 1), "llm.model": ("a", "b")},
        parts=Parting("reflect", 1, "0", "0"),
        query=OtherQuery(1, 2, "red", "dust"),
        rounds=(
            OtherRound(
                1,
                Change(("red",), ("dust",)),
                Change(("w:B@1",), ("w:D@1",)),
                Change(),
                (Verdict(False, ("size",)), Verdict(True)),
            ),
            OtherRound(2, Change(("size",)), Change(("w:C@1",)), Change((C,)), (Verdict(True), None)),
        ),
        documents=Change(("w:B@1", "w:C@1"), ("w:D@1",)),
        evidence=Change(),
        claims=(
            OtherClaim("Mars is red", "quoted", "quoted", Change((A,), (B,))),
            OtherClaim("It is big", "quoted", "partial", Change()),
            OtherClaim("Gone", "partial", None, Change((A,))),
            OtherClaim("New", None, "quoted", Change((), (A,))),
        ),
        answers=(one.answer, other.answer),
        stops=None,
    )


def test_verdicts_that_differ_by_their_needs_are_told_apart() -> None:
    first = Verdict(False, ("size",), needs=(NeedVerdict(0, False), NeedVerdict(1, True, (A,))))
    second = Verdict(False, ("size",), needs=(NeedVerdict(0, False),), born=(Need("size of Mars", "bridge"),))
    diff = diff_runs(*(account("run", (replace(ONE, verdict=verdict),), ()) for verdict in (first, second)))
    assert (
        "  verdict: insufficient, missing size, 1 of 2 needs met"
        " became insufficient, missing size, also needed size of Mars"
    ) in render_diff(diff).splitlines()


def test_the_differences_are_drawn_for_people() -> None:
    assert render_diff(diff_runs(FIRST, SECOND)) == "\n".join(
        (
            "- first",
            "+ second",
            "setting rounds: 3 became 1",
            "setting llm.model: a became b",
            "they part at reflect (spans 0 and 0)",
            "first different query: round 1, query 2",
            "  - red",
            "  + dust",
            "round 1",
            "  queries: 1 lost, 1 gained",
            "    - red",
            "    + dust",
            "  documents: 1 lost, 1 gained",
            "    - w:B@1",
            "    + w:D@1",
            "  verdict: insufficient, missing size became sufficient",
            "round 2",
            "  queries: 1 lost, 0 gained",
            "    - size",
            "  documents: 1 lost, 0 gained",
            "    - w:C@1",
            "  verdict: sufficient became none",
            "documents of all rounds: 2 lost, 1 gained",
            "  - w:B@1",
            "  - w:C@1",
            "  + w:D@1",
            "claims",
            "  ~ Mars is red (quoted)",
            "    cites: 1 lost, 1 gained",
            f"      - {A}",
            f"      + {B}",
            "  ~ It is big (quoted became partly supported)",
            "  - Gone (partly supported)",
            "  + New (quoted)",
            "answers",
            "  - Mars is red. [1] It is big. [2] Gone. [1]",
            "  + Mars is red. [2] It is big [2] New. [1]",
        )
    )


def test_the_differences_are_json_for_programs() -> None:
    said = json.loads(diff_json(diff_runs(FIRST, SECOND)))
    assert (said["schema"], said["same"], said["query"]["second"]) == ("heliograph.trace-diff/1", False, "dust")


def test_settings_and_names_alone_are_no_parting() -> None:
    other = replace(FIRST, manifest=replace(FIRST.manifest, run="other", settings={"rounds": 1}))
    diff = diff_runs(FIRST, other)
    assert diff.same
    assert diff.settings
    assert render_diff(diff).endswith("both found, judged and said the same")


def test_a_run_without_an_answer_is_compared_as_far_as_it_went() -> None:
    cut = replace(FIRST, rounds=(ONE,), steps=FIRST.steps[:1], answer=None)
    diff = diff_runs(cut, FIRST)
    assert diff.parts == Parting("reflect", 2, None, "1")
    assert diff.query == OtherQuery(2, 1, None, "size")
    assert diff.stops == (None, "sufficient")


rounds = st.lists(
    st.builds(
        lambda queries, documents, enough: (tuple(queries), tuple(map(PageKey, documents)), Verdict(enough)),
        st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True),
        st.lists(st.sampled_from(["w:A@1", "w:B@1", "w:C@1"]), max_size=3, unique=True),
        st.booleans(),
    ),
    max_size=3,
).map(lambda made: tuple(RoundRecord(n, q, d, (), v) for n, (q, d, v) in enumerate(made, start=1)))
claims = st.lists(st.builds(claim, st.sampled_from(["x", "y"]), st.sampled_from(["supported", "partial"]), st.just(1)))
accounts = st.builds(lambda made, said: account("r", made, tuple(said)), rounds, claims)


@given(accounts)
def test_a_run_does_not_part_from_itself(one: Account) -> None:
    assert diff_runs(one, one).same


@given(accounts, accounts)
def test_what_one_loses_the_other_gains(one: Account, other: Account) -> None:
    there, back = diff_runs(one, other), diff_runs(other, one)
    assert there.same == back.same
    assert there.documents == Change(back.documents.gained, back.documents.lost)
    assert (there.query is None) == ([each.queries for each in one.rounds] == [each.queries for each in other.rounds])
    assert {(each.text, each.first, each.second) for each in there.claims} == {
        (each.text, each.second, each.first) for each in back.claims
    }
