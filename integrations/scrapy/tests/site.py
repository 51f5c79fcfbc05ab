"""A site on loopback whose pages change at known times: /fast at every second fetch, /slow never, /down… is an error.

The third fetch of /limited is refused, for a second.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

fetched = {}


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        count = fetched[self.path] = fetched.get(self.path, 0) + 1
        if self.path == "/seen":
            return self._answer(200, json.dumps(seen).encode(), None)
        seen.append([self.path, self.headers.get("If-None-Match")])
        if self.path.startswith("/limited") and sum(path.startswith("/limited") for path, _ in seen) == 3:
            return self._answer(429, b"", None, {"Retry-After": "1"})
        if self.path.startswith("/down"):
            return self._answer(500, b"", None)
        if self.path == "/drop":
            self.close_connection = True
            return None
        version = f'"{count // 2 if self.path == "/fast" else 0}"'
        if self.headers.get("If-None-Match") == version:
            return self._answer(304, b"", version)
        return self._answer(200, f"version {version} of {self.path}".encode(), version)

    def _answer(self, status, body, etag, more={}):
        self.send_response(status)
        if etag is not None:
            self.send_header("ETag", etag)
        for name, value in more.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


seen = []
server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(server.server_address[1], flush=True)
server.serve_forever()
