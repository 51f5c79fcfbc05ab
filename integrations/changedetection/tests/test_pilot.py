"""The pilot against a changedetection.io in memory: ``PYTHONPATH=. python tests/test_pilot.py`` in the sidecar's folder."""

import json
import os
import tempfile
import time
import types
import unittest

import crawl_optimizer_changedetection as sidecar
from crawl_optimizer_changedetection_pilot import Pilot, run

VECTORS = os.path.join(os.path.dirname(__file__), "../../../test/fixtures/coin.json")


class Instance:
    """The calls that the sidecar makes. Watches whose uuid ends in an even digit are another at every check."""

    def __init__(self, count):
        now = time.time()
        self.watches = {
            f"w{i}": {"uuid": f"w{i}", "url": f"https://h{i % 3}.example/{i}", "last_checked": now - 60, "check_count": 1, "rule": None}
            for i in range(count)
        }
        self.snapshots = {uuid: 1 for uuid in self.watches}
        self.rechecked = []

    def ask(self, method, path, body=None):
        uuid = path.split("/")[4].split("?")[0]
        watch = self.watches[uuid]
        if method == "PUT":
            watch["rule"] = "default" if body["time_between_check_use_default"] else body["time_between_check"]
        elif path.endswith("/history"):
            return {str(k): "snapshot" for k in range(self.snapshots[uuid])}
        elif path.endswith("?recheck=1"):
            self.rechecked.append(uuid)
            watch["last_checked"] = time.time()
            watch["check_count"] += 1
            self.snapshots[uuid] += int(uuid[1:]) % 2 == 0
        return watch


class PilotTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def pilot(self, **more):
        path = os.path.join(self.folder.name, "pilot.json")
        said = {"seed": "a pilot", "start": 1, "period": 1e8, "probeEvery": 0.1, "unit": "page", **more}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(said, file)
        return Pilot(path)

    def run_for(self, pilot, instance, interval=1.0):
        pages = [{"id": uuid, "fetchInterval": 3600} for uuid in instance.watches]
        probes = os.path.join(self.folder.name, "probes.ndjson")
        options = types.SimpleNamespace(interval=interval, probes=probes)
        watches = [dict(watch) for watch in instance.watches.values()]
        planned = run(instance, pilot, watches, {"pages": pages}, options, sidecar.set_interval)
        with open(probes, encoding="utf-8") as file:
            return planned, [json.loads(line) for line in file]

    def test_the_coin_falls_as_in_every_other_language(self):
        with open(VECTORS, encoding="utf-8") as file:
            vectors = json.load(file)
        for toss in vectors["coins"]:
            pilot = self.pilot(seed=toss["seed"])
            self.assertEqual(pilot.coin(toss["unit"], toss["period"]), toss["arm"] == "plan")

    def test_each_watch_has_its_arms_rule_and_probes_are_noted(self):
        pilot, instance = self.pilot(), Instance(12)
        planned, probes = self.run_for(pilot, instance)
        arms = [pilot.is_plan(watch, time.time()) for watch in instance.watches.values()]
        self.assertEqual(planned, sum(arms))
        self.assertEqual({True, False}, set(arms))
        for watch, is_plan in zip(instance.watches.values(), arms):
            self.assertEqual(watch["rule"] == "default", not is_plan)
        self.assertEqual([row["page"] for row in probes], instance.rechecked)
        self.assertGreater(len(probes), 5)
        for row in probes:
            self.assertEqual(row["current"], int(row["page"][1:]) % 2 == 1)

    def test_arms_change_where_a_period_ends(self):
        now = time.time()
        # A period begins half a second ahead, and lasts for more than the run.
        period = (now + 0.5) / round((now + 0.5) / 1000)
        pilot, instance = self.pilot(period=period), Instance(40)
        self.run_for(pilot, instance)
        for watch in instance.watches.values():
            self.assertEqual(watch["rule"] == "default", not pilot.is_plan(watch, now + 20))

    def test_hosts_are_dealt_whole(self):
        pilot, instance = self.pilot(unit="host"), Instance(30)
        arms = {}
        for watch in instance.watches.values():
            arms.setdefault(watch["url"].split("/")[2], set()).add(pilot.is_plan(watch, 5e8))
        self.assertTrue(all(len(each) == 1 for each in arms.values()))


if __name__ == "__main__":
    unittest.main()
