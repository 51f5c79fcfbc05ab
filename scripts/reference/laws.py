"""Reference values for test/fixtures/laws.json, computed once: python3 scripts/reference/laws.py > test/fixtures/laws.json

mpmath 1.3.0 with 60 digits (200 for matrix exponentials); every value from a formula or an integral of its own, none shared with src/.
"""
import json
import sys

from mpmath import mp, mpf, exp, log, gamma, gammainc, expint, erfc, sqrt, quad, linspace, inf, matrix, expm, eye, lu_solve, expm1, pi

mp.dps = 60
T = ["1e-14", "1e-9", "1e-4", "0.03", "0.3", "0.9", "1", "1.1", "3", "30", "1e4", "1e9", "1e14"]
S = ["1e-14", "1e-6", "1e-2", "0.3", "1", "5", "100", "1e6", "1e14"]


def gamma_law(k, r):
    k, r = mpf(k), mpf(r)
    return dict(
        mean=k / r, second=k * (k + 1) / r**2,
        survival=lambda t: gammainc(k, r * t, inf, regularized=True),
        tm=lambda t: t * gammainc(k, r * t, inf, regularized=True) + k / r * gammainc(k + 1, 0, r * t, regularized=True),
        tm2=lambda t: t**2 * gammainc(k, r * t, inf, regularized=True) + k * (k + 1) / r**2 * gammainc(k + 2, 0, r * t, regularized=True),
        laplace=lambda s: (r / (r + s)) ** k,
    )


def hyper(ps, rs):
    ps, rs = [mpf(p) for p in ps], [mpf(r) for r in rs]
    mix = lambda f: sum(p * f(r) for p, r in zip(ps, rs))
    return dict(
        mean=mix(lambda r: 1 / r), second=mix(lambda r: 2 / r**2), survival=lambda t: mix(lambda r: exp(-r * t)),
        tm=lambda t: mix(lambda r: (1 - exp(-r * t)) / r),
        tm2=lambda t: mix(lambda r: 2 * (1 - exp(-r * t) * (1 + r * t)) / r**2),
        laplace=lambda s: mix(lambda r: r / (r + s)),
    )


def uniform(a, b):
    a, b = mpf(a), mpf(b)
    surv = lambda t: mpf(1) if t <= a else mpf(0) if t >= b else (b - t) / (b - a)
    upto = lambda t, n: t**n if t <= a else ((min(t, b) ** (n + 1) - a ** (n + 1)) / (n + 1) / (b - a) + t**n * surv(t))
    return dict(mean=(a + b) / 2, second=(a * a + a * b + b * b) / 3, survival=surv, tm=lambda t: upto(t, 1), tm2=lambda t: upto(t, 2),
                laplace=lambda s: (exp(-s * a) - exp(-s * b)) / (s * (b - a)))


def around(log_f, low, high, peak, width):
    """Integral of exp(log_f) over [low, high]: Gauss-Legendre on panels of the given width, scaled by the peak so that quad's absolute error is relative."""
    top = log_f(peak)
    f = lambda z: exp(log_f(z) - top)
    total, z = mpf(0), peak
    for step in (width, -width):
        z = peak
        while low < z < high or z == peak:
            part = abs(quad(f, [z, z + step], method="gauss-legendre", maxdegree=4))
            total += part
            z += step
            if part < mpf(10) ** -40 * total:
                break
    return total * exp(top)


def lognormal(mu, sigma):
    mu, sigma = mpf(mu), mpf(sigma)
    phi = lambda z: erfc(-z / sqrt(2)) / 2
    z = lambda t: (log(t) - mu) / sigma
    def transform(s):
        g = lambda x: -x * x / 2 - s * exp(mu + sigma * x)
        x = mpf(0)
        for _ in range(400):
            step = (-x - sigma * s * exp(mu + sigma * x)) / (1 + sigma**2 * s * exp(mu + sigma * x))
            x += step
            if abs(step) < 1e-20:
                break
        return around(g, x - 60, x + 60, x, 1 / (2 * max(1, sigma))) / sqrt(2 * pi)
    def complement(s):
        g = lambda x: -x * x / 2 + log(-expm1(-s * exp(mu + sigma * x)))
        return around(g, mpf(-40), sigma + 40, sigma / 2, 1 / (2 * max(1, sigma))) / sqrt(2 * pi)
    return dict(
        mean=exp(mu + sigma**2 / 2), second=exp(2 * mu + 2 * sigma**2), survival=lambda t: phi(-z(t)),
        tm=lambda t: t * phi(-z(t)) + exp(mu + sigma**2 / 2) * phi(z(t) - sigma),
        tm2=lambda t: t * t * phi(-z(t)) + exp(2 * mu + 2 * sigma**2) * phi(z(t) - 2 * sigma), laplace=transform, complement=complement)


def weibull(k, b):
    k, b = mpf(k), mpf(b)
    def transform(s):
        g = lambda u: u - exp(u) - s * b * exp(u / k)
        lo, hi = mpf(-100000), mpf(10)
        for _ in range(300):
            m = (lo + hi) / 2
            if 1 - exp(m) - s * b / k * exp(m / k) > 0: lo = m
            else: hi = m
        return around(g, lo - 400, lo + 400, lo, min(1, k) / 2)
    def complement(s):
        g = lambda u: u - exp(u) + log(-expm1(-s * b * exp(u / k)))
        return around(g, mpf(-400), mpf(8), mpf(0), min(1, k) / 2)
    part = lambda n, t: b**n * (n / k) * gammainc(n / k, 0, (t / b) ** k)
    return dict(mean=b * gamma(1 + 1 / k), second=b * b * gamma(1 + 2 / k), survival=lambda t: exp(-((t / b) ** k)), tm=lambda t: part(mpf(1), t),
                tm2=lambda t: part(mpf(2), t), laplace=transform, complement=complement)


def exponential_integral(p, x):
    """E_p(x); expint cancels by hundreds of digits for large p."""
    mp.dps, before = 500, mp.dps
    try: return +expint(p, x)
    finally: mp.dps = before


def pareto(a, b):
    a, b = mpf(a), mpf(b)
    def upto(t, n):
        if t <= b: return t**n
        return b**n * (1 + n * (log(t / b) if a == n else ((t / b) ** (n - a) - 1) / (n - a)))
    return dict(mean=a * b / (a - 1), second=a * b * b / (a - 2) if a > 2 else None, survival=lambda t: mpf(1) if t <= b else (b / t) ** a,
                tm=lambda t: upto(t, 1), tm2=lambda t: upto(t, 2), laplace=lambda s: a * exponential_integral(a + 1, s * b))


def lomax(a, b):
    a, b = mpf(a), mpf(b)
    w = lambda t: 1 + t / b
    power = lambda c, t: log(w(t)) if c == 0 else (w(t) ** c - 1) / c
    return dict(mean=b / (a - 1), second=2 * b * b / ((a - 1) * (a - 2)) if a > 2 else None, survival=lambda t: w(t) ** -a, tm=lambda t: b * power(1 - a, t),
                tm2=lambda t: 2 * b * b * (power(2 - a, t) - power(1 - a, t)), laplace=lambda s: a * exp(s * b) * exponential_integral(a + 1, s * b))


def phase_type(initial, generator):
    n = len(initial)
    beta = [mpf(p) for p in initial]
    A = matrix([[mpf(x) for x in row] for row in generator])
    ones = matrix([1] * n)
    dot = lambda v: sum(beta[i] * v[i] for i in range(n))
    m1 = lu_solve(-A, ones)
    m2 = lu_solve(-A, m1)
    E = lambda t: expm(A * t, method="taylor") if t * max(abs(A[i, i]) for i in range(n)) < 1e5 else None
    def wrap(f):
        def g(t):
            mp.dps = 200
            try:
                e = E(t)
                return None if e is None else f(t, e)
            finally:
                mp.dps = 60
        return g
    def tm2(t, e):
        v = lu_solve(A, e * ones) * t - lu_solve(A, lu_solve(A, (e - eye(n)) * ones))
        return 2 * dot(v)
    exit = -(A * ones)
    return dict(mean=dot(m1), second=2 * dot(m2), survival=wrap(lambda t, e: dot(e * ones)), tm=wrap(lambda t, e: dot(lu_solve(-A, (eye(n) - e) * ones))),
                tm2=wrap(tm2), laplace=lambda s: dot(lu_solve(eye(n) * s - A, exit)), complement=lambda s: s * dot(lu_solve(eye(n) * s - A, ones)))


def empirical(values):
    v = [mpf(x) for x in values]
    mix = lambda f: sum(f(x) for x in v) / len(v)
    return dict(mean=mix(lambda x: x), second=mix(lambda x: x * x), survival=lambda t: mix(lambda x: mpf(1 if x > t else 0)), tm=lambda t: mix(lambda x: min(x, t)),
                tm2=lambda t: mix(lambda x: min(x, t) ** 2), laplace=lambda s: mix(lambda x: exp(-s * x)))


CASES = []
def case(d, law): CASES.append((d, law))


for r in [1e-9, 0.7, 1e9]:
    case(dict(type="exponential", rate=r), gamma_law(1, r))
case(dict(type="deterministic", value=2.5), empirical([2.5]))
for k in [2, 200]:
    case(dict(type="erlang", shape=k, rate=3e5), gamma_law(k, 3e5))
for k in [0.05, 0.5, 1.3, 14.7, 200]:
    case(dict(type="gamma", shape=k, rate=1e-9), gamma_law(k, 1e-9))
case(dict(type="hyperexponential", probabilities=[0.25, 0.75], rates=[0.0014, 0.2409]), hyper([0.25, 0.75], [0.0014, 0.2409]))
case(dict(type="hyperexponential", probabilities=[0.125, 0.875], rates=[1e-9, 1e9]), hyper([0.125, 0.875], [1e-9, 1e9]))
case(dict(type="uniform", min=0, max=3), uniform(0, 3))
case(dict(type="uniform", min=1, max=1.001), uniform(1, 1.001))
for m, s in [(0, 1), (-20, 0.05), (3, 4), (20, 0.5)]:
    case(dict(type="lognormal", mu=m, sigma=s), lognormal(m, s))
for k in [0.05, 0.4, 0.9, 2, 30, 200]:
    case(dict(type="weibull", shape=k, scale=7), weibull(k, 7))
for a in [1.05, 1.5, 2, 2.5, 3, 40, 200]:
    case(dict(type="pareto", shape=a, scale=1e-6), pareto(a, 1e-6))
for a in [1.05, 1.5, 2, 2.001, 3, 3.7, 40, 200]:
    case(dict(type="lomax", shape=a, scale=5e6), lomax(a, 5e6))
case(dict(type="phase-type", initial=[0.25, 0.75], generator=[[-3, 1], [2, -3]]), phase_type([0.25, 0.75], [[-3, 1], [2, -3]]))
case(dict(type="phase-type", initial=[1, 0, 0], generator=[[-2, 2, 0], [0, -2, 2], [0, 0, -2]]), phase_type([1, 0, 0], [[-2, 2, 0], [0, -2, 2], [0, 0, -2]]))
case(dict(type="phase-type", initial=[0.5, 0.5], generator=[[-1024, 512], [0, -0.0009765625]]), phase_type([0.5, 0.5], [[-1024, 512], [0, -0.0009765625]]))
case(dict(type="empirical", values=[0.001, 0.2, 0.2, 5, 40]), empirical([0.001, 0.2, 0.2, 5, 40]))

def number(x):
    if x is None: return None
    x = float(x)
    return x if abs(x) >= 1e-290 and x == x and abs(x) < 1e308 else (0.0 if abs(x) < 1e-290 else None)

out = []
for d, law in CASES:
    mean = law["mean"]
    laplace = law["laplace"]
    complement = law.get("complement", lambda s: 1 - laplace(s))
    def precise(f, x):
        mp.dps = 90
        try: return f(x)
        finally: mp.dps = 60
    points = []
    for t in T:
        x = mpf(float(mpf(t) * mean))  # exactly the double that the test will use
        points.append([float(x), number(precise(law["survival"], x)), number(precise(law["tm"], x)), number(precise(law["tm2"], x))])
    transforms = []
    for s in S:
        x = mpf(float(mpf(s) / mean))
        transforms.append([float(x), number(laplace(x)), number(precise(complement, x))])
    out.append(dict(distribution=d, mean=number(mean), secondMoment=number(law["second"]), points=points, transforms=transforms))
    print(d, file=sys.stderr)
print("{\n \"source\": \"scripts/reference/laws.py: mpmath 1.3.0, 60 digits or more; points are [t, survival, E min(X,t), E min(X,t)^2], transforms [s, E exp(-sX), its complement]; 0 stands for less than 1e-290\",\n \"cases\": [")
print(",\n".join("  " + json.dumps(c) for c in out))
print(" ]\n}")
