"""Which checks of a watch failed: changedetection.io counts them among its checks, and forgets them once one succeeds."""

import json
import os
import pathlib
import sys
import time


class Checks:
    """The failed checks that were seen, in a file, or that the plugin counts.

    Looks that come oftener than checks see each of them. Where the plugin does not count, all checks between two looks
    are taken to have failed where the last one did.
    """

    def __init__(self, api, path, between):
        """
        :param between: seconds between two looks
        """
        self.api = api
        self.path = pathlib.Path(path)
        self.between = between
        self.known = json.loads(self.path.read_text()) if self.path.exists() else {}

    def failed(self, uuid):
        return self.known[uuid]["failed"] if uuid in self.known else 0

    def look(self):
        """One request, and one for each watch that was checked since the last look."""
        listed = self.api.ask("GET", "/api/v1/watch")
        self.known = {uuid: each for uuid, each in self.known.items() if uuid in listed}
        for uuid, listing in listed.items():
            last, known, now = [listing.get("last_checked"), listing.get("last_error")], self.known.get(uuid), time.time()
            # last_checked is in whole seconds: another check may follow in the same second
            if known is None or known["last"] != last or known.get("seen", 0) < (last[0] or 0) + 2:
                self._note(uuid, self.api.ask("GET", f"/api/v1/watch/{uuid}"))
                self.known[uuid]["seen"] = now
        part = self.path.with_name(self.path.name + ".part")
        part.write_text(json.dumps(self.known))
        os.replace(part, self.path)

    def wait(self, until):
        """Polls until a time in epoch seconds; skips a poll without an answer."""
        while (left := until - time.time()) > 0:
            time.sleep(min(left, self.between))
            try:
                self.look()
            except (RuntimeError, OSError) as error:
                print(f"not looked at: {error}", file=sys.stderr)

    def _note(self, uuid, watch):
        checks, last = watch.get("check_count") or 0, [watch.get("last_checked"), watch.get("last_error")]
        known = self.known.get(uuid)
        counted = watch.get("crawl_optimizer_failed")
        if counted is not None and checks >= counted["at"][0]:
            # checks from before the plugin was installed
            before = (known.get("before", known["failed"]) if known and checks >= known["checks"] else 0)
            self.known[uuid] = {"checks": checks, "failed": before + counted["failed"], "before": before, "last": last}
        elif known is None or checks < known["checks"]:
            # new, or its history was cleared
            self.known[uuid] = {"checks": checks, "failed": 0, "last": last}
        elif checks > known["checks"]:
            failed = known["failed"] + (checks - known["checks"] if watch.get("last_error") else 0)
            self.known[uuid] = {"checks": checks, "failed": failed, "last": last}
        # otherwise a check is running: its time is set, but not yet its count or its error
