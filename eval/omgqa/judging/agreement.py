"""How far two judges agree (OMG-QA, Table 7): counts, the share of cases, and Cohen's kappa (Cohen 1960)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two judges said of the same cases: `only_first` are those of which the first said yes, the second no."""

    both_yes: int = 0
    only_first: int = 0
    only_second: int = 0
    both_no: int = 0

    @property
    def cases(self) -> int:
        """How many cases both judged."""
        return self.both_yes + self.only_first + self.only_second + self.both_no

    @property
    def agreement(self) -> float | None:
        """The share of cases on which they say the same; None without cases."""
        return (self.both_yes + self.both_no) / self.cases if self.cases else None

    @property
    def kappa(self) -> float | None:
        """Agreement beyond what two judges with these shares of yes reach by chance: 1 all of it, 0 none.

        None where it is undefined: without cases, and where both always say the same one word, since chance then
        explains everything. Where only one of them never changes its word, kappa is 0.
        """
        first, second = self.both_yes + self.only_first, self.both_yes + self.only_second
        by_chance = first * second + (self.cases - first) * (self.cases - second)
        possible = self.cases**2 - by_chance
        return (self.cases * (self.both_yes + self.both_no) - by_chance) / possible if possible else None

    @property
    def balanced(self) -> float | None:
        """The mean of the shares of the first judge's yes and of its no that the second says as well.

        None where the first only ever says one word.
        """
        yes, no = self.both_yes + self.only_first, self.only_second + self.both_no
        return (self.both_yes / yes + self.both_no / no) / 2 if yes and no else None

    def record(self) -> dict[str, int | float | None]:
        """Return counts and figures by name, for JSON."""
        return {"cases": self.cases, "agreement": self.agreement, "kappa": self.kappa, **asdict(self)}


def agreement_of(words: Iterable[tuple[bool, bool]]) -> Agreement:
    """Count pairs of words on one case each, the first judge's before the second's."""
    counted = Counter(words)
    return Agreement(
        both_yes=counted[True, True],
        only_first=counted[True, False],
        only_second=counted[False, True],
        both_no=counted[False, False],
    )


def agreement_text(what: str, found: Agreement, first: str, second: str) -> str:
    """Return the figures for people: a line, and a table of counts under it."""
    if found.agreement is None:
        return f"{what}: no case was judged by both {first} and {second}"
    kappa = "undefined, as both only ever say one word" if found.kappa is None else f"{found.kappa:.3f}"
    rows = (
        ("", f"{second}: yes", f"{second}: no"),
        (f"{first}: yes", f"{found.both_yes:,}", f"{found.only_first:,}"),
        (f"{first}: no", f"{found.only_second:,}", f"{found.both_no:,}"),
    )
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    table = (f"  {row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}" for row in rows)
    counted = "1 case" if found.cases == 1 else f"{found.cases:,} cases"
    head = f"{what}: {counted}, agreement {found.agreement:.1%}, kappa {kappa}"
    return "\n".join((head, *table))
