"""The JSON rows: files to a file, tidegate beside jq, jaq, duckdb, node and Python."""

import json
import os
import pathlib
import shlex
import shutil

import json_data
from measure import Program, measure, print_table

HERE = pathlib.Path(__file__).resolve().parent / "json"
PARSED = 1.0  # GB/s, what reading and checking has to reach


class JSONRows:
    """Each row reads files of one folder and writes a file; what was written is compared when all is measured."""

    def __init__(self, bench):
        self.bench = bench
        self.folder = bench.built / "json"
        self.folder.mkdir(exist_ok=True)
        for script in HERE.glob("*.lua"):
            shutil.copy(script, self.folder)
        self.python = str(bench.built / "venv/bin/python")

    # The programs of a row.

    def out(self, who):
        return self.folder / f"out-{who}.json"

    def ours(self, row):
        return self.bench.ours("tidegate", "run", self.folder / f"{row}.lua", "--out", self.out("tidegate"))

    def jq_like(self, name, program, filter, files, at_most):
        """jq or jaq, whose output goes to a file. jaq runs its filter once for each file that it is given."""
        command = f"cat {shlex.join(map(str, files))} | {shlex.join([program, '-c', '-n', filter])}"
        return Program(name, ["sh", "-c", f"{command} >{shlex.quote(str(self.out(name)))}"], at_most)

    def jqs(self, filter, files):
        jaq = str(self.bench.built / "venv/bin/jaq")
        return [
            self.jq_like("jq", "jq", filter, files, at_most=self.bench.runs(3, 1)),
            self.jq_like("jaq", jaq, filter, files, at_most=self.bench.runs(3, 1)),
        ]

    def duckdb(self, row, files):
        return Program("duckdb", [self.python, str(HERE / "peer_duckdb.py"), row, *map(str, [self.out("duckdb"), *files])])

    def node(self, row, files):
        return Program("node", ["node", str(HERE / "peer.mjs"), row, *map(str, [self.out("node"), *files])])

    def plain_python(self, row, files):
        command = [self.python, str(HERE / "peer.py"), row, *map(str, [self.out("python"), *files])]
        return Program("python", command, at_most=self.bench.runs(3, 1))

    # The rows.

    def run(self, row, title, files, peers, runs=None, same="order"):
        """Measures a row and prints it; gives its programs by name.

        - same: what is compared of the outputs: "order" for the items in their order, "items" for the items in any,
          "count" for how many there are.
        """
        programs = {program.name: program for program in [*self.ours(row), *peers]}
        for program in programs.values():
            # Once before, so that the files are in memory; the slow ones without.
            if program.at_most > 1:
                program.output()
        measure(self.bench.built / "launch", list(programs.values()), runs or self.bench.runs(7, 3))
        self.compare(row, programs, same)
        size = sum(os.path.getsize(file) for file in files) / 1e6
        more = {"peak of the input": lambda program: f"{program.peak * 1.048576 / size:.2f}"}
        if ours := programs.get("tidegate"):
            more["tidegate: of its wall"] = lambda program: f"{ours.wall / program.wall:.3f}"
            more["of its CPU"] = lambda program: f"{ours.cpu / program.cpu:.3f}"
        print_table(f"{title} ({size:.0f} MB)", list(programs.values()), more)
        return programs, size

    def compare(self, row, programs, same):
        wanted = None
        for name in programs:
            with self.out(name).open(encoding="utf-8") as file:
                got = normal(json.load(file), same)
            self.out(name).unlink()
            if wanted is None:
                wanted, first = got, name
            elif got != wanted:
                raise SystemExit(f"bench: {row}: {name} gives something else than {first}")

    def budget(self, row, programs, peer, limit, what="wall"):
        if ours := programs.get("tidegate"):
            ratio = getattr(ours, what) / getattr(programs[peer], what)
            self.bench.budget(f"{row}, {what}: tidegate / {peer}", ratio, limit)

    def sort(self):
        files = json_data.files(self.folder, ["shares-a", "shares-b"])
        peers = [
            *self.jqs("[inputs] | add | sort_by(.createTime)", files), self.duckdb("sort", files),
            self.node("sort", files), self.plain_python("sort", files),
        ]
        programs, size = self.run("sort", "Two JSON arrays to one file, sorted: 289,000 records", files, peers, same="times")
        self.budget("two arrays sorted", programs, "duckdb", 0.35)
        self.budget("two arrays sorted", programs, "jq", 0.05)
        self.peak("two arrays sorted", programs, size)
        self.sorted = programs.get("tidegate"), size

    def peak(self, row, programs, size):
        if ours := programs.get("tidegate"):
            self.bench.budget(f"{row}: peak memory / input", ours.peak * 1.048576 / size, 1.6)

    def many(self):
        """The same with ten times as much; what it says of itself is how linear it is."""
        if self.bench.is_quick or not self.bench.tidegate:
            return
        files = json_data.files(self.folder, ["many-a", "many-b"])
        program = self.ours("many")[0]
        measure(self.bench.built / "launch", [program], 3)
        written = self.out("tidegate").stat().st_size
        self.out("tidegate").unlink()
        size = sum(os.path.getsize(file) for file in files)
        if written not in (size - 1, size):
            raise SystemExit(f"bench: the gigabyte became {written} bytes of {size}")
        print_table("The same with ten times as much (1 GB)", [program], {})
        self.peak("1 GB sorted", {"tidegate": program}, size / 1e6)
        if hasattr(self, "sorted"):
            small, small_size = self.sorted
            self.bench.budget(
                "1 GB sorted: CPU a byte, of that with 100 MB", program.cpu / small.cpu * small_size * 1e6 / size, 1.3)

    def lists(self):
        files = json_data.files(self.folder, [f"lists/{number:02}" for number in range(100)])
        peers = [
            *self.jqs("[inputs] | add | sort_by(.createTime)", files), self.duckdb("lists", files),
            self.node("sort", files), self.plain_python("sort", files),
        ]
        programs, _ = self.run("lists", "100 lists of 10,000 records to one, sorted", files, peers, same="times")
        self.budget("100 lists sorted", programs, "duckdb", 1.0)

    def numbers(self):
        files = json_data.files(self.folder, ["numbers"])
        peers = [*self.jqs("input | sort", files), self.node("numbers", files), self.plain_python("numbers", files)]
        programs, _ = self.run("numbers", "10,000,000 small numbers, sorted", files, peers)
        self.budget("10 million numbers", programs, "node", 1.0)

    def parse(self):
        files = json_data.files(self.folder, ["shares"])
        peers = [
            *self.jqs("input | .[:1]", files), self.duckdb("parse", files), self.node("parse", files),
            self.plain_python("parse", files),
        ]
        programs, size = self.run("parse", "A file read and checked, its first record printed", files, peers, same="count")
        if ours := programs.get("tidegate"):
            start = self.bench.ours("tidegate run, no request", "run", HERE.parent / "empty.lua")
            measure(self.bench.built / "launch", start, self.bench.runs(21, 7))
            speed = size / (ours.wall - start[0].wall)
            print(f"\nWithout its start ({start[0].wall:.1f} ms) tidegate reads and checks {speed:.2f} GB/s.")
            self.bench.budget(f"read and checked: {PARSED} GB/s / what was reached", PARSED / speed, 1.0)

    def against_duckdb(self, row, title, names, same="items"):
        files = json_data.files(self.folder, names)
        peers = [self.duckdb(row, files), self.node(row, files), self.plain_python(row, files)]
        programs, _ = self.run(row, title, files, peers, same=same)
        self.budget(row, programs, "duckdb", 1.0)

    def join(self):
        self.against_duckdb("join", "500,000 joined with 500,000 by a key", ["people", "orders"])

    def group(self):
        self.against_duckdb("group", "500,000 records into 100,000 groups", ["sales"])

    def totals(self):
        self.against_duckdb("totals", "Count, sum and maximum of each of 100,000 groups of 500,000", ["sales"])

    def distinct(self):
        self.against_duckdb("distinct", "1,000,000 records, one of each key", ["events"], same="keys")

    def filter(self):
        files = json_data.files(self.folder, ["records"])
        peers = [
            self.jq_like("jq", "jq", 'input | map(select(.state == "open" and .total >= 500))', files, 3),
            self.duckdb("filter", files), self.node("filter", files), self.plain_python("filter", files),
        ]
        programs, _ = self.run("filter", "300,000 records filtered by a function (duckdb: by SQL)", files, peers)
        self.budget("filter by a function", programs, "node", 1.0)


def normal(value, same):
    """What is compared of an output: plain tuples, for which 2 and 2.0 are equal."""
    if same == "count":
        return len(value)
    if same == "times":
        # Not everybody's sort keeps the order of equal times.
        return [item["createTime"] for item in value], sorted((item["id"], item["title"]) for item in value)
    if same == "keys":
        return sorted(item["session"] for item in value)
    if same == "items":
        return sorted(map(fields, value))
    return value


def fields(item):
    """The values of an object by its names, a sum of decimals to the cent: doubles give 0.30000000000000004."""
    if "items" in item:
        return item["key"], sorted(map(fields, item["items"]))
    return tuple(round(value, 2) if name == "total" else value for name, value in sorted(item.items()))
