"""A sidecar of changedetection.io: reads its watches and their histories, has them planned, and sets when to check them.

Nothing is kept between runs: what is known of a watch is in changedetection.io itself.
"""

import argparse
import json
import os
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

#: time_between_check of a watch that only the plan rechecks
RARELY = 520 * 7 * 86_400


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


def read_watches(api):
    """Every watch that is not paused, whole, with the times of its snapshots."""
    watches = []
    for uuid in api.ask("GET", "/api/v1/watch"):
        watch = api.ask("GET", f"/api/v1/watch/{uuid}")
        if not watch.get("paused"):
            watch["snapshots"] = sorted(int(at) for at in api.ask("GET", f"/api/v1/watch/{uuid}/history"))
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
    checks = (watch.get("check_count") or 0) - 1
    if checks > 0 and snapshots and checked > snapshots[0]:
        gap = (checked - snapshots[0]) / checks
        page["checks"] = {"checks": checks, "changes": min(len(snapshots) - 1, checks), "gap": gap}
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
    request = {"now": time.time(), "interval": interval, "crawls": crawls, "pages": [page_of(each) for each in watches]}
    answer = service.ask("POST", "/v1/crawl-plan", {**request, **more})
    if "solution" not in answer:
        raise RuntimeError(f"no plan: {answer['conflict']['detail']}")
    return answer["solution"]


def set_intervals(api, pages):
    """Each watch's ``time_between_check`` is its fetch interval; one that is not worth a check keeps its own."""
    for page in pages:
        if page["fetchInterval"] is not None:
            set_interval(api, page["id"], page["fetchInterval"])


def set_interval(api, uuid, seconds):
    change = {"time_between_check": between(seconds), "time_between_check_use_default": False}
    api.ask("PUT", f"/api/v1/watch/{uuid}", change)


def recheck(api, solution):
    """Follows the plan to the letter: its own times, and no others."""
    for page in solution["pages"]:
        set_interval(api, page["id"], RARELY)
    for slot in solution["schedule"]:
        time.sleep(max(0, slot["time"] - time.time()))
        api.ask("GET", f"/api/v1/watch/{solution['pages'][slot['page']]['id']}?recheck=1")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--api", default="http://localhost:5000", help="changedetection.io (%(default)s)")
    parser.add_argument("--key", default=os.environ.get("CHANGEDETECTION_KEY"), help="its API key (CHANGEDETECTION_KEY)")
    parser.add_argument("--service", default="http://localhost:8080", help="crawl-optimizer (%(default)s)")
    parser.add_argument("--crawls", type=int, required=True, help="checks that can be made in the interval")
    parser.add_argument("--interval", type=float, default=86_400, help="seconds to plan ahead (%(default)s)")
    parser.add_argument("--min-interval", type=float, default=60, help="least seconds between checks (%(default)s)")
    parser.add_argument("--recheck", action="store_true", help="recheck at the plan's times, until the interval ends")
    options = parser.parse_args(arguments)
    api, service = Json(options.api, **{"x-api-key": options.key or ""}), Json(options.service)
    try:
        watches = read_watches(api)
        solution = plan(service, watches, options.crawls, options.interval, minInterval=options.min_interval)
        if options.recheck:
            recheck(api, solution)
        else:
            set_intervals(api, solution["pages"])
    except (RuntimeError, urllib.error.URLError) as error:
        sys.exit(str(error))
    print(f"{len(watches)} watches, {len(solution['schedule'])} checks planned")


if __name__ == "__main__":
    main()
