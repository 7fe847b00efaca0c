"""The rows of scripts/bench: tidegate beside its peers, as ratios of medians. Started by scripts/bench."""

import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys

from json_rows import JSONRows
from measure import Program, measure, print_table
from server import nginx

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GROUPS = {
    "http": ["start", "gather", "fanout"],
    "plans": ["plans"],
    "json": ["sort", "many", "lists", "numbers", "parse", "join", "group", "totals", "distinct", "filter"],
}
LATE = 200  # milliseconds
ITEMS, WIDTH = 10_000, 64
NODES = 1_000_000


class Bench:
    def __init__(self, options):
        self.is_quick = options.quick
        # None: only the peers are measured.
        self.tidegate = options.tidegate
        self.built = pathlib.Path(options.built).resolve()
        self.budgets = []

    def runs(self, full, quick):
        return quick if self.is_quick else full

    def ours(self, name, *arguments):
        return [Program(name, [self.tidegate, *map(str, arguments)])] if self.tidegate else []

    def peer(self, name, program, *arguments, at_most=1000):
        return Program(name, [str(self.built / program), *map(str, arguments)], at_most)

    def measure(self, programs, runs):
        measure(self.built / "launch", programs, runs)

    def budget(self, what, ratio, limit):
        self.budgets.append((what, ratio, limit))

    # Start to exit.

    def start(self):
        ours = self.ours("tidegate --version", "--version")
        ours += self.ours("tidegate run, no request", "run", HERE / "empty.lua")
        curl = Program("curl --version", ["curl", "--version"])
        programs = [*ours, curl, Program("jq -n 1", ["jq", "-n", "1"]), Program("lua5.4 -e ''", ["lua5.4", "-e", ""])]
        for program in programs:
            program.output()
        self.measure(programs, self.runs(41, 11))
        print_table("Start to exit", programs, {"of curl": lambda program: f"{program.wall / curl.wall:.2f}"})
        for program, limit in zip(ours, (0.4, 0.6)):
            self.budget(f"start to exit: {program.name} / curl --version", program.wall / curl.wall, limit)

    # Gather: two POSTs at once, merged, sorted, printed.

    def gather(self):
        with nginx(self.built) as base:
            self.gather_items(base, 10, self.runs(21, 7), 1.5)
            self.gather_items(base, 1000, self.runs(21, 7), 1.5)
            self.gather_many(base, 100_000, self.runs(7, 3), 1.8)
            self.gather_late(base)

    def our_gather(self, base):
        inputs = [f"api={base}", "uid=7", "session_id=s1"]
        options = [option for pair in inputs for option in ("--input", pair)]
        return self.ours("tidegate", "run", ROOT / "examples/shares/shares.lua", *options)

    def bound(self, base):
        return self.peer("C, libcurl and a byte scan", "gather-c", base, "7", "s1")

    def node(self, base):
        return Program("node, fetch and allSettled", ["node", str(HERE / "gather.mjs"), base, "7", "s1"])

    def shell(self, base):
        return Program("bash, curl and jq", [str(HERE / "gather.sh"), base, "7", "s1"], at_most=7)

    def swift(self, base, way, at_most=1000):
        name = {"group": "enter and leave", "in-notify": "waits in notify", "in-block": "waits in each block"}[way]
        return self.peer(f"Swift, URLSession, {name}", f"gather-{way}", base, "7", "s1", at_most=at_most)

    def swifts(self, base):
        return [self.swift(base, "group"), self.swift(base, "in-notify"), self.swift(base, "in-block", at_most=5)]

    def gather_items(self, base, count, runs, limit):
        base = f"{base}/{count}"
        ours, bound = self.our_gather(base), self.bound(base)
        programs = [*ours, bound, self.shell(base), self.node(base), *self.swifts(base)]
        self.measure_gather(count, programs, bound, runs)
        for program in ours:
            self.budget(f"Gather, {count:,} items each: tidegate / C", program.wall / bound.wall, limit)

    def gather_many(self, base, count, runs, limit):
        base = f"{base}/{count}"
        ours, bound, node = self.our_gather(base), self.bound(base), self.node(base)
        # JSONSerialization takes many seconds here: once is enough.
        slow = [] if self.is_quick else [self.swift(base, "group", at_most=1)]
        self.measure_gather(count, [*ours, bound, self.shell(base), node, *slow], bound, runs)
        for program in ours:
            self.budget(f"Gather, {count:,} items each: tidegate / C", program.wall / bound.wall, limit)
            self.budget(f"Gather, {count:,} items each: tidegate / node", program.wall / node.wall, 0.3)

    def measure_gather(self, count, programs, bound, runs):
        check_output(programs, bound)
        self.measure(programs, runs)
        print_table(
            f"Gather, {count:,} items each", programs, {"of C": lambda program: f"{program.wall / bound.wall:.2f}"})

    def gather_late(self, base):
        base = f"{base}/late/10"
        ours, bound = self.our_gather(base), self.bound(base)
        programs = [*ours, bound, self.shell(base), self.node(base), *self.swifts(base)]
        check_output(programs, bound)
        self.measure(programs, self.runs(15, 5))
        print_table(
            f"Gather, 10 items each, both endpoints {LATE} ms late", programs,
            {f"ms above {LATE}": lambda program: f"{program.wall - LATE:.1f}"})
        for program in ours:
            self.budget(f"Gather above {LATE} ms: tidegate / C", (program.wall - LATE) / (bound.wall - LATE), 1.3)

    # 10,000 GETs, 64 at once, one field of each kept.

    def fanout(self):
        with nginx(self.built) as base:
            urls = self.built / "urls"
            urls.write_text("".join(f'url = "{base}/items/{number}"\n' for number in range(ITEMS)))
            ours = self.ours("tidegate", "run", HERE / "fanout.lua", "--input", f"api={base}")
            bound = self.peer("C, libcurl multi", "fanout-c", base, ITEMS, WIDTH)
            command = ["curl", "-s", "--parallel", "--parallel-max", str(WIDTH), "--config", str(urls)]
            curl = Program("curl --parallel (keeps no field)", command)
            if json.loads(bound.output()) != [f"item {number}" for number in range(ITEMS)]:
                raise SystemExit("bench: the 10,000 GETs did not give the 10,000 names")
            check_output(ours, bound)
            programs = [*ours, bound, curl]
            self.measure(programs, self.runs(9, 3))
        print_table(f"{ITEMS:,} GETs, {WIDTH} at once, one field of each kept", programs, {
            "wall of C": lambda program: f"{program.wall / bound.wall:.2f}",
            "CPU of C": lambda program: f"{program.cpu / bound.cpu:.2f}",
        })
        for program in ours:
            self.budget(f"{ITEMS:,} GETs, CPU: tidegate / C", program.cpu / bound.cpu, 1.3)
            self.budget(f"{ITEMS:,} GETs, wall: tidegate / curl --parallel", program.wall / curl.wall, 1.0)

    # Plans of a million no-ops: a program of its own against the engine, one process a plan.

    def plans(self):
        if not self.tidegate:
            return
        programs = self.build_plans()
        runs = self.runs(7, 3)
        samples = {name: [] for name in programs}
        for _ in range(runs):
            for name, command in programs.items():
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                samples[name].append([float(number) for number in done.stdout.split()])
        print(f"\n### Plans of {NODES:,} no-ops\n\nMedian of {runs} interleaved runs; times and bytes are for one node.\n")
        print("| plan | ns | CPU ns | bytes of the plan | of the run, at its peak | of the report |")
        print("| --- |" + " ---: |" * 5)
        for name, taken in samples.items():
            numbers = [statistics.median(column) for column in zip(*taken)]
            print(f"| {name} | " + " | ".join(f"{number:.0f}" for number in numbers) + " |")
            self.budget(f"{name}: µs a node", numbers[0] / 1000, 0.5)
            self.budget(f"{name}: bytes a node of the run, during and after", max(numbers[3:]), 200)

    def build_plans(self):
        scratch = self.built / "plans"
        command = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
        command += ["--package-path", HERE / "plans", "--scratch-path", scratch]
        subprocess.run(command, check=True, stdout=sys.stderr)
        program = str(scratch / "release/plans")
        return {
            f"{shape}, {mode}": [program, shape, mode, str(NODES)]
            for shape in ("wide", "chain", "layered") for mode in ("inline", "async")
        }

    def print_budgets(self):
        if not self.budgets:
            return
        print("\n### Budgets\n\n| what | measured | at most | |\n| --- | ---: | ---: | --- |")
        for what, ratio, limit in self.budgets:
            print(f"| {what} | {ratio:.2f} | {limit} | {'ok' if ratio <= limit else 'over'} |")


def check_output(programs, bound):
    """Runs each program once, which warms it up too, and holds what it prints against the bound's: Tidegate's byte for
    byte, for it does not touch the records, the others' as JSON."""
    wanted = bound.output()
    for program in programs:
        got = program.output()
        if got != wanted and (program.name == "tidegate" or json.loads(got) != json.loads(wanted)):
            raise SystemExit(f"bench: {program.name} prints something else than {bound.name}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rows", type=lambda text: text.split(","), default=list(GROUPS))
    parser.add_argument("--tidegate")
    parser.add_argument("--built", required=True)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    bench = Bench(options)
    json_rows = JSONRows(bench)
    print(f"{os.cpu_count()} cores. Absolute times swing with the machine: trust the ratios.")
    for name in options.rows:
        for row in GROUPS.get(name, [name]):
            getattr(bench if hasattr(bench, row) else json_rows, row)()
    bench.print_budgets()


main()
