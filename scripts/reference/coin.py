"""Golden vectors of the coin and of the probes of a trial: writes test/fixtures/coin.json.

Everything is MD5 of a text in UTF-8, from Python's own library. The same file holds every language to it.
"""

import hashlib
import json
import pathlib


def digest(text):
    return hashlib.md5(text.encode("utf-8")).hexdigest()


def coin(seed, unit, period):
    return "plan" if digest(f"{seed}/{period}/{unit}")[0] < "8" else "incumbent"


def uniform(text):
    return int(digest(text)[:13], 16) / 2**52


seeds = ["pilot", "2026-11-23", "ü/漢字", "a" * 60]
units = ["https://example.org/", "https://example.org/a?b=c&d=%20", "page 1", "ß", "漢字/😀", "", "x" * 200, "/", "0"]
periods = [0, 1, 2, 20415, 20416, 4_000_000_000]
coins = [
    {"seed": seed, "unit": unit, "period": period, "arm": coin(seed, unit, period)}
    for seed in seeds
    for unit in units
    for period in periods
]
probes = [
    {
        "seed": seed,
        "cell": cell,
        "time": uniform(f"{seed}/probe/{cell}/time"),
        "page": uniform(f"{seed}/probe/{cell}/page"),
    }
    for seed in seeds
    for cell in [0, 1, 2, 3, 17638560, 2**40]
]
target = pathlib.Path(__file__).parents[2] / "test" / "fixtures" / "coin.json"
document = {"source": "scripts/reference/coin.py", "coins": coins, "probes": probes}
target.write_text(json.dumps(document, indent=1, ensure_ascii=True) + "\n")
