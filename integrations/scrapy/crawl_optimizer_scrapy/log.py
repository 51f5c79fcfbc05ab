"""The log of fetches: one JSON object a line, as ``crawl-optimizer plan`` reads it."""

import hashlib
import json
import logging
import time
from email.utils import parsedate_to_datetime

from scrapy import signals
from scrapy.exceptions import NotConfigured

from crawl_optimizer_scrapy.changed_share import changed_share, fingerprint_of

logger = logging.getLogger(__name__)


class CrawlLogExtension:
    """Appends every planned fetch to the file ``CRAWL_LOG``: page, time, status, signature, Last-Modified.

    A fetch is planned when its request carries ``meta["crawl_page"]``. A failure without an answer is logged by the
    spider's errback, through :meth:`failed`, with status 0: it is no check, and the next check spans it. With
    ``CRAWL_LOG_MATTERS`` every change has the share of the text that changed, as ``matters``.
    """

    def __init__(self, path, matters=False):
        self.path = path
        self.matters = matters
        self._file = None
        #: page → validators of its last fetch, for the next one to ask conditionally
        self.validators = {}
        #: page → time of its last fetch
        self.last = {}
        #: page → its failures in a row
        self.failures = {}
        #: page → fingerprint of its text
        self.texts = {}

    @classmethod
    def from_crawler(cls, crawler):
        path = crawler.settings.get("CRAWL_LOG")
        if not path:
            raise NotConfigured("CRAWL_LOG names no file")
        extension = cls(path, crawler.settings.getbool("CRAWL_LOG_MATTERS"))
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.response_received, signal=signals.response_received)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self, spider):
        torn = False
        try:
            with open(self.path, encoding="utf-8") as file:
                for line in file:
                    try:
                        self._remember(json.loads(line))
                    except (ValueError, KeyError):
                        logger.warning("%s has a line that is no fetch, left out: %.80s", self.path, line.rstrip())
                    torn = not line.endswith("\n")
        except FileNotFoundError:
            pass
        self._file = open(self.path, "a", encoding="utf-8")
        if torn:
            self._file.write("\n")

    def spider_closed(self, spider):
        self._file.close()

    def response_received(self, response, request, spider):
        page = request.meta.get("crawl_page")
        if page is None:
            return
        entry = {"page": page, "time": round(time.time(), 3), "status": response.status}
        if 200 <= response.status < 300:
            content = spider.signed_content(response)
            entry["signature"] = hashlib.sha256(content).hexdigest()[:32]
            if self.matters:
                entry["text"] = fingerprint_of(content)
                if page in self.texts:
                    entry["matters"] = changed_share(self.texts[page], entry["text"])
        modified = _epoch(response.headers.get("Last-Modified"))
        if modified is not None:
            entry["lastModified"] = modified
        etag = response.headers.get("ETag")
        if etag is not None:
            entry["validator"] = etag.decode("latin-1")
        self._write(entry)

    def failed(self, page):
        """A fetch that brought no answer."""
        self._write({"page": page, "time": round(time.time(), 3), "status": 0})

    def conditional_headers(self, page):
        """``If-None-Match`` and ``If-Modified-Since`` for the page's next fetch."""
        return dict(self.validators.get(page, {}))

    def _write(self, entry):
        self._remember(entry)
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()

    def _remember(self, entry):
        self.last[entry["page"]] = max(entry["time"], self.last.get(entry["page"], entry["time"]))
        seen = entry["status"] == 304 or 200 <= entry["status"] < 300
        self.failures[entry["page"]] = 0 if seen else self.failures.get(entry["page"], 0) + 1
        if "text" in entry:
            self.texts[entry["page"]] = entry["text"]
        headers = self.validators.setdefault(entry["page"], {})
        if "validator" in entry:
            headers["If-None-Match"] = entry["validator"]
        if "lastModified" in entry:
            headers["If-Modified-Since"] = _http_date(entry["lastModified"])


def _epoch(header):
    if header is None:
        return None
    try:
        return parsedate_to_datetime(header.decode("latin-1")).timestamp()
    except (TypeError, ValueError):
        return None


def _http_date(seconds):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(seconds))
