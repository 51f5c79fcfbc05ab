"""A typed client of crawl-optimizer. ``Client("http://localhost:8080").crawl_plan({...})`` answers with a dict."""

from crawl_optimizer_client import _types as types
from crawl_optimizer_client._transport import Refused
from crawl_optimizer_client.client import Client
from crawl_optimizer_client.tables import from_arrow, from_pandas, to_arrow, to_pandas

__all__ = ["Client", "Refused", "from_arrow", "from_pandas", "to_arrow", "to_pandas", "types"]
