"""Asks a site that refuses one of its pages for a while: ``by_limits.py <site> [service]``; prints statuses and delays.

With a service: goes on until it has said a delay, and prints what it was asked and said, and the delay then in force.
"""

import json
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy_crawl_optimizer import hosts


class Pages(scrapy.Spider):
    name = "pages"
    handle_httpstatus_list = [429]

    async def start(self):
        for page in range(6):
            yield scrapy.Request(f"{self.site}/limited/{page}")

    def parse(self, response):
        told.append([response.status, time.time() - response.meta["download_latency"], time.time()])
        if not SERVICE or len(told) < 6 or len(told) > MOST:
            return
        slot = self.crawler.engine.downloader.slots[response.meta["download_slot"]]
        if asked and slot.delay == max(asked[0]["said"], LEAST):
            asked[0]["inForce"] = slot.delay
        elif len(told) % 6 == 0:
            for page in range(6):
                yield scrapy.Request(f"{self.site}/limited/{len(told)}-{page}")


def ask(*question):
    """What the middleware asks, noted."""
    said = ask_delay(*question)
    _, name, requests, delay, since = question
    asked.append({"row": {"host": name, "requests": requests, "delay": delay, "since": since}, "said": said})
    return said


#: Seconds; and requests after which a service that says nothing is given up.
LEAST, MOST = 0.002, 3000
SERVICE = sys.argv[2:]
told, asked = [], []
ask_delay, hosts.ask_delay = hosts.ask_delay, ask

if __name__ == "__main__":
    process = CrawlerProcess(
        {
            "ADDONS": {"scrapy_crawl_optimizer.Addon": 500},
            "CRAWL_HOST_DELAYS": True,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "DOWNLOAD_DELAY": LEAST,
            "DOWNLOAD_DELAY_JITTER": 0,
            "LOG_LEVEL": "ERROR",
            "RETRY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            **({"CRAWL_OPTIMIZER_URL": SERVICE[0]} if SERVICE else {}),
        }
    )
    process.crawl(Pages, site=sys.argv[1])
    process.start()
    print(json.dumps({"told": told, "asked": asked}))
