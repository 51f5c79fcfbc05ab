"""Runs a planned spider in a Scrapy of its own: ``crawl.py <plan> <log> [<pilot> <pages of its own rule ...>]``."""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess

from crawl_optimizer_scrapy import PlannedSpiderMixin


class Pages(PlannedSpiderMixin, scrapy.Spider):
    name = "pages"

    #: What the spider would fetch by itself, once.
    own = ()

    async def start(self):
        for url in self.own:
            yield scrapy.Request(url, callback=self.parse_page, dont_filter=True)
        async for request in super().start():
            yield request

    def parse_page(self, response):
        yield {"page": response.url, "length": len(response.body)}


if __name__ == "__main__":
    plan, log, *rest = sys.argv[1:]
    Pages.own = rest[1:]
    process = CrawlerProcess(
        {
            "CRAWL_PLAN": plan,
            "CRAWL_LOG": log,
            "EXTENSIONS": {"crawl_optimizer_scrapy.CrawlLogExtension": 500},
            "CRAWL_PILOT": rest[0] if rest else None,
            "DOWNLOADER_MIDDLEWARES": {"crawl_optimizer_scrapy.PilotMiddleware": 50},
            "LOG_LEVEL": "WARNING",
            "RETRY_TIMES": 1,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Pages)
    process.start()
