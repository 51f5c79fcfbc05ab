"""A spider that fetches the pages of a plan when they are due."""

import asyncio
import time

import scrapy

from crawl_optimizer_scrapy.log import CrawlLogExtension
from crawl_optimizer_scrapy.plan import read_plan


class PlannedSpiderMixin:
    """Put before ``scrapy.Spider``; the setting ``CRAWL_PLAN`` (or the attribute ``crawl_plan``) names the plan's file.

    Every fetch asks conditionally where the log knows a validator. What a page brings goes to :meth:`parse_page`; an
    answer 304 brings nothing. Hosts' delays are Scrapy's own: ``DOWNLOAD_DELAY``, ``DOWNLOAD_SLOTS``.
    """

    crawl_plan = None
    # 304 is an answer, and errors belong into the log; which of them reach parse_page is decided below.
    handle_httpstatus_list = [304]

    async def start(self):
        path = self.crawl_plan or self.settings.get("CRAWL_PLAN")
        for fetch in read_plan(path):
            wait = fetch.time - time.time()
            if wait > 0:
                await asyncio.sleep(wait)
            yield self.planned_request(fetch.page)

    def planned_request(self, page):
        """The request of a page; override it where a page's id is not its URL."""
        return scrapy.Request(
            page,
            callback=self._planned_answer,
            errback=self._planned_failure,
            headers=self._log().conditional_headers(page) if self._log() else None,
            dont_filter=True,
            meta={"crawl_page": page},
        )

    def signed_content(self, response):
        """What the signature is made of; override it to leave out what changes at every fetch, such as a clock."""
        return response.body

    def parse_page(self, response):
        """What the spider takes from a page that was brought."""
        return ()

    def _planned_answer(self, response, **kwargs):
        return () if response.status == 304 else self.parse_page(response)

    def _planned_failure(self, failure):
        # An answer with an error status is in the log already; one without an answer is not.
        if getattr(failure.value, "response", None) is None and self._log():
            self._log().failed(failure.request.meta["crawl_page"])

    def _log(self):
        return next((each for each in self.crawler.extensions.middlewares if isinstance(each, CrawlLogExtension)), None)
