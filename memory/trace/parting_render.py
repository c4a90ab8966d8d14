"""Where two runs part, for people and for programs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from heliograph.types import VERDICT_WORDS, ClaimVerdict, Verdict
from memory.trace.encoding import Json, dump
from memory.trace.glance import clipped
from memory.trace.parting import Change, OtherClaim, OtherRound, RunDiff
from memory.trace.render import UNCOLOURED, Ink

SCHEMA = "heliograph.trace-diff/1"
LISTED = 12
"""Names of a list that are shown."""


def diff_json(diff: RunDiff) -> str:
    """Return the differences as one line of JSON."""
    values: dict[str, Json] = {"schema": SCHEMA, "same": diff.same, **asdict(diff)}
    return dump(values).decode("utf-8", "replace")


def render_diff(diff: RunDiff, ink: Ink = UNCOLOURED) -> str:
    """Write the differences for people: what only the first run has after -, what only the second has after +."""
    lines = [f"{ink.red}- {diff.first}{ink.plain}", f"{ink.bold}+ {diff.second}{ink.plain}", *_lines(diff)]
    if diff.same:
        lines.append("both found, judged and said the same")
    return "\n".join(lines)


def _lines(diff: RunDiff) -> Iterator[str]:
    if diff.questions:
        yield from ("questions", *_both(diff.questions))
    for name, (one, other) in diff.settings.items():
        yield f"setting {name}: {_value(one)} became {_value(other)}"
    if diff.parts:
        where = f"{diff.parts.step}{f', time {diff.parts.time}' if diff.parts.time > 1 else ''}"
        spans = f"{diff.parts.first or 'nothing'} and {diff.parts.second or 'nothing'}"
        yield f"they part at {where} (spans {spans})"
    if diff.query:
        yield f"first different query: round {diff.query.round}, query {diff.query.place}"
        yield from _both((diff.query.first, diff.query.second))
    for each in diff.rounds:
        yield from _round(each)
    yield from _listed("documents of all rounds", diff.documents)
    yield from _listed("evidence in the end", diff.evidence)
    if diff.stops:
        yield f"stopped: {diff.stops[0] or 'not'} became {diff.stops[1] or 'not'}"
    if diff.claims:
        yield "claims"
        for claim in diff.claims:
            yield from _claim(claim)
    if diff.answers:
        yield from ("answers", *_both(diff.answers))


def _round(each: OtherRound) -> Iterator[str]:
    yield f"round {each.number}"
    yield from (f"  {line}" for line in _listed("queries", each.queries))
    yield from (f"  {line}" for line in _listed("documents", each.documents))
    if each.verdicts:
        yield f"  verdict: {_verdict(each.verdicts[0])} became {_verdict(each.verdicts[1])}"


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return "none"
    said = ["sufficient" if verdict.sufficient else "insufficient"]
    if verdict.missing:
        said.append(f"missing {', '.join(map(clipped, verdict.missing))}")
    if len(verdict.needs) > 1:
        said.append(f"{sum(each.met for each in verdict.needs)} of {len(verdict.needs)} needs met")
    if verdict.born:
        said.append(f"also needed {', '.join(clipped(need.text) for need in verdict.born)}")
    return ", ".join(said)


def _claim(claim: OtherClaim) -> Iterator[str]:
    text = clipped(claim.text, 160)
    if claim.second is None:
        yield f"  - {text} ({_word(claim.first)})"
    elif claim.first is None:
        yield f"  + {text} ({_word(claim.second)})"
    else:
        first, second = _word(claim.first), _word(claim.second)
        verdict = f"{first} became {second}" if first != second else first
        yield f"  ~ {text} ({verdict})"
        yield from (f"    {line}" for line in _listed("cites", claim.cited))


def _word(verdict: ClaimVerdict | None) -> str:
    return VERDICT_WORDS[verdict].word.lower() if verdict else "none"


def _listed(title: str, change: Change) -> Iterator[str]:
    if change == Change():
        return
    yield f"{title}: {len(change.lost)} lost, {len(change.gained)} gained"
    for sign, names in (("-", change.lost), ("+", change.gained)):
        yield from (f"  {sign} {clipped(name, 110)}" for name in names[:LISTED])
        if len(names) > LISTED:
            yield f"  {sign} and {len(names) - LISTED} more; --json has all"


def _both(pair: Sequence[str | None]) -> Iterator[str]:
    for sign, said in zip("-+", pair, strict=True):
        yield f"  {sign} {'nothing' if said is None else clipped(said, 300)}"


def _value(value: object) -> str:
    if isinstance(value, Mapping | list | tuple):
        return clipped(str(value))
    return "nothing" if value in (None, "") else clipped(str(value))
