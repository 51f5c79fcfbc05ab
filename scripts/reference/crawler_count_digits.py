"""Reference values for test/fixtures/crawler-count-digits.json, computed once:
python3 scripts/reference/crawler_count_digits.py > test/fixtures/crawler-count-digits.json

mpmath 1.3.0, 80 digits. M/M/1/K from (1.3)-(1.4) with powers taken as they stand, the continuous minimiser by bisection of the derivative of
(1.4); M/G/1/K from the textbook: the full transition matrix of the chain at departures with P(A = j) by integration, solved by LU.
"""
import json
import sys

from mpmath import mp, mpf, exp, log, gamma, quad, inf, matrix, lu_solve, factorial, sqrt, pi, expm

mp.dps = 80


def f(x):
    return float(x)


def exponential():
    rows = []
    for lam, mu, K, g, N in [
        (0.01, 1, 2, 0.1, 20), (0.01, 1, 2, 0.1, 1), (0.01, 1, 2, 0.1, 5000), (0.3, 1, 10**9, 1, 3), (0.3, 1, 10**9, 1, 4), (1e-9, 1, 10**9, 1e-12, 999999969),
        (1e-9, 1, 10**9, 1e12, 1000000031), (1e-9, 1, 10**9, 1.5, 10**9), (1e-9, 1, 10**9, 1.5, 10**9 + 1), (0.1, 0.7, 10**9, 2, 7), (1e-3, 3, 10**6, 1e-12, 2999),
        (1e-3, 3, 10**6, 1e12, 3001), (7e-5, 0.0031, 1000, 0.002, 44), (7e-5, 0.0031, 1000, 0.002, 45), (0.37, 11, 50, 30, 31), (2, 1, 1, 5, 3),
    ]:
        l, m, gg = mpf(lam), mpf(mu), mpf(g)
        rho = N * l / m
        if rho == 1:
            p0 = pk = mpf(1) / (K + 1)
            length = mpf(K) / 2
        else:
            mp.dps = 120
            p0 = (1 - rho) / (1 - rho ** (K + 1))
            pk = p0 * rho**K
            length = rho / (1 - rho) - (K + 1) * rho ** (K + 1) / (1 - rho ** (K + 1))
            mp.dps = 80
        # the minimiser over real loads: P0 = p(x), x = ln rho; dC/drho = 0 by bisection on x
        n = K + 1
        mp.dps = 120
        def slope(x):
            r = exp(x)
            if r == 1: return None
            q = r**n
            d = (-(1 - q) + (1 - r) * n * q / r) / (1 - q) ** 2
            return (gg + m) * d + m
        lo, hi = mpf(-60), mpf(61)
        lo, hi = max(lo, mpf(-10**6) / n), min(hi, mpf(1000003) / n)
        for _ in range(330):
            mid = (lo + hi) / 2
            v = slope(mid)
            if v is None: lo = hi = mid; break
            if v < 0: lo = mid
            else: hi = mid
        star = exp(lo)
        mp.dps = 80
        rows.append(dict(crawlerRate=lam, rate=mu, capacity=K, starvationWeight=g, crawlers=N, starvationProbability=f(p0), lossProbability=f(pk),
                         meanQueueLength=f(length), cost=f(gg * p0 + N * l * pk), optimalLoad=f(star)))
    return rows


def peaks(low, high, around):
    points = {mpf(low), mpf(high)}
    for c in around:
        for j in range(-8, 9):
            x = c * mpf(2) ** j
            if low < x < high: points.add(x)
    return sorted(points)


def arrivals(d, rate, K):
    """P(A = j), j < K, and the mean of the law."""
    t = d["type"]
    R = mpf(rate)
    pois = lambda j, v: exp(-v) * v**j / factorial(j)
    if t in ("deterministic", "empirical"):
        values = [mpf(v) for v in d.get("values", [d.get("value")])]
        return [sum(pois(j, R * v) for v in values) / len(values) for j in range(K)], sum(values) / len(values)
    if t == "hyperexponential":
        ps, rs = [mpf(p) for p in d["probabilities"]], [mpf(r) for r in d["rates"]]
        return [sum(p * r / (R + r) * (R / (R + r)) ** j for p, r in zip(ps, rs)) for j in range(K)], sum(p / r for p, r in zip(ps, rs))
    if t == "phase-type":
        n = len(d["initial"])
        A = matrix([[mpf(x) for x in row] for row in d["generator"]])
        exit = -(A * matrix([1] * n))
        beta = [mpf(p) for p in d["initial"]]
        I = mp.eye(n)
        v, out = exit, []
        for j in range(K):
            v = lu_solve(R * I - A, v)
            out.append(sum(beta[i] * v[i] for i in range(n)) * R**j)
        m = lu_solve(-A, matrix([1] * n))
        return out, sum(beta[i] * m[i] for i in range(n))
    if t == "uniform":
        a, b = mpf(d["min"]), mpf(d["max"])
        density, low, high, mean = (lambda x: 1 / (b - a)), a, b, (a + b) / 2
    elif t == "gamma":
        k, r = mpf(d["shape"]), mpf(d["rate"])
        return [gamma(k + j) / gamma(k) / factorial(j) * (r / (r + R)) ** k * (R / (r + R)) ** j for j in range(K)], k / r
    elif t == "lognormal":
        m, s = mpf(d["mu"]), mpf(d["sigma"])
        density, low, high, mean = (lambda x: exp(-((log(x) - m) / s) ** 2 / 2) / (x * s * sqrt(2 * pi))), mpf(0), inf, exp(m + s * s / 2)
    elif t == "weibull":
        k, b = mpf(d["shape"]), mpf(d["scale"])
        density, low, high, mean = (lambda x: k / x * (x / b) ** k * exp(-((x / b) ** k))), mpf(0), inf, b * gamma(1 + 1 / k)
    elif t == "pareto":
        a, b = mpf(d["shape"]), mpf(d["scale"])
        density, low, high, mean = (lambda x: a / x * (b / x) ** a), b, inf, a * b / (a - 1)
    elif t == "lomax":
        a, b = mpf(d["shape"]), mpf(d["scale"])
        density, low, high, mean = (lambda x: a / b * (1 + x / b) ** (-a - 1)), mpf(0), inf, b / (a - 1)
    mp.dps = 40
    # on a logarithmic axis, in panels
    lo = log(low) if low > 0 else log(mean) - 130
    hi = log(high) if high != inf else log(mean / R + (K + 400) / R + 100 * mean)
    steps = 160
    cuts = [lo + (hi - lo) * i / steps for i in range(steps + 1)]
    out = []
    on_log = lambda j: (lambda u: pois(j, R * exp(u)) * density(exp(u)) * exp(u))
    linear = lambda j: (lambda x: pois(j, R * x) * density(x))
    if t == "weibull" and k > 1: cuts = [mpf(i) / 20 for i in range(121)]  # all but e^-216 of the mass, for scale 1
    if t == "uniform": cuts = [a + (b - a) * i / 20 for i in range(21)]
    g = linear if t == "uniform" or t == "weibull" and k > 1 else on_log
    for j in range(K):
        out.append(sum(quad(g(j), [cuts[i], cuts[i + 1]], method="gauss-legendre", maxdegree=4) for i in range(len(cuts) - 1)))
    mp.dps = 80
    return out, mean


def general():
    rows = []
    laws = [
        dict(type="deterministic", value=1), dict(type="empirical", values=[0.25, 0.5, 4]), dict(type="hyperexponential", probabilities=[0.25, 0.75], rates=[0.25, 3]),
        dict(type="phase-type", initial=[0.25, 0.75], generator=[[-3, 1], [2, -3]]), dict(type="gamma", shape=0.5, rate=0.5), dict(type="gamma", shape=3, rate=3),
        dict(type="uniform", min=0.5, max=1.5), dict(type="lognormal", mu=-0.5, sigma=1), dict(type="weibull", shape=0.5, scale=0.5), dict(type="weibull", shape=3, scale=1),
        dict(type="pareto", shape=1.5, scale=0.25), dict(type="lomax", shape=2.5, scale=1.5),
    ]
    for d in laws:
        for rate, K in [(0.9, 12), (1.6, 6), (0.02, 8), (6, 3)]:
            a, mean = arrivals(d, rate, K)
            n = K
            # states left behind at departures 0..K-1
            P = matrix(n, n)
            for i in range(n):
                room = K - max(i, 1)  # places free at the start of the service
                for j in range(max(i, 1) - 1, n):
                    k = j - (max(i, 1) - 1)
                    P[i, j] = a[k] if k < room else 1 - sum(a[:room])
            A = P.T - mp.eye(n)
            for j in range(n): A[n - 1, j] = 1
            b = matrix(n, 1)
            b[n - 1] = 1
            q = lu_solve(A, b)
            rho = mpf(rate) * mean
            w = q[0] + rho
            pk = 1 - 1 / w
            rows.append(dict(distribution=d, rate=rate, capacity=K, starvationProbability=f(q[0] / w), lossProbability=f(pk),
                             meanQueueLength=f(sum(i * q[i] for i in range(n)) / w + K * pk)))
        print(d, file=sys.stderr)
    return rows


print("{\n \"source\": \"scripts/reference/crawler_count_digits.py: mpmath 1.3.0, 80 digits\",\n \"exponential\": [")
print(",\n".join("  " + json.dumps(r) for r in exponential()))
print(" ],\n \"general\": [")
print(",\n".join("  " + json.dumps(r) for r in general()))
print(" ]\n}")
