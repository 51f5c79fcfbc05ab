"""By how much a page's text changed, from 64 bits of it: ``matters`` of a check, a share from 0 to 1.

The fingerprint of Charikar (STOC 2002); the same as src/crawlee/changed-share.ts makes.
"""

import hashlib
import re
from math import cos, pi

BITS = 64
_LEFT_OUT = re.compile(r"<(script|style)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[^\W_]+")


def fingerprint_of(body):
    """Sixteen hexadecimal digits of a page's words, its tags, scripts and styles left out."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    votes = [0] * BITS
    for word in _WORD.findall(_TAG.sub(" ", _LEFT_OUT.sub(" ", text)).lower()):
        hash_of = int.from_bytes(hashlib.md5(word.encode()).digest()[: BITS // 8], "big")
        for b in range(BITS):
            votes[b] += 1 if hash_of >> (BITS - 1 - b) & 1 else -1
    return f"{sum(1 << (BITS - 1 - b) for b in range(BITS) if votes[b] > 0):016x}"


def changed_share(before, after):
    """The share of the text that changed between two fingerprints."""
    distance = (int(before, 16) ^ int(after, 16)).bit_count()
    return round(min(1.0, 1 - cos(pi * distance / BITS)), 4)
