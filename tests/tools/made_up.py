"""Made-up tables that questions are computed over."""

from collections.abc import Sequence

from heliograph.types import Cell, EvidenceId, PageKey, Place, TableEvidence


def table(
    title: str,
    caption: str,
    header: str,
    *rows: str,
    spanned: Sequence[tuple[int, int]] = (),
    path: tuple[str, ...] = (),
) -> TableEvidence:
    """Build a table from lines of cells; `spanned` lists (row, column) of copies that a rowspan made."""
    key = PageKey(f"made.up:{title.replace(' ', '_')}@1")
    cells = tuple(
        tuple(Cell(text.strip(), spanned=(number, index) in spanned) for index, text in enumerate(row.split("|")))
        for number, row in enumerate(rows)
    )
    columns = tuple(name.strip() for name in header.split("|"))
    return TableEvidence(EvidenceId(f"{key}#s1/t1"), Place(key, title, "s1", path), "table", caption, columns, cells)


MOONS = table(
    "Moons of Orvo",
    "",
    "Name | Diameter (km) | Discovered by | Year of discovery | Orbital period (days)",
    "Alba | 396 | Ida Wren | 1789 | 0.9",
    "Brin | 504 ± 2 | Ida Wren | 1789 | 1.4",
    "Coro | 1,062 | Paul Stagg | 1684 | 1.9",
    "Dess | 1,123 | Paul Stagg | 1684 | 2.7",
    "Edda | 1,527[1] | Paul Stagg | 1672 | 4.5",
    "Fenn | 5,150 | Nils Holt | 1655 | 15.9",
    "Gail | 1,470 | Paul Stagg | 1671 | 79.3",
    "Total | 11,232 | | |",
)
MISSIONS = table(
    "List of missions to Karn",
    "",
    "Mission | Launch date | Agency | Outcome | Mass (kg)",
    "Pathway 1 | 28 November 1964 | Norda | Success | 261",
    "Pathway 2 | 19 May 1971 | Soluna | Failure | 4,650",
    "Pathway 3 | 28 May 1971 | Soluna | Failure | 4.65 t",
    "Pathway 4 | 30 May 1971 | Norda | Success | 998",
    "Beacon | 2 June 2003 | Eura | Success | —",
)
FILMS = table(
    "Vera Lund",
    "Films directed by Vera Lund",
    "Film | Released | Running time | Budget | Studio",
    "Ash | 3 March 1998 | 1 h 52 min | $1.2 million | Halo",
    "Tin | 14 July 2001 | 95 min | $900,000 | Halo",
    "Elm | 2004 | 2 h 5 min | $12 million | Ridge",
    "Oak | 9 May 2004 | 101 min | $3 million | Ridge",
    "Yew | 20 June 2010 | 88 min | $2.5 million | Ridge",
)
TOWERS = table(
    "Buildings in Port Amber",
    "Tallest buildings in Port Amber",
    "Rank | Building | Height | Floors | Completed | Use",
    "1 | Gull Tower | 328 m (1,076 ft) | 78 | 1991 | Office",
    "2 | Pier Court | 0.3 km | 70 | 2007 | Hotel",
    "3 | Lamp House | 264 m | 61 | 1986 | Office",
    "4 | Quay Hall | 264 m | 60 | 1999 | Flats",
    "5 | Rope Works | 198 m | 44 | 1974 | Office",
)
MEDALS = table(
    "2031 Lake Games",
    "Medal table of the 2031 Lake Games",
    "Rank | Country | Gold | Silver | Bronze | Total",
    "1 | Avaria | 12 | 9 | 10 | 31",
    "2 | Belmar | 11 | 4 | 2 | 17",
    "3 | Cordia | 7 | 14 | 9 | 30",
    "4 | Dovana | 7 | 1 | 0 | 8",
    "Totals (4 countries) | Totals (4 countries) | 37 | 28 | 21 | 86",
)
ELECTION = table(
    "2019 Westmark election",
    "Results",
    "Party | Leader | Votes | Share | Seats",
    "Harvest | Ann Bole | 120,431 | 41.2% | 52",
    "Lantern | Tom Ruiz | 98,220 | 33.6% | 40",
    "Compass | Eve Sand | 45,000 | 15.4% | 12",
    "Others | n/a | 28,650 | 9.8% | 1",
)
TRIALS = table(
    "List of trials",
    "",
    "Trial | Year | Outcome",
    "T1 | 1990 | Failure",
    "T2 | 1991 | Partial failure",
    "T3 | 1992 | Success",
)
SCORERS = table(
    "Harbour Cup",
    "Goals by season",
    "Season | Player | Goals",
    "2001 | Max Roe | 20",
    "2002 | Ola Finn | 18",
    "2003 | Ola Finn | 19",
)
PLANETS = table(
    "Planets of Sol",
    "The planets and their moons",
    "Planet | Number of moons | Mean distance (AU) | Mean temperature (°C)",
    "Mela | 0 | 0.4 | 167",
    "Vena | 1 | 0.7 | 464",
    "Gron | 12 | 5.2 | −110",
    "Hest | 30 | 9.5 | −140",
)
NOTABLE = table(
    "Bridges of Lorne",
    "Notable bridges of Lorne",
    "Bridge | Length (m) | Opened",
    "Iron Bridge | 300 | 1890",
    "Long Span | 1,200 | 1931",
    "New Bridge | 1.5 km | 2004",
)
CAST = table(
    "Explorers of Tarn",
    "",
    "Explorer | Expedition | Year | Distance (km)",
    "Ruth Hale | Northern | 1890 | 1,200",
    "Ruth Hale | Northern | 1891 | 300",
    "Ian Moss | Southern | 1900 | 900",
    "Una Pike | Southern | 1911 | 1,500",
    spanned=((1, 0), (1, 1)),
)
VISITS = table(
    "Farer 2",
    "Moons found in pictures of Farer 2",
    "Planet | Year | New moons | Examples",
    "Gron | 1979 | 1 | A",
    "Hest | 1986 | 10 | B, C",
)
DWARFS = table("Sol", "Recognised dwarf planets", "Dwarf planet | Known moons", "Ona | 1", "Pim | 5", "Quo | 0")
LAKES = table(
    "Lakes of Erran",
    "",
    "Lake | Area (km²) | Maximum depth (m) | Volume (km³)",
    "Big Tarn | 800 | 40 | 12",
    "Deep Tarn | 300 | 410 | 90",
    "Mid Tarn | 500–900 | 100 | 20",
    "Low Tarn | 100 | <5 | 1",
)
BARONS = table(
    "Discoveries of Orvo",
    "Discoveries",
    "Object | Discoverer | Assistant | Year",
    "A1 | Ida Wren | Karl Wren | 1780",
    "A2 | Karl Wren | Ida Wren | 1781",
    "A3 | John Hale | Ida Wren | 1782",
)
