"""Holds the checkout against the rules of the house that no compiler holds. Prints what breaks them, one a line."""

import pathlib
import re
import subprocess
import sys

LIBC = {"Glibc", "Musl", "Darwin"}
TOP_LEVEL = {
    ".ci", ".gitignore", ".swift-format", "Package.swift", "README.md", "Sources", "Tests", "examples", "scripts",
}
LONGEST_FILE = 400
IMPORT = re.compile(
    r"^\s*(?P<attributes>(?:@\w+(?:\([^)]*\))?\s+)*)(?:(?:public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(?P<module>\w+)",
    re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*<(\w[\w.+-]*)/', re.M)
# sys/types.h, arpa/inet.h and their like are plain libc.
LIBC_FOLDERS = {"sys", "arpa", "net", "netinet", "linux"}
SYNC = re.compile(r"\.\s*sync\s*[({]")
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")
MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:work|root|home/\w+|Users/\w+|tmp/wt|opt/swift)/")


def imports_table(path):
    """Target to (targets, system modules) that it may import."""
    table = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        ours, _, system = line.partition("|")
        target, *targets = ours.split()
        modules = set(system.split())
        if "libc" in modules:
            modules = modules - {"libc"} | LIBC
        table[target] = (set(targets), modules)
    return table


def without_comments(swift):
    """The text with its comments blanked, its lines kept. A string that holds // loses its end, which no rule misses."""
    swift = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), swift, flags=re.S)
    return re.sub(r"//.*", "", swift)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def check_imports(table, folder):
    if folder.name not in table:
        yield f"{folder}: the table in scripts/lib/imports.txt does not know this target"
        return
    targets, modules = table[folder.name]
    for file in sorted(folder.rglob("*")):
        if file.suffix == ".swift":
            text = without_comments(file.read_text())
            for match in IMPORT.finditer(text):
                module = match["module"]
                if module not in targets | modules:
                    yield f"{file}:{line_of(text, match.start('module'))}: {folder.name} may not import {module}"
                if "@_exported" in match["attributes"] and folder.name != "Tidegate":
                    yield f"{file}:{line_of(text, match.start('module'))}: only Tidegate exports another module"
        elif file.suffix in {".c", ".h"}:
            text = file.read_text()
            for match in INCLUDE.finditer(text):
                if match[1] not in modules | LIBC_FOLDERS:
                    yield f"{file}:{line_of(text, match.start(1))}: {folder.name} may not include <{match[1]}/...>"


def check_sync(file):
    text = without_comments(file.read_text())
    for match in SYNC.finditer(text):
        yield f"{file}:{line_of(text, match.start())}: no sync on a queue (H07): hand over a closure, or use Locked"


def check_length(file):
    lines = len(file.read_text().splitlines())
    if lines > LONGEST_FILE:
        yield f"{file}: {lines} lines; {LONGEST_FILE} at most"


def check_text(file):
    try:
        text = file.read_text()
    except UnicodeDecodeError:
        return
    for match in UNFINISHED.finditer(text):
        yield f"{file}:{line_of(text, match.start())}: unfinished: {match.group()}"
    for match in MACHINE_PATH.finditer(text):
        yield f"{file}:{line_of(text, match.start())}: a path of one machine: {match.group()}"


def checked_in():
    """What is in the repository or would be."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], capture_output=True, text=True)
    if listing.returncode:
        sys.exit(f"check: git says: {listing.stderr.strip()}")
    files = (pathlib.Path(name) for name in listing.stdout.split("\0") if name)
    return [file for file in files if file.is_file() and not file.is_symlink()]


def main():
    table = imports_table(pathlib.Path("scripts/lib/imports.txt"))
    complaints = []
    for folder in sorted(path for path in pathlib.Path("Sources").iterdir() if path.is_dir()):
        complaints += check_imports(table, folder)
    files = checked_in()
    for name in sorted({file.parts[0] for file in files} - TOP_LEVEL):
        complaints.append(f"{name}: does not belong at the top level")
    for file in files:
        if file.parts[0] in {"Sources", "Tests"} and file.suffix in {".swift", ".c", ".h"}:
            complaints += check_length(file)
        if file.parts[0] == "Sources" and file.suffix == ".swift":
            complaints += check_sync(file)
        complaints += check_text(file)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    sys.exit(1 if complaints else 0)


main()
