"""Dates in all their forms, as cells and within texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.text.dates import MONTHS, Moment, month_of, month_said, parse_date, times_in
from heliograph.text.figures import figures_in

SAME_DAYS = [
    ("20 August 1977", "August 20, 1977"),
    ("20 August 1977", "1977-08-20"),
    ("20th Aug 1977", "20 Aug. 1977, 14:29 UTC"),
    ("August 20 , 1977 ( # 76000356 )", "20 August , 1977"),
    ("Aug 1977", "August 1977"),
    ("c. 1610", "1610"),
    ("1977–1981", "1977"),
    ("1977-81", "1977"),
    ("5 March 1979 – 9 July 1979", "5 March 1979"),
    ("1999–present", "1999"),
    ("4 July 2016 (arrival)[a]", "4 July 2016"),
]


@pytest.mark.parametrize(("left", "right"), SAME_DAYS)
def test_a_date_is_the_same_in_every_spelling(left, right):
    first, second = parse_date(left), parse_date(right)

    assert first is not None
    assert second is not None
    assert (first.low, first.high) == (second.low, second.high)


@pytest.mark.parametrize(
    "text", ["31 Movember 1977", "1977, 1979", "2000 metres", "32 May 1999", "1999-13-01", "9 July – 5 May 1990", ""]
)
def test_what_is_no_date_is_not_read(text):
    assert parse_date(text) is None


def test_dates_are_ordered_across_the_eras():
    ages = [parse_date(text) for text in ("753 BC", "44 BC", "476 AD", "1977", "present")]

    assert [age.low for age in ages if age] == sorted(age.low for age in ages if age)
    assert len([age for age in ages if age]) == 5


@given(st.dates())
def test_a_day_survives_being_written(day):
    written = [f"{day.day} {MONTHS[day.month - 1].capitalize()} {day.year:04}", day.isoformat()]
    values = [parse_date(text) for text in written]

    assert all(value is not None and value.low == value.high for value in values)
    assert len({value.low for value in values if value}) == 1


@given(st.dates(), st.dates())
def test_days_are_ordered_as_the_calendar_orders_them(left, right):
    first, second = parse_date(left.isoformat()), parse_date(right.isoformat())

    assert first is not None
    assert second is not None
    assert (first.low < second.low) == (left < right)


def forms(day):
    """Write a day in every form that tells its year, its month and its day in one way."""
    month = MONTHS[day.month - 1].capitalize()
    return [
        f"{day.day} {month} {day.year:04}",
        f"{day.day}th {month} {day.year:04}",
        f"{day.day} {month[:3]} {day.year:04}",
        f"{day.day} {month[:3]}{'.' if len(month) > 3 else ''} {day.year:04}",
        f"{month} {day.day}, {day.year:04}",
        f"{month} {day.day} , {day.year:04}",
        day.isoformat(),
    ]


@given(st.dates())
def test_a_day_is_read_alike_in_all_its_forms_and_wherever_it_stands(day):
    whole = [parse_date(form) for form in forms(day)]
    within = [figures_in(f"It was held on {form} and never again") for form in forms(day)]
    times = [times_in(f"It was held on {form} and never again") for form in forms(day)]

    assert {(value.low, value.high) for value in whole if value} == {(whole[0].low, whole[0].high)}
    assert None not in whole
    assert [[(figure.kind, figure.value.low) for figure in found] for found in within] == [
        [("date", whole[0].low)] for _ in within
    ]
    told = (Moment(f"{day.year:04}", day.month, day.day),)
    assert [[time.readings for time in found] for found in times] == [[told] for _ in times]


@given(st.dates())
def test_a_day_in_figures_alone_is_one_of_at_most_two(day):
    (time,) = times_in(f"on {day.day}/{day.month}/{day.year:04}")

    assert Moment(f"{day.year:04}", day.month, day.day) in time.readings
    assert len(time.readings) <= 2


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("nineteen forty-seven", ["1947"]),
        ("nineteen hundred and five", ["1905"]),
        ("in 1801 in London", ["1801"]),
        ("1500 km", []),
        ("753 BC", ["-0753"]),
        ("1939-45", ["1939", "1945"]),
        ("the seventies", ["..7."]),
        ("the 1970s", ["197."]),
    ],
)
def test_years_are_read_as_far_as_they_are_told(text, years):
    assert [time.readings[0].year for time in times_in(text)] == years


def test_a_spelling_that_nobody_read_leaves_a_hole_in_a_time():
    assert [
        time.readings for time in times_in("On New Year's Day 1801, in '47, on 12/3/1879 and in the 12th century")
    ] == [
        (Moment("1879", 3, 12), Moment("1879", 12, 3)),
        (Moment("..47"),),
        (Moment("11.."),),
        (Moment("1801"),),
    ]


def test_days_of_one_month_are_days_of_their_own():
    assert [time.readings for time in times_in("12, 13 and 15 March 1879; May 4-6")] == [
        (Moment("1879", 3, 12),),
        (Moment("1879", 3, 13),),
        (Moment("1879", 3, 15),),
        (Moment("", 5, 4),),
        (Moment("", 5, 6),),
    ]


@given(st.dates())
def test_a_day_lies_in_its_month_and_a_year_in_none(day):
    value = parse_date(day.isoformat())
    assert value is not None
    assert month_of(value) == day.month
    assert month_said(f"{day:%B}") == month_said(f"{day:%b}.".replace("May.", "May")) == day.month
    year = parse_date(f"{day.year:04}")
    assert year is None or month_of(year) is None
    assert month_said("in May") is None
