"""How fast each host is asked: the delay of its download slot follows what the host refused (estimates/host-limits)."""

import json
import logging
import time
import urllib.request

from scrapy.exceptions import NotConfigured
from twisted.internet.threads import deferToThread

from scrapy_crawl_optimizer.dates import retry_after
from scrapy_crawl_optimizer.delay import FIRST, HostDelay

logger = logging.getLogger(__name__)
#: Latest requests of a host that a service gets.
KEPT = 5000


class HostDelays:
    """A downloader middleware. Settings: ``CRAWL_HOST_DELAYS`` (True), ``CRAWL_OPTIMIZER_URL`` (a service that finds
    quotas and shorter delays in each host's last requests; left out: steps alone). ``DOWNLOAD_DELAY`` is the least."""

    def __init__(self, crawler):
        settings = crawler.settings
        if not settings.getbool("CRAWL_HOST_DELAYS"):
            raise NotConfigured
        self.crawler = crawler
        self.hosts = {}
        self._least = settings.getfloat("DOWNLOAD_DELAY")
        self._service = settings.get("CRAWL_OPTIMIZER_URL")

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def process_response(self, request, response, spider=None):
        name = request.meta.get("download_slot")
        slot = self.crawler.engine.downloader.slots.get(name)
        if slot is None:
            return response
        now = time.time()
        latency = request.meta.get("download_latency") or 0.0
        asked = now - latency
        host = self.hosts.setdefault(name, Host(slot.delay, asked, self._least))
        pause = retry_after(response.headers.get("Retry-After"), now) if response.status in (429, 503) else None
        entry = {"time": asked, "status": response.status, "latency": latency}
        host.log.append(entry if pause is None else {**entry, "retryAfter": pause})
        del host.log[:-KEPT]
        before = host.delay
        if host.note(response.status, asked, now):
            self._apply(host, slot, before)
            if self._service is not None:
                found = deferToThread(ask_delay, self._service, name, list(host.log), host.delay, host.since)
                found.addCallback(lambda delay: delay is not None and self._take(host, slot, delay))
        if pause is not None and pause > 0:
            self._leave_alone(host, slot, now, pause + latency)
        return response

    def _take(self, host, slot, delay):
        before = host.delay
        host.set(max(delay, self._least), time.time())
        self._apply(host, slot, before)

    def _apply(self, host, slot, before):
        if host.delay != before:
            logger.info("a request every %.3g s, before %.3g s", host.delay, before)
        slot.delay = host.delay

    def _leave_alone(self, host, slot, now, pause):
        # the slot's last request counts as that much later, by whatever clock the slot has
        more = now + pause - max(host.until, now)
        if more > 0:
            slot.delay = max(slot.delay, FIRST / 1000)
            slot.lastseen += more
            host.until = now + pause


class Host(HostDelay):
    """A host's delay, the end of its Retry-After, and its latest requests for a service."""

    def __init__(self, delay, since, least):
        super().__init__(delay, since, least)
        self.until = 0.0
        self.log = []


def ask_delay(service, name, requests, delay, since):
    """nextDelay of estimates/host-limits; None where the service does not answer."""
    row = {"host": name, "requests": requests, **({"delay": delay, "since": since} if delay > 0 else {})}
    body = json.dumps({"hosts": [row]}).encode()
    url = service.rstrip("/") + "/v1/estimates/host-limits"
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)["solution"]["hosts"][0]["nextDelay"]
    except (OSError, ValueError, KeyError) as error:
        logger.warning("no delay from %s: %s", service, error)
        return None
