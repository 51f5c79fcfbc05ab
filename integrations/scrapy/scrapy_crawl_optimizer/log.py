"""A log of fetches beside the state: one JSON object a line, as every command of crawl-optimizer reads it."""

import json
from email.utils import parsedate_to_datetime


class FetchLog:
    """Appends to a file; a line that an earlier run left half written is ended first."""

    def __init__(self, path):
        self._file = open(path, "ab+")
        if self._file.seek(0, 2) > 0:
            self._file.seek(-1, 2)
            if self._file.read(1) != b"\n":
                self._file.write(b"\n")

    def close(self):
        self._file.close()

    def note(self, page, time, status, signature=None, modified=None):
        """A fetch; status 0 for one without an answer."""
        entry = {"page": page, "time": round(time, 3), "status": status}
        if signature is not None:
            entry["signature"] = signature
        try:
            entry["lastModified"] = parsedate_to_datetime(modified).timestamp()
        except (TypeError, ValueError):
            pass
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()
