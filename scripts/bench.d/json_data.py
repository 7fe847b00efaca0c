"""The JSON files that the benchmark reads: made unless they are there."""

import datetime
import json
import random

from data import WORDS

START = datetime.datetime(2024, 1, 1)
RECORDS = 144_500  # 50 MB
STATES = ["open", "closed", "waiting"]


def shares(dice, count, first):
    """Records of about 345 bytes, their createTime in random order."""
    for number in range(first, first + count):
        time = START + datetime.timedelta(seconds=dice.randrange(365 * 86400))
        yield {
            "id": number,
            "createTime": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "kind": dice.choice(["detail", "reward"]),
            "amount": dice.randrange(100_000) / 100,
            "user": {"id": dice.randrange(50_000), "name": " ".join(dice.choices(WORDS, k=2)), "active": True},
            "tags": dice.choices(WORDS, k=4),
            "title": " ".join(dice.choices(WORDS, k=26)),
        }


def short(dice, count, first):
    for number in range(first, first + count):
        time = START + datetime.timedelta(seconds=dice.randrange(365 * 86400))
        yield {"id": number, "createTime": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "title": " ".join(dice.choices(WORDS, k=4))}


def numbers(dice, count, _):
    for _ in range(count):
        yield dice.randrange(10_000)


def people(dice, count, _):
    ids = list(range(count))
    dice.shuffle(ids)
    for number in ids:
        yield {"id": number, "name": " ".join(dice.choices(WORDS, k=2)), "active": number % 3 == 0}


def orders(dice, count, _):
    ids = list(range(count))
    dice.shuffle(ids)
    for number in ids:
        yield {"id": number, "total": dice.randrange(100_000) / 100, "state": dice.choice(STATES)}


def sales(dice, count, _):
    for number in range(count):
        yield {
            "sale": number,
            "user": f"user {dice.randrange(100_000)}",
            "total": dice.randrange(100_000) / 100,
            "state": dice.choice(STATES),
        }


def events(dice, count, _):
    for number in range(count):
        yield {"event": number, "session": f"s{dice.randrange(300_000)}", "state": dice.choice(STATES)}


# By name of a file: what makes its records, how many, and the number of the first.
FILES = {
    "shares-a": (shares, RECORDS, 0),
    "shares-b": (shares, RECORDS, RECORDS),
    "numbers": (numbers, 10_000_000, 0),
    "people": (people, 500_000, 0),
    "orders": (orders, 500_000, 0),
    "sales": (sales, 500_000, 0),
    "events": (events, 1_000_000, 0),
    "records": (sales, 300_000, 0),
    **{f"lists/{number:02}": (short, 10_000, number * 10_000) for number in range(100)},
}
# Files of others, one after the other, as one list; those of a gigabyte would take minutes to make up.
JOINED = {
    "shares": ["shares-a", "shares-b"],
    "many-a": ["shares-a"] * 10,
    "many-b": ["shares-b"] * 10,
}


def write(file, make, count, first):
    file.parent.mkdir(parents=True, exist_ok=True)
    dice = random.Random(file.name)
    written = file.with_suffix(".new")
    with written.open("w") as out:
        separator = "["
        for record in make(dice, count, first):
            out.write(separator)
            out.write(json.dumps(record, separators=(",", ":")))
            separator = ","
        out.write("]")
    written.rename(file)


def join(file, parts):
    written = file.with_suffix(".new")
    with written.open("wb") as out:
        for index, part in enumerate(parts):
            out.write(b"," if index else b"[")
            out.write(part.read_bytes()[1:-1])
        out.write(b"]")
    written.rename(file)


def files(folder, names):
    """The files of these names in a folder."""
    paths = []
    for name in names:
        file = folder / f"{name}.json"
        if not file.exists() and name in JOINED:
            join(file, files(folder, JOINED[name]))
        elif not file.exists():
            write(file, *FILES[name])
        paths.append(file)
    return paths
