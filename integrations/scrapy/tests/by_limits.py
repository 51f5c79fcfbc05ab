"""Asks a site that refuses one of its pages for a while: ``by_limits.py <site>``; prints statuses and delays."""

import json
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess


class Pages(scrapy.Spider):
    name = "pages"
    handle_httpstatus_list = [429]

    async def start(self):
        for page in range(6):
            yield scrapy.Request(f"{self.site}/limited/{page}")

    def parse(self, response):
        told.append([response.status, time.time() - response.meta["download_latency"], time.time()])


if __name__ == "__main__":
    told = []
    process = CrawlerProcess(
        {
            "ADDONS": {"scrapy_crawl_optimizer.Addon": 500},
            "CRAWL_HOST_DELAYS": True,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "DOWNLOAD_DELAY": 0.002,
            "DOWNLOAD_DELAY_JITTER": 0,
            "LOG_LEVEL": "ERROR",
            "RETRY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Pages, site=sys.argv[1])
    process.start()
    print(json.dumps(told))
