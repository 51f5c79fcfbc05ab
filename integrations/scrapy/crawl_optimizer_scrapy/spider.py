"""A spider that fetches the pages of a plan when they are due."""

import asyncio
import time
from urllib.parse import urlsplit

import scrapy
from scrapy.exceptions import IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError

from crawl_optimizer_scrapy.log import CrawlLogExtension
from crawl_optimizer_scrapy.plan import Waits, host_delays, read_plan, still_to_make


class PlannedSpiderMixin:
    """Put before ``scrapy.Spider``; the setting ``CRAWL_PLAN`` (or the attribute ``crawl_plan``) names the plan's file.

    Every fetch asks conditionally where the log knows a validator. What a page brings goes to :meth:`parse_page`; an
    answer 304 brings nothing. A plan that is late, or started again, makes each page's overdue fetches once, and none
    that the log shows; between fetches of a host it keeps the least time that the plan has there, ten seconds at most.
    A page that fails waits (:class:`Waits`), and is tried without Scrapy's retries until it answers.
    """

    crawl_plan = None
    # 304 is an answer, and errors belong into the log; which of them reach parse_page is decided below.
    handle_httpstatus_list = [304]

    async def start(self):
        path = self.crawl_plan or self.settings.get("CRAWL_PLAN")
        fetches = read_plan(path)
        delays, free = host_delays(fetches), {}
        log = self._log()
        waits = Waits(log.failures if log else {})
        for fetch in still_to_make(fetches, log.last if log else {}, time.time(), waits):
            host = urlsplit(fetch.page).netloc
            wait = max(fetch.time, free.get(host, 0)) - time.time()
            if wait > 0:
                await asyncio.sleep(wait)
            if waits.leaves_out(fetch.page):
                continue
            waits.tried(fetch.page)
            free[host] = time.time() + delays.get(host, 0)
            request = self.planned_request(fetch.page)
            if waits.failures.get(fetch.page):
                request.meta.setdefault("dont_retry", True)
            yield request

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
        tried = not isinstance(failure.value, IgnoreRequest) or isinstance(failure.value, HttpError)
        if tried and getattr(failure.value, "response", None) is None and self._log():
            self._log().failed(failure.request.meta["crawl_page"])

    def _log(self):
        return self.crawler.get_extension(CrawlLogExtension)
