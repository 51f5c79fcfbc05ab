"""A pilot: the plan has the pages that a coin deals to it, the spider's own rule the others (docs/how-to/pilot.md)."""

import hashlib
import json
import time
from urllib.parse import urlsplit

from scrapy.exceptions import IgnoreRequest, NotConfigured


class Pilot:
    """The file that ``crawl-optimizer pilot start`` writes.

    :raises ValueError: where it is another file
    """

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            said = json.load(file)
        if not {"seed", "period", "unit"} <= said.keys():
            raise ValueError(f"{path} is no file of crawl-optimizer pilot start")
        self.seed, self.period, self.by_host = said["seed"], said["period"], said["unit"] == "host"

    def is_plan(self, page, moment):
        """Whether a page belongs to the plan at a time; else it is the incumbent rule's."""
        unit = urlsplit(page).netloc.rsplit("@", 1)[-1].lower() if self.by_host else page
        text = f"{self.seed}/{int(moment // self.period)}/{unit or page}"
        return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()[0] < "8"


class PilotMiddleware:
    """Keeps each arm to its pages; the setting ``CRAWL_PILOT`` names the pilot's file.

    A downloader middleware. Planned fetches pass on the plan's pages, probes on every page, and every other request of
    the spider on the pages of its own rule alone. What passes is logged, so that ``pilot verdict`` finds it.
    """

    def __init__(self, pilot):
        self.pilot = pilot

    @classmethod
    def from_crawler(cls, crawler):
        path = crawler.settings.get("CRAWL_PILOT")
        if not path:
            raise NotConfigured("CRAWL_PILOT names no file")
        return cls(Pilot(path))

    def process_request(self, request, spider=None):
        page = request.meta.setdefault("crawl_page", request.url)
        why = request.meta.get("crawl_why", "yours")
        if why != "probe" and self.pilot.is_plan(page, time.time()) != (why == "plan"):
            raise IgnoreRequest(f"pilot: {page} belongs to the other arm")
