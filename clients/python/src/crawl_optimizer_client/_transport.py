"""Requests and answers over HTTP, with nothing but the standard library."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

Json = dict[str, Any]
_PROBLEM = "application/problem+json"


class Refused(Exception):
    """The service refused a request: its problem details (RFC 9457), with the place of each fault."""

    def __init__(self, problem: Json):
        self.problem = problem
        faults = "".join(f"\n  {each['pointer']}: {each['detail']}" for each in problem.get("errors", []))
        super().__init__(f"{problem.get('status')} {problem.get('title')}: {problem.get('detail')}{faults}")


class Transport:
    """:param url: of the service; :param timeout: seconds to wait for an answer"""

    def __init__(self, url: str = "http://localhost:8080", *, timeout: float = 120):
        self.url = url.rstrip("/")
        self.timeout = timeout

    def _post(self, path: str, request: Json, *, validate_only: bool = False) -> Json:
        body = json.dumps(request, allow_nan=False).encode()
        answer = self._send(path, body, "application/json", "application/json", validate_only)
        parsed: Json = json.loads(answer)
        return parsed

    def _send(self, path: str, body: bytes, content: str, accept: str, validate_only: bool = False) -> bytes:
        """:raises Refused: with the problem details"""
        address = f"{self.url}{path}" + ("?validateOnly=true" if validate_only else "")
        headers = {"Content-Type": content, "Accept": f"{accept}, {_PROBLEM}"}
        request = urllib.request.Request(address, data=body, headers=headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                received: bytes = answer.read()
                return received
        except urllib.error.HTTPError as error:
            text = error.read()
            if error.headers.get_content_type() != _PROBLEM:
                raise
            raise Refused(json.loads(text)) from None
