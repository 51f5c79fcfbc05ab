"""Crawling by one number (docs/how-to/crawling-by-a-price.md): when a page is due at a price of a fetch.

A page is due once what a fetch is worth, its weight times V(age), reaches the price. V is averaged over a belief in the
page's change rate: four Gamma laws whose memories are 20, 80, 320 and 1,280 units long. No dependencies; every language
is held to one file of golden vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, log, log1p, sqrt
from typing import Callable, Literal, Union

Objective = Literal["freshness", "delay", "harmonic"]

_DAY = 86_400.0
_HALF_LIVES = (20.0, 80.0, 320.0, 1280.0)
_PRIOR_SHAPE = 0.5
_LN2 = log(2)


@dataclass(frozen=True)
class Prior:
    """The belief before the first check: mean changes per unit of time, and the length of a unit of the memories."""

    mean_rate: float
    memory_unit: float = _DAY


@dataclass(frozen=True)
class Belief:
    """Four memories: the rate is Gamma(shape, scale) by each; ``foretold`` is ln P(its checks), the older ones faded."""

    shape: tuple[float, ...]
    scale: tuple[float, ...]
    foretold: tuple[float, ...]

    def shares(self) -> list[float]:
        """The weight of each memory."""
        most = max(self.foretold)
        weights = [exp(each - most) for each in self.foretold]
        whole = sum(weights)
        return [each / whole for each in weights]

    def mean_rate(self) -> float:
        return sum(s * a / b for s, a, b in zip(self.shares(), self.shape, self.scale))


def new_belief(prior: Prior) -> Belief:
    """The belief in a page that has not been checked."""
    return Belief((_PRIOR_SHAPE,) * 4, (_PRIOR_SHAPE / prior.mean_rate,) * 4, (0.0,) * 4)


def after_check(
    belief: Belief, prior: Prior, elapsed: float, changed: bool, change_age: float | None = None
) -> Belief:
    """The belief after a fetch, ``elapsed`` after the one before.

    ``change_age`` is how old the latest change was, where that is known (Last-Modified).
    """
    if elapsed < 0 or (change_age is not None and not 0 <= change_age <= elapsed):
        raise ValueError("elapsed and change_age must satisfy 0 <= change_age <= elapsed")
    tau, waited = elapsed, 0.0
    if changed and change_age is not None:
        tau, waited = change_age, elapsed - change_age
    shape, scale, foretold = [], [], []
    for half_life, a, b, before in zip(_HALF_LIVES, belief.shape, belief.scale, belief.foretold):
        kept = exp(-_LN2 * (tau + waited) / (half_life * prior.memory_unit))
        a = _PRIOR_SHAPE + kept * (a - _PRIOR_SHAPE)
        rest = _PRIOR_SHAPE / prior.mean_rate
        b = rest + kept * (b - rest)
        log_age = log1p(tau / b)
        seen = -a * log_age
        if changed and change_age is not None:
            seen += log(a / b) - log_age
            a, b = a + 1, b + tau
        elif changed:
            chance = max(-expm1(seen), 5e-324)
            stale = tau / (b + tau)
            one = stale + (1 - stale) * chance
            two = stale + (1 - stale) * one
            mean = a / b * (one / chance)
            square = a / b * (a + 1) / b * (two / chance)
            variance = max(square - mean * mean, 1e-6 * mean * mean)
            seen = log(chance)
            b = mean / variance
            a = mean * b
        else:
            b += tau
        shape.append(a)
        scale.append(b)
        foretold.append(before * exp(-_LN2 * tau / (365 * prior.memory_unit)) + seen)
    return Belief(tuple(shape), tuple(scale), tuple(foretold))


def due_age(
    rate: Union[float, Belief], weight: float, price: float, objective: Objective = "freshness"
) -> float:
    """The age of the copy at which a fetch is worth the price; ``inf`` where it never is."""
    target = price / weight
    if not target > 0:
        return 0.0
    if isinstance(rate, Belief):
        return _believed_age(rate, target, objective)
    if objective == "freshness":
        load = price * rate / weight
        return _changes_at(load) / rate if load < 1 else inf
    if objective == "delay":
        return sqrt(2 * target / rate)
    return (target + sqrt(target * target + 4 * target / rate)) / 2


def worth_of_fetch(belief: Belief, weight: float, age: float, objective: Objective = "freshness") -> float:
    """Worth of a fetch at an age. The worth for a new page at the target mean interval is a crawl's first price."""
    return weight * _worth(belief, objective)(age)


def next_price(price: float, seen: float, wanted: float, pages: float, ahead: float = 0.0) -> float:
    """The price for the next window: ``seen`` and ``wanted`` fetches in the last one, ``ahead`` beyond those wanted
    since the start. A window is a tenth to a half of the pages' mean interval."""
    power = min(1.0, wanted / (2 * pages))
    aimed = min(5 * wanted, max(wanted / 5, wanted - 0.5 * power * ahead))
    return price * min(5.0, max(0.2, (seen + 0.5) / (aimed + 0.5))) ** power


def _believed_age(belief: Belief, target: float, objective: Objective) -> float:
    if objective == "freshness" and all(a > 1 for a in belief.shape):
        most = sum(s * b / (a - 1) for s, a, b in zip(belief.shares(), belief.shape, belief.scale))
        if most <= target:
            return inf
    twice = 1 if objective == "harmonic" else 2
    start = sqrt(twice * target / belief.mean_rate())
    return _rising_root(_worth(belief, objective), target, start)


def _worth(belief: Belief, objective: Objective) -> Callable[[float], float]:
    laws = [law for law in zip(belief.shares(), belief.shape, belief.scale) if law[0] > 1e-16]
    of = {"freshness": _freshness, "delay": _delay, "harmonic": _harmonic}[objective]
    return lambda age: sum(share * of(a, b, age) for share, a, b in laws)


def _freshness(a: float, b: float, age: float) -> float:
    return b * _first_moment(a, age / b)


def _delay(a: float, b: float, age: float) -> float:
    return a / b * age * age / 2


def _harmonic(a: float, b: float, age: float) -> float:
    """By the trapezoidal rule in x, t = exp(x - exp(-x)), of E[la/(1 + la)] = int exp(-t)(1 - (1 + t age/b)^-a) dt."""
    total = 0.0
    for n in range(-36, 37):
        rest = exp(-n / 8)
        t = exp(n / 8 - rest)
        total += exp(-t) * t * (1 + rest) * -expm1(-a * log1p(age / b * t))
    return age * total / 8


def _first_moment(a: float, u: float) -> float:
    """int_0^u t f(t) dt of the time to a change, f(t) = a(1 + t)^(-a-1)."""
    if (a + 2) * u < 0.3:
        return _series(a, u)
    fresh = exp(-a * log1p(u))
    younger = a - 1
    direct = abs(younger) * log1p(u) > 0.5
    return ((1 - fresh * (1 + u)) / younger if direct else _decayed(younger, log1p(u))) - u * fresh


def _decayed(k: float, log_age: float) -> float:
    return log_age if k == 0 else -expm1(-k * log_age) / k


def _series(a: float, u: float) -> float:
    term = a * u * u
    total = term / 2
    for n in range(1, 60):
        term *= -(a + n) * u / n
        total += term / (n + 2)
    return total


def _changes_at(load: float) -> float:
    """The y with 1 - (1 + y)exp(-y) = load, as the root of y - ln(1 + y) = -ln(1 - load)."""
    rest = -log1p(-load)
    u = sqrt(2 * rest)
    if u < 0.1:
        tail = u * (1 / 4320 + u * (1 / 17010 - u * 139 / 5443200))
        return u * (1 + u * (1 / 3 + u * (1 / 36 + u * (-1 / 270 + tail))))
    y = u + rest
    for _ in range(60):
        step = (y - log1p(y) - rest) * (1 + y) / y
        y -= step
        if abs(step) <= 1e-15 * y:
            break
    return y


def _rising_root(worth: Callable[[float], float], target: float, start: float) -> float:
    """Where a rising function reaches a target: secants of its logarithm in that of the age, kept in a bracket."""
    low, high, at, power = -inf, inf, log(start), 2.0
    before = missed = None
    for _ in range(200):
        miss = log(worth(exp(at)) / target)
        low, high = (low, at) if miss > 0 else (at, high)
        if before is not None and abs(at - before) > 1e-9:
            power = (miss - missed) / (at - before)
        power = min(4.0, max(1e-3, power))
        step = max(-8.0, min(8.0, miss / power))
        if abs(step) < 1e-13:
            return exp(at - step)
        following = at - step
        if not low < following < high:
            following = (low + high) / 2 if -inf < low and high < inf else (high - 2 if low == -inf else low + 2)
        before, missed, at = at, miss, following
    return exp(at)
