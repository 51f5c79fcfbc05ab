"""Reference values for test/fixtures/crawl-allocation-gains.json: python3 scripts/reference/crawl_allocation_gains.py

mpmath 1.3.0 with 90 digits. Staleness A(x) and gain A(x) - A(x+1) from the definition, nothing shared with src/: with
H(t) = (t E min(X,t) - E min(X,t)^2 / 2)/E X a page never crawled has A(x) = x H(T/x)/T, one crawled a ago ((x+1) H((T+a)/(x+1)) - H(a))/T
while x a <= T, and x H(T/x)/T beyond.
"""
import json

from mpmath import mp, mpf, exp, log, gamma, gammainc, erfc, sqrt, expm1

mp.dps = 90
INTERVALS = [2.0**-46, 2.0**-20, 0.125, 1.0, 4.0, 32.0, 1024.0, 2.0**20]
AGES = [None, 0.0, 0.109375, 0.40625, 2.5]
CRAWLS = [0, 1, 2, 9, 300]
lower = lambda a, x: gammainc(a, 0, x)
phi = lambda z: erfc(-z / sqrt(2)) / 2



def law(d):
    """E X, and E min(X,t), E min(X,t)^2 as functions of t."""
    kind = d["type"]
    get = lambda key: mpf(d[key])
    if kind == "exponential":
        r = get("rate")
        return 1 / r, lambda t: -expm1(-r * t) / r, lambda t: 2 * (1 - exp(-r * t) * (1 + r * t)) / r**2
    if kind == "lomax":
        a, b = get("shape"), get("scale")
        power = lambda c, t: log(1 + t / b) if c == 0 else ((1 + t / b) ** c - 1) / c
        return b / (a - 1), lambda t: b * power(1 - a, t), lambda t: 2 * b * b * (power(2 - a, t) - power(1 - a, t))
    if kind == "weibull":
        k, s = get("shape"), get("scale")
        return s * gamma(1 + 1 / k), lambda t: s / k * lower(1 / k, (t / s) ** k), lambda t: 2 * s * s / k * lower(2 / k, (t / s) ** k)
    if kind == "gamma":
        k, r = get("shape"), get("rate")
        upper = lambda c, x: gammainc(c, x) / gamma(c)
        below = lambda c, x: lower(c, x) / gamma(c)
        return k / r, lambda t: t * upper(k, r * t) + k / r * below(k + 1, r * t), \
            lambda t: t * t * upper(k, r * t) + k * (k + 1) / r**2 * below(k + 2, r * t)
    if kind == "lognormal":
        m, s = get("mu"), get("sigma")
        z = lambda t: (log(t) - m) / s
        return exp(m + s * s / 2), lambda t: t * phi(-z(t)) + exp(m + s * s / 2) * phi(z(t) - s), \
            lambda t: t * t * phi(-z(t)) + exp(2 * m + 2 * s * s) * phi(z(t) - 2 * s)
    if kind == "deterministic":
        v = get("value")
        return v, lambda t: min(t, v), lambda t: min(t, v) ** 2
    if kind == "uniform":
        a, b = get("min"), get("max")
        upto = lambda n, t: t**n if t <= a else ((min(t, b) ** (n + 1) - a ** (n + 1)) / (n + 1) + t**n * max(b - t, mpf(0))) / (b - a)
        return (a + b) / 2, lambda t: upto(1, t), lambda t: upto(2, t)
    if kind == "pareto":
        k, s = get("shape"), get("scale")
        upto = lambda n, t: t**n if t <= s else s**n + n * s**k * (t ** (n - k) - s ** (n - k)) / (n - k)
        return k * s / (k - 1), lambda t: upto(1, t), lambda t: upto(2, t)
    if kind == "hyperexponential":
        branches = [(mpf(p), law({"type": "exponential", "rate": r})) for p, r in zip(d["probabilities"], d["rates"])]
        mix = lambda f: sum(p * f(b) for p, b in branches)
        return mix(lambda b: b[0]), lambda t: mix(lambda b: b[1](t)), lambda t: mix(lambda b: b[2](t))
    values = [mpf(v) for v in d["values"]]
    mean = lambda f: sum(f(v) for v in values) / len(values)
    return mean(lambda v: v), lambda t: mean(lambda v: min(v, t)), lambda t: mean(lambda v: min(v, t) ** 2)


LAWS = [
    {"type": "exponential", "rate": 1.0}, {"type": "lomax", "shape": 1.25, "scale": 1.0}, {"type": "lomax", "shape": 2.0, "scale": 3.0},
    {"type": "lomax", "shape": 1.0009765625, "scale": 1.0}, {"type": "lomax", "shape": 9.5, "scale": 0.5},
    {"type": "weibull", "shape": 0.5, "scale": 1.0}, {"type": "weibull", "shape": 2.25, "scale": 1.0},
    {"type": "gamma", "shape": 0.5, "rate": 1.0}, {"type": "gamma", "shape": 3.75, "rate": 2.0},
    {"type": "lognormal", "mu": 0.25, "sigma": 0.5}, {"type": "lognormal", "mu": -1.0, "sigma": 1.5},
    {"type": "deterministic", "value": 1.5}, {"type": "uniform", "min": 0.5, "max": 2.0}, {"type": "pareto", "shape": 1.5, "scale": 1.0},
    {"type": "hyperexponential", "probabilities": [0.25, 0.75], "rates": [4.0, 0.5]},
    {"type": "empirical", "values": [0.5, 1.0, 1.0, 3.0, 8.0]},
]


def staleness(d):
    mean, first, second = law(d)

    def stale_time(t):
        return (t * first(t) - second(t) / 2) / mean if t > 0 else mpf(0)

    def of(interval, age, x):
        if age is not None and x * age <= interval:
            return ((x + 1) * stale_time((interval + age) / (x + 1)) - stale_time(age)) / interval
        return mpf(1) if x == 0 else x * stale_time(interval / x) / interval

    return of


def main():
    laws = []
    for d in LAWS:
        of = staleness(d)
        cases = []
        for interval in INTERVALS:
            for share in AGES:
                age = None if share is None else share * interval
                for x in CRAWLS:
                    exact = [mpf(interval), None if age is None else mpf(age)]
                    here = of(*exact, x)
                    cases.append([interval, age, x, float(here), float(here - of(*exact, x + 1))])
        laws.append({"distribution": d, "cases": cases})
    print(json.dumps({"laws": laws}))


main()
