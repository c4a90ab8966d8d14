"""Citation precision: how many citations are needed, or say the claim alone (ALCE: Gao et al. 2023, section 3)."""

from eval.omgqa.judged import Judged, Statement


def citation_precision(judged: Judged) -> float:
    """Return the share of citations that are precise; 0 for an answer without citations.

    A citation is precise where its claim is supported and it says the claim alone, or the others do not without it.
    """
    precise = [each for statement in judged.statements for each in _precise(statement)]
    return sum(precise) / len(precise) if precise else 0.0


def _precise(statement: Statement) -> list[bool]:
    return [
        statement.supported and (alone or not rest) for alone, rest in zip(statement.alone, statement.rest, strict=True)
    ]
