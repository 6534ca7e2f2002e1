#!/usr/bin/env python3
"""The sizes of the programs that a board installs, stripped as `deploy/package` strips them.

  Benchmarks/Python/program_size.py DIRECTORY    checks the programs of a release build in this directory

Exit status: 0 if every limit holds, 1 if one does not, 2 if a program is missing or cannot be stripped.
"""

import pathlib
import subprocess
import sys
import tempfile

# The limits in MB (1,000,000 bytes), and the sizes with GRDB and lld, which both pulled in the whole of Foundation.
LIMITS_MB = {"bracketd": 26, "bracketctl": 26, "camerasim": 26, "bracketd-exif": 7}
BEFORE_MB = {"bracketd": 70.2, "bracketctl": 73.0, "camerasim": 26.8, "bracketd-exif": 6.1}
TOTAL_LIMIT_MB = 78
# The name of the tables of all languages in ICU, a part of Foundation. A stripped program still has it.
LANGUAGE_TABLES = b"icudt"


class CannotStrip(Exception):
    pass


def sizes(folder):
    """For each program its stripped size in MB, and whether it has the tables of languages."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="bracketd-size-") as temporary:
        for name in LIMITS_MB:
            program, stripped = pathlib.Path(folder) / name, pathlib.Path(temporary) / name
            command = ["strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note"]
            result = subprocess.run([*command, "-o", stripped, program], capture_output=True, text=True)
            if result.returncode != 0:
                raise CannotStrip(result.stderr.strip())
            content = stripped.read_bytes()
            found[name] = (len(content) / 1e6, LANGUAGE_TABLES in content)
    return found


def size(folder, report):
    """Adds the sizes to the report of Benchmarks/run."""
    found = sizes(folder)
    for name, (megabytes, _) in found.items():
        report.at_most(f"{name}, stripped", LIMITS_MB[name], megabytes, "MB")
        report.note("  the same before 2026-11-26", BEFORE_MB[name], "MB")
    report.at_most("all programs, stripped", TOTAL_LIMIT_MB, sum(each for each, _ in found.values()), "MB")
    report.at_most("programs with tables of languages", 0, sum(has_tables for _, has_tables in found.values()), "")


def main(folder):
    faults = []
    for name, (megabytes, has_tables) in sizes(folder).items():
        print(f"{name}: {megabytes:.1f} MB")
        if megabytes > LIMITS_MB[name]:
            faults.append(f"{name} has {megabytes:.1f} MB; the limit is {LIMITS_MB[name]} MB")
        if has_tables:
            faults.append(f"{name} has the tables of languages of Foundation")
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1]))
    except CannotStrip as error:
        print(error, file=sys.stderr)
        sys.exit(2)
