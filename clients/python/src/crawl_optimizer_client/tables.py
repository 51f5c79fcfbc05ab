"""Lists of pages or tasks between the service and tables: columns of a request, and back from an answer.

A list may be sent as columns, ``{"changeRate": [...], "weight": [...]}``, and is then answered as columns. An empty cell
(NaN, None, null) is an optional cell left out. pandas and pyarrow are loaded only where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import pyarrow

#: A list of an answer: rows or columns
Answered = Mapping[str, object] | Sequence[Mapping[str, object]]


def from_arrow(table: pyarrow.Table | pyarrow.RecordBatch) -> Any:
    """The columns of an Arrow table, by name; times become epoch seconds, nested cells plain lists and dicts.

    Which columns a list may have, the service says; types cannot know what a table has.
    """
    import pyarrow
    import pyarrow.compute

    columns: dict[str, list[Any]] = {}
    for name, column in zip(table.schema.names, table.columns, strict=True):
        if pyarrow.types.is_timestamp(column.type):
            # nanoseconds, as pandas has them, are more than a double of epoch seconds holds
            instants = column.cast(pyarrow.timestamp("us", tz=column.type.tz), safe=False).cast(pyarrow.int64())
            column = pyarrow.compute.divide(instants.cast(pyarrow.float64()), 1e6)
        elif pyarrow.types.is_floating(column.type):
            column = pyarrow.compute.if_else(pyarrow.compute.is_nan(column), None, column)
        columns[name] = column.to_pylist()
    return columns


def from_pandas(frame: pandas.DataFrame) -> Any:
    """The columns of a frame, its index left aside."""
    import pyarrow

    return from_arrow(pyarrow.Table.from_pandas(frame, preserve_index=False))


def to_arrow(answered: Answered) -> pyarrow.Table:
    """A list of an answer, rows or columns, as an Arrow table."""
    import pyarrow

    table: pyarrow.Table = (
        pyarrow.Table.from_pydict(dict(answered)) if isinstance(answered, Mapping) else pyarrow.Table.from_pylist(list(answered))
    )
    return table


def to_pandas(answered: Answered) -> pandas.DataFrame:
    """A list of an answer, rows or columns, as a frame."""
    frame: pandas.DataFrame = to_arrow(answered).to_pandas()
    return frame
