"""The adaptive delay of one host. The ports to TypeScript and Java are tested with the same event streams."""

#: Requests without too many refusals after which a delay is shortened.
BATCH = 100
#: Tolerated share of refusals; increase of the rate, as a share of the highest sustained rate.
TOLERATED, INCREASE = 0.01, 0.1
#: Delay after the first refusal of a host without a delay, and the longest delay, seconds.
FIRST, LONGEST = 1.0, 86_400.0


class HostDelay:
    """:param delay: seconds between two requests; :param since: when it came into force; :param least: the shortest"""

    def __init__(self, delay, since, least=0.0):
        self.delay, self.since, self.least = delay, since, least
        #: The shortest delay at which nothing was refused; 0 while there is none.
        self.borne = 0.0
        #: Requests sent since the delay took effect.
        self.requests = self.refusals = 0

    def note(self, status, asked, now):
        """Notes how a request ended that was sent at ``asked``; whether the delay was looked at anew.

        What was sent before the delay last changed says nothing of it: refusals in flight together count once.
        """
        if asked >= self.since:
            self.requests += 1
            self.refusals += status in (429, 503)
        if self.refusals <= max(1, TOLERATED * self.requests) and self.requests < BATCH:
            return False
        if self.refusals == 0 and (self.borne == 0 or self.delay < self.borne):
            self.borne = self.delay
        self.set(self._next(), now)
        return True

    def set(self, delay, now):
        self.delay, self.since = delay, now
        self.requests = self.refusals = 0

    def _next(self):
        """Halves the rate after too many refusals, otherwise raises it by a fixed step (Chiu & Jain 1989)."""
        if self.delay <= 0:
            return max(FIRST, self.least) if self.refusals else self.least
        if self.refusals > TOLERATED * self.requests:
            return min(LONGEST, max(2 * self.delay, self.least))
        return max(1 / (1 / self.delay + INCREASE / (self.borne or self.delay)), self.least)
