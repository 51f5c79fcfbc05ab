"""The coin that deals pages to the arms of a trial, and the times of its probes (docs/estimates/freshness.md).

Both are hashes of texts, so that nothing has to be kept but the seed: every language and database computes the same.
"""

from __future__ import annotations

import hashlib
from typing import Literal, NamedTuple


class Probe(NamedTuple):
    """A probe to be made: when, and the page's place among the cumulative weights, 0 to 1."""

    time: float
    place: float


def coin(seed: str, unit: str, period: int) -> Literal["plan", "incumbent"]:
    """The arm of a unit (a page or a host) in a period, which begins ``period`` lengths after 1970."""
    return "plan" if _digest(f"{seed}/{period}/{unit}")[0] < "8" else "incumbent"


def probe_of(seed: str, cell: int, length: float) -> Probe:
    """Probe number ``cell``, of which there is one in every ``length`` of time."""
    at = f"{seed}/probe/{cell}"
    return Probe((cell + _uniform(f"{at}/time")) * length, _uniform(f"{at}/page"))


def _uniform(text: str) -> float:
    """A number in [0, 1) of 52 bits: the first thirteen hexadecimal digits."""
    return int(_digest(text)[:13], 16) / 2**52


def _digest(text: str) -> str:
    return hashlib.md5(text.encode("utf-8"), usedforsecurity=False).hexdigest()
