"""Crawling by a price, against the golden vectors that every language is held to."""

import json
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from crawl_optimizer_price import Belief, Prior, after_check, due_age, new_belief, next_price, worth_of_fetch  # noqa: E402

golden = json.loads((pathlib.Path(__file__).parents[3] / "test/fixtures/price.json").read_text())


class PriceTest(unittest.TestCase):
    def near(self, found, given, tolerance, what):
        given = math.inf if given is None else given
        self.assertTrue(found == given or abs(found - given) <= tolerance * abs(given), f"{found} for {given}: {what}")

    def test_a_page_of_known_rate_is_due_as_recorded(self) -> None:
        self.assertGreater(len(golden["known"]), 200)
        for row in golden["known"]:
            self.near(due_age(row["rate"], row["weight"], row["price"], row["objective"]), row["age"], 1e-11, row)

    def test_checks_lead_to_the_beliefs_recorded(self) -> None:
        for row in golden["beliefs"]:
            prior = Prior(row["prior"]["meanRate"], row["prior"]["memoryUnit"])
            belief = new_belief(prior)
            for check in row["checks"]:
                belief = after_check(belief, prior, check["elapsed"], check["changed"], check.get("changeAge"))
            for found, given in zip(belief.shape + belief.scale, row["belief"]["shape"] + row["belief"]["scale"]):
                self.near(found, given, 1e-9, row)
            self.near(belief.mean_rate(), row["meanRate"], 1e-8, row)

    def test_a_page_of_believed_rate_is_due_as_recorded(self) -> None:
        for row in golden["beliefs"]:
            belief = Belief(**{name: tuple(values) for name, values in row["belief"].items()})
            for due in row["due"]:
                age = due_age(belief, due["weight"], due["price"], due["objective"])
                self.near(age, due["age"], 1e-8, due)
                if due["age"] is not None:
                    worth = worth_of_fetch(belief, due["weight"], due["age"], due["objective"])
                    self.near(worth, due["price"], 1e-8, due)

    def test_the_price_moves_as_recorded(self) -> None:
        for row in golden["prices"]:
            found = next_price(row["price"], row["seen"], row["wanted"], row["pages"], row["ahead"])
            self.near(found, row["next"], 1e-13, row)


if __name__ == "__main__":
    unittest.main()
