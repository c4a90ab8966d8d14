"""Calls in waves: in order, as errors or values, and no more once a model has been silent twice."""

from collections.abc import Awaitable, Callable

import pytest

from heliograph.errors import ModelError, ModelMalformed, ModelTimeout, ModelUnreachable
from tools.refinement.waves import in_waves

SILENT, AWAY, WRONG = ModelTimeout("silent"), ModelUnreachable("away"), ModelMalformed("no JSON")


def calls_of(*outcomes: int | Exception) -> tuple[list[Callable[[], Awaitable[int]]], list[int]]:
    """Return calls that give or raise these, and the places of those that were made."""
    made: list[int] = []

    def call(place: int, outcome: int | Exception) -> Callable[[], Awaitable[int]]:
        async def made_now() -> int:
            made.append(place)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        return made_now

    return [call(place, outcome) for place, outcome in enumerate(outcomes)], made


@pytest.mark.parametrize(
    ("outcomes", "width", "found", "made"),
    [
        ((), 2, (), 0),
        ((1, 2, 3), 2, (1, 2, 3), 3),
        ((1, WRONG, WRONG, WRONG, 5), 2, (1, WRONG, WRONG, WRONG, 5), 5),
        ((SILENT, 2, AWAY, 4, 5, 6), 2, (SILENT, 2, AWAY, 4, AWAY, AWAY), 4),
        ((SILENT, AWAY, 3), 8, (SILENT, AWAY, 3), 3),
    ],
)
async def test_what_calls_give_comes_in_their_order(
    outcomes: tuple[int | Exception, ...], width: int, found: tuple[int | ModelError, ...], made: int
) -> None:
    calls, places = calls_of(*outcomes)
    assert await in_waves(calls, width) == found
    assert len(places) == made


async def test_an_error_that_is_no_model_s_is_raised_after_its_wave() -> None:
    calls, made = calls_of(1, ValueError("ours"), KeyError("later"), 4)
    with pytest.raises(ValueError, match="ours"):
        await in_waves(calls, 3)
    assert made == [0, 1, 2]
