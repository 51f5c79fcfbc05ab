"""Runs a plain spider with the add-on alone: ``by_price.py <site> <state> <answers> [service]``."""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess


class Pages(scrapy.Spider):
    name = "pages"

    async def start(self):
        for page in ("fast", "slow", "down", "drop"):
            yield scrapy.Request(f"{self.site}/{page}")

    def parse(self, response):
        if response.url.endswith("/fast"):
            yield response.follow("/found", self.parse_found)

    def parse_found(self, response):
        yield {"found": response.url}


if __name__ == "__main__":
    site, state, answers, *service = sys.argv[1:]
    process = CrawlerProcess(
        {
            "ADDONS": {"scrapy_crawl_optimizer.Addon": 500},
            "CRAWL_PER_DAY": 10 * 86_400,
            "CRAWL_STATE": state,
            "CRAWL_LOG": f"{state}.ndjson",
            **({"CRAWL_OPTIMIZER_URL": service[0]} if service else {}),
            "CLOSESPIDER_PAGECOUNT": int(answers),
            "LOG_LEVEL": "ERROR",
            "RETRY_TIMES": 1,
            "RETRY_BACKOFF": False,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Pages, site=site)
    process.start()
