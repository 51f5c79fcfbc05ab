"""The client: one method an operation, and lists that are too long for JSON as Arrow streams."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from crawl_optimizer_client._operations import Operations
from crawl_optimizer_client._transport import Json

if TYPE_CHECKING:
    import pyarrow

_ARROW = "application/vnd.apache.arrow.stream"


class Client(Operations):
    """:param url: of the service; :param timeout: seconds to wait for an answer

    Every method raises :class:`~crawl_optimizer_client.Refused` with the service's problem details.
    """

    def solve_arrow(self, path: str, request: Json, table: pyarrow.Table) -> tuple[pyarrow.Table, Json]:
        """A request whose list is the table, such as ``solve_arrow("/v1/crawl-allocation", {...}, pages)``.

        :return: the list of the answer as a table, and the rest of the answer
        """
        import pyarrow

        asked = table.replace_schema_metadata({"request": json.dumps(request)})
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, asked.schema) as stream:
            stream.write_table(asked)
        received = self._send(path, sink.getvalue().to_pybytes(), _ARROW, _ARROW)
        answered = pyarrow.ipc.open_stream(received).read_all()
        rest: Json = json.loads(answered.schema.metadata[b"answer"])
        return answered, rest
