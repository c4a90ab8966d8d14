"""A small collection of passages about a place that does not exist, and some that do."""

from heliograph.types import EvidenceId, Passage

LEADS = {
    **{
        f"{year} Varn Herons season": f"The {year} season was a season of the Varn Herons of the Sound League ."
        for year in range(2001, 2008)
    },
    "2004 Torvik Gulls season": "The 2004 season was the ninth of the Torvik Gulls of the Sound League .",
    "Varn Herons": "The Varn Herons are a handball team from Varn that plays in the Sound League .",
    "Springfield, Illinois": "Springfield is a city and the capital of the U.S. state of Illinois .",
    "Springfield, Massachusetts": "Springfield is a city in the state of Massachusetts , on the Connecticut River .",
    "Springfield, Oregon": "Springfield is a city in Lane County , in the state of Oregon .",
    "Illinois": "Illinois is a state in the Midwest of the United States .",
    "Oregon": "Oregon is a state on the Pacific coast of the United States .",
    "John Smith (astronomer)": "John Smith was an astronomer who catalogued comets .",
    "John Smith (handballer)": "John Smith ( born 1980 ) is a handball player of the Varn Herons .",
    "Ada Brandt (handballer)": "Ada Brandt ( born 1983 ) is a handball player of the Varn Herons .",
    "Kai Lund (handballer)": "Kai Lund is a handball player of the Varn Herons .",
    "Sound League": "The Northern Sound League ( NSL ) , also known as the Herring League , is a handball league .",
    "Müller's Pass": "Müller 's Pass is a mountain pass .",
    "東京": "東京 ( Tokyo ) is the capital of Japan .",
    "Москва": "Москва is the capital of Russia .",
    "Iceland": "Iceland is an island country in the North Atlantic .",
    "300 (film)": "300 is a 2006 film about a battle .",
    "Twelve Monkeys": "Twelve Monkeys is a 1995 film .",
    "Q": "Q is a letter .",
}
"""Titles with their leads; the first sentence is written as corpora split it, with blanks around its marks."""


def passage(title: str, text: str) -> Passage:
    """Make a passage whose id is its title."""
    return Passage(EvidenceId(f"/{title}"), title, text)
