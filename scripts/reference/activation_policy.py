"""Reference values for test/fixtures/activation-policy.json: python3 scripts/reference/activation_policy.py

Evaluates the target levels of the fixture (its inputs and targets are read, its values computed afresh) in the chain as it
stands in Liu and Nain, section 1.2.2: states (q, r), arrivals at rate r*lambda, indexing at rate mu where q > 0, one more
crawler activated after an event when fewer than R[q] are active. The stationary law by Grassmann, Taksar and Heyman's
elimination of the recurrent class, in plain doubles, which it keeps to full precision. That no other targets cost less is
not computed here: test/solvers/activation-policy/dense-activation.ts does that for small queues.
"""
import json
import os

fixture = os.path.join(os.path.dirname(__file__), "..", "..", "test", "fixtures", "activation-policy.json")


def moves(state, row, targets):
    q, r = state
    full = row["capacity"]
    after = []
    if r > 0:
        up = min(q + 1, full)
        after.append((r * row["crawlerRate"], (up, r - 1 + (1 if r - 1 < targets[up] else 0))))
    if q > 0:
        after.append((row["indexingRate"], (q - 1, r + (1 if r < targets[q - 1] else 0))))
    return after


def reached(state, row, targets):
    seen, new = {state}, [state]
    while new:
        for _, there in moves(new.pop(), row, targets):
            if there not in seen:
                seen.add(there)
                new.append(there)
    return seen


def recurrent(row, targets):
    states = reached((0, targets[0]), row, targets)
    for state in sorted(states):
        smaller = reached(state, row, targets)
        if len(smaller) < len(states):
            states = smaller
    return sorted(states)


def stationary(states, row, targets):
    place = {state: k for k, state in enumerate(states)}
    n = len(states)
    rate = [[0.0] * n for _ in range(n)]
    for state in states:
        for speed, there in moves(state, row, targets):
            if there != state:
                rate[place[state]][place[there]] += speed
    for k in range(n - 1, 0, -1):
        out = sum(rate[k][:k])
        for i in range(k):
            rate[i][k] /= out
            if rate[i][k] > 0:
                for j in range(k):
                    if j != i:
                        rate[i][j] += rate[i][k] * rate[k][j]
    law = [1.0] + [0.0] * (n - 1)
    for k in range(1, n):
        law[k] = sum(law[i] * rate[i][k] for i in range(k))
    total = sum(law)
    return [p / total for p in law]


def evaluate(row, targets, gamma):
    states = recurrent(row, targets)
    law = stationary(states, row, targets)
    empty = sum(p for (q, _), p in zip(states, law) if q == 0)
    lost = sum(p * r * row["crawlerRate"] for (q, r), p in zip(states, law) if q == row["capacity"])
    active = [r for _, r in states]
    mean = sum(p * r for (_, r), p in zip(states, law))
    return dict(cost=gamma * empty + lost, starvationProbability=empty, lossRate=lost, minActive=min(active),
                meanActive=mean, maxActive=max(active))


with open(fixture) as file:
    stored = json.load(file)
out = {}
for table in ["figures", "table1.2", "table1.3"]:
    out[table] = [dict(exact=evaluate(row, row["exact"]["targets"], row.get("gammaUsedForDynamic", row["starvationWeight"])))
                  for row in stored[table]]
print(json.dumps(out, indent=1))
