"""A report over the demo articles, built by hand: six sections with every kind of block, and what was left out."""

from pathlib import Path

from heliograph.types import (
    ANSWER_SCHEMA,
    Answer,
    AnsweredNeed,
    Block,
    BlockCell,
    Citation,
    CitedMarker,
    Claim,
    ClaimVerdict,
    Computation,
    EvidenceId,
    Figure,
    Modality,
    Picture,
    RoundRecord,
    SourceReport,
    UnsaidClaim,
    Usage,
    Verdict,
)

IMAGES = Path(__file__).parents[1] / "demo" / "images"
ENCELADUS, FINALE = EvidenceId("demo:Enceladus@a1#s2/i1"), EvidenceId("demo:Cassini-Huygens@c1#s4/i1")
MOONS = EvidenceId("demo:List%20of%20moons%20of%20Saturn@d1#s2/t1")
WIKI = "https://wiki.example/w/index.php?title="


def _citation(
    marker: int, evidence: str, modality: Modality, page: str, section: str, quote: str, web: bool = True
) -> Citation:
    name, revision = page.replace(" ", "_"), str(1000 + marker)
    anchor = f"#{section.replace(' ', '_')}" if section else ""
    url = f"{WIKI}{name}&oldid={revision}{anchor}" if web else f"zim://demo/{name}"
    owed = ("CC0-1.0", "the authors of Heliograph")
    return Citation(marker, EvidenceId(f"demo:{evidence}"), modality, page, section, revision, url, quote, *owed)


def _row(marker: int, row: int, page: str, quote: str) -> Citation:
    return _citation(marker, f"Titan%20%28moon%29@b1#s2/t1/r{row}", "table", page, "Lakes and weather", quote)


LARGEST = Computation(
    "max", MOONS, "Mean diameter (km)", tuple(EvidenceId(f"{MOONS}/r{row}") for row in range(1, 20)), "Titan (5,150)"
)
CITATIONS = (
    _citation(
        1,
        "List%20of%20moons%20of%20Saturn@d1#s0/p1",
        "text",
        "List of moons of Saturn",
        "",
        "Saturn had 274 recognised moons in mid-2025, more than any other planet.",
    ),
    _citation(
        2,
        "Titan%20%28moon%29@b1#s0/p1",
        "text",
        "Titan (moon)",
        "",
        "No other moon has a dense atmosphere, and apart from Earth no other world is known to have lakes and rivers "
        "on its surface today.",
    ),
    _citation(
        3,
        "Titan%20%28moon%29@b1#s1/p1",
        "text",
        "Titan (moon)",
        "Atmosphere",
        "Nitrogen makes up about 95 per cent of the air and methane most of the rest.",
    ),
    _row(4, 1, "Titan (moon)", "Name: Kraken Mare; Kind: Sea; Area (km²): 400,000; Hemisphere: North"),
    _row(5, 2, "Titan (moon)", "Name: Ligeia Mare; Kind: Sea; Area (km²): 126,000; Hemisphere: North"),
    _row(6, 5, "Titan (moon)", "Name: Ontario Lacus; Kind: Lake; Area (km²): 15,000; Hemisphere: South"),
    _citation(
        7,
        "Enceladus@a1#s1/p1",
        "text",
        "Enceladus",
        "Jets",
        "Roughly 200 to 300 kg of water vapour leaves each second.",
    ),
    _citation(
        8,
        "Enceladus@a1#s2/i1",
        "image",
        "Enceladus",
        "Jets",
        "Enceladus in section. The four main cracks bear the names of cities in the Arabian Nights: Alexandria, Cairo, "
        "Baghdad and Damascus.",
    ),
    _citation(
        9,
        "List%20of%20moons%20of%20Saturn@d1#s0/p2",
        "text",
        "List of moons of Saturn",
        "",
        "The first five were discovered between 1655 and 1684, Titan by Christiaan Huygens and the others by Giovanni "
        "Domenico Cassini.",
        web=False,
    ),
    _citation(
        10,
        "List%20of%20moons%20of%20Saturn@d1#s4/p1",
        "text",
        "List of moons of Saturn",
        "Notes on discoveries",
        "Phoebe was the first moon of any planet to be discovered by photography.",
        web=False,
    ),
    Citation(
        11,
        MOONS,
        "table",
        "List of moons of Saturn",
        "Table of selected moons",
        "1011",
        f"{WIKI}List_of_moons_of_Saturn&oldid=1011#Table_of_selected_moons",
        "Greatest by Mean diameter (km) over 19 rows, of Titan (List of moons of Saturn): 5,150 km.",
        "CC0-1.0",
        "the authors of Heliograph",
        LARGEST,
    ),
    _citation(
        12,
        "Cassini-Huygens@c1#s3/p1",
        "text",
        "Cassini-Huygens",
        "Findings",
        "In all Cassini circled the planet 294 times, passed Titan 127 times and Enceladus 23 times, and sent home 635 "
        "gigabytes of data.",
    ),
    _citation(
        13,
        "Cassini-Huygens@c1#s4/i1",
        "image",
        "Cassini-Huygens",
        "Grand Finale",
        "The last orbits of Cassini. The clear lane between ring and cloud tops was only about 2,000 km wide, and on "
        "the first dive the dish antenna served as a shield against dust.",
    ),
    _citation(
        14,
        "Enceladus@a1#s4/p1",
        "text",
        "Enceladus",
        "Chemistry",
        "It found salts, silica grains that form only in water hotter than about 90 °C, and molecular hydrogen.",
    ),
)


def _claim(text: str, *markers: int, verdict: ClaimVerdict = "supported") -> Claim:
    return Claim(text, tuple(CitedMarker(marker, verdict) for marker in markers), verdict)


CLAIMS = (
    _claim("Saturn has more known moons than any other planet: 274 were recognised in mid-2025.", 1),
    _claim("Titan alone has a dense atmosphere, and lakes on its surface.", 2),
    _claim("Nitrogen makes up about 95 per cent of the air and methane most of the rest.", 3, verdict="quoted"),
    _claim("Its seas lie in the north, and Kraken Mare is the widest of them.", 4, 5),
    _claim("Enceladus loses 200 to 300 kg of water vapour each second through cracks near its south pole.", 7),
    _claim("Salts, silica and molecular hydrogen in the spray point to hot springs on the sea floor.", 14),
    _claim("Christiaan Huygens found Titan in 1655.", 9),
    _claim("Giovanni Domenico Cassini found four more by 1684.", 9),
    _claim("Phoebe was the first moon of any planet to be discovered by photography.", 10, verdict="quoted"),
    _claim("The largest mean diameter is that of Titan: 5,150 km.", 11, verdict="computed"),
    _claim("Cassini circled Saturn 294 times and passed Titan 127 times.", 12),
    _claim("On its last orbits it flew between the rings and the planet.", 13),
    _claim("Of the 274 moons most are irregular and only a few kilometres across.", 1, verdict="partial"),
)


def _cells(*cells: tuple[str, int]) -> tuple[BlockCell, ...]:
    return tuple(BlockCell(text, (marker,) if marker else ()) for text, marker in cells)


BLOCKS = (
    Block("heading", text="The moons of Saturn: atmospheres, oceans and their exploration", level=1),
    Block("paragraph", (0, 1)),
    Block("heading", text="Titan", level=2),
    Block("paragraph", (2, 3)),
    Block(
        "table",
        text="Seas and lakes of Titan",
        header=("Name", "Kind", "Area (km²)", "Hemisphere"),
        rows=(
            _cells(("Kraken Mare", 0), ("Sea", 4), ("400,000", 4), ("North", 4)),
            _cells(("Ligeia Mare", 0), ("Sea", 5), ("126,000", 5), ("North", 5)),
            _cells(("Ontario Lacus", 0), ("Lake", 6), ("15,000", 6), ("South", 6)),
        ),
    ),
    Block("heading", text="Enceladus", level=2),
    Block("paragraph", (4, 5)),
    Block("figure", figure=Figure(ENCELADUS, 8, "Enceladus in section, with the four main cracks", "CC0-1.0")),
    Block("heading", text="Discoveries", level=2),
    Block("list", (6, 7, 8)),
    Block("heading", text="Sizes", level=2),
    Block("calculation", (9,)),
    Block("heading", text="Exploration", level=2),
    Block("paragraph", (10, 11)),
    Block("figure", figure=Figure(FINALE, 13, "The last orbits of Cassini", "CC0-1.0")),
    Block("heading", text="The small moons", level=2),
    Block("paragraph", (12,)),
)
NEEDS = (
    AnsweredNeed("What is known of the moons of Saturn?", "question", True, (CITATIONS[0].evidence,)),
    AnsweredNeed("Which moons have oceans or lakes?", "plan", True, (CITATIONS[1].evidence, CITATIONS[6].evidence)),
    AnsweredNeed("Who discovered them?", "plan", True, (CITATIONS[8].evidence,)),
    AnsweredNeed("What do the orbits of the irregular moons have in common?", "reflection", False),
)

REPORT = Answer(
    schema=ANSWER_SCHEMA,
    run="run-report",
    question="Write a report on the moons of Saturn",
    answer="The moons of Saturn",
    abstained=False,
    mode="llm",
    stop_reason="rounds_exhausted",
    citations=CITATIONS,
    claims=CLAIMS,
    rounds=(RoundRecord(1, ("moons of Saturn",), (), (), Verdict(False, ("orbits of the irregular moons",))),),
    evidence=(),
    sources=(SourceReport("demo", "ok"),),
    notes=("a note of the run",),
    model_failures=(),
    usage=Usage(llm_calls=6, prompt_tokens=4000, completion_tokens=900, pages_read=4),
    seconds=41.5,
    form="report",
    needs=NEEDS,
    blocks=BLOCKS,
    not_found=("what the orbits of the irregular moons have in common",),
    not_said=(
        UnsaidClaim("Titan was discovered by Galileo Galilei.", "unsupported", "its source names Christiaan Huygens"),
        UnsaidClaim("The ocean of Enceladus is 40 km deep.", "unsupported", "40 stands nowhere in what it cites"),
    ),
)


def pictures() -> dict[EvidenceId, Picture]:
    """Return the pictures of the report, as sources of the demo archive give them."""
    return {
        ENCELADUS: Picture((IMAGES / "enceladus_plumes.png").read_bytes(), "image/png", 560, 440),
        FINALE: Picture((IMAGES / "grand_finale.png").read_bytes(), "image/png", 600, 400),
    }
