"""A report as JSON, schema `heliograph.omgqa.report/1`: fields change only with the number.

- judge: whose labels the measures are by
- systems: by name, the ranked ones first
    - choices: one for each module, null of a system that the grid does not name; lacking: what it lacks, a line each
    - rank: from 1, null where it has not run; seeds: those that it ran with
    - figures: by measure `mean` and `deviation`, the latter between seeds, null of a single one
    - answers: one a question and seed: question, seed, run, abstained, measures by name, rounds (RER and F1-ER after
      each), cost by name
- correctness: who judged which answers are right, empty where nobody did
- unasked: ids of questions that no system has answered, which count nowhere
- questions: by id the text, accepted answers, modalities, source, and how many units are relevant and irrelevant
- tables: by key the caption, columns, note, and rows: cells by column, deviations by column, and the systems behind

Shares are fractions of 1, and nothing is rounded.
"""

import json
from collections.abc import Mapping

from eval.omgqa.judged import Labels
from eval.omgqa.reporting.cost import costs_of
from eval.omgqa.reporting.cuts import MODULES
from eval.omgqa.reporting.figures import Figure, Scored, ScoredRun, Standing
from eval.omgqa.reporting.report import Report
from eval.omgqa.reporting.tables import Cell, Row, Table

Json = Mapping[str, object]
SCHEMA = "heliograph.omgqa.report/1"


def report_json(report: Report) -> str:
    """Return a report with every figure of every question."""
    scored = report.scored
    record = {
        "schema": SCHEMA,
        "judge": scored.results.judge,
        "correctness": scored.results.correctness,
        "unasked": sorted(scored.results.unasked),
        "systems": _systems(scored),
        "questions": {id: _question(id, scored) for id in sorted(scored.results.questions)},
        "tables": {table.key: table_record(table) for table in report.tables},
    }
    return json.dumps(record, indent=1, allow_nan=False) + "\n"


def table_record(table: Table) -> Json:
    """Return a table with its cells by column."""
    rows = [_row(row, table.columns) for row in table.rows]
    return {
        "caption": table.caption,
        "columns": table.columns,
        "rows": rows,
        "note": table.note if rows else table.empty,
    }


def _systems(scored: Scored) -> dict[str, Json]:
    ranked = {each.system: (rank, each) for rank, each in enumerate(scored.standings, 1)}
    others = {name: (None, None) for name in sorted(scored.results.systems) if name not in ranked}
    return {name: _system(name, rank, standing, scored) for name, (rank, standing) in {**ranked, **others}.items()}


def _system(name: str, rank: int | None, standing: Standing | None, scored: Scored) -> Json:
    system = scored.results.systems.get(name)
    return {
        "choices": {module: getattr(system, module) for module in MODULES} if system else None,
        "lacking": system.lacking if system else (),
        "rank": rank,
        "seeds": standing.seeds if standing else (),
        "figures": {name: _figure(figure) for name, figure in standing.figures.items()} if standing else {},
        "answers": [_answer(each) for each in standing.runs] if standing else [],
    }


def _answer(each: ScoredRun) -> Json:
    return {
        "question": each.run.question,
        "seed": each.run.seed,
        "run": each.run.run,
        "abstained": each.run.abstained,
        "measures": each.measures,
        "rounds": {"RER": each.recalls, "F1-ER": each.f1s},
        "cost": costs_of(each.run),
    }


def _question(id: str, scored: Scored) -> Json:
    question, labels = scored.results.questions[id], scored.labels.get(id, Labels())
    return {
        "question": question.question,
        "answers": question.answers,
        "modalities": question.modalities,
        "source": question.source,
        "relevant": len(labels.relevant),
        "irrelevant": len(labels.irrelevant),
    }


def _row(row: Row, columns: tuple[str, ...]) -> Json:
    cells = dict(zip(columns, row.cells, strict=True))
    return {
        "cells": {column: _value(cell) for column, cell in cells.items()},
        "deviations": {
            column: cell.deviation
            for column, cell in cells.items()
            if isinstance(cell, Figure) and cell.deviation is not None
        },
        "systems": row.systems,
    }


def _value(cell: Cell) -> str | float | None:
    if isinstance(cell, str) or cell.value is None:
        return cell if isinstance(cell, str) else None
    return cell.value if cell.digits else int(cell.value)


def _figure(figure: Figure) -> Json:
    return {"mean": figure.value, "deviation": figure.deviation}
