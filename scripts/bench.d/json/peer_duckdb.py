"""The JSON rows in duckdb, from files to a file: peer_duckdb.py ROW OUT FILE...

The columns are declared, so that nothing is guessed twice, and times stay the texts that they are.
"""

import sys

import duckdb

SHARES = {
    "id": "BIGINT", "createTime": "VARCHAR", "kind": "VARCHAR", "amount": "DOUBLE", "user": "JSON", "tags": "JSON",
    "title": "VARCHAR",
}
SHORT = {"id": "BIGINT", "createTime": "VARCHAR", "title": "VARCHAR"}
SALES = {"sale": "BIGINT", "user": "VARCHAR", "total": "DOUBLE", "state": "VARCHAR"}
EVENTS = {"event": "BIGINT", "session": "VARCHAR", "state": "VARCHAR"}
PEOPLE = {"id": "BIGINT", "name": "VARCHAR", "active": "BOOLEAN"}
ORDERS = {"id": "BIGINT", "total": "DOUBLE", "state": "VARCHAR"}

row, out, *files = sys.argv[1:]


def read(files, columns):
    return f"read_json({files}, format = 'array', columns = {columns})"


QUERIES = {
    "sort": lambda: f"SELECT * FROM {read(files, SHARES)} ORDER BY createTime",
    "lists": lambda: f"SELECT * FROM {read(files, SHORT)} ORDER BY createTime",
    "join": lambda: f"SELECT * FROM {read(files[:1], PEOPLE)} people JOIN {read(files[1:], ORDERS)} orders USING (id)",
    "group": lambda: f'SELECT "user" AS key, list(sales) AS items FROM {read(files, SALES)} sales GROUP BY "user"',
    "totals": lambda: f"""
        SELECT "user", count(*) AS n, sum(total) AS total, max(total) AS most
        FROM {read(files, SALES)} GROUP BY "user" """,
    "distinct": lambda: f"SELECT DISTINCT ON (session) * FROM {read(files, EVENTS)}",
    "filter": lambda: f"SELECT * FROM {read(files, SALES)} WHERE state = 'open' AND total >= 500",
    "parse": lambda: f"SELECT any_value(shares) FROM {read(files, SHARES)} shares",
}

duckdb.sql(f"COPY ({QUERIES[row]()}) TO '{out}' (FORMAT json, ARRAY true)")
