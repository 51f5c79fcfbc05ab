"""Reference values for test/fixtures/coffman-liu-weber.json: python3 scripts/reference/coffman_liu_weber.py (node scripts/reference/compare.ts compares)

mpmath 1.3.0 with 50 digits, from the formulas of Coffman, Liu & Weber (1997) with their errata; constant access times. Everything is
weighted by c = c0 mu, where the optima have closed forms. Positions in sequences count from 1 as in the papers.
"""
import json

from mpmath import mp, mpf, exp, log, sqrt, ceil, floor, frac

mp.dps = 50
PHI = (1 + sqrt(mpf(5))) / 2
VALUE, C0 = mpf("0.7"), mpf("1.56096769001")
MU = [mpf(m) for m in ["0.0587108609041", "0.315957150393", "0.304308267893", "0.0686635881264", "0.892230036638"]]
CYCLIC = [2, 3, 2, 4, 3, 3, 2, 5, 5, 3, 1, 3, 1, 1, 3]


def fibonacci(k):
    a, b = 0, 1
    for _ in range(1, k):
        a, b = b, a + b
    return b


def cycle_cost(sequence, weights, mu, value):
    """Sum of c r, r = 1 - sum(1 - h^d)/(K mu E X), d the distances around the cycle."""
    total = mpf(0)
    for page, (c, m) in enumerate(zip(weights, mu), 1):
        times = [t for t, at in enumerate(sequence) if at == page]
        fresh = sum(1 - exp(-m * value * (after - t)) for t, after in zip(times, times[1:] + [times[0] + len(sequence)])) if times else 0
        total += c * (1 - fresh / (len(sequence) * m * value))
    return total


def golden_limit(f, mu, value):
    """Sum of mu r in the limit of long cycles: distances F_j, F_{j+1}, F_{j+2} with j = ceil(log_phi(1/f))."""
    fresh = mpf(1)
    for x, m in zip(f, mu):
        j = int(ceil(log(1 / x) / log(PHI)))
        h = exp(-m * value)
        fresh -= (x - PHI**-j) * h ** fibonacci(j) + (x - PHI ** (-j - 1)) * h ** fibonacci(j + 1) - (x - PHI ** (-j + 1)) * h ** fibonacci(j + 2)
    return sum(mu) - fresh / value


def golden_cycle(f, index):
    cycle = fibonacci(index)
    counts = [int(floor(x * cycle)) for x in f]
    by_remainder = sorted(range(len(f)), key=lambda i: counts[i] - f[i] * cycle)
    for i in by_remainder[: cycle - sum(counts)]:
        counts[i] += 1
    owner = [page for page, n in enumerate(counts, 1) for _ in range(n)]
    order = sorted(range(1, cycle + 1), key=lambda j: frac(j / PHI))
    return counts, [owner[j - 1] for j in order]


def bound(mu, value):
    """(6): mu - (1 - exp(-mu E X))/E X for constant access times."""
    return sum(mu) - (1 - exp(-sum(mu) * value)) / value


def proposition7():
    mu, less, more = 1, [0] * 9 + [2], [1] * 9 + [2]

    def always(values):
        mean = mpf(sum(values)) / len(values)
        return 1 - (1 - sum(exp(-mpf(mu * v)) for v in values) / len(values)) / (mu * mean)

    return {"mu": mu, "less": less, "more": more, "rLess": float(always(less)), "rMore": float(always(more))}


def main():
    c = [C0 * m for m in MU]
    total = sum(MU)
    f = [m / total for m in MU]
    growth = [exp(m * VALUE) - 1 for m in MU]
    counts, sequence = golden_cycle(f, 8)
    equal = []
    for pages in (94, 76):
        value = mpf("0.05") / pages
        mu = [mpf(1)] * pages
        equal.append({"pages": pages, "value": float(value), "ratio": float(golden_limit([mpf(1) / pages] * pages, mu, value) / bound(mu, value))})
    gaps = []
    for mu, text in ((1, "0.6"), (2, "0.9")):
        h = mpf(text)
        gaps.append({"mu": mu, "h": float(h), "atZero": float(h / ((1 - h) * mu)), "atOne": float(h * (1 - h + log(h)) / mu)})
    clw = {
        "value": float(VALUE), "mu": [float(m) for m in MU], "c": [float(v) for v in c], "c0": float(C0),
        "lowerBound": float(C0 * bound(MU, VALUE)), "f": [float(x) for x in f],
        # what the next access saves: c0/E X (1 - (1 + s) exp(-s)) at s = mu E X for all
        "multiplier": float(C0 / VALUE * (1 - (1 + total * VALUE) * exp(-total * VALUE))),
        "random": float(C0 * (total - sum(growth) / (1 + sum(growth)) / VALUE)), "randomF": [float(g / sum(growth)) for g in growth],
        "golden": {"index": 8, "counts": counts, "cost": float(cycle_cost(sequence, c, MU, VALUE)), "sequence": sequence},
        "goldenLimit": float(C0 * golden_limit(f, MU, VALUE)),
        "cyclic": {"sequence": CYCLIC, "cost": float(cycle_cost(CYCLIC, c, MU, VALUE))},
    }
    print(json.dumps({"clw": clw, "goldenLimits": equal, "randomisedGaps": gaps, "proposition7": proposition7()}))


main()
