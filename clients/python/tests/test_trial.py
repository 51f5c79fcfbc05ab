"""The coin and the probes, against the golden vectors that every language is held to."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "src" / "crawl_optimizer_client"))
from trial import coin, probe_of  # noqa: E402

golden = json.loads((pathlib.Path(__file__).parents[3] / "test/fixtures/coin.json").read_text())


class TrialTest(unittest.TestCase):
    def test_every_coin_falls_as_recorded(self) -> None:
        self.assertGreater(len(golden["coins"]), 200)
        for each in golden["coins"]:
            self.assertEqual(coin(each["seed"], each["unit"], each["period"]), each["arm"], each)

    def test_every_probe_is_due_as_recorded(self) -> None:
        for each in golden["probes"]:
            probe = probe_of(each["seed"], each["cell"], 1)
            self.assertEqual(probe, (each["cell"] + each["time"], each["page"]), each)


if __name__ == "__main__":
    unittest.main()
