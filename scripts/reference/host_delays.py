"""Event streams for test/fixtures/host-delays.json: python3 scripts/reference/host_delays.py > test/fixtures/host-delays.json

A host with a bucket of tokens is asked by several requests at once, some of which are answered late. The delay after
each answer is found here from the whole history of answers, without the counters of the copies that are held to it:
src/crawlee/host-delays.ts, scrapy_crawl_optimizer/delay.py, HostDelays.java.
"""

import heapq
import json
import random

BATCH, TOLERATED, INCREASE, FIRST, LONGEST = 100, 0.01, 0.1, 1.0, 86_400.0


class Reference:
    def __init__(self):
        self.history = []  # (asked, refused), in the order of the answers
        self.changes = [(0.0, 0.0, 0)]  # (since, delay, answers before)
        self.borne = []

    @property
    def delay(self):
        return self.changes[-1][1]

    def note(self, asked, now, refused):
        self.history.append((asked, refused))
        since, delay, before = self.changes[-1]
        told = [was_refused for sent, was_refused in self.history[before:] if sent >= since]
        refusals = sum(told)
        if refusals <= max(1, TOLERATED * len(told)) and len(told) < BATCH:
            return
        if refusals == 0:
            self.borne.append(delay)
        if delay == 0:
            following = FIRST if refusals else 0.0
        elif refusals > TOLERATED * len(told):
            following = min(LONGEST, 2 * delay)
        else:
            following = 1 / (1 / delay + INCREASE / (min(filter(None, self.borne), default=0) or delay))
        self.changes.append((now, following, len(self.history)))


def stream(concurrency, tells, every, burst, seed, answers):
    chance = random.Random(seed)
    reference = Reference()
    tokens, filled, next_turn, until, clock = float(burst), 0.0, 0.0, 0.0, 0.0
    under_way, waiting, rows = [], concurrency, []
    while len(rows) < answers:
        turn = max(clock, next_turn, until)
        if waiting > 0 and (not under_way or turn <= under_way[0][0]):
            waiting -= 1
            clock = asked = round(turn + 0.0005, 3)
            next_turn = asked + reference.delay
            latency = chance.expovariate(5) * (20 if chance.random() < 0.05 else 1)
            heapq.heappush(under_way, (round(asked + 0.01 + latency, 3), asked))
            continue
        clock, asked = heapq.heappop(under_way)
        waiting += 1
        # the host counts when the answer leaves it
        tokens, filled = min(burst, tokens + (clock - filled) / every), clock
        refused = tokens < 1
        if not refused:
            tokens -= 1
        pause = round((1 - tokens) * every, 1) if refused and tells else None
        reference.note(asked, clock, refused)
        if pause is not None:
            until = max(until, clock + pause)
        rows.append([asked, clock, 429 if refused else 200, pause, reference.delay])
    return {"concurrency": concurrency, "events": rows}


if __name__ == "__main__":
    seeds = iter(range(1, 100))
    streams = [
        stream(concurrency, tells, 3, 10, next(seeds), 260) for concurrency in (1, 4, 16, 32) for tells in (False, True)
    ]
    now = 784_111_700
    dates = [
        ["120", 120],
        [" 7 ", 7],
        ["1.5", 1.5],
        ["0", 0],
        ["99999999999999999999", LONGEST],
        ["Sun, 06 Nov 1994 08:49:37 GMT", 77],
        ["Sunday, 06-Nov-94 08:49:37 GMT", 77],
        ["Sun Nov  6 08:49:37 1994", 77],
        ["Sun, 06 Nov 1994 08:00:00 GMT", 0],
        ["Mon, 01 Jan 99999999999999999999 00:00:00 GMT", None],
        ["-3", None],
        ["²", None],
        ["soon", None],
        ["", None],
    ]
    print("{")
    print(' "source": "scripts/reference/host_delays.py",')
    print(' "columns": ["asked", "answered", "status", "Retry-After in seconds or null", "delay after it"],')
    print(f' "retryAfter": {json.dumps({"now": now, "cases": dates}, ensure_ascii=False)},')
    print(' "streams": [\n  ' + ",\n  ".join(json.dumps(each, separators=(",", ":")) for each in streams) + "\n ]")
    print("}")
