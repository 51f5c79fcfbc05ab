"""How fast each host is asked: the delay of its download slot follows what the host refused (estimates/host-limits)."""

import email.utils
import json
import logging
import time
import urllib.request
from dataclasses import dataclass, field

from scrapy.exceptions import NotConfigured
from twisted.internet.threads import deferToThread

logger = logging.getLogger(__name__)
#: Requests after which a delay that was borne is shortened.
BATCH = 100
#: Share of them that may be refused, and by which share of the rate a host bears its rate is raised.
TOLERATED, INCREASE = 0.01, 0.1
#: Seconds: the delay of a host that has none yet, once it refuses; and the longest.
FIRST, LONGEST = 1.0, 86_400.0
#: Requests of a host that a service is told of.
KEPT = 5000


@dataclass
class Host:
    """The one number that is carried, the delay, with what has been seen since it came into force."""

    delay: float
    since: float
    borne: float = 0.0
    requests: int = 0
    refusals: int = 0
    #: Until when it asked to be left alone.
    until: float = 0.0
    log: list = field(default_factory=list)


def next_delay(host: Host, least: float = 0.0) -> float:
    """Half the rate where more than the tolerated share was refused, else a fixed step of it more (Chiu & Jain 1989)."""
    if host.requests == 0 or host.delay <= 0 and host.refusals == 0:
        return max(host.delay, least)
    if host.refusals > TOLERATED * host.requests:
        return min(LONGEST, max(2 * host.delay, least, FIRST if host.delay <= 0 else 0.0))
    return max(1 / (1 / host.delay + INCREASE / (host.borne or host.delay)), least)


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
        host = self.hosts.setdefault(name, Host(slot.delay, now - (request.meta.get("download_latency") or 0)))
        latency = request.meta.get("download_latency") or 0.0
        refused = response.status in (429, 503)
        wait = retry_after(response.headers.get("Retry-After"), now) if refused else None
        entry = {"time": now - latency, "status": response.status, "latency": latency}
        host.log.append(entry if wait is None else {**entry, "retryAfter": wait})
        del host.log[:-KEPT]
        # what was asked before the delay changed says nothing of it
        if now - latency >= host.since:
            host.requests += 1
            host.refusals += refused
        if host.refusals > max(1, TOLERATED * host.requests) or host.requests >= BATCH:
            self._step(name, host, slot, now)
        if wait is not None and wait > 0:
            self._leave_alone(host, slot, now, wait + latency)
        return response

    def _step(self, name, host, slot, now):
        if host.refusals == 0 and (host.borne == 0 or host.delay < host.borne):
            host.borne = host.delay
        self._set(host, slot, next_delay(host, self._least), now)
        if self._service is None:
            return
        found = deferToThread(ask_delay, self._service, name, list(host.log), host.delay, host.since)
        found.addCallback(lambda delay: delay is not None and self._set(host, slot, max(delay, self._least), time.time()))

    def _leave_alone(self, host, slot, now, wait):
        # the slot's last request counts as that much later, by whatever clock the slot has
        more = now + wait - max(host.until, now)
        if more > 0:
            slot.delay = max(slot.delay, FIRST / 1000)
            slot.lastseen += more
            host.until = now + wait

    def _set(self, host, slot, delay, now):
        if delay != host.delay:
            logger.info("a request every %.3g s, before %.3g s", delay, host.delay)
        host.delay = slot.delay = delay
        host.since, host.requests, host.refusals = now, 0, 0


def retry_after(header, now):
    """Seconds, from a number or a date; None for neither."""
    if header is None:
        return None
    text = header.decode("latin-1").strip()
    if text.isdigit():
        return min(float(text), LONGEST)
    try:
        return min(LONGEST, max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - now))
    except (TypeError, ValueError):
        return None


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
