"""What one module of a system changes while the others stay (OMG-QA, Tables 1 to 6), over the systems of any grid."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from eval.omgqa.measures import AVERAGE
from eval.omgqa.reporting.figures import Figure, Scored, Standing
from eval.omgqa.reporting.tables import (
    ANSWERED,
    CITED,
    RETRIEVED_DOCUMENTS,
    RETRIEVED_EVIDENCE,
    Cell,
    Row,
    Table,
    count,
    picked,
)
from eval.omgqa.systems import NONE, System

RETRIEVERS = ("text_retriever", "embedding")
MODULES = ("documents", "indexing", *RETRIEVERS, "image_retriever", "llm", "strategy", "graph", "pages")
EVERYTHING = (*RETRIEVED_DOCUMENTS, *RETRIEVED_EVIDENCE)


@dataclass(frozen=True, slots=True)
class Cut:
    """One comparison: systems that differ in what `varies` alone, after the mean over what is `averaged`."""

    key: str
    caption: str
    name: str
    varies: tuple[str, ...]
    measures: tuple[str, ...]
    charted: str
    averaged: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """The modules that are the same in what is compared."""
        return tuple(each for each in MODULES if each not in (*self.varies, *self.averaged))


CUTS = (
    Cut(
        "documents", "Document retriever (Table 1)", "document retriever", ("documents",), RETRIEVED_DOCUMENTS, "F1-DR"
    ),
    Cut(
        "indexing",
        "Indexing strategy (Table 2)",
        "indexing",
        ("indexing",),
        RETRIEVED_EVIDENCE,
        "F1-ER",
        averaged=(*RETRIEVERS, "image_retriever"),
    ),
    Cut("text-retriever", "Text retriever (Table 3)", "text retriever", RETRIEVERS, RETRIEVED_EVIDENCE, "F1-ER"),
    Cut("llm", "Language model, in retrieval (Table 4)", "language model", ("llm",), EVERYTHING, "F1-ER"),
    Cut("strategy", "Single round or several (Table 5)", "strategy", ("strategy",), EVERYTHING, "F1-ER"),
    Cut("llm-answers", "Language model, in answers (Table 6)", "language model", ("llm",), (*ANSWERED, *CITED), "ERU"),
    Cut("graph", "Graph of tables and text", "graph", ("graph",), (*RETRIEVED_EVIDENCE, AVERAGE), "F1-ER"),
)

Choice = tuple[str, ...]


def cut(of: Cut, scored: Scored) -> Table:
    """Compare the values of a module wherever two of them meet the same other modules.

    The last rows are the mean of each value over the comparisons that have all values, where there are several.
    """
    compared = _compared(of, scored)
    rows = (
        _row(of, said(of.others, others), said(of.varies, value), those)
        for others, values in sorted(compared.items())
        for value, those in sorted(values.items())
    )
    return Table(
        of.key,
        of.caption,
        ("the same", of.name, *of.measures, "systems"),
        (*rows, *_summary(of, compared)),
        f"No two systems that ran differ in their {of.name} alone.",
        note=_averaged(of),
        charted=(of.charted,),
        grouped=1,
    )


def said(modules: Iterable[str], choices: Choice) -> str:
    """Name choices in words; what a system goes without is left out, and the embedding where none finds text."""
    chosen = dict(zip(modules, choices, strict=True))
    if chosen.get("text_retriever") in ("sparse", "generative"):
        chosen.pop("embedding", None)
    return " ".join(filter(None, (_word(module, choice) for module, choice in chosen.items()))) or "no graph"


def _word(module: str, choice: str) -> str:
    if module == "llm" and choice == NONE:
        return "no LLM"
    if (module, choice) in {("image_retriever", NONE), ("graph", "off"), ("pages", str(None))}:
        return ""
    return f"{choice} {module}" if module in ("graph", "pages") else choice


def _compared(of: Cut, scored: Scored) -> dict[Choice, dict[Choice, list[Standing]]]:
    """Sort systems by what stays and by what varies; what varies nowhere is no comparison."""
    found: dict[Choice, dict[Choice, list[Standing]]] = {}
    for each in scored.standings:
        if system := scored.results.systems.get(each.system):
            values = found.setdefault(_choice(system, of.others), {})
            values.setdefault(_choice(system, of.varies), []).append(each)
    return {others: values for others, values in found.items() if len(values) > 1}


def _choice(system: System, modules: Iterable[str]) -> Choice:
    return tuple(str(getattr(system, module)) for module in modules)


def _row(of: Cut, others: str, value: str, those: list[Standing]) -> Row:
    figures = mean_of([each.figures for each in those])
    cells: tuple[Cell, ...] = (others, value, *picked(figures, of.measures), count(len(those)))
    return Row(cells, tuple(each.system for each in those))


def mean_of(several: list[Mapping[str, Figure]]) -> Mapping[str, Figure]:
    """Return the means of the figures of several systems, over those that have them; one system's are its own."""
    if len(several) == 1:
        return several[0]
    values: dict[str, list[float]] = {}
    for figures in several:
        for name, figure in figures.items():
            if figure.value is not None:
                values.setdefault(name, []).append(figure.value)
    return {name: Figure(fmean(those)) for name, those in values.items()}


def _summary(of: Cut, compared: Mapping[Choice, Mapping[Choice, list[Standing]]]) -> Iterable[Row]:
    """Average each value over the comparisons that have them all, each comparison counting once."""
    every = {value for values in compared.values() for value in values}
    whole = [values for _, values in sorted(compared.items()) if len(values) == len(every)]
    if len(whole) < 2:
        return
    for value in sorted(every):
        those = [values[value] for values in whole]
        figures = mean_of([mean_of([each.figures for each in cell]) for cell in those])
        systems = tuple(each.system for cell in those for each in cell)
        cells: tuple[Cell, ...] = (
            f"mean of {len(whole)}",
            said(of.varies, value),
            *picked(figures, of.measures),
            count(len(systems)),
        )
        yield Row(cells, systems, summary=True)


def _averaged(of: Cut) -> str:
    return "The mean over systems that differ in how they find text and images." if of.averaged else ""
