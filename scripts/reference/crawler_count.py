"""Reference values for Table 1.1 in test/fixtures/crawler-count.json: python3 scripts/reference/crawler_count.py

mpmath, 60 digits: the cost of every count up to twice the one at which the load is 1 and ten more, from the sums of powers
of (1.3) as they stand; the real minimiser by bisection of the slope's sign. The inputs are read from the fixture.
"""
import json
import os

from mpmath import mp, mpf

mp.dps = 60
fixture = os.path.join(os.path.dirname(__file__), "..", "..", "test", "fixtures", "crawler-count.json")


def cost(load, row):
    powers = [load**k for k in range(row["K"] + 1)]
    total = sum(powers)
    return mpf(row["gamma"]) / total + load * mpf(row["mu"]) * powers[-1] / total


def best_load(row):
    low, high = mpf("1e-6"), mpf(100)
    for _ in range(300):
        third = (high - low) / 3
        if cost(low + third, row) <= cost(high - third, row):
            high -= third
        else:
            low += third
    return low


rows = []
with open(fixture) as file:
    for row in json.load(file)["table_1_1"]:
        if not isinstance(row["K"], int):
            rows.append({})  # an unlimited queue has a formula of its own
            continue
        ratio = mpf(row["lambda"]) / mpf(row["mu"])
        costs = [cost(n * ratio, row) for n in range(1, int(2 / ratio) + 10)]
        least = min(range(len(costs)), key=lambda n: costs[n])
        rows.append(dict(correct=least + 1, cost=float(costs[least]), cost_paper_N=float(cost(row["paper"] * ratio, row)),
                         rho_opt=float(best_load(row))))
print(json.dumps(dict(table_1_1=rows), indent=1))
