"""A plan's file: the table that ``crawl-optimizer plan`` writes, or the JSON answer of crawl-plan."""

import csv
import json
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit


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


class Waits:
    """Pages that fail: after k failures in a row 2^k − 1 of a page's slots in this plan are left out."""

    def __init__(self, failures):
        """
        :param failures: page → its failures in a row, which others keep up to date
        """
        self.failures = failures
        #: page → its slots left out since it was tried in this plan
        self._left_out = {}

    def tried(self, page):
        self._left_out[page] = 0

    def leaves_out(self, page):
        left_out = self._left_out.get(page)
        if left_out is None or left_out >= 2 ** min(self.failures.get(page, 0), MOST_DOUBLED) - 1:
            return False
        self._left_out[page] = left_out + 1
        return True


#: A failing page's pause doubles so often at most.
MOST_DOUBLED = 8


def still_to_make(fetches, last, now, waits):
    """What is left of a plan: slots that the log shows as done are left out, and of a page's overdue ones all but one.

    :param last: page → time of its last fetch
    """
    left, overdue = [], set()
    for fetch in fetches:
        if fetch.time <= last.get(fetch.page, float("-inf")):
            waits.tried(fetch.page)
            continue
        if fetch.time <= now:
            if fetch.page in overdue or waits.leaves_out(fetch.page):
                continue
            overdue.add(fetch.page)
        left.append(fetch)
    return left


#: No more is kept between overdue fetches of a host, however far apart the plan has them.
LONGEST_DELAY = 10.0


def host_delays(fetches):
    """The delay that a plan keeps between fetches of a host: the least time between two of them."""
    last, least = {}, {}
    for fetch in fetches:
        host = urlsplit(fetch.page).netloc
        if host in last:
            least[host] = min(least.get(host, LONGEST_DELAY), fetch.time - last[host])
        last[host] = fetch.time
    return least


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
