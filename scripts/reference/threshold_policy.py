"""Reference values for test/fixtures/threshold-policy.json: python3 scripts/reference/threshold_policy.py

The costs of Tables 1 to 5 of Avrachenkov, Dudin, Klimenok, Nain and Semenova (2012): every mode alone, and in Tables 1 and
5 the best thresholds of every subset of modes, all of them tried. Inputs and the names of the cells are read from the
fixture, the values are computed afresh. The queue stands here state by state, (0, v) when it is empty and (i, v, m) with i
pages; its stationary law by Grassmann, Taksar and Heyman's elimination in plain doubles, from the longest queue down; the
mean response time from what becomes of a page that finds j others and the service in phase m, one small system each j.
The obsolescence of the main example is exponential in its two phases (each ends at the same rate), so one rate does.
Cells that this program does not print (thresholds of long queues, quantities of Figure 4 with two phases of obsolescence)
have no reference but the tests' own dense queue.
"""
import itertools
import json
import os

fixture = os.path.join(os.path.dirname(__file__), "..", "..", "test", "fixtures", "threshold-policy.json")


class Queue:
    def __init__(self, modes, service, theta, capacity, costs):
        self.modes, self.capacity, self.theta, self.costs = modes, capacity, theta, costs
        self.initial, self.generator = service["initial"], service["generator"]
        self.exits = [-sum(row) for row in self.generator]
        self.w, self.m = len(modes[0][0]), len(self.initial)
        self.served, self.time = self.pages()
        self.known = {}

    def number(self, i, v, m):
        return v if i == 0 else self.w + ((i - 1) * self.w + v) * self.m + m

    def moves(self, i, v, m, mode):
        for size, matrix in enumerate(self.modes[mode]):
            for to, rate in enumerate(matrix[v]):
                if rate <= 0 or (size == 0 and to == v):
                    continue
                up = min(size, self.capacity - i)
                if i > 0 or up == 0:
                    yield rate, self.number(i + up, to, m)
                else:
                    for start, share in enumerate(self.initial):
                        yield rate * share, self.number(up, to, start)
        if i == 0:
            return
        for to, rate in enumerate(self.generator[m]):
            if to != m and rate > 0:
                yield rate, self.number(i, v, to)
        if i == 1:
            yield self.exits[m], self.number(0, v, 0)
            return
        for start, share in enumerate(self.initial):
            yield self.exits[m] * share, self.number(i - 1, v, start)
        yield (i - 1) * self.theta, self.number(i - 1, v, m)

    def states(self):
        for v in range(self.w):
            yield 0, v, 0
        for i in range(1, self.capacity + 1):
            for v in range(self.w):
                for m in range(self.m):
                    yield i, v, m

    def stationary(self, policy):
        states = list(self.states())
        out, into = [dict() for _ in states], [dict() for _ in states]

        def add(a, b, rate):
            if a != b and rate > 0:
                out[a][b] = out[a].get(b, 0.0) + rate
                into[b][a] = out[a][b]

        for a, (i, v, m) in enumerate(states):
            for rate, b in self.moves(i, v, m, policy[i]):
                add(a, b, rate)
        for last in range(len(states) - 1, 0, -1):
            pivot = sum(rate for b, rate in out[last].items() if b < last)
            for a in [a for a in into[last] if a < last]:
                share = out[a][last] / pivot
                for b, rate in out[last].items():
                    if b < last:
                        add(a, b, share * rate)
                out[a][last] = share
        law = [1.0]
        for k in range(1, len(states)):
            law.append(sum(law[a] * out[a][k] for a in into[k] if a < k))
            if law[k] > 1e200:
                law = [x / law[k] for x in law]
        total = sum(law)
        return states, [x / total for x in law]

    def pages(self):
        """Chance of being served, and mean time on that event, of a page that finds j others and phase m."""
        served, time = [[1.0] * self.m], []
        for j in range(self.capacity):
            a = [[-rate for rate in row] for row in self.generator]
            for m in range(self.m):
                a[m][m] += j * self.theta
            if j > 0:
                begun = sum(b * x for b, x in zip(self.initial, served[j - 1]))
                served.append(solve(a, [e * begun + (j - 1) * self.theta * served[j - 1][m] for m, e in enumerate(self.exits)]))
                ahead = sum(b * x for b, x in zip(self.initial, time[j - 1]))
                right = [e * ahead + (j - 1) * self.theta * time[j - 1][m] for m, e in enumerate(self.exits)]
            else:
                right = [0.0] * self.m
            time.append(solve(a, [right[m] + served[j][m] for m in range(self.m)]))
        return served, time

    def cost(self, policy):
        if policy in self.known:
            return self.known[policy]
        states, law = self.stationary(policy)
        lost = expired = empty = crawlers = joined = waited = 0.0
        for (i, v, m), share in zip(states, law):
            mode = policy[i]
            crawlers += share * (mode + 1)
            empty += share * (i == 0)
            expired += share * max(0, i - 1) * self.theta
            phases = enumerate(self.initial) if i == 0 else [(m, 1.0)]
            for size, matrix in enumerate(self.modes[mode]):
                if size == 0:
                    continue
                rate = share * sum(matrix[v])
                up = min(size, self.capacity - i)
                lost += rate * (size - up)
                for phase, weight in (phases if i > 0 else list(enumerate(self.initial))):
                    for j in range(i, i + up):
                        joined += rate * weight * self.served[j][phase]
                        waited += rate * weight * self.time[j][phase]
        c = self.costs
        value = c["loss"] * lost + c["obsolescence"] * expired + c["response"] * waited / joined
        self.known[policy] = value + c["crawler"] * crawlers + c["starvation"] * empty
        return self.known[policy]

    def best(self, subset):
        """The least cost of thresholds 0..K-1 that do not fall, the most active mode first."""
        levels = range(self.capacity + 1)
        down = sorted(subset, reverse=True)
        vectors = itertools.combinations_with_replacement(range(self.capacity), len(down) - 1)
        return min(self.cost(tuple(down[sum(i > j for j in vector)] for i in levels)) for vector in vectors)


def solve(a, right):
    n = len(right)
    rows = [list(a[i]) + [right[i]] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    x = [0.0] * n
    for k in range(n - 1, -1, -1):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def scaled(matrix, factor):
    return [[rate * factor for rate in row] for row in matrix]


stored = json.load(open(fixture))
example, real = stored["example"], stored["realData"]
theta = -sum(example["obsolescence"]["generator"][0])
total = sum(real["batchSizes"])
flow = [[0.0] * len(real["A"]) for _ in real["A"]]
for i, row in enumerate(real["A"]):
    flow[i][i] = -sum(row)
processes = [[scaled(flow, r)] + [scaled(real["A"], r * d / total) for d in real["batchSizes"]] for r in real["factors"]]


def queue_of(table, row):
    service = example["service"]
    if table == "5":
        return Queue(processes, real["service"], real["obsolescenceRate"], real["capacity"], real["costs"])
    speed = float(row) if table == "3" else 1.0
    service = {"initial": service["initial"], "generator": scaled(service["generator"], speed)}
    capacity = int(row) if table == "2" else example["capacity"]
    rate = theta * (float(row) if table == "4" else 1.0)
    return Queue(example["modes"], service, rate, capacity, example["costs"])


cells, queues = {}, {}
for position, cell in enumerate(stored["cells"]):
    table, row, column = cell["table"], cell["row"], cell["col"]
    alone = table in ("2", "3", "4") and column in ("C1", "C2", "C3", "C4")
    subset = table in ("1", "5") and column == "C"
    if not alone and not subset:
        continue
    name = (table, row if alone else None)
    queue = queues.setdefault(name, None) or queue_of(table, row)
    queues[name] = queue
    modes = [int(column[1]) - 1] if alone else [int(mode) - 1 for mode in str(row).split(",")]
    if len(modes) == 1:
        value = queue.cost(tuple(modes * (queue.capacity + 1)))
    elif table == "5" and len(modes) > 2:
        continue
    else:
        value = queue.best(modes)
    cells[str(position)] = {"value": value}
print(json.dumps({"cells": cells}))
