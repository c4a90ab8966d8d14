"""Aggregation questions in many wordings over tables of many subjects, and questions that no arithmetic answers."""

import pytest

from tests.tools.made_up import doubtful, surely, table, told

SEASONS = table(
    "Marlow Rovers",
    "League seasons of Marlow Rovers",
    "Season | Division | Position | Points | Goals scored | Average attendance | Top scorer",
    "1998–99 | Second Division | 4 | 71 | 66 | 4,120 | Joe Pell",
    "1999–2000 | Second Division | 1 | 92 | 88 | 5,318 | Joe Pell",
    "2000–01 | First Division | 17 | 48 | 41 | 8,904 | Ivan Rusk",
    "2001–02 | First Division | 11 | 59 | 60 | 9,377 | Carl Moy",
    "2002–03 | First Division | 22 | 36 | 38 | 7,240 | Ivan Rusk",
)
MOVIES = table(
    "Hedda Brandt",
    "Feature films directed by Hedda Brandt",
    "Title | Year | Running time (min) | Budget ($ million) | Worldwide gross ($ million) | Genre | Country",
    "The Salt Line | 1987 | 104 | 3.5 | 9.1 | Drama | Norway",
    "Night Ferry | 1991 | 98 | 6 | 31.4 | Thriller | Norway",
    "Glass Harvest | 1996 | 131 | 18 | 22.7 | Drama | United Kingdom",
    "Copper Sky | 2002 | 142 | 55 | 187.2[a] | Western | United States",
    "A Small Fire | 2009 | 89 | 4 | 6.8 | Comedy | Norway",
    "The Orchard Keeper's Son | 2015 | 117 | 12 | — | Drama | France",
)
PEAKS = table(
    "Tessin Range",
    "Mountains of the Tessin Range above 4,000 m",
    "Mountain | Height (m) | Prominence (m) | First ascent | First climbed by | Country",
    "Mount Oriel | 4,811 | 2,303 | 8 August 1861 | Henry Clough | Switzerland",
    "Great Tooth | 4,478 | 1,042 | 14 July 1865 | Lucy Farrar | Italy",
    "Ice Horn | 4,357 | 672 | 18 August 1862 | Henry Clough | Switzerland",
    "Punta Bruna | 4,226 | 301 | 3 September 1872 | Marco Testa | Italy",
    "Grey Sister | 4,049 | 255 | 29 June 1928 | Ada Stern | Switzerland",
    "Black Sister | 4,012 | 190 | 2 July 1928 | Ada Stern | Italy",
)
ASSEMBLY = table(
    "2021 Calder Assembly election",
    "Results of the election by party",
    "Party | Leader | Candidates | Votes | Share of the vote (%) | Seats | Change in seats",
    "Unity | Petra Holm | 110 | 812,440 | 38.6 | 52 | +9",
    "Progress | Ali Dervish | 110 | 640,118 | 30.4 | 37 | −12",
    "Green Alliance | Sunniva Lie | 98 | 333,902 | 15.9 | 15 | +4",
    "Farmers' List | Knut Aas | 61 | 201,007 | 9.5 | 6 | −1",
    "Pirate Party | Mo Chen | 40 | 117,250 | 5.6 | 0 | 0",
    "Total | | 419 | 2,104,717 | 100 | 110 |",
)
ALBUMS = table(
    "The Lanterns discography",
    "Studio albums by the Lanterns",
    "Album | Released | Label | Length | Peak position (UK) | Copies sold",
    "First Light | 4 May 1979 | Harbour | 38 min | 31 | 60,000",
    "Paper Boats | 19 September 1980 | Harbour | 41 min | 12 | 220,000",
    "Slow Machines | 7 June 1982 | Regal | 44 min | 3 | 910,000",
    "Winter Garden | 11 November 1985 | Regal | 52 min | 1 | 1,400,000",
    "Echo Park Road | 2 March 1991 | Northstar | 61 min | 9 | 350,000",
)
SPANS = table(
    "List of bridges over the Aller",
    "Road bridges over the Aller",
    "Bridge | Town | Opened | Total length (m) | Longest span (m) | Type",
    "Old Stone Bridge | Verlen | 1742 | 96 | 14 | Arch",
    "King's Bridge | Verlen | 1888 | 212 | 61 | Truss",
    "Harbour Bridge | Mossum | 1934 | 540 | 180 | Suspension",
    "Peace Bridge | Mossum | 1951 | 388 | 95 | Arch",
    "Northern Crossing | Tuln | 1978 | 1,260 | 320 | Cable-stayed",
    "Lark Bridge | Tuln | 2006 | 174 | 70 | Arch",
)
MUSEUMS = table(
    "Museums in Brackwater",
    "",
    "Museum | Founded | Visitors in 2019 | Floor area (m²) | Admission | Subject",
    "Maritime Museum | 1903 | 412,000 | 9,400 | €12 | Ships",
    "Clock House | 1958 | 38,500 | 640 | Free | Timepieces",
    "Gallery of Glass | 1987 | 121,300 | 3,100 | €9 | Art",
    "Railway Shed | 1971 | 203,900 | 12,800 | €10 | Transport",
    "Print Works | 2011 | 54,200 | 1,150 | Free | Art",
)
VOYAGES = table(
    "Ingrid Falk",
    "Polar expeditions of Ingrid Falk",
    "Expedition | Ship | Departed | Returned | Crew | Destination | Distance sailed (nmi)",
    "First | Petrel | 3 June 1893 | 20 August 1894 | 22 | Franz Josef Land | 4,150",
    "Second | Petrel | 11 May 1897 | 2 October 1899 | 27 | Northeast Greenland | 7,800",
    "Third | Aurora Star | 9 August 1903 | 14 April 1906 | 31 | Weddell Sea | 21,300",
    "Fourth | Aurora Star | 1 July 1910 | 30 May 1911 | 18 | Svalbard | 3,300",
)
MATCHES = table(
    "Orsk national team",
    "Defeats of the Orsk national team",
    "Opponent | Date | Place | Score | Spectators",
    "Velia | 4 June 1924 | Orsk City | 1–3 | 6,000",
    "Velia | 9 May 1931 | Velia Town | 0–2 | 14,500",
    "Sarn | 17 June 1938 | Sarn | 2–5 | 21,000",
    "Velia | 1 July 1950 | Orsk City | 0–1 | 32,000",
    "Ruhl | 30 May 1954 | Ruhl | 1–4 | 18,200",
)
ALL = (SEASONS, MOVIES, PEAKS, ASSEMBLY, ALBUMS, SPANS, MUSEUMS, VOYAGES, MATCHES)

COMPUTED = [
    (SEASONS, "How many points did Marlow Rovers collect in the five listed seasons altogether?", "306"),
    (SEASONS, "In which season did Marlow Rovers score the fewest goals?", "2002–03"),
    (SEASONS, "Who was the top scorer of Marlow Rovers in the season with the highest average attendance?", "Carl Moy"),
    (SEASONS, "How many of the five seasons did Marlow Rovers spend in the First Division?", "3"),
    (MOVIES, "Which of the films directed by Hedda Brandt had the biggest budget?", "Copper Sky"),
    (MOVIES, "How many of Hedda Brandt's films are dramas?", "3"),
    (MOVIES, "Which Hedda Brandt film is the second longest?", "Glass Harvest"),
    (PEAKS, "What is the mean height of the six mountains in the Tessin Range?", "4,322.17 m"),
    (PEAKS, "Which mountain of the Tessin Range was climbed last?", "Black Sister"),
    (PEAKS, "Who first climbed the third highest mountain of the Tessin Range?", "Henry Clough"),
    (PEAKS, "How many mountains in the Tessin Range were first climbed between 1860 and 1870?", "3"),
    (ASSEMBLY, "How many votes did the five parties win altogether in the 2021 Calder Assembly election?", "2,104,717"),
    (ASSEMBLY, "Which party came third by votes in the 2021 Calder Assembly election?", "Green Alliance"),
    (ALBUMS, "Which album by the Lanterns sold the most copies?", "Winter Garden"),
    (ALBUMS, "How many of the Lanterns' studio albums came out on Regal?", "2"),
    (ALBUMS, "What was the last studio album by the Lanterns?", "Echo Park Road"),
    (ALBUMS, "How many copies have the five studio albums of the Lanterns sold in total?", "2,940,000"),
    (ALBUMS, "How many studio albums did the Lanterns release in the 1980s?", "3"),
    (ALBUMS, "On which label did the Lanterns release their longest album?", "Northstar"),
    (ALBUMS, "Which of the Lanterns' albums not released on Regal is the longest?", "Echo Park Road"),
    (SPANS, "Ranked by total length, which of the bridges over the Aller comes second?", "Harbour Bridge"),
    (SPANS, "How many of the listed bridges over the Aller are arch bridges?", "3"),
    (SPANS, "How many bridges over the Aller were opened before 1900?", "2"),
    (SPANS, "In which town is the oldest bridge over the Aller?", "Verlen"),
    (SPANS, "What is the combined total length of the six bridges over the Aller?", "2,670 m"),
    (MUSEUMS, "Which museum in Brackwater had the most visitors in 2019?", "Maritime Museum"),
    (MUSEUMS, "How many museums in Brackwater were founded after 1950?", "4"),
    (MUSEUMS, "What is the average floor area of the five museums in Brackwater?", "5,418 m²"),
    (MUSEUMS, "Which is the newest museum in Brackwater?", "Print Works"),
    (VOYAGES, "How many nautical miles did Ingrid Falk sail on her four expeditions put together?", "36,550 nmi"),
    (VOYAGES, "On which ship did Ingrid Falk make the expedition with the largest crew?", "Aurora Star"),
    (VOYAGES, "How many of Ingrid Falk's expeditions used the Petrel?", "2"),
    (MATCHES, "How many of the listed defeats of the Orsk national team were against Velia?", "3"),
    (MATCHES, "When did the Orsk national team suffer the most recent of its five defeats?", "30 May 1954"),
    (MATCHES, "How many spectators on average watched the five defeats of the Orsk national team?", "18,340"),
]  # fmt: skip

REFUSED = [
    "Who is the manager with the most wins at Marlow Rovers?",
    "How many seasons did Marlow Rovers spend in the Third Division?",
    "Which season was the most exciting for Marlow Rovers?",
    "How many of the six listed seasons did Marlow Rovers finish in the top half?",
    "How much did the six films of Hedda Brandt gross worldwide on average in China?",
    "How many Oscars did the films of Hedda Brandt win in total?",
    "Which actor appeared in the most films by Hedda Brandt?",
    "Who composed the music of Night Ferry?",
    "How many films did Hedda Brandt produce?",
    "How many of Hedda Brandt's films were shot in colour?",
    "What is the longest shot in Copper Sky?",
    "How many of Greta Brandt's films are dramas?",
    "Which is the highest mountain in the Karst Range?",
    "How many climbers died on the mountains of the Tessin Range?",
    "How many metres higher is Mount Oriel than Great Tooth?",
    "Is Mount Oriel the highest mountain in the Tessin Range?",
    "How many mountains of the Tessin Range are volcanoes?",
    "How old was Lucy Farrar at the first ascent of Great Tooth?",
    "Which party won the most seats in the 2017 Calder Assembly election?",
    "Which party spent the most money in the 2021 Calder Assembly election?",
    "How many women were elected in the 2021 Calder Assembly election?",
    "How many seats did the two largest parties win together in the 2021 Calder Assembly election?",
    "Who produced the most albums by the Lanterns?",
    "How long is the longest song on Winter Garden?",
    "How many copies did Slow Machines sell in its first week?",
    "How many bridges over the Weser were opened before 1900?",
    "How much did the six bridges over the Aller cost altogether?",
    "Which bridge over the Aller carries the most cars?",
    "How many paintings do the museums in Brackwater own in total?",
    "How many men died on the expeditions of Ingrid Falk?",
    "What did the ship Petrel cost?",
    "How many dogs did Ingrid Falk take along on her four expeditions altogether?",
    "Who scored the most goals for the Orsk national team?",
]  # fmt: skip


@pytest.mark.parametrize(("source", "question", "value"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_a_question_is_computed_whatever_the_table_is_about(source, question, value):
    assert told(question, ALL, source) == surely(value, source)


@pytest.mark.parametrize("question", REFUSED)
def test_a_question_that_the_tables_cannot_answer_gets_no_value(question):
    assert doubtful(question, ALL)
