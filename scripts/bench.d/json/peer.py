"""The JSON rows as one writes them in Python: peer.py ROW OUT FILE..."""

import itertools
import json
import sys

row, out, *files = sys.argv[1:]
lists = []
for file in files:
    with open(file) as text:
        lists.append(json.load(text))


def grouped(items, key):
    groups = {}
    for item in items:
        groups.setdefault(item[key], []).append(item)
    return groups


def joined(people, orders):
    orders = grouped(orders, "id")
    return [{**person, **order} for person in people for order in orders.get(person["id"], [])]


ROWS = {
    "sort": lambda: sorted(itertools.chain(*lists), key=lambda item: item["createTime"]),
    "numbers": lambda: sorted(lists[0]),
    "parse": lambda: lists[0][:1],
    "filter": lambda: [sale for sale in lists[0] if sale["state"] == "open" and sale["total"] >= 500],
    "join": lambda: joined(*lists),
    "group": lambda: [{"key": key, "items": items} for key, items in grouped(lists[0], "user").items()],
    "totals": lambda: [
        {
            "user": user,
            "n": len(items),
            "total": sum(item["total"] for item in items),
            "most": max(item["total"] for item in items),
        }
        for user, items in grouped(lists[0], "user").items()
    ],
    "distinct": lambda: [items[0] for items in grouped(lists[0], "session").values()],
}

with open(out, "w") as text:
    json.dump(ROWS[row](), text, separators=(",", ":"), ensure_ascii=False)
