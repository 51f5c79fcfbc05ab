"""The state of the pages, one row each in a SQLite file, and the price of a fetch."""

import json
import sqlite3
import time

from crawl_optimizer_price import (
    Belief,
    Prior,
    after_check,
    due_age,
    new_belief,
    next_price,
    worth_of_fetch,
)

DAY = 86_400
#: Longest interval of a page, seconds, also of one that is never worth its price.
LONGEST = 180 * DAY
#: Maximum doublings of the pause of a failing page.
MOST_DOUBLED = 8
#: Growth factor of the number of pages that restarts the price.
GROWTH = 1.2

_TABLES = """
CREATE TABLE IF NOT EXISTS pages (
  url TEXT PRIMARY KEY, callback TEXT, weight REAL NOT NULL DEFAULT 1, belief TEXT NOT NULL, rate REAL NOT NULL,
  checked REAL, due REAL NOT NULL, failures INTEGER NOT NULL DEFAULT 0, signature TEXT, etag TEXT, modified TEXT);
CREATE INDEX IF NOT EXISTS pages_due ON pages (due);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value REAL);
"""


class Pages:
    """The pages a spider keeps fresh.

    :param per_day: fetches wanted a day
    :param ask: ``ask(buckets, rate)`` gives the price of a histogram, or None; left out: feedback alone
    """

    def __init__(self, path, per_day, objective="freshness", ask=None):
        self.per_day = per_day
        self.objective = objective
        self._ask = ask
        self._rows = sqlite3.connect(path, isolation_level=None)
        self._rows.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + _TABLES)
        # pages whose fetch is under way, and until when it may be: no longer than the process, so not in the file
        self._held = {}
        self._seen = 0
        self._since = time.time()

    def close(self):
        self._rows.close()

    # a page ---------------------------------------------------------------------------------------------------------

    def get(self, url):
        """Due time, callback, and what to ask conditionally with; None for a page that is not known."""
        row = self._rows.execute("SELECT due, callback, etag, modified FROM pages WHERE url = ?", (url,)).fetchone()
        return row and (max(row[0], self._held.get(url, 0)), *row[1:])

    def due(self, now, most):
        """URLs and callbacks of the pages that are due, the longest overdue first: each once, however late."""
        self._held = {url: until for url, until in self._held.items() if until > now}
        query = "SELECT url, callback FROM pages WHERE due <= ? ORDER BY due LIMIT ?"
        rows = self._rows.execute(query, (now, most + len(self._held))).fetchall()
        return [row for row in rows if row[0] not in self._held][:most]

    def checked(self, url, now, changed_to, callback=None, weight=1.0, etag=None, modified=None):
        """Notes an answer; ``changed_to`` is its signature, or None where it was as before (304)."""
        self._held.pop(url, None)
        query = "SELECT belief, checked, signature, weight FROM pages WHERE url = ?"
        row = self._rows.execute(query, (url,)).fetchone()
        prior = self.prior()
        if row is None:
            belief, before, signature = new_belief(prior), None, None
        else:
            belief, before, signature, weight = Belief(*map(tuple, json.loads(row[0]))), *row[1:]
        # a first answer says nothing of changes
        if before is not None and signature is not None and now > before:
            changed = changed_to is not None and changed_to != signature
            belief = after_check(belief, prior, now - before, changed)
        age = self._age(belief, weight)
        text = json.dumps([belief.shape, belief.scale, belief.foretold])
        self._rows.execute(
            """INSERT INTO pages (url, callback, weight, belief, rate, checked, due, signature, etag, modified)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE SET belief = excluded.belief,
            rate = excluded.rate, checked = excluded.checked, due = excluded.due, failures = 0,
            callback = COALESCE(excluded.callback, callback), signature = COALESCE(excluded.signature, signature),
            etag = COALESCE(excluded.etag, etag), modified = COALESCE(excluded.modified, modified)""",
            (url, callback, weight, text, belief.mean_rate(), now, now + age, changed_to, etag, modified),
        )

    def failed(self, url, now, callback=None):
        """Notes a fetch that brought nothing. It is no check; the pause before the next doubles."""
        self._held.pop(url, None)
        belief = new_belief(self.prior())
        query = "SELECT belief, weight, failures FROM pages WHERE url = ?"
        row = self._rows.execute(query, (url,)).fetchone()
        weight, failures = 1.0, 0
        if row is not None:
            belief, weight, failures = Belief(*map(tuple, json.loads(row[0]))), *row[1:]
        age = self._age(belief, weight)
        pause = max(age, min(LONGEST, age * 2 ** min(failures + 1, MOST_DOUBLED)))
        text = json.dumps([belief.shape, belief.scale, belief.foretold])
        self._rows.execute(
            """INSERT INTO pages (url, callback, belief, rate, due, failures) VALUES (?, ?, ?, ?, ?, 1)
            ON CONFLICT (url) DO UPDATE SET due = excluded.due, failures = failures + 1""",
            (url, callback, text, belief.mean_rate(), now + pause),
        )

    def _age(self, belief, weight):
        """The age at which a page is due."""
        return min(LONGEST, due_age(belief, weight, self.price(), self.objective))

    def hold(self, url, until):
        """Keeps a page from being asked for again while its fetch is under way."""
        self._held[url] = until

    # the price ------------------------------------------------------------------------------------------------------

    def count(self):
        return max(1, self._rows.execute("SELECT COUNT(*) FROM pages").fetchone()[0])

    def interval(self):
        """The target mean interval of a page, seconds."""
        return DAY * self.count() / self.per_day

    def prior(self):
        interval = self.interval()
        return Prior(self._state("mean_rate") or 1 / interval, min(DAY, 5 * interval))

    def price(self):
        """The price of a fetch; at first the worth of a fetch of a new page at the mean interval."""
        price = self._state("price")
        if price is not None and self.count() <= GROWTH * (self._state("priced") or 0):
            return price
        return self._set_price(self._asked() or worth_of_fetch(new_belief(self.prior()), 1, self.interval(), self.objective))

    def made(self, fetches=1):
        """Counts fetches, retries too."""
        self._seen += fetches

    def hold_price(self, now):
        """Updates the price by the fetches since its last update, once a window is over."""
        elapsed = now - self._since
        if elapsed < min(DAY, self.interval() / 4):
            return
        wanted = self.per_day * elapsed / DAY
        price = next_price(self.price(), self._seen, wanted, self.count(), self._state("ahead") or 0)
        self._set_state("ahead", (self._state("ahead") or 0) + self._seen - wanted)
        mean = self._rows.execute("SELECT AVG(rate) FROM pages").fetchone()[0]
        if mean:
            self._set_state("mean_rate", (self.prior().mean_rate * mean) ** 0.5)
        asked_at = self._state("asked") or 0
        self._set_price((self._asked() if now - asked_at >= DAY else None) or price)
        self._seen, self._since = 0, now

    def _asked(self):
        """The price by the service, from a histogram of the pages."""
        if self._ask is None:
            return None
        self._set_state("asked", time.time())
        rows = self._rows.execute("SELECT rate, weight FROM pages WHERE checked IS NOT NULL").fetchall()
        return self._ask(histogram(rows), self.per_day / DAY) if rows else None

    def _set_price(self, price):
        self._set_state("price", price)
        self._set_state("priced", self.count())
        return price

    def _state(self, name):
        row = self._rows.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        return None if row is None else row[0]

    def _set_state(self, name, value):
        self._rows.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))


def histogram(rows):
    """The buckets that crawl-price takes, of pages' (rate, weight): a tenth wide in ln(weight/rate)."""
    from math import floor, log

    buckets = {}
    for rate, weight in rows:
        ratio = weight / rate
        of = buckets.setdefault(floor(log(ratio) * 10), [0, 0.0, 0.0, 0.0, ratio, ratio])
        of[0] += 1
        of[1] += rate
        of[2] += rate * ratio
        of[3] += rate * log(ratio)
        of[4], of[5] = min(of[4], ratio), max(of[5], ratio)
    names = ("pages", "changeRate", "weight", "changeRateLogRatio", "ratioMin", "ratioMax")
    return [dict(zip(names, each)) for each in buckets.values()]
