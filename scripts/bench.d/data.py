"""Writes the lists that the benchmark's server gives: records of 60 to 170 bytes, their createTime in random order.

    data.py FOLDER    makes FOLDER/10, FOLDER/1000 and FOLDER/100000, unless they are there
"""

import datetime
import json
import pathlib
import random
import sys

WORDS = "tide moon ebb flood neap spring slack gate barrier shore buoy pilot harbour lantern signal rope".split()
START = datetime.datetime(2024, 1, 1)


def record(dice, number, kind):
    time = START + datetime.timedelta(seconds=dice.randrange(365 * 86400))
    return {
        "id": number,
        "createTime": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "kind": kind,
        "title": " ".join(dice.choices(WORDS, k=dice.randrange(1, 17))),
    }


def main():
    folder = pathlib.Path(sys.argv[1])
    for count in (10, 1000, 100_000):
        for kind in ("detail", "reward"):
            file = folder / str(count) / "relation" / kind
            if file.exists():
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            dice = random.Random(f"{count} {kind}")
            relation = [record(dice, number, kind) for number in range(count)]
            answer = {"code": "200", "message": "ok", "data": {"relation": relation}}
            written = file.with_suffix(".new")
            written.write_text(json.dumps(answer, separators=(",", ":")))
            written.rename(file)


if __name__ == "__main__":
    main()
