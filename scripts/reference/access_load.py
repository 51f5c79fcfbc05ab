"""Reference values for test/fixtures/access-load.json: python3 scripts/reference/access_load.py (node scripts/reference/compare.ts compares)

mpmath 1.3.0 with 60 digits. For an access time X and a rate s: the load L = -ln E exp(-sX) and the excess s E X - L, straight from
the definitions. Transforms in closed form, but for lognormal and Weibull laws: there the trapezoidal rule on the line.
"""
import json

from mpmath import mp, mpf, exp, log, gamma, expint, matrix, lu_solve, eye

mp.dps = 60
RATES = ["1e-14", "1e-7", "1e-3", "0.05", "0.7", "6", "300", "20000"]


def line(density, transform, low, high, per_unit):
    """Integral of density times transform over the line by the trapezoidal rule."""
    return sum(density(mpf(k) / per_unit) * transform(mpf(k) / per_unit) for k in range(low * per_unit, high * per_unit + 1)) / per_unit


def phase_type(initial, generator):
    n = len(initial)
    alpha, t = matrix([initial]), matrix(generator)
    ones = matrix([1] * n)
    return (alpha * lu_solve(-t, ones))[0], lambda s: 1 - s * (alpha * lu_solve(s * eye(n) - t, ones))[0]


def law(d):
    """Mean and transform of a law as the contract writes it."""
    p = {key: [mpf(v) for v in value] if isinstance(value, list) and not isinstance(value[0], list) else value for key, value in d.items()}
    kind = d["type"]
    number = lambda key: mpf(d[key])
    if kind == "deterministic":
        return number("value"), lambda s: exp(-s * number("value"))
    if kind in ("exponential", "erlang", "gamma"):
        k, r = mpf(d.get("shape", 1)), number("rate")
        return k / r, lambda s: (r / (r + s)) ** k
    if kind == "hyperexponential":
        branches = list(zip(p["probabilities"], p["rates"]))
        total = sum(q for q, _ in branches)
        return sum(q / r for q, r in branches) / total, lambda s: sum(q * r / (r + s) for q, r in branches) / total
    if kind == "uniform":
        a, b = number("min"), number("max")
        return (a + b) / 2, lambda s: (exp(-s * a) - exp(-s * b)) / (s * (b - a))
    if kind == "lognormal":
        mu, sigma = number("mu"), number("sigma")
        normal = lambda z: exp(-z * z / 2) / mp.sqrt(2 * mp.pi)
        # beyond exp(-600) only the left flank counts: far enough out for every rate here
        return exp(mu + sigma**2 / 2), lambda s: line(normal, lambda z: exp(-s * exp(mu + sigma * z)), -60, 40, 32)
    if kind == "weibull":
        k, scale = number("shape"), number("scale")
        return scale * gamma(1 + 1 / k), lambda s: line(lambda u: exp(u - exp(u)), lambda u: exp(-s * scale * exp(u / k)), -230, 8, 64)
    if kind == "pareto":
        k, scale = number("shape"), number("scale")
        return k * scale / (k - 1), lambda s: k * expint(k + 1, s * scale)
    if kind == "lomax":
        k, scale = number("shape"), number("scale")
        return scale / (k - 1), lambda s: k * exp(s * scale) * expint(k + 1, s * scale)
    if kind == "phase-type":
        return phase_type([mpf(v) for v in d["initial"]], [[mpf(v) for v in row] for row in d["generator"]])
    values = p["values"]
    weights = p.get("weights", [mpf(1)] * len(values))
    total = sum(weights)
    return sum(w * v for w, v in zip(weights, values)) / total, lambda s: sum(w * exp(-s * v) for w, v in zip(weights, values)) / total


LAWS = [
    {"type": "deterministic", "value": 0.7}, {"type": "exponential", "rate": 3}, {"type": "erlang", "shape": 4, "rate": 5},
    {"type": "gamma", "shape": 0.3, "rate": 0.5}, {"type": "hyperexponential", "probabilities": [0.9, 0.1], "rates": [10, 0.2]},
    {"type": "uniform", "min": 0.2, "max": 1.5}, {"type": "uniform", "min": 0, "max": 2},
    {"type": "lognormal", "mu": -0.5, "sigma": 0.8}, {"type": "lognormal", "mu": 0.1, "sigma": 0.05},
    {"type": "weibull", "shape": 0.6, "scale": 0.9}, {"type": "weibull", "shape": 5, "scale": 1.2},
    {"type": "pareto", "shape": 2.5, "scale": 0.4}, {"type": "pareto", "shape": 1.3, "scale": 0.4},
    {"type": "lomax", "shape": 3.2, "scale": 2}, {"type": "lomax", "shape": 1.4, "scale": 0.3},
    {"type": "phase-type", "initial": [0.6, 0.4], "generator": [[-3, 1], [0.5, -2]]},
    {"type": "empirical", "values": [0.1, 0.5, 0.5, 2], "weights": [1, 2, 1, 0.5]},
]


def exact(d):
    """The law with its parameters as decimal fractions (0.7 is seven tenths, not the double next to it)."""
    if isinstance(d, list):
        return [exact(v) for v in d]
    return d if isinstance(d, str) else repr(d)


def main():
    laws = []
    for d in LAWS:
        decimal = {key: exact(value) for key, value in d.items()}
        mean, transform = law(decimal)
        far = d in (LAWS[8], LAWS[10])
        cases = []
        for text in RATES[:-1] if far else RATES:
            s = mpf(text)
            load = -log(transform(s))
            excess = s * mean - load
            # a constant has none: what is left of the 60 digits is rounding
            cases.append([float(text), float(load), float(excess) if abs(excess) > load * mpf(10) ** -50 else 0])
        laws.append({"distribution": d, "mean": float(mean), "cases": cases})
    print(json.dumps({"laws": laws}))


main()
