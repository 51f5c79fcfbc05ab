"""A pilot of the sidecar: a coin deals the watches, and probes tell which arm is fresher (docs/how-to/pilot.md)."""

import hashlib
import json
import time
from urllib.parse import urlsplit


def _digest(text):
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()


def _uniform(text):
    """A number in [0, 1) of 52 bits: the first thirteen hexadecimal digits."""
    return int(_digest(text)[:13], 16) / 2**52


class Pilot:
    """The file that ``crawl-optimizer pilot start`` writes.

    :raises ValueError: where it is another file
    """

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
        if not {"seed", "period", "probeEvery", "unit"} <= said.keys():
            raise ValueError(f"{path} is no file of crawl-optimizer pilot start")
        self.seed, self.period, self.by_host = said["seed"], said["period"], said["unit"] == "host"
        self.probe_every = said["probeEvery"]

    def is_plan(self, watch, moment):
        """Whether a watch belongs to the plan at a time; else to changedetection.io's own rule."""
        return self.is_plan_in(watch, int(moment // self.period))

    def is_plan_in(self, watch, period):
        return self.coin(host_of(watch) if self.by_host else watch["uuid"], period)

    def coin(self, unit, period):
        return _digest(f"{self.seed}/{period}/{unit}")[0] < "8"

    def probes(self, watches, begin, end):
        """What to probe from one time to another: pairs of a time and a watch, in order of time."""
        ordered, cell, due = sorted(watches, key=lambda watch: watch["uuid"]), int(begin // self.probe_every), []
        while ordered and cell * self.probe_every < end:
            at = f"{self.seed}/probe/{cell}"
            moment = (cell + _uniform(f"{at}/time")) * self.probe_every
            if begin <= moment < end:
                due.append((moment, ordered[int(_uniform(f"{at}/page") * len(ordered))]))
            cell += 1
        return due


def host_of(watch):
    return urlsplit(watch["url"]).netloc


def leave_alone(api, uuid):
    """The watch is checked by the instance's own rule."""
    api.ask("PUT", f"/api/v1/watch/{uuid}", {"time_between_check_use_default": True})


def probe(api, watch, path, patience=120):
    """Rechecks a watch at once and notes whether its last snapshot was current; a check that fails notes nothing."""

    def seen():
        return api.ask("GET", f"/api/v1/watch/{watch['uuid']}")

    def known():
        return len(api.ask("GET", f"/api/v1/watch/{watch['uuid']}/history"))

    # counted at the end of a check: its time alone could be that of the check before, in the same second
    before, checks, now = known(), seen()["check_count"], time.time()
    api.ask("GET", f"/api/v1/watch/{watch['uuid']}?recheck=1")
    while time.time() < now + patience:
        said = seen()
        if said["check_count"] > checks:
            if not said.get("last_error"):
                row = {"time": now, "page": watch["uuid"], "host": host_of(watch), "current": known() == before}
                with open(path, "a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
            return
        time.sleep(0.5)


def run(api, pilot, watches, solution, options, set_interval):
    """Sets each watch to its arm's rule and makes the probes of the interval; where a period ends, the arms change.

    :param solution: the plan of all watches, of which those of the plan's arm are followed
    :param set_interval: what sets a watch's time between checks
    """
    begin = time.time()
    intervals = {page["id"]: page["fetchInterval"] for page in solution["pages"]}
    dealt = {}
    end = begin + options.interval
    starts = [(max(begin, period * pilot.period), period) for period in _periods(pilot.period, begin, end)]
    probes = pilot.probes(watches, begin, end)
    for moment, what in sorted([*starts, *probes], key=lambda step: step[0]):
        time.sleep(max(0, moment - time.time()))
        if not isinstance(what, int):
            probe(api, what, options.probes)
            continue
        for each in watches:
            is_plan = pilot.is_plan_in(each, what)
            if dealt.get(each["uuid"]) == is_plan:
                continue
            dealt[each["uuid"]] = is_plan
            interval = intervals[each["uuid"]]
            if is_plan and interval is not None:
                set_interval(api, each["uuid"], interval)
            elif not is_plan:
                leave_alone(api, each["uuid"])
    return sum(dealt.values())


def _periods(length, begin, end):
    """The numbers of the periods that an interval meets."""
    number = int(begin // length)
    while number * length < end:
        yield number
        number += 1
