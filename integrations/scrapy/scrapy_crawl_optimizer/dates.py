"""Times of HTTP headers (RFC 9110, 5.6.7), as sites write them: absurd ones are none."""

import re
from datetime import datetime, timezone
from email.utils import parsedate_tz

from scrapy_crawl_optimizer.delay import LONGEST

_SECONDS = re.compile(r"[0-9]+(\.[0-9]+)?")


def epoch_of(text):
    """Epoch seconds of a date in UTC; None for no date."""
    try:
        parts = parsedate_tz(text)
        return datetime(*parts[:6], tzinfo=timezone.utc).timestamp() - (parts[9] or 0)
    except (TypeError, ValueError, OverflowError):
        return None


def retry_after(header, now):
    """Seconds of a Retry-After, a number or a date; None for neither."""
    if header is None:
        return None
    text = header.decode("latin-1").strip()
    if _SECONDS.fullmatch(text):
        return min(LONGEST, float(text))
    at = epoch_of(text)
    return None if at is None else min(LONGEST, max(0.0, at - now))
