"""The delay of one host: it follows what the host refused. Copies in TypeScript and Java are held to the same events."""

#: Requests after which a delay that was borne is shortened.
BATCH = 100
#: Share of them that may be refused, and by which share of the rate a host bears its rate is raised.
TOLERATED, INCREASE = 0.01, 0.1
#: Seconds: the delay of a host that has none yet, once it refuses; and the longest.
FIRST, LONGEST = 1.0, 86_400.0


class HostDelay:
    """:param delay: seconds between two requests; :param since: when it came into force; :param least: the shortest"""

    def __init__(self, delay, since, least=0.0):
        self.delay, self.since, self.least = delay, since, least
        #: The shortest delay at which nothing was refused; 0 while there is none.
        self.borne = 0.0
        #: Sent since the delay came into force.
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
        """Half the rate where more than the tolerated share was refused, else a fixed step of it more (Chiu & Jain 1989)."""
        if self.delay <= 0:
            return max(FIRST, self.least) if self.refusals else self.least
        if self.refusals > TOLERATED * self.requests:
            return min(LONGEST, max(2 * self.delay, self.least))
        return max(1 / (1 / self.delay + INCREASE / (self.borne or self.delay)), self.least)
