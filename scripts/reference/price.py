"""Golden vectors of crawling by a price: test/fixtures/price.json. Python 3 with mpmath.

When a page is due at a price, what a check makes of the belief in its rate, and the next price. All by the definitions,
in 60 digits: Lambert's function, incomplete integrals in closed form, Tricomi's function, bisection. The same file holds
every language to it. Infinity is null.
"""

import json
import math
import random

from mpmath import exp, expm1, hyperu, inf, lambertw, log, log1p, mp, mpf, sqrt

mp.dps = 60
OBJECTIVES = ["freshness", "delay", "harmonic"]
DAY = 86400.0
HALF_LIVES = [20, 80, 320, 1280]
EXTREMES = [1e-12, 1e-3, 1.0, 1e12]


def root(worth, target, low=mpf(10) ** -60, high=mpf(10) ** 60):
    """The age at which a rising worth reaches a target, by bisection of its logarithm."""
    low, high = log(low), log(high)
    for _ in range(140):
        middle = (low + high) / 2
        if worth(exp(middle)) < target:
            low = middle
        else:
            high = middle
    return exp((low + high) / 2)


def known_due_age(rate, weight, price, objective):
    rate, weight, price = mpf(rate), mpf(weight), mpf(price)
    if objective == "freshness":
        q = price * rate / weight
        if q >= 1:
            return inf
        with_more = mp.dps
        mp.dps = 120
        y = -1 - lambertw(-(1 - q) / exp(mpf(1)), -1).real
        mp.dps = with_more
        return +y / rate
    if objective == "delay":
        return sqrt(2 * price / weight / rate)
    v = price / weight
    return (v + sqrt(v * v + 4 * v / rate)) / 2


def law_worth(shape, scale, age, objective):
    """V(age) where the rate is Gamma(shape, scale)."""
    a, b, x = shape, scale, age
    if objective == "delay":
        return a / b * x * x / 2
    if objective == "harmonic":
        z = b / x
        return x * (1 - z**a * hyperu(a, a, z))
    c = b / (b + x)
    current = b / (a - 1) * (1 - c ** (a - 1))
    return current - x * c**a


class Belief:
    def __init__(self, mean, unit):
        self.prior_shape = mpf("0.5")
        self.prior_scale = self.prior_shape / mpf(mean)
        self.unit = mpf(unit)
        self.shape = [self.prior_shape] * 4
        self.scale = [self.prior_scale] * 4
        self.foretold = [mpf(0)] * 4

    def wait(self, elapsed):
        for k, half_life in enumerate(HALF_LIVES):
            kept = mpf(2) ** (-mpf(elapsed) / (half_life * self.unit))
            self.shape[k] = self.prior_shape + kept * (self.shape[k] - self.prior_shape)
            self.scale[k] = self.prior_scale + kept * (self.scale[k] - self.prior_scale)

    def check(self, elapsed, changed, change_age=None):
        if change_age is not None:
            self.wait(mpf(elapsed) - mpf(change_age))
            elapsed = change_age
        tau = mpf(elapsed)
        self.wait(tau)
        fade = mpf(2) ** (-tau / (365 * self.unit))
        for k in range(4):
            a, b = self.shape[k], self.scale[k]
            c = b / (b + tau)
            if change_age is not None:
                seen = log(a / b) + (a + 1) * log(c)
                self.shape[k], self.scale[k] = a + 1, b + tau
            elif changed:
                chance = -expm1(a * log(c))
                seen = log(chance)
                first = a / b * -expm1((a + 1) * log(c)) / chance
                second = a * (a + 1) / (b * b) * -expm1((a + 2) * log(c)) / chance
                variance = max(second - first * first, mpf("1e-6") * first * first)
                self.shape[k], self.scale[k] = first * first / variance, first / variance
            else:
                seen = a * log(c)
                self.scale[k] = b + tau
            self.foretold[k] = self.foretold[k] * fade + seen

    def shares(self):
        weights = [exp(each - max(self.foretold)) for each in self.foretold]
        return [each / sum(weights) for each in weights]

    def mean(self):
        return sum(s * a / b for s, a, b in zip(self.shares(), self.shape, self.scale))

    def worth(self, age, objective):
        with_more = mp.dps
        mp.dps = 100
        value = sum(
            s * law_worth(a, b, age, objective) for s, a, b in zip(self.shares(), self.shape, self.scale)
        )
        mp.dps = with_more
        return +value

    def state(self):
        return {name: [float(each) for each in getattr(self, name)] for name in ("shape", "scale", "foretold")}


def given(state, mean, unit):
    """The belief as its doubles have it: what the other languages start from."""
    belief = Belief(mean, unit)
    for name in ("shape", "scale", "foretold"):
        setattr(belief, name, [mpf(each) for each in state[name]])
    return belief


def finite(value):
    return float(value) if value < mpf(10) ** 300 else None


def known_cases():
    for objective in OBJECTIVES:
        for rate in EXTREMES:
            for weight in EXTREMES:
                for price in EXTREMES:
                    # at a load of 1 the last digit of a product decides whether the page is ever fetched
                    if objective == "freshness" and abs(1 - price * rate / weight) < 1e-6:
                        continue
                    age = known_due_age(rate, weight, price, objective)
                    yield {"objective": objective, "rate": rate, "weight": weight, "price": price, "age": finite(age)}
        for load in [1e-9, 1e-5, 0.003, 0.02, 0.3, 0.5, 0.77, 0.97, 0.998]:
            row = {"objective": objective, "rate": 3.7, "weight": 1.9, "price": load * 1.9 / 3.7}
            yield {**row, "age": finite(known_due_age(3.7, 1.9, row["price"], objective))}


def histories():
    draws = random.Random(37)
    for number in range(12):
        unit = [DAY, 1.0, 3600.0][number % 3]
        mean = [0.1, 3.0, 1e-3, 40.0][number % 4] / unit
        checks = []
        for _ in range([1, 3, 8, 30][number % 4]):
            elapsed = unit * draws.choice([1.0, 7.0, draws.uniform(0.01, 30), 400.0])
            changed = draws.random() < [0.0, 0.2, 0.6, 1.0][(number // 2) % 4]
            row = {"elapsed": elapsed, "changed": changed}
            if changed and draws.random() < 0.3:
                row["changeAge"] = draws.uniform(0, 1) * elapsed
            checks.append(row)
        yield mean, unit, checks
    # extremes: one gap that is very short or long beside everything
    for elapsed in [1e-6, 1e9]:
        for changed in [False, True]:
            yield 0.1 / DAY, DAY, [{"elapsed": DAY, "changed": True}, {"elapsed": elapsed, "changed": changed}]


def belief_cases():
    for mean, unit, checks in histories():
        belief = Belief(mean, unit)
        for row in checks:
            belief.check(row["elapsed"], row["changed"], row.get("changeAge"))
        state = belief.state()
        rounded = given(state, mean, unit)
        due = []
        for objective in OBJECTIVES:
            for scaled in [1e-12, 1e-3, 0.3, 1.5, 1e3]:
                for weight in [1.0, 250.0]:
                    size = 1 / rounded.mean()
                    price = float(scaled * weight * size)
                    due.append(due_case(rounded, objective, weight, price))
        yield {
            "prior": {"meanRate": mean, "memoryUnit": unit},
            "checks": checks,
            "belief": state,
            "meanRate": float(belief.mean()),
            "due": [each for each in due if each is not None],
        }


def due_case(belief, objective, weight, price):
    """None where the age cannot be told from the price in double precision."""
    target = mpf(price) / mpf(weight)
    limits = [b / (a - 1) if a > 1 else inf for a, b in zip(belief.shape, belief.scale)]
    most = sum(s * each for s, each in zip(belief.shares(), limits)) if objective == "freshness" else inf
    row = {"objective": objective, "weight": weight, "price": price}
    if most <= target:
        return {**row, "age": None}
    age = root(lambda x: belief.worth(x, objective), target, mpf(10) ** -12, mpf(10) ** 25)
    nearby = age * mpf("1.0001")
    rise = log(belief.worth(nearby, objective) / belief.worth(age, objective)) / log(mpf("1.0001"))
    return {**row, "age": float(age)} if rise > 1e-3 and age < mpf(10) ** 20 else None


def price_cases():
    for price in [1e-12, 1e12]:
        for seen in [0, 50, 10**9]:
            for wanted in [0.01, 1.0, 100.0, 12345.6]:
                for pages in [1, 400, 10**6]:
                    for ahead in [0, -20, 300.5, 1e6]:
                        power = min(mpf(1), mpf(wanted) / (2 * pages))
                        aimed = min(5 * mpf(wanted), max(mpf(wanted) / 5, mpf(wanted) - power * mpf(ahead) / 2))
                        ratio = min(mpf(5), max(mpf(1) / 5, (mpf(seen) + 0.5) / (aimed + 0.5)))
                        row = {"price": price, "seen": seen, "wanted": wanted, "pages": pages, "ahead": ahead}
                        yield {**row, "next": float(mpf(price) * ratio**power)}


document = {"known": list(known_cases()), "beliefs": list(belief_cases()), "prices": list(price_cases())}
assert all(math.isfinite(each["next"]) for each in document["prices"])
print(json.dumps(document))
