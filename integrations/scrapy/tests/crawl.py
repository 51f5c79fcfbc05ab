"""Runs a planned spider in a Scrapy of its own: ``crawl.py <plan> <log>``."""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess

from crawl_optimizer_scrapy import PlannedSpiderMixin


class Pages(PlannedSpiderMixin, scrapy.Spider):
    name = "pages"

    def parse_page(self, response):
        yield {"page": response.url, "length": len(response.body)}


if __name__ == "__main__":
    plan, log = sys.argv[1:]
    process = CrawlerProcess(
        {
            "CRAWL_PLAN": plan,
            "CRAWL_LOG": log,
            "EXTENSIONS": {"crawl_optimizer_scrapy.CrawlLogExtension": 500},
            "LOG_LEVEL": "WARNING",
            "RETRY_TIMES": 1,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Pages)
    process.start()
