"""Times told otherwise than in what is cited: code refuses one only where every time cited speaks against it."""

import pytest

from agent.citations.dates import cited_times
from agent.citations.grounds import ground_of
from agent.citations.quantities import missing_quantities
from heliograph.text.dates import Moment
from heliograph.types import EvidenceId, PageKey, Place, Quote, TextEvidence

PLACE = Place(PageKey("w:Harrow@1"), "Harrow Mill", "s1", ("Chronicle",))
TRUE = (
    ("The union came into force on 1 January 1801.", "The union came into force on New Year's Day 1801."),
    ("The union came into force on 1 January 1801.", "The union came into force on the first day of 1801."),
    ("The mill burned down in 1947.", "The mill burned down in '47."),
    ("The mill burned down in '47.", "The mill burned down in 1947."),
    ("The hall was built in the 1920s.", "The hall was built in the twenties."),
    ("The hall was built in the 1920s.", "The hall was built in 1924."),
    ("The thaw set in on about 15 March 1988.", "The thaw set in in mid-March of 1988."),
    ("She was born on 12 March 1879.", "She was born on 1879-03-12."),
    ("He sailed on December 3, 1879.", "He sailed on 12/3/1879."),
    ("He sailed on 3 December 1879.", "He sailed on 3.12.1879."),
    ("He sailed on 3/12/1879.", "He sailed on 3 December 1879."),
    ("The bell was cast in 1801.", "The bell was cast in the first year of the nineteenth century."),
    ("The chapel dates from the 1100s.", "The chapel dates from the 12th century."),
    ("The first train ran at 12:00 on 4 May 1851.", "The first train ran at noon on 4 May 1851."),
    ("The lamp went out at 5.30 pm.", "The lamp went out at half past five in the afternoon."),
    ("The bridge opened in 1905.", "The bridge opened in nineteen hundred and five."),
    ("The ferry ended in 1947.", "The ferry ended in nineteen forty-seven."),
    ("The blockade lasted from 1939 to 1945.", "The blockade of 1939–45 ruined the port."),
    ("The blockade of 1939–45 ruined the port.", "The blockade lasted from 1939 to 1945."),
    ("She died in 1890.", "Born in 1850, she died aged forty."),
    ("The second tower followed in 1912.", "The first tower was built in 1911 and the second a year later."),
    ("They came back on 6 May 1950.", "They left on 5 May 1950 and came back the next day."),
    ("They came back in August 1950.", "They left on 5 May 1950 and came back three months later."),
    ("The river rose on 12 March 1879.", "Between 12 and 15 March 1879 the river rose every day."),
    ("The river rose on 12 and 15 March 1879.", "The river rose on 12 March 1879 and on 15 March 1879."),
    ("The guns fell silent on 25 December 1914.", "The guns fell silent on Christmas Day 1914."),
    ("The vote was held on 1 May.", "The vote was held on May Day."),
    ("The works closed on 29 February 1904.", "The works closed on the last day of February 1904."),
    ("The bell was cast in 1766.", "On the bell stands MDCCLXVI."),
    ("The season of 1997 was short.", "The season of 1996/7 was short."),
    ("He sailed on 5 May 1912.", "He sailed on 5-May-1912."),
    ("He sailed on 5 May 1912.", "He sailed on 5.v.1912."),
    ("It struck on December 7, 1995.", "In 1995 it was let go. On 7 December it struck."),
    ("The city has 500,000 people.", "The city has half a million people."),
    ("The farm keeps 12 geese.", "The farm keeps a dozen geese."),
    ("Rye covers 75 per cent of the land.", "Rye covers three quarters of the land."),
)
FALSE = (
    ("The line opened on 12 May 1902.", "The line opened on 21 May 1902 with two stops."),
    ("Fragments struck the roof in June 1994.", "In July 1994 fragments struck the roof."),
    ("The crew landed on 11 December 1973.", "The crew landed on 11 December 1972."),
    ("The guild was founded in 1984.", "The guild was founded in 1982."),
    ("The choir was founded in 1801.", "The choir was founded in 1810."),
    ("The song was heard on 7 March 1912.", "The song was heard on 1912-03-08."),
    ("He was born in 1947.", "He was born in '46."),
    ("The hall was built in the 1920s.", "The hall was built in the thirties."),
    ("The bell cracked on May 3.", "On 5 May the bell cracked."),
    ("The siege lasted from 1914 to 1919.", "The siege of 1914–18 ruined the town."),
    ("The mine closed in 1891.", "The mine was opened in 1888 and closed in 1890."),
    ("It went up on October 4, 1957.", "It went up on 4 October 1958."),
    ("The house was built in 1750.", "The house was built of brick and has a slate roof."),
    ("The ship sailed in April 1912.", "The ship sailed on 10 March 1912."),
    ("She died in 1893.", "Born in 1850, she died aged 40."),
    ("The second tower followed in 1913.", "The first tower was built in 1911 and the second a year later."),
    ("They came back on 9 May 1950.", "They left on 5 May 1950 and came back the next day."),
    ("The choir sang on 12/3/1879.", "The choir sang on 4 March 1879."),
    ("The abbey was founded in 1650.", "The abbey was founded in the 12th century."),
    ("The bridge opened in 1915.", "The bridge opened in nineteen hundred and five."),
    ("It struck on December 7, 1996.", "In 1995 it was let go. On 7 December it struck."),
    ("The fair of '63 was the last.", "The fair of 1936 was the last."),
)


def missing(claim: str, quote: str) -> tuple[str, ...]:
    piece = TextEvidence(EvidenceId("w:Harrow@1#s1/p1"), PLACE, "paragraph", quote)
    return missing_quantities(claim, [ground_of(Quote(piece.id, quote), {piece.id: piece})], "")


@pytest.mark.parametrize(("claim", "quote"), TRUE)
def test_a_time_that_is_spelled_otherwise_is_left_to_the_judge(claim, quote):
    assert missing(claim, quote) == ()


@pytest.mark.parametrize(("claim", "quote"), FALSE)
def test_a_time_that_every_cited_time_speaks_against_is_missing(claim, quote):
    assert len(missing(claim, quote)) == 1


def test_what_follows_from_a_time_and_a_stretch_is_a_time():
    moments = cited_times(["It left on 31 December 1950 and came back two days later."]).moments

    assert moments[0] == Moment("1950", 12, 31)
    assert Moment("1951", 1, 2) in moments
