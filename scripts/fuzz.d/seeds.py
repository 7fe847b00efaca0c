"""Writes the public suites as the seeds of a fuzzing target, one input a file.

    seeds.py reader SUITES FOLDER      the documents of JSONTestSuite
    seeds.py jsonpath SUITES FOLDER    the compliance suite's queries, each with its document in the next line
"""

import json
import pathlib
import sys


def inputs(target, suites):
    if target == "reader":
        for file in sorted(suites.glob("json/**/*.json")):
            yield file.read_bytes()
    else:
        for case in json.loads((suites / "jsonpath" / "cts.json").read_text())["tests"]:
            document = json.dumps(case.get("document"), ensure_ascii=False)
            yield (case["selector"] + "\n" + document).encode("utf-8", "surrogatepass")


def main():
    target, suites, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(inputs(target, suites)):
        if len(data) <= 4096:
            (folder / f"{number:04}").write_bytes(data)


main()
