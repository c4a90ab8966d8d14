"""What a table lets a question ask: the conditions that are found in it, and what filled slots are calculated as."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliograph.errors import CalculationError, WrongOperands
from heliograph.types import CONDITION_OPERATORS, TABLE_OPERATIONS, Calculation, Condition, Slots
from tests.tools.made_up import CAST, FILMS, MEDALS, MISSIONS, MOONS, table
from tools.arithmetic.calculations import calculate
from tools.arithmetic.plans import (
    MOST_FIGURES,
    MOST_VALUES,
    NONE,
    CandidateCondition,
    LogicalForm,
    Mention,
    calculation_of,
    candidate_conditions,
    is_foregone,
    logical_forms,
    table_question,
)
from tools.arithmetic.question_words import QuestionWords
from tools.arithmetic.sheet import Sheet, sheet_of

LOANS = table(
    "Things lent out",
    "From the notebook",
    "Thing | To | On | Due back | Back | Fee (€)",
    "Drill | Ada Holm | 3 May 2024 | 18:30 | yes | 4.50",
    "Ladder | Jon Skar, Ada Holm | 9 May 2024 | 07:45 | no | 0",
    "Sander | Ida Nord | 12 June 2024 | 19:00 | no | 6",
    "Big tent | Canal St school | 1 July 2024 | 08:00 | – | 12",
    "Small tent | Canal St club | 2 July 2024 | 21:15 | yes | 9",
)


def sheet(source):
    found = sheet_of(source)
    assert found is not None
    return found


def found(question, source=LOANS):
    header = source.header
    mentions = candidate_conditions(question, sheet(source))
    return {f"{header[each.column]}: {each.value}" for mention in mentions for each in mention}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("who has the ladder", {"Thing: Ladder"}),
        ("what did Ada Holm borrow", {"To: Ada Holm", "To: Jon Skar, Ada Holm"}),
        ("what went to Skar", {"To: Skar"}),
        ("what did people in Canal St take", {"To: Canal St"}),
        ("what is still out", {"Back: yes", "Back: no", "Back: –"}),
        ("what was lent in June", {"On: June"}),
        ("what left before 10 May 2024", {"On: 10 May 2024"}),
        ("which are due before eight in the evening", {"Due back: 20:00"}),
        ("which are due after seven", {"Due back: 07:00", "Due back: 19:00"}),
        ("anything due after 7.45 pm or 19:30", {"Due back: 19:30"}),
        ("which are due before noon", {"Due back: 12:00"}),
        ("which cost more than five euros", {"Fee (€): 5 euros"}),
        ("which things are free", {"Fee (€): 0"}),
        ("anything with zero euros", {"Fee (€): 0"}),
    ],
)
def test_conditions_that_a_question_may_set(question, wanted):
    assert wanted <= found(question)


def test_the_title_of_a_page_says_no_value_of_a_cell_unless_one_says_it():
    yarns = table("Wool basket", "", "Yarn | Fibre", "Bramble | wool", "Sea Glass | cotton", "Rose | silk")
    bands = table("Wool", "", "Yarn | Fibre", "Bramble | wool", "Sea Glass | cotton", "Rose | silk")
    for source, said in ((yarns, False), (bands, True)):
        mentions = candidate_conditions("How much is in the wool basket?", sheet(source))
        assert any(each.value == "wool" and each.said != NONE for mention in mentions for each in mention) is said


def test_two_words_of_the_title_of_a_page_say_no_value_of_a_cell():
    huts = table("Huts of the Corrin Ridge", "", "Hut | Beds", "Corrin Lodge | 60", "Lantern Den | 32")
    said = {"how many huts are on the corrin ridge": False, "how many beds has the corrin lodge": True}
    for question, expected in said.items():
        mentions = candidate_conditions(question, sheet(huts))
        assert (
            any(each.value == "Corrin Lodge" and each.said != NONE for mention in mentions for each in mention)
            is expected
        )


def test_what_a_named_column_lacks_may_be_asked_of_it_where_columns_say_the_same_things():
    lessons = table("Lessons", "", "Hour | Monday | Friday | Room", "1 | Art | Maths | A", "2 | Maths | Sport | B")
    assert "Friday: Art" in found("Is there art on Friday?", lessons)
    assert "Room: Art" not in found("In which room is art?", lessons)
    one = form("is", where=[(CandidateCondition(2, "Art"), "is")])
    assert value(one, lessons) == "0"


def test_a_figure_in_another_unit_is_held_against_the_columns_of_its_dimension():
    assert {"Running time: 2 h", "Budget: 2"} <= {each.replace("hours", "h") for each in found("over 2 hours", FILMS)}


@given(st.text(max_size=200))
def test_the_conditions_of_any_question_are_few_and_of_columns_that_there_are(question):
    for source in (LOANS, MOONS, MISSIONS, CAST):
        mentions = candidate_conditions(question, sheet(source))
        conditions = [each for mention in mentions for each in mention]
        assert len(conditions) <= MOST_VALUES + MOST_FIGURES * len(source.header)
        assert all(0 <= each.column < len(source.header) for each in conditions)
        assert all(len({(each.words, each.said == NONE) for each in mention}) == 1 for mention in mentions)
        assert len({(each.column, each.value) for each in conditions}) == len(conditions)


def test_a_question_of_many_words_over_many_cells_is_read_in_linear_time():
    rows = [f"ab{row} cd{row} | {row}" for row in range(2_000)]
    many = sheet(table("Long", "", "Name | Size", *rows))
    words = QuestionWords(" ".join(f"word{number}" for number in range(2_000)))
    calls = 0

    class Counting(dict):
        def items(self):
            nonlocal calls
            calls += 1
            return super().items()

    words._positions = Counting(words._positions)
    for row in many.rows:
        words.overlap(many.cell(row, 0))
    assert calls == 0


def test_what_the_same_words_may_mean_is_one_mention():
    rooms = table("Rooms", "", "Room | Beds | Floor | Bath", "3 | 2 | 1 | tub", "4 | 3 | 1 | shower", "5 | 4 | 2 | tub")
    mentions = candidate_conditions("does room 3 or the one with 4 beds have a tub", sheet(rooms))
    said = [{f"{rooms.header[each.column]} {each.value}" for each in mention} for mention in mentions]
    assert {"Beds 3", "Floor 3"} <= next(each for each in said if "Room 3" in each)
    assert {"Beds 4", "Floor 4"} <= next(each for each in said if "Room 4" in each)
    assert {"Bath tub"} in said
    assert {"Bath shower"} in said


def test_of_two_conditions_that_share_words_the_one_that_says_more_of_them_is_set():
    whole, part = CandidateCondition(0, "Young & Free", (5, 13), "&"), CandidateCondition(0, "Free", (13,), "&")

    def row(best: float) -> tuple[float, ...]:
        return (-3.0, best, *(-9.0,) * (len(CONDITION_OPERATORS) - 1))

    rest = ((-9.0,) * 8 + (0.0, -9.0, -9.0), (0.0,), (0.0,), (0.0,))
    unset = (-0.2, -3.0, *(-9.0,) * (len(CONDITION_OPERATORS) - 1))
    for shares, wanted in ((row(-0.3), row(-0.2)), "Young & Free"), ((unset, row(-0.2)), "Free"):
        first = logical_forms(Slots(rest[0], *rest[1:], shares), ((whole,), (part,)))[0]
        assert [each.value for each, _ in first.where] == [wanted]


def test_what_nothing_says_is_no_alternative_to_what_the_question_says():
    mentions = tuple((each,) for each in (CandidateCondition(2, "Lea", (3,), "&"), CandidateCondition(2, "Granny")))
    row = (-3.0, -0.1, *(-9.0,) * (len(CONDITION_OPERATORS) - 1))
    slots = Slots((-9.0,) * 8 + (0.0, -9.0, -9.0), (0.0,), (0.0,), (0.0,), (row, row))
    assert [each.value for each, _ in logical_forms(slots, mentions)[0].where] == ["Lea"]


def test_a_part_of_a_list_that_a_question_says_stands_for_the_whole():
    names = ("Karn", "Varn", "Skerry")
    mentions = tuple((CandidateCondition(0, name, (place,), "&"),) for place, name in enumerate(names))
    unset, rest = (0.0, *(-9.0,) * len(CONDITION_OPERATORS)), ((-9.0,) * 8 + (0.0, -9.0, -9.0), (0.0,), (0.0,), (0.0,))
    doubtful = (-0.3, -1.4, *(-9.0,) * (len(CONDITION_OPERATORS) - 1))
    likely = (-3.0, -0.1, *(-9.0,) * (len(CONDITION_OPERATORS) - 1))

    def wheres(*shares: tuple[float, ...]) -> list[tuple[str, ...]]:
        return [tuple(each.value for each, _ in form.where) for form in logical_forms(Slots(*rest, shares), mentions)]

    assert wheres(likely, likely, doubtful)[0] == ("Karn", "Varn", "Skerry")
    assert ("Karn", "Varn") not in wheres(likely, likely, doubtful)
    assert wheres(likely, unset, unset)[0] == ("Karn",)
    mentions = (*mentions[:2], (*mentions[2], CandidateCondition(0, "Skerry Head", (2,), "+")))
    assert wheres(likely, likely, (*doubtful, *doubtful[1:]))[0] == ("Karn", "Varn")


def test_a_parser_reads_titles_columns_with_samples_and_conditions():
    asked = table_question("who has the drill", sheet(LOANS), ((CandidateCondition(0, "Drill"),),))

    assert asked.about == "Things lent out ; From the notebook"
    assert asked.columns[0] == "| Thing (name: Drill, Ladder)"
    assert asked.columns[3:5] == ("| Due back (time: 18:30, 07:45)", "| Back (yes or no: yes, no)")
    assert asked.conditions == (("- Thing Drill",),)


def form(asked, told=-1, ordered=-1, place=1, where=(), score=0.0):
    return LogicalForm(asked, told, ordered, place, tuple(where), score)


def value(one, source=LOANS):
    return calculate(calculation_of(one, sheet(source)), [source]).value


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (form("find", 1, where=[(CandidateCondition(0, "Drill"), "is")]), "Ada Holm"),
        (form("find", 0, where=[(CandidateCondition(1, "Ada Holm"), "has")]), "Drill and Ladder"),
        (
            form("find", 0, where=[(CandidateCondition(0, "Drill"), "is"), (CandidateCondition(0, "Sander"), "is")]),
            "Drill and Sander",
        ),
        (form("find", 0, where=[(CandidateCondition(4, "–"), "is")]), "Big tent"),
        (form("count", where=[(CandidateCondition(4, "–"), "not"), (CandidateCondition(5, "5"), "above")]), "2"),
        (form("count", where=[(CandidateCondition(3, "08:00"), "at_most")]), "2"),
        (form("count", where=[(CandidateCondition(2, "May"), "has")]), "2"),
        (form("count", where=[(CandidateCondition(2, "december"), "has")]), "0"),
        (form("count", where=[(CandidateCondition(2, "jul"), "has")]), "2"),
        (form("sum", 5, where=[(CandidateCondition(4, "no"), "is")]), "€6"),
        (form("mean", 5), "€6.3"),
        (form("most", 0, 5), "12 €"),
        (form("least", 0, 2, 2), "9 May 2024"),
        (
            form(
                "difference",
                -1,
                5,
                where=[(CandidateCondition(0, "Drill", (1,)), "is"), (CandidateCondition(0, "Sander", (2,)), "is")],
            ),
            "€1.5",
        ),
        (
            form(
                "difference",
                -1,
                2,
                where=[(CandidateCondition(0, "Drill"), "is"), (CandidateCondition(0, "Ladder"), "is")],
            ),
            "6 days",
        ),
        (
            form(
                "difference",
                -1,
                3,
                where=[(CandidateCondition(0, "Drill"), "is"), (CandidateCondition(0, "Sander"), "is")],
            ),
            "30 min",
        ),
        (
            form(
                "more",
                -1,
                5,
                where=[(CandidateCondition(0, "Drill", (4,)), "is"), (CandidateCondition(0, "Sander", (2,)), "is")],
            ),
            "Yes",
        ),
        (
            form(
                "less",
                -1,
                5,
                where=[(CandidateCondition(0, "Drill", (1,)), "is"), (CandidateCondition(0, "Sander", (2,)), "is")],
            ),
            "Yes",
        ),
        (form("is", where=[(CandidateCondition(0, "Ladder"), "is"), (CandidateCondition(4, "yes"), "is")]), "No"),
        (form("is", where=[(CandidateCondition(4, "no"), "is")]), "2"),
    ],
)
def test_filled_slots_are_calculated(one, said):
    assert value(one) == said


@pytest.mark.parametrize(("operator", "said"), [("is", "2"), ("has", "2"), ("not", "1")])
def test_a_month_is_that_of_any_year_where_years_differ(operator, said):
    trips = table("Trips", "", "Trip | Left", "A | 3 May 1999", "B | 4 June 2001", "C | 5 May 2003")
    assert value(form("count", where=[(CandidateCondition(1, "May"), operator)]), trips) == said


def test_conditions_are_recorded_where_each_has_to_be_met():
    one = form("count", where=[(CandidateCondition(4, "no"), "is"), (CandidateCondition(5, "5"), "above")])

    assert calculation_of(one, sheet(LOANS)) == Calculation(
        "count", LOANS.id, where=(Condition("Back", "is", "no"), Condition("Fee (€)", "above", "5"))
    )


def test_two_rows_are_compared_and_neither_one_nor_three():
    with pytest.raises(WrongOperands):
        calculation_of(form("more", -1, 5, where=[(CandidateCondition(0, "Drill"), "is")]), sheet(LOANS))
    with pytest.raises(WrongOperands):
        both = [(CandidateCondition(0, "Drill"), "is"), (CandidateCondition(0, "Sander"), "is")]
        calculation_of(form("is", where=both), sheet(LOANS))
    with pytest.raises(WrongOperands):
        several = [(CandidateCondition(4, "no"), "is"), (CandidateCondition(0, "Drill"), "is")]
        calculation_of(form("difference", -1, 5, where=several), sheet(LOANS))


def test_one_condition_tells_a_row_that_is_compared_or_two_do_together():
    drives = table("Drives", "", "From | To | Km", "Home | Velden | 312", "Seehafen | Home | 359", "Velden | Lino | 96")
    home, port, out = (
        CandidateCondition(*each) for each in ((1, "Home", (1,)), (0, "Seehafen", (2,)), (1, "Velden", (3,)))
    )
    assert value(form("more", -1, 2, where=[(home, "is"), (port, "is"), (out, "is")]), drives) == "Yes"
    jobs = table("Jobs", "", "Job | By | Cost", "Clutch | Kohl | 9", "Brakes | Kohl | 4", "Clutch | Lind | 7")
    where = [
        (CandidateCondition(0, "Clutch"), "is"),
        (CandidateCondition(0, "Brakes"), "is"),
        (CandidateCondition(1, "Kohl"), "is"),
    ]
    assert value(form("difference", -1, 2, where=where), jobs) == "5"


@pytest.mark.parametrize("operation", ["find", "sum", "mean"])
def test_a_value_that_is_set_itself_is_foregone(operation):
    free = ((CandidateCondition(5, "0"), "is"),)
    assert is_foregone(form(operation, 5, where=free), sheet(LOANS))
    assert not is_foregone(form(operation, 0, where=free), sheet(LOANS))


@st.composite
def slots_over(draw: st.DrawFn) -> tuple[Sheet, tuple[Mention, ...], Slots]:
    """Draw slots of a question over one of the tables."""
    source = sheet(draw(st.sampled_from([LOANS, MOONS, MISSIONS, MEDALS])))
    question = draw(st.sampled_from(["which has no more than 3 of the drill", "Paul Stagg or Norda before 1971", ""]))
    mentions = candidate_conditions(question, source)
    shares = st.floats(-20, 0, allow_nan=False)

    def row(count: int) -> tuple[float, ...]:
        return tuple(draw(st.lists(shares, min_size=count, max_size=count)))

    columns = len(source.columns)
    relations = tuple(row(1 + len(mention) * len(CONDITION_OPERATORS)) for mention in mentions)
    return source, mentions, Slots(row(len(TABLE_OPERATIONS)), row(5), row(columns), row(columns), relations)


@given(slots_over())
def test_logical_forms_come_in_the_order_of_their_scores_and_are_calculated_or_refused(drawn):
    source, mentions, slots = drawn
    every = logical_forms(slots, mentions)

    assert [each.score for each in every] == sorted((each.score for each in every), reverse=True)
    assert all(each.operation != "none" for each in every)
    for each in every[:6]:
        try:
            calculate(calculation_of(each, source), [source.table])
        except CalculationError as err:
            assert str(err)
