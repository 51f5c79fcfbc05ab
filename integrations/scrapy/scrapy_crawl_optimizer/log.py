"""A log of fetches beside the state: one JSON object a line, as every command of crawl-optimizer reads it."""

import json

from scrapy_crawl_optimizer.dates import epoch_of


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
        last_modified = epoch_of(modified)
        if last_modified is not None:
            entry["lastModified"] = last_modified
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()
