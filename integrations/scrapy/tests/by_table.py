"""Runs a spider without requests of its own by a plan table: ``by_table.py <table> <state> <answers>``."""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess


class Pages(scrapy.Spider):
    name = "pages"

    async def start(self):
        return
        yield

    def parse(self, response):
        yield {"page": response.url}


if __name__ == "__main__":
    table, state, answers = sys.argv[1:]
    process = CrawlerProcess(
        {
            "ADDONS": {"scrapy_crawl_optimizer.Addon": 500},
            "CRAWL_TABLE": table,
            "CRAWL_TABLE_UNIT": "second",
            "CRAWL_STATE": state,
            "CLOSESPIDER_PAGECOUNT": int(answers),
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Pages)
    process.start()
