"""More subjects than the questions were written for: what is computed over them, and what is not."""

import pytest

from tests.tools.made_up import doubtful, surely, table, told

RIVERS = table(
    "Rivers of Norlund",
    "Longest rivers of Norlund",
    "River | Length (km) | Basin (km²) | Mean discharge (m³/s) | Mouth",
    "Varna | 1,204 | 98,300 | 1,020 | North Sea",
    "Oster | 866 | 41,700 | 410 | Lake Vim",
    "Skell | 742 | 30,050 | 388 | North Sea",
    "Ilm | 512 | 14,900 | 97 | Oster",
    "Tarn | 499 | 17,200 | 150 | Black Gulf",
)
MONARCHS = table(
    "List of monarchs of Arden",
    "Monarchs of Arden",
    "Name | House | Born | Reign began | Reign ended | Length of reign (years) | Spouse",
    "Osric I | Vale | 1402 | 1430 | 1457 | 27 | Maud of Tern",
    "Osric II | Vale | 1431 | 1457 | 1461 | 4 | —",
    "Edith | Vale | 1436 | 1461 | 1509 | 48 | John Merrow",
    "Harold | Merrow | 1465 | 1509 | 1520 | 11 | Anne Tully",
    "Joan | Merrow | 1490 | 1520 | 1555 | 35 | Peter Ost",
    "Harold II | Merrow | 1522 | 1555 | 1588 | 33 | Isolde Grey",
)
STAGES = table(
    "Tour of Lunnea",
    "Stages of the 2014 Tour of Lunnea",
    "Stage | Date | Course | Distance (km) | Type | Winner | Team",
    "1 | 3 May | Vell – Aston | 187.5 | Flat | Tom Aker | Sprint One",
    "2 | 4 May | Aston – Aston | 14.2 | Time trial | Luca Bini | Velo Club",
    "3 | 5 May | Aston – Mur | 203 | Mountain | Sven Orre | Alpina",
    "4 | 6 May | Mur – Col Dray | 161.3 | Mountain | Luca Bini | Velo Club",
    "5 | 7 May | Dray – Port Sel | 220.8 | Flat | Tom Aker | Sprint One",
)
TELESCOPES = table(
    "List of radio telescopes",
    "Large steerable radio telescopes",
    "Telescope | Country | Diameter (m) | Built | Cost (million US$) | Status",
    "Big Ear | United States | 110 | 1997–2000 | 95 | Active",
    "Hohenfeld | Germany | 100 | 1968–1971 | 34 | Active",
    "Marlin Dish | United Kingdom | 76 | 1952–1957 | 2 | Active",
    "Coral Dish | Australia | 64 | 1959–1961 | 1.8 | Retired",
    "Sard Dish | Italy | 64 | 1994–2011 | 60 | Active",
    "Old Faithful | United States | 26 | 1957–1958 | 0.3 | Demolished",
)
ERUPTIONS = table(
    "Mount Hesper",
    "Major eruptions of Mount Hesper",
    "Date | Height of plume (km) | Deaths | Volcanic explosivity index | Damage",
    "12 March 1669 | 14 | 1,500 | 4 | Lava destroyed Ponte",
    "8 July 1794 | 9 | 400 | 3 | Harbour filled",
    "1 May 1906 | 13 | 216 | 4 | Summit lost 150 m",
    "18 March 1944 | 5 | 26 | 3 | 88 aircraft lost",
)
COUNTIES = table(
    "Counties of Easterby",
    "Counties by population",
    "County | County town | Population (2020) | Area (km²) | Density (per km²) | Region",
    "Ashford | Ash | 812,000 | 2,310 | 351.5 | South",
    "Borrow | Bramley | 96,500 | 4,870 | 19.8 | North",
    "Clyne | Clynemouth | 1,204,000 | 1,150 | 1,047 | South",
    "Dunmere | Dun | 341,700 | 3,020 | 113.1 | North",
    "Exley | Exley | 55,200 | 610 | 90.5 | Islands",
)
ALL = (RIVERS, MONARCHS, STAGES, TELESCOPES, ERUPTIONS, COUNTIES)

COMPUTED = [
    (RIVERS, "Which river in Norlund is the second longest?", "Oster"),
    (RIVERS, "How many of the rivers listed for Norlund are longer than 700 kilometres?", "3"),
    (RIVERS, "Taken together, how long are the five longest rivers of Norlund?", "3,823 km"),
    (MONARCHS, "Which monarch of Arden reigned the longest?", "Edith"),
    (MONARCHS, "How many monarchs of Arden belonged to the House of Vale?", "3"),
    (MONARCHS, "Who was the last monarch of Arden from the House of Vale?", "Edith"),
    (MONARCHS, "What was the average length of reign of the six monarchs of Arden?", "26.33 years"),
    (MONARCHS, "Which monarch of Arden had the second shortest reign?", "Harold"),
    (MONARCHS, "To whom was the longest-reigning monarch of Arden married?", "John Merrow"),
    (STAGES, "Which was the longest stage of the 2014 Tour of Lunnea?", "5"),
    (STAGES, "How many kilometres did the riders of the 2014 Tour of Lunnea cover over all five stages?", "786.8 km"),
    (STAGES, "How many stages of the 2014 Tour of Lunnea did Luca Bini win?", "2"),
    (STAGES, "Who won the shortest stage of the 2014 Tour of Lunnea?", "Luca Bini"),
    (STAGES, "How many of the stages of the 2014 Tour of Lunnea were flat?", "2"),
    (STAGES, "What was the average distance of the two mountain stages in the 2014 Tour of Lunnea?", "182.15 km"),
    (TELESCOPES, "Among the listed radio telescopes, which has the largest diameter?", "Big Ear"),
    (TELESCOPES, "How many of the listed radio telescopes are American?", "2"),
    (TELESCOPES, "How many of the listed radio telescopes are still active?", "4"),
    (TELESCOPES, "What did the six listed radio telescopes cost altogether?", "$193.1 million"),
    (TELESCOPES, "Which of the listed radio telescopes outside the United States is the widest?", "Hohenfeld"),
    (TELESCOPES, "Not counting American ones, which listed radio telescope was the most expensive?", "Sard Dish"),
    (ERUPTIONS, "When did the deadliest of the four major eruptions of Mount Hesper take place?", "12 March 1669"),
    (ERUPTIONS, "How many people did the four major eruptions of Mount Hesper kill altogether?", "2,142"),
    (ERUPTIONS, "When was the last major eruption of Mount Hesper?", "18 March 1944"),
    (ERUPTIONS, "On average, how high was the plume in the four major eruptions of Mount Hesper?", "10.25 km"),
    (COUNTIES, "Which county of Easterby has the smallest population?", "Exley"),
    (COUNTIES, "How many counties of Easterby have more than 300,000 inhabitants?", "3"),
    (COUNTIES, "What is the total area of Easterby's five counties?", "11,960 km²"),
    (COUNTIES, "Which northern county of Easterby is the largest by area?", "Borrow"),
    (COUNTIES, "What is the county town of the most densely populated county of Easterby?", "Clynemouth"),
    (COUNTIES, "After Clyne, which Easterby county has the most people?", "Ashford"),
    (COUNTIES, "How many counties of Easterby are smaller than 2,000 square kilometres?", "2"),
    (COUNTIES, "By population, which county of Easterby ranks third?", "Dunmere"),
    (COUNTIES, "How many people live in the five counties of Easterby in total?", "2,509,400"),
]

REFUSED = [
    "How many Norlund rivers flow into the North Sea?",
    "How many kings and queens of Arden came to the throne after 1500?",
    "Which county in the north of Easterby is the larger by area?",
    "How many dams are there on the five longest rivers of Norlund?",
    "Which river of Norlund carries the most ships?",
    "How many children did the monarchs of Arden have in total?",
    "Who was the tallest monarch of Arden?",
    "How old was Edith when her reign began?",
    "How many monarchs of Arden were murdered?",
    "Which team won the most stages of the 2014 Tour of Lunnea?",
    "Who won the 2014 Tour of Lunnea?",
    "Which rider was the oldest in the 2014 Tour of Lunnea?",
    "How many riders finished the 2014 Tour of Lunnea?",
    "How many stages of the 2013 Tour of Lunnea were flat?",
    "Which of the listed radio telescopes discovered the most pulsars?",
    "How many pulsars have the listed radio telescopes found in total?",
    "How many houses were destroyed in the four major eruptions of Mount Hesper?",
    "Which eruption of Mount Hesper was the loudest?",
    "How many tourists climb Mount Hesper on average?",
    "How many lakes are there in the counties of Easterby altogether?",
    "Which county of Easterby has the most schools?",
    "Which county of Easterby grew fastest?",
    "How many inhabitants does Clyne have?",
    "What is the highest hill in Borrow?",
    "How many counties of Easterby border the sea?",
    "What is the average age in the counties of Easterby?",
]


@pytest.mark.parametrize(("source", "question", "value"), COMPUTED, ids=[row[1] for row in COMPUTED])
def test_a_question_about_any_subject_is_computed(source, question, value):
    assert told(question, ALL, source) == surely(value, source)


@pytest.mark.parametrize("question", REFUSED)
def test_a_question_that_no_table_decides_is_refused(question):
    assert doubtful(question, ALL)
