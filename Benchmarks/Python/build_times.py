#!/usr/bin/env python3
"""Prints how long the compiler ran for each module of the last builds, longest first.

  Benchmarks/Python/build_times.py [release|debug] [DATABASE]

Reads `.build/build.db`, in which SwiftPM's build system keeps the start and the end of each command. Modules compile
at the same time, so a time includes the wait for a core. After `swift build -j 1` in a new clone the times add up.
Modules that `Package.swift` of this package does not declare belong to dependencies.
"""

import pathlib
import re
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def commands(database, configuration):
    """The module, the kind and the seconds of each command of the compiler and the linker."""
    query = "SELECT key, end - start FROM rule_results JOIN key_names ON key_id = key_names.id WHERE end IS NOT NULL"
    pattern = re.compile(rf"CC\.(.+?)-[a-z0-9_]+-unknown-linux-gnu-{configuration}(-tool)?\.(module|exe|test)$")
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        for key, seconds in connection.execute(query):
            match = pattern.match(key.decode() if isinstance(key, bytes) else str(key))
            if match:
                yield match[1], (match[2] or "") + ("" if match[3] == "module" else "-link"), seconds


def main():
    configuration = sys.argv[1] if len(sys.argv) > 1 else "release"
    database = sys.argv[2] if len(sys.argv) > 2 else ROOT / ".build" / "build.db"
    declared = set(re.findall(r'arget\(\s*name: "([^"]+)"', (ROOT / "Package.swift").read_text()))
    times = {}
    for module, kind, seconds in commands(database, configuration):
        owner = "ours" if module in declared or module.startswith("bracketdPackage") else "dependency"
        times[module + kind] = (seconds, owner)
    for name, (seconds, owner) in sorted(times.items(), key=lambda item: -item[1][0]):
        print(f"{seconds:8.1f} s  {owner:<10}  {name}")
    for owner in ("ours", "dependency"):
        print(f"{sum(seconds for seconds, whose in times.values() if whose == owner):8.1f} s  {owner}")


if __name__ == "__main__":
    main()
