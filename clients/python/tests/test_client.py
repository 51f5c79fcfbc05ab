"""``test_client.py <url of the service>``: every way to ask, against the service that runs there."""

import sys
import unittest

import pandas
import pyarrow
from crawl_optimizer_client import Client, Refused, from_arrow, from_pandas, to_arrow, to_pandas, types

url = sys.argv.pop()


class ClientTest(unittest.TestCase):
    client = Client(url)

    def test_every_type_has_a_name_of_its_own(self) -> None:
        self.assertEqual([name for name in dir(types) if name[-1].isdigit()], [])

    def test_a_typed_request(self) -> None:
        request: types.CrawlerCountRequest = {
            "capacity": 10,
            "crawlerRate": 0.01,
            "service": 1,
            "costs": {"starvation": 1.2},
        }
        answer = self.client.crawler_count(request)
        self.assertEqual(answer["status"], "optimal")
        # Liu, Nain & Towsley's continuous optimum lies between the neighbours of the answer.
        solution = answer["solution"]
        assert solution is not None
        continuous = solution["continuous"]
        assert continuous is not None
        self.assertLess(abs(continuous["crawlers"] - solution["crawlers"]), 1)

    def test_a_refusal_says_where(self) -> None:
        with self.assertRaises(Refused) as caught:
            self.client.crawler_count(
                {"capacity": 0, "crawlerRate": 1, "service": 1, "costs": {"starvation": 1}}
            )
        self.assertEqual(caught.exception.problem["errors"][0]["pointer"], "/capacity")
        self.assertIn("/capacity", str(caught.exception))

    def test_pages_from_a_frame_and_back(self) -> None:
        frame = pandas.DataFrame(
            {"id": ["news", "about"], "changeRate": [1e-4, 1e-6], "weight": [2.0, None], "lastCrawl": [1.76e9, 1.76e9]}
        )
        pages = from_pandas(frame)
        self.assertEqual(pages["weight"], [2.0, None])
        answer = self.client.crawl_plan({"now": 1.76e9 + 60, "interval": 86_400, "crawls": 20, "pages": pages})
        plan = to_pandas(answer["solution"]["pages"])
        self.assertEqual(list(plan["id"]), ["news", "about"])
        self.assertEqual(plan["crawls"].sum(), 20)
        self.assertGreater(plan["crawls"][0], plan["crawls"][1])
        schedule = to_arrow(answer["solution"]["schedule"])
        self.assertEqual(schedule.num_rows, 20)

    def test_an_arrow_stream_is_answered_as_columns_are(self) -> None:
        table = pyarrow.table({"changeRate": [0.5, 2.0, 8.0], "weight": [1.0, 1.0, 3.0]})
        request = {"interval": 1, "crawls": 12, "pages": {}}
        answered, rest = self.client.solve_arrow("/v1/crawl-allocation", request, table)
        self.assertEqual(rest["status"], "optimal")
        columns = from_arrow(table)
        same = self.client.crawl_allocation({"interval": 1, "crawls": 12, "pages": columns})
        self.assertEqual(answered["crawls"].to_pylist(), to_arrow(same["solution"]["pages"])["crawls"].to_pylist())

    def test_times_in_nanoseconds_become_epoch_seconds(self) -> None:
        frame = pandas.DataFrame({"time": [pandas.Timestamp("2026-01-01T00:00:00.123456789")]})
        self.assertAlmostEqual(from_pandas(frame)["time"][0], 1767225600.123456, 6)

    def test_times_become_epoch_seconds_and_nan_is_left_out(self) -> None:
        table = pyarrow.table(
            {
                "lastCrawl": pyarrow.array([0, 1_500_000_000_000], pyarrow.timestamp("ms", tz="UTC")),
                "rate": [1.5, float("nan")],
                "checks": [[[60.0, 1.0]], []],
            }
        )
        columns = from_arrow(table)
        self.assertEqual(columns, {"lastCrawl": [0, 1.5e9], "rate": [1.5, None], "checks": [[[60, 1]], []]})


if __name__ == "__main__":
    unittest.main()
