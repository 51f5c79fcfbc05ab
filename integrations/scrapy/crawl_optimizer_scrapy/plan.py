"""A plan's file: the table that ``crawl-optimizer plan`` writes, or the JSON answer of crawl-plan."""

import csv
import json
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class PlannedFetch:
    """A page, and when it is to be fetched, in epoch seconds."""

    time: float
    page: str


def read_plan(path):
    """The fetches of a plan, in order of time.

    :raises ValueError: where the file is neither, or its plan is infeasible
    """
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    if text.lstrip().startswith("{"):
        fetches = _of_answer(json.loads(text), path)
    else:
        rows = csv.DictReader(text.splitlines())
        if not {"time", "page"} <= set(rows.fieldnames or ()):
            raise ValueError(f"{path} has no columns time and page, but {rows.fieldnames}")
        fetches = [PlannedFetch(_epoch(row["time"]), row["page"]) for row in rows]
    return sorted(fetches, key=lambda fetch: fetch.time)


def _of_answer(answer, path):
    solution = answer.get("solution")
    if solution is None:
        raise ValueError(f"{path} has no plan: its status is {answer.get('status')}")
    pages, schedule = solution["pages"], solution["schedule"]
    if isinstance(pages, dict):  # columns, in place of rows
        ids = pages["id"]
        return [PlannedFetch(time, ids[page]) for time, page in zip(schedule["time"], schedule["page"])]
    return [PlannedFetch(slot["time"], pages[slot["page"]]["id"]) for slot in schedule]


def _epoch(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
