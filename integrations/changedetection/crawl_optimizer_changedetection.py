"""A sidecar of changedetection.io: reads its watches and their histories, has them planned, and sets when to check them.

What is known of a watch is in changedetection.io itself, but for the checks that failed.
"""

import argparse
import json
import os
import pathlib
import signal
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from crawl_optimizer_changedetection_checks import Checks
from crawl_optimizer_price import Prior, after_check, due_age, new_belief
from crawl_optimizer_table import SECONDS, read_table

#: seconds before another try, at most, where a run of ``--every`` failed
RETRY = 60
#: seconds between two looks at the watches, at most
LOOK = 30
#: time_between_check of a watch that only the plan rechecks
RARELY = 520 * 7 * 86_400
#: no watch is left alone for longer by its price
LONGEST = 180 * 86_400


class Json:
    """Requests and answers in JSON, with the same headers each time."""

    def __init__(self, base, **headers):
        self.base = base.rstrip("/")
        self.headers = {"content-type": "application/json", **headers}

    def ask(self, method, path, body=None):
        """
        :raises RuntimeError: with what the server said
        """
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, headers=self.headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}") from error
        return json.loads(text) if text else None


def read_watches(api, checks):
    """Every watch that is not paused, whole, with the times of its snapshots and the number of its failed checks."""
    checks.look()
    watches = []
    for uuid in api.ask("GET", "/api/v1/watch"):
        watch = api.ask("GET", f"/api/v1/watch/{uuid}")
        if not watch.get("paused"):
            watch["snapshots"] = sorted(int(at) for at in api.ask("GET", f"/api/v1/watch/{uuid}/history"))
            watch["failed"] = checks.failed(uuid)
            watches.append(watch)
    return watches


def page_of(watch):
    """What crawl-plan is told of a watch: how many checks found how many changes, and when the last one was.

    The first check only takes the first snapshot; the others are counted as if they had been equally far apart.
    """
    checked, snapshots = watch.get("last_checked") or 0, watch["snapshots"]
    page = {"id": watch["uuid"], "host": urlsplit(watch["url"]).netloc, "checks": []}
    if checked:
        page["lastCrawl"] = checked
    # check_count counts failures too, which are no checks: while a watch fails, its count says nothing
    if watch.get("last_error"):
        return page
    changes = max(0, len(snapshots) - 1)
    # a snapshot tells of a check that did not fail
    checks = max(changes, (watch.get("check_count") or 0) - 1 - watch["failed"])
    if checks > 0 and snapshots and checked > snapshots[0]:
        page["checks"] = {"checks": checks, "changes": changes, "gap": (checked - snapshots[0]) / checks}
    return page


def between(seconds):
    """A time as ``time_between_check`` has it."""
    rest, parts = max(1, round(seconds)), {}
    for name, unit in (("weeks", 604_800), ("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1)):
        parts[name], rest = divmod(rest, unit)
    return parts


def plan(service, watches, crawls, interval, **more):
    """The answer's pages and schedule.

    :raises RuntimeError: where there is no plan, with the reason
    """
    # last_checked is rounded to a whole second, which may not have come yet
    now = max(time.time(), *(each.get("last_checked") or 0 for each in watches)) if watches else time.time()
    request = {"now": now, "interval": interval, "crawls": crawls, "pages": [page_of(each) for each in watches]}
    answer = service.ask("POST", "/v1/crawl-plan", {**request, **more})
    if "solution" not in answer:
        raise RuntimeError(f"no plan: {answer['conflict']['detail']}")
    return answer["solution"]


def by_price(watches, per_day, least):
    """Fetch intervals at the one price at which the watches take so many checks a day: no service, nothing kept.

    Of a page's checks only the last hundred's worth is looked at; changes are spread evenly among them.
    """
    wanted = per_day / 86_400
    prior = Prior(wanted / max(1, len(watches)))
    beliefs = []
    for watch in watches:
        belief, seen = new_belief(prior), page_of(watch)["checks"]
        if seen:
            checks = min(100, seen["checks"])
            changes = round(seen["changes"] * checks / seen["checks"])
            for n in range(checks):
                changed = (n + 1) * changes // checks > n * changes // checks
                belief = after_check(belief, prior, seen["gap"], changed)
        beliefs.append(belief)

    def intervals(price):
        return [max(least, due_age(belief, 1, price)) for belief in beliefs]

    low, high = 1e-6, 1e12
    for _ in range(100):
        price = (low * high) ** 0.5
        if sum(1 / each for each in intervals(price)) > wanted:
            low = price
        else:
            high = price
    return [
        {"id": watch["uuid"], "fetchInterval": min(each, LONGEST)} for watch, each in zip(watches, intervals(high))
    ]


def by_table(watches, options):
    """Fetch intervals as a plan table has them, of watches by their id or URL; a row at a time."""
    uuids = {name: watch["uuid"] for watch in watches for name in (watch["url"], watch["uuid"])}
    for name, interval, _ in read_table(options.table, options.unit, table=options.table_name):
        if name in uuids and interval is not None:
            yield {"id": uuids[name], "fetchInterval": max(options.min_interval, interval)}


def set_intervals(api, pages):
    """Each watch's ``time_between_check`` is its fetch interval; one that is not worth a check keeps its own."""
    for page in pages:
        if page["fetchInterval"] is not None:
            set_interval(api, page["id"], page["fetchInterval"])


def set_interval(api, uuid, seconds):
    change = {"time_between_check": between(seconds), "time_between_check_use_default": False}
    api.ask("PUT", f"/api/v1/watch/{uuid}", change)


class Intervals:
    """The intervals that watches had before they were changed, in a file that is written before the first change."""

    FIELDS = ("time_between_check", "time_between_check_use_default")

    def __init__(self, api, path):
        self.api = api
        self.path = pathlib.Path(path)

    def keep(self, watches):
        """Notes the intervals of these watches; those that are noted already stay as they were at first."""
        held = {each["uuid"]: {name: each.get(name) for name in self.FIELDS} for each in watches}
        held.update(self._held())
        part = self.path.with_name(self.path.name + ".part")
        part.write_text(json.dumps(held))
        os.replace(part, self.path)

    def restore(self):
        """Puts them back; a watch that was deleted meanwhile is left out, one that fails keeps its note."""
        left = {}
        for uuid, fields in self._held().items():
            try:
                change = {name: value for name, value in fields.items() if value is not None}
                self.api.ask("PUT", f"/api/v1/watch/{uuid}", change)
            except (RuntimeError, OSError) as error:
                if not str(error).startswith(f"PUT /api/v1/watch/{uuid}: 404"):
                    left[uuid] = fields
                    print(f"watch {uuid} keeps the plan's interval: {error}", file=sys.stderr)
        if left:
            self.path.write_text(json.dumps(left))
        else:
            self.path.unlink(missing_ok=True)

    def _held(self):
        return json.loads(self.path.read_text()) if self.path.exists() else {}


def recheck(api, solution, intervals, watches, checks):
    """Follows the plan to the letter: its own times, and no others. Whatever happens, the intervals are put back."""
    intervals.keep(watches)
    try:
        for page in solution["pages"]:
            told(api, page["id"], lambda uuid: set_interval(api, uuid, RARELY))
        for slot in solution["schedule"]:
            checks.wait(slot["time"])
            uuid = solution["pages"][slot["page"]]["id"]
            told(api, uuid, lambda uuid: api.ask("GET", f"/api/v1/watch/{uuid}?recheck=1"))
    finally:
        intervals.restore()


def told(api, uuid, what):
    """A watch that is deleted in mid-plan, or fails, is said; the others go on."""
    try:
        what(uuid)
    except (RuntimeError, OSError) as error:
        print(f"watch {uuid}: {error}", file=sys.stderr)


def stop(*_):
    raise SystemExit(130)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--api", default="http://localhost:5000", help="changedetection.io (%(default)s)")
    parser.add_argument("--key", default=os.environ.get("CHANGEDETECTION_KEY"), help="its API key (CHANGEDETECTION_KEY)")
    parser.add_argument("--service", default="http://localhost:8080", help="crawl-optimizer (%(default)s)")
    parser.add_argument("--crawls", type=int, help="checks that can be made in the interval")
    parser.add_argument("--per-day", type=float, help="in place of --crawls: checks a day, by a price and without a service")
    parser.add_argument("--table", help="in place of --crawls: a plan table, .parquet, .csv, .ndjson or postgres://…")
    parser.add_argument("--table-name", help="the table's name in PostgreSQL")
    parser.add_argument("--unit", choices=SECONDS, default="day", help="of the table's intervals (%(default)s)")
    parser.add_argument("--interval", type=float, default=86_400, help="seconds to plan ahead (%(default)s)")
    parser.add_argument("--min-interval", type=float, default=60, help="least seconds between checks (%(default)s)")
    parser.add_argument("--recheck", action="store_true", help="recheck at the plan's times, until the interval ends")
    parser.add_argument("--every", type=float, help="run again every so many seconds, whatever fails; left out: once")
    parser.add_argument("--restore", action="store_true", help="put the watches' own intervals back, and no more")
    parser.add_argument(
        "--state",
        default="changedetection-intervals.json",
        help="where the watches' own intervals are kept meanwhile (%(default)s)",
    )
    options = parser.parse_args(arguments)
    given = [each for each in (options.per_day, options.crawls, options.table) if each is not None]
    if not options.restore and len(given) != 1:
        parser.error("one of --per-day, --crawls and --table says how many checks there are")
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, stop)
    api = Json(options.api, **{"x-api-key": options.key or ""})
    state = pathlib.Path(options.state)
    checks = Checks(api, state.with_name(f"{state.stem}.checks.json"), min(LOOK, options.min_interval / 2))
    while True:
        began = time.time()
        try:
            print(run(options, api, checks), flush=True)
        except (RuntimeError, ValueError, urllib.error.URLError) as error:
            if options.every is None:
                sys.exit(str(error))
            print(f"tried again in {min(options.every, RETRY):g} s: {error}", file=sys.stderr, flush=True)
            time.sleep(min(options.every, RETRY))
            continue
        if options.every is None:
            return
        checks.wait(began + options.every)


def run(options, api, checks):
    """One run, and what to say of it."""
    intervals = Intervals(api, options.state)
    # of a run that could not put them back, or that set others by a price
    intervals.restore()
    if options.restore:
        return "the watches have their own intervals"
    watches = read_watches(api, checks)
    if options.per_day:
        intervals.keep(watches)
        set_intervals(api, by_price(watches, options.per_day, options.min_interval))
        return f"{len(watches)} watches, {options.per_day:g} checks a day"
    if options.table:
        planned = list(by_table(watches, options))
        intervals.keep(watches)
        set_intervals(api, planned)
        return f"{len(watches)} watches, {len(planned)} by the table"
    solution = plan(Json(options.service), watches, options.crawls, options.interval, minInterval=options.min_interval)
    if options.recheck:
        recheck(api, solution, intervals, watches, checks)
    else:
        set_intervals(api, solution["pages"])
    return f"{len(watches)} watches, {len(solution['schedule'])} checks planned"


if __name__ == "__main__":
    main()
