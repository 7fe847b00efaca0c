"""Runs programs side by side and takes medians."""

import statistics
import subprocess
from dataclasses import dataclass, field


@dataclass
class Program:
    name: str
    command: list
    # At most so many runs, for one that takes long.
    at_most: int = 1000
    samples: list = field(default_factory=list)

    def run(self, launcher):
        """One run: wall and CPU milliseconds, peak megabytes."""
        done = subprocess.run([launcher, *self.command], capture_output=True, text=True, check=True)
        wall, cpu, peak, status = map(int, done.stdout.split())
        if status:
            raise SystemExit(f"bench: {self.name}: exit {status}: {' '.join(self.command)}")
        self.samples.append((wall / 1000, cpu / 1000, peak / 1024))

    def output(self):
        """What it prints: one run that is not measured."""
        done = subprocess.run(self.command, stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            message = done.stderr.decode(errors="replace")
            raise SystemExit(f"bench: {self.name}: exit {done.returncode}: {' '.join(self.command)}\n{message}")
        return done.stdout

    @property
    def wall(self):
        return statistics.median(sample[0] for sample in self.samples)

    @property
    def cpu(self):
        return statistics.median(sample[1] for sample in self.samples)

    @property
    def peak(self):
        return statistics.median(sample[2] for sample in self.samples)


def measure(launcher, programs, runs):
    """Interleaves the runs and begins each round with another program, so that what the machine does beside hits all."""
    for number in range(runs):
        shift = number % len(programs)
        for program in programs[shift:] + programs[:shift]:
            if number < program.at_most:
                program.run(launcher)


def print_table(title, programs, more):
    """A Markdown table. `more` are columns more: head to its text for a program."""
    runs = max(len(program.samples) for program in programs)
    heads = ["program", "wall ms", "CPU ms", "peak MB", *more]
    print(f"\n### {title}\n\nMedian of {runs} interleaved runs.\n")
    print("| " + " | ".join(heads) + " |")
    print("| --- |" + " ---: |" * (len(heads) - 1))
    for program in programs:
        few = f" ({len(program.samples)} run{'s'[:len(program.samples) - 1]})" if len(program.samples) < runs else ""
        cells = [program.name + few, f"{program.wall:.1f}", f"{program.cpu:.1f}", f"{program.peak:.0f}"]
        cells += [text(program) for text in more.values()]
        print("| " + " | ".join(cells) + " |", flush=True)
