#!/usr/bin/env python3
"""The sizes of what a board installs: of the programs, stripped as `deploy/package` strips them, and of the packages.

  Benchmarks/Python/program_size.py DIRECTORY    checks the programs of a release build in this directory

Exit status: 0 if every limit holds, 1 if one does not, 2 if a program is missing or cannot be stripped.
"""

import pathlib
import subprocess
import sys
import tempfile

from measuring import CannotMeasure

# The limits in MB (1,000,000 bytes), and the sizes with GRDB and lld, which both pulled in the whole of Foundation.
LIMITS_MB = {"bracketd": 26, "bracketctl": 29, "camerasim": 26, "bracketd-exif": 7}
BEFORE_MB = {"bracketd": 69.8, "bracketctl": 69.8, "camerasim": 26.8, "bracketd-exif": 6.1}
TOTAL_LIMIT_MB, TOTAL_BEFORE_MB = 82, 172.5
# The name of the tables of all languages in ICU, a part of Foundation. A stripped program still has it.
LANGUAGE_TABLES = b"icudt"

# The package that a board installs. Before, it also had the simulated cameras.
PACKAGE, PACKAGE_LIMIT_MB, PACKAGE_BEFORE_MB, INSTALLED_BEFORE_MB = "bracketd", 24, 43, 172
PACKAGE_SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "package"


def sizes(folder):
    """For each program its stripped size in MB, and whether it has the tables of languages."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="bracketd-size-") as temporary:
        for name in LIMITS_MB:
            program, stripped = pathlib.Path(folder) / name, pathlib.Path(temporary) / name
            options = ["--strip-unneeded", "--remove-section=.comment", "--remove-section=.note"]
            run(["strip", *options, "-o", stripped, program])
            content = stripped.read_bytes()
            found[name] = (len(content) / 1e6, LANGUAGE_TABLES in content)
    return found


def package_sizes(folder):
    """For each package of these programs its size in MB, and that of its installed files."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="bracketd-size-") as temporary:
        for path in run([PACKAGE_SCRIPT, "--programs", folder, "--output", temporary]).splitlines():
            name, kibibytes = run(["dpkg-deb", "--show", "--showformat", "${Package} ${Installed-Size}", path]).split()
            found[name] = (pathlib.Path(path).stat().st_size / 1e6, int(kibibytes) * 1024 / 1e6)
    return found


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise CannotMeasure(f"{command[0]} ended with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def size(folder, report):
    """Adds the sizes to the report of Benchmarks/run."""
    found = sizes(folder)
    for name, (megabytes, _) in found.items():
        report.at_most(f"{name}, stripped", LIMITS_MB[name], megabytes, "MB", before=BEFORE_MB[name])
    total, with_tables = (sum(each) for each in zip(*found.values()))
    report.at_most("all programs, stripped", TOTAL_LIMIT_MB, total, "MB", before=TOTAL_BEFORE_MB)
    report.at_most("programs with tables of languages", 0, with_tables, "", before=2)
    packages = package_sizes(folder)
    megabytes, installed = packages.pop(PACKAGE)
    report.at_most(f"package {PACKAGE}", PACKAGE_LIMIT_MB, megabytes, "MB", before=PACKAGE_BEFORE_MB)
    report.note("  installed", installed, "MB", before=INSTALLED_BEFORE_MB)
    for name, (megabytes, installed) in packages.items():
        report.note(f"  package {name}, which a board does not need", megabytes, "MB", before=f"in {PACKAGE}")
        report.note("  installed", installed, "MB")


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
    except CannotMeasure as error:
        print(error, file=sys.stderr)
        sys.exit(2)
