"""Reference values for test/fixtures/special-functions.json, computed once:
python3 scripts/reference/special_functions.py > test/fixtures/special-functions.json   (mpmath 1.3.0, 40 digits or more)
"""
import json

from mpmath import erfc, expint, gamma, gammainc, inf, loggamma, mp, mpf

mp.dps = 40


def f(x):
    x = float(x)
    return x if x >= 1e-290 or x < 0 else 0.0


def exponential_integral(p, x):
    mp.dps, before = 400, mp.dps
    try: return +expint(mpf(p), mpf(x))
    finally: mp.dps = before


shapes = [0.05, 0.5, 1, 7.5, 200, 2000]
multiples = [1e-6, 0.1, 0.9, 1, 1.1, 2, 5]
tables = {
    "source": "scripts/reference/special_functions.py: mpmath 1.3.0, 40 digits or more; 0 stands for less than 1e-290",
    "gamma": [[x, f(gamma(mpf(x)))] for x in [1e-9, 0.05, 0.5, 0.999, 1.5, 2.5, 7.3, 14.9, 15.1, 60.25, 170.5]],
    "logGamma": [[x, f(loggamma(mpf(x)))] for x in [1e-9, 0.3, 0.9999999, 1.0000001, 1.9999, 2.000001, 5.5, 14.9, 15.1, 1e3, 1e9]],
    "incompleteGamma": [[a, a * m, f(gammainc(mpf(a), 0, mpf(a * m), regularized=True)), f(gammainc(mpf(a), mpf(a * m), inf, regularized=True))] for a in shapes for m in multiples],
    "complementaryError": [[x, f(erfc(mpf(x)))] for x in [-5, -0.3, 1e-9, 0.3, 0.99, 1.01, 2, 5, 10, 20, 25]],
    "exponentialIntegral": [[p, x, f(exponential_integral(p, x))] for p in [0.5, 1, 1.0000001, 1.5, 2, 2.999, 3, 10.5, 99, 150.25] for x in [1e-12, 1e-3, 0.3, 0.99, 1.01, 4, 50, 600]],
}
print("{\n" + ",\n".join(f' "{name}": {json.dumps(table)}' for name, table in tables.items()) + "\n}")
