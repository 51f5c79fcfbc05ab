"""A sidecar of changedetection.io: reads its watches and their histories, and sets when to check them, by a price.

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

from crawl_optimizer_changedetection_checks import Checks
from crawl_optimizer_price import Prior, after_check, due_age, new_belief

#: longest pause in seconds before a failed run of ``--every`` is retried
RETRY = 60
#: longest pause in seconds between two polls of the watches
LOOK = 30
#: longest interval that the price gives a watch
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


def seen_of(watch):
    """How many checks of a watch found how many changes, and the seconds between two checks; None where nobody knows.

    The first check only takes the first snapshot; the others are counted as if they had been equally far apart.
    """
    checked, snapshots = watch.get("last_checked") or 0, watch["snapshots"]
    # check_count includes failures, so it cannot be used while a watch fails
    if watch.get("last_error"):
        return None
    changes = max(0, len(snapshots) - 1)
    # a snapshot proves a successful check
    checks = max(changes, (watch.get("check_count") or 0) - 1 - watch["failed"])
    if checks == 0 or not snapshots or checked <= snapshots[0]:
        return None
    return checks, changes, (checked - snapshots[0]) / checks


def between(seconds):
    """Seconds as the parts of ``time_between_check``."""
    rest, parts = max(1, round(seconds)), {}
    for name, unit in (("weeks", 604_800), ("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1)):
        parts[name], rest = divmod(rest, unit)
    return parts


def by_price(watches, per_day, least):
    """Seconds between checks at the one price at which the watches take so many a day, by their ids: nothing is kept.

    Of a watch's checks only the last hundred's worth is looked at; changes are spread evenly among them.
    """
    wanted = per_day / 86_400
    prior = Prior(wanted / max(1, len(watches)))
    beliefs = []
    for watch in watches:
        belief, seen = new_belief(prior), seen_of(watch)
        if seen:
            counted, found, gap = seen
            checks = min(100, counted)
            changes = round(found * checks / counted)
            for n in range(checks):
                changed = (n + 1) * changes // checks > n * changes // checks
                belief = after_check(belief, prior, gap, changed)
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
    return {watch["uuid"]: min(each, LONGEST) for watch, each in zip(watches, intervals(high))}


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
        """Stores the intervals of these watches; an interval that is stored already stays."""
        held = {each["uuid"]: {name: each.get(name) for name in self.FIELDS} for each in watches}
        held.update(self._held())
        self._write(held)

    def restore(self):
        """Restores the stored intervals; skips deleted watches, and keeps the entry of a watch that fails."""
        left = {}
        for uuid, fields in self._held().items():
            try:
                change = {name: value for name, value in fields.items() if value is not None}
                self.api.ask("PUT", f"/api/v1/watch/{uuid}", change)
            except (RuntimeError, OSError) as error:
                if not str(error).startswith(f"PUT /api/v1/watch/{uuid}: 404"):
                    left[uuid] = fields
                    print(f"watch {uuid} keeps the interval of its price: {error}", file=sys.stderr)
        if left:
            self._write(left)
        else:
            self.path.unlink(missing_ok=True)

    def _write(self, held):
        """Writes the file by a rename, so that it is whole whatever happens."""
        part = self.path.with_name(self.path.name + ".part")
        with part.open("w") as file:
            file.write(json.dumps(held))
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self.path)

    def _held(self):
        return json.loads(self.path.read_text()) if self.path.exists() else {}


def stop(*_):
    raise SystemExit(130)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--api", default="http://localhost:5000", help="changedetection.io (%(default)s)")
    parser.add_argument("--key", default=os.environ.get("CHANGEDETECTION_KEY"), help="its API key (CHANGEDETECTION_KEY)")
    parser.add_argument("--per-day", type=float, help="checks a day of all watches together")
    parser.add_argument("--min-interval", type=float, default=60, help="least seconds between checks (%(default)s)")
    parser.add_argument("--every", type=float, help="run again every so many seconds, whatever fails; left out: once")
    parser.add_argument("--restore", action="store_true", help="put the watches' own intervals back, and no more")
    parser.add_argument(
        "--state",
        default="changedetection-intervals.json",
        help="where the watches' own intervals are kept meanwhile (%(default)s)",
    )
    options = parser.parse_args(arguments)
    if not options.restore and not (options.per_day or 0) > 0:
        parser.error("--per-day says how many checks there are")
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
    """One run; returns its summary."""
    intervals = Intervals(api, options.state)
    # those of the last run
    intervals.restore()
    if options.restore:
        return "the watches have their own intervals"
    watches = read_watches(api, checks)
    intervals.keep(watches)
    for uuid, seconds in by_price(watches, options.per_day, options.min_interval).items():
        set_interval(api, uuid, seconds)
    return f"{len(watches)} watches, {options.per_day:g} checks a day"


if __name__ == "__main__":
    main()
