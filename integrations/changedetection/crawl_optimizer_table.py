"""The rows of a plan table, as ``crawl-optimizer tables plan --out`` writes it: read one at a time, whatever its size."""

import csv
import json

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_BATCH = 10_000


def read_table(source, unit="day", page="id", table=None):
    """Each page with the seconds between its fetches and the time of the next one; None for never, or not said.

    :param source: a file .parquet (by pyarrow), .csv or .ndjson, or a URL postgres://… (by psycopg) with ``table``
    :param unit: of the table's intervals: what ``--rate-unit`` was
    :param page: the column that names a page by its URL
    """
    seconds = SECONDS[unit]
    for row in _rows(source, table):
        if page not in row or "interval" not in row:
            raise ValueError(f"a plan table has columns {page} and interval, but {source} has {', '.join(row)}")
        interval = _number(row["interval"])
        yield row[page], None if interval is None else interval * seconds, _number(row.get("nextFetch"))


def _number(value):
    return None if value is None or value == "" else float(value)


def _rows(source, table):
    if source.startswith(("postgres://", "postgresql://")):
        yield from _of_postgres(source, table)
    elif source.endswith(".parquet"):
        from pyarrow.parquet import ParquetFile

        with ParquetFile(source) as file:
            for batch in file.iter_batches(_BATCH):
                yield from batch.to_pylist()
    else:
        with open(source, encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines) if source.endswith(".csv") else map(json.loads, lines)


def _of_postgres(source, table):
    import psycopg
    from psycopg.rows import dict_row
    from psycopg.sql import SQL, Identifier

    if not table:
        raise ValueError("a plan in PostgreSQL needs the name of its table")
    # a named cursor stays in the server, and sends rows as they are asked for
    with psycopg.connect(source, row_factory=dict_row) as connection, connection.cursor("plan") as cursor:
        cursor.itersize = _BATCH
        cursor.execute(SQL("SELECT * FROM {}").format(Identifier(*table.split("."))))
        yield from cursor
