"""How claims made from the corpus are worded otherwise, and how they are made wrong by a word."""

import random
import re
from collections.abc import Sequence

from eval.ott.training.pretraining import NAMES_OF_MONTHS

_OPPOSITES = (
    ("before", "after"), ("first", "last"), ("north", "south"), ("east", "west"), ("northern", "southern"),
    ("eastern", "western"), ("won", "lost"), ("more", "less"), ("more", "fewer"), ("most", "fewest"),
    ("larger", "smaller"), ("largest", "smallest"), ("older", "younger"), ("oldest", "youngest"), ("above", "below"),
    ("higher", "lower"), ("highest", "lowest"), ("father", "son"), ("mother", "daughter"), ("brother", "father"),
    ("joined", "left"), ("began", "ended"), ("opened", "closed"), ("born", "died"), ("winner", "runner-up"),
    ("early", "late"), ("former", "current"), ("home", "away"), ("men", "women"), ("male", "female"), ("under", "over"),
    ("increased", "decreased"), ("longest", "shortest"), ("left", "right"), ("public", "private"), ("upper", "lower"),
    ("since", "until"), ("earlier", "later"), ("defeated", "lost to"),
)  # fmt: skip
_SAYINGS = (
    ("is located in", "lies in"), ("is situated in", "stands in"), ("founded", "set up"), ("established", "founded"),
    ("released", "brought out"), ("also known as", "otherwise called"), ("known as", "called"), ("won", "took"),
    ("began", "started"), ("served as", "was"), ("consists of", "is made up of"), ("located in", "found in"),
    ("a population of", "as many people as"), ("approximately", "about"), ("constructed", "built"),
    ("died", "passed away"), ("received", "got"), ("film", "movie"), ("competed", "took part"),
    ("played for", "turned out for"), ("including", "among them"), ("was born in", "came into the world in"),
    ("elected", "voted in"), ("built", "put up"), ("United States", "US"), ("American", "U.S."),
    ("attended", "went to"), ("retired", "gave up"), ("several", "some"), ("began his career", "started out"),
    ("currently", "now"), ("produced", "made"), ("moved to", "went to"),
)  # fmt: skip
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ALONE = ("first", "only", "best known", "largest", "last", "most successful")
_VERB = re.compile(r"\b(is|was|are|were|has been|had been|can|could|would|will)\b")
_BE_A = re.compile(r"\b(is|was) an? (?=\w)")
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}}) ({NAMES_OF_MONTHS})\b(?: (\d{{4}}))?")
_MONTH_FIRST = re.compile(rf"\b({NAMES_OF_MONTHS}) (\d{{1,2}}) ?, (\d{{4}})")
_BEHIND = re.compile(r"^(.{20,}) (in|on|at|from|during|since) ((?:\w+[ ,]*){1,4})$")
_IN_BRACKETS = re.compile(r"\s*\([^)]*\)")


def reworded(draw: random.Random, claim: str) -> str:
    """Say a claim otherwise: dates and numbers in another form, other words for some, its end in front."""
    if draw.random() < 0.7:
        claim = _IN_BRACKETS.sub("", claim)
    if draw.random() < 0.5:
        claim = _DAY_FIRST.sub(lambda found: f"{found[2]} {found[1]}" + (f", {found[3]}" if found[3] else ""), claim)
    elif draw.random() < 0.5:
        claim = _MONTH_FIRST.sub(r"\2 \1 \3", claim)
    for said, other in draw.sample(_SAYINGS, len(_SAYINGS) // 2):
        claim = re.sub(rf"\b{said}\b", other, claim)
    if draw.random() < 0.3:
        claim = re.sub(r"(?<![\w.,])(?:[1-9]|1[0-2])(?![\w.,]|\s?,\d)", lambda found: _WORDS[int(found[0]) - 1], claim)
    if draw.random() < 0.3 and (found := _BEHIND.match(claim.rstrip(" ."))):
        claim = f"{found[2].capitalize()} {found[3]}, {found[1]}"
    if draw.random() < 0.3:
        claim = " ".join(word for word in claim.split() if word not in ("the", "The", "a", "an", "also"))
    return " ".join(claim.split())


def exchanged_places(draw: random.Random, claim: str, values: Sequence[str]) -> str:
    """Let two names of a claim change places; empty where it has no two."""
    names = [value for value in values if value[:1].isupper() and claim.count(value) == 1]
    if len(names) < 2:
        return ""
    one, other = draw.sample(names, 2)
    if one in other or other in one:
        return ""
    return claim.replace(one, "\0").replace(other, one).replace("\0", other)


def opposed(draw: random.Random, claim: str) -> str:
    """Turn a word of a claim into its opposite; empty where it has none."""
    both = [*_OPPOSITES, *((other, one) for one, other in _OPPOSITES)]
    said = [(one, other) for one, other in both if re.search(rf"\b{one}\b", claim)]
    if not said:
        return ""
    one, other = draw.choice(said)
    return re.sub(rf"\b{one}\b", other, claim, count=1)


def negated(draw: random.Random, claim: str) -> str:
    """Put a negation behind a verb; empty where there is no such verb."""
    found = _VERB.search(claim)
    if found is None:
        return ""
    return claim[: found.end()] + draw.choice((" not", " never", " not")) + claim[found.end() :]


def overclaimed(draw: random.Random, claim: str) -> str:
    """Make a subject the only or the first of its kind; empty where it is said to be of none."""
    found = _BE_A.search(claim)
    if found is None:
        return ""
    return f"{claim[: found.start()]}{found[1]} the {draw.choice(_ALONE)} {claim[found.end() :]}"
