"""A downloader middleware that notes what came of every page, and fetches pages again when they are due."""

import hashlib
import json
import logging
import time
import urllib.request

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest, NotConfigured
from scrapy.http.request import NO_CALLBACK
from twisted.internet.task import LoopingCall

from scrapy_crawl_optimizer.log import FetchLog
from scrapy_crawl_optimizer.pages import Pages

logger = logging.getLogger(__name__)
AGAIN = "crawl_optimizer_again"
#: Seconds between two polls for due pages.
LOOK = 0.2
#: Seconds after which a fetch without an end is requested again.
UNDER_WAY = 3600


class FreshPages:
    """Settings: ``CRAWL_PER_DAY`` (fetches wanted a day), ``CRAWL_STATE`` (a SQLite file), ``CRAWL_OBJECTIVE``,
    ``CRAWL_OPTIMIZER_URL`` (a service that is asked for the price once a day; left out: feedback alone), ``CRAWL_LOG``
    (a file that every fetch is logged in)."""

    def __init__(self, crawler):
        settings = crawler.settings
        per_day = settings.getfloat("CRAWL_PER_DAY")
        if per_day <= 0:
            raise NotConfigured("CRAWL_PER_DAY says how many fetches a day are wanted")
        service = settings.get("CRAWL_OPTIMIZER_URL")
        objective = settings.get("CRAWL_OBJECTIVE", "freshness")
        ask = service and (lambda buckets, rate: ask_price(service, buckets, rate, objective))
        self.pages = Pages(settings.get("CRAWL_STATE", "crawl-state.sqlite"), per_day, objective, ask or None)
        path = settings.get("CRAWL_LOG")
        self._log = FetchLog(path) if path else None
        self.crawler = crawler
        self._look = LoopingCall(self._fetch_due)
        self._most = 2 * settings.getint("CONCURRENT_REQUESTS", 16)

    @classmethod
    def from_crawler(cls, crawler):
        middleware = cls(crawler)
        connect = crawler.signals.connect
        connect(middleware.spider_opened, signal=signals.spider_opened)
        connect(middleware.spider_closed, signal=signals.spider_closed)
        connect(middleware.spider_idle, signal=signals.spider_idle)
        return middleware

    def spider_opened(self, spider):
        self._look.start(LOOK, now=False)

    def spider_closed(self, spider):
        if self._look.running:
            self._look.stop()
        self.pages.close()
        if self._log:
            self._log.close()

    def spider_idle(self, spider):
        # pages are due later; CLOSESPIDER_TIMEOUT and its like end the spider
        raise DontCloseSpider

    def _fetch_due(self):
        engine, spider = self.crawler.engine, self.crawler.spider
        if engine is None or spider is None or engine.paused or len(engine.downloader.active) >= self._most:
            return
        now = time.time()
        self.pages.hold_price(now)
        for url, callback in self.pages.due(now, self._most - len(engine.downloader.active)):
            self.pages.hold(url, now + UNDER_WAY)
            engine.crawl(
                Request(url, callback=getattr(spider, callback or "parse", None), dont_filter=True, meta={AGAIN: True})
            )

    def process_request(self, request, spider=None):
        if not is_page(request):
            return None
        known = self.pages.get(page_of(request))
        if known is None or request.meta.get("redirect_urls") or request.meta.get("retry_times"):
            return None
        due, _, etag, modified = known
        if not request.meta.get(AGAIN) and due > time.time():
            raise IgnoreRequest("the page is not due")
        if etag:
            request.headers.setdefault("If-None-Match", etag)
        if modified:
            request.headers.setdefault("If-Modified-Since", modified)
        return None

    def process_response(self, request, response, spider=None):
        if not is_page(request):
            return response
        self._count(request)
        page, now, status = page_of(request), time.time(), response.status
        callback = getattr(request.callback, "__name__", None)
        if status == 304 or 200 <= status < 300:
            signature = None if status == 304 else self._signature(response)
            header = lambda name: (response.headers.get(name) or b"").decode("latin-1") or None  # noqa: E731
            weight = request.meta.get("crawl_weight", 1.0)
            modified = header("Last-Modified")
            self.pages.checked(page, now, signature, callback, weight, header("ETag"), modified)
            self._note(page, now, status, signature, modified)
        else:
            self.pages.failed(page, now, callback)
            self._note(page, now, status)
        return response

    def process_exception(self, request, exception, spider=None):
        if is_page(request) and not isinstance(exception, IgnoreRequest):
            self._count(request)
            page, now = page_of(request), time.time()
            self.pages.failed(page, now, getattr(request.callback, "__name__", None))
            self._note(page, now, 0)

    def _note(self, *fetch):
        if self._log:
            self._log.note(*fetch)

    def _signature(self, response):
        of = getattr(self.crawler.spider, "signed_content", None)
        return hashlib.sha256(of(response) if of else response.body).hexdigest()[:32]

    def _count(self, request):
        # what Scrapy tried before this answer: retries, and the steps of redirects
        meta = request.meta
        self.pages.made(1 + meta.get("retry_times", 0) + meta.get("redirect_times", 0))


def is_page(request):
    return request.method == "GET" and request.callback is not NO_CALLBACK


def page_of(request):
    """The URL before redirects."""
    return (request.meta.get("redirect_urls") or [request.url])[0]


def ask_price(service, buckets, rate, objective):
    """The price by crawl-price; None where the service does not answer, so that feedback goes on alone."""
    body = json.dumps({"buckets": buckets, "rate": rate, "objective": objective}).encode()
    url = service.rstrip("/") + "/v1/crawl-price"
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)["solution"]["price"]
    except (OSError, ValueError, KeyError) as error:
        logger.warning("no price from %s: %s", service, error)
        return None
