"""A disk whose flushes are as slow as those of a memory card: what the ledger costs then, and what the daemon writes.

A library that the daemon loads first delays each flush (Benchmarks/SlowDisk). The real disk must be faster.
"""

import mmap
import pathlib
import re
import statistics
import struct
import subprocess
import tempfile
import time

import button_bench
from measuring import CannotMeasure

# The delays in milliseconds. A memory card takes 5 to 200 ms. The limits hold at the one of LIMITED_MS.
DELAYS_MS = [0, 5, 50, 200]
LIMITED_MS = 50
SHOOT_LIMIT, PRESS_LIMIT_MS = 1.02, 5
ROUNDS = 3

PRESSES = 100
# How long a user holds the button, and how long the daemon is idle before, in seconds. In that time the daemon
# restores the speed and finishes its writes.
DOWN_SECONDS, REST_SECONDS = 0.15, 1.0

# After this time, in seconds, the daemon has written and flushed everything about a shoot.
QUIET_SECONDS = 8
IDLE_SECONDS = 120
DAY_SECONDS = 24 * 3600

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "SlowDisk" / "slow_flush.c"


class SlowFlushes:
    """The delay of a daemon's flushes, and their number."""

    CONTROL = struct.Struct("=QQ")

    def __init__(self, library):
        # The file is in memory, so that it does not count as written.
        self.file = tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="bracketd-flushes-")
        self.file.truncate(self.CONTROL.size)
        self.memory = mmap.mmap(self.file.fileno(), self.CONTROL.size)
        self.environment = {"LD_PRELOAD": str(library), "SLOW_FLUSH_CONTROL": self.file.name}

    def take(self, milliseconds):
        """Each flush takes this time from now on."""
        self.memory[:8] = struct.pack("=Q", milliseconds * 1000)

    @property
    def count(self):
        return self.CONTROL.unpack(self.memory[:])[1]


def slow_disk(start, shoot, plans, report, folder):
    """`start(storage, configuration, environment, camera, button)`: starts a daemon and its camera. `shoot(station, plan)`:
    fires a plan and returns its time."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="slow-disk-") as name:
        storage = pathlib.Path(name)
        library = compiled(storage)
        shoots(start, shoot, plans, report, storage, library)
        presses(start, report, storage, library)


def compiled(folder):
    library = folder / "slow_flush.so"
    command = ["cc", "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl", "-lpthread"]
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise CannotMeasure("cc is missing: install gcc") from error
    if result.returncode != 0:
        raise CannotMeasure(f"the library that delays flushes is not built: {result.stderr}")
    return library


def shoots(start, shoot, plans, report, storage, library):
    slow, other = SlowFlushes(library), SlowFlushes(library)
    with (
        start(storage / "required", '[ledger]\nmode = "required"\n', slow.environment) as kept,
        start(storage / "off", '[ledger]\nmode = "off"\n', other.environment) as unkept,
    ):
        # Many bodies refuse pictures in their first three seconds.
        time.sleep(3.5)
        for number, (name, plan) in enumerate(plans.items()):
            # The first shoot includes one-time costs.
            for station in (kept, unkept):
                shoot(station, plan)
            # The plan with the shortest frames comes first, and shows the most.
            for delay in DELAYS_MS if number == 0 else [LIMITED_MS]:
                for flushes in (slow, other):
                    flushes.take(delay)
                ratios = [ratio(shoot, plan, kept, unkept) for _ in range(ROUNDS)]
                figure = f"a shoot ÷ the same without the ledger, {delay} ms for each flush, {name}"
                if delay == LIMITED_MS:
                    report.at_most(figure, SHOOT_LIMIT, statistics.median(ratios), "", ratios)
                else:
                    report.note(f"  {figure}", statistics.median(ratios), "")
        slow.take(LIMITED_MS)
        plan = next(iter(plans.values()))
        report_writes(report, "per shoot", kept, slow, lambda: shoot(kept, plan))
        if slow.count == 0:
            raise CannotMeasure("the daemon flushed nothing: is the library in use?")
        report_rest(report, kept, slow)


def ratio(shoot, plan, kept, unkept):
    times = []
    for station in (kept, unkept):
        # The end of the last shoot may still be written.
        time.sleep(2)
        times.append(shoot(station, plan)["wall"])
    return times[0] / times[1]


def report_writes(report, figure, station, flushes, act):
    time.sleep(QUIET_SECONDS)
    before = written(station), flushes.count
    act()
    time.sleep(QUIET_SECONDS)
    report.note(f"  bytes written {figure}", (written(station) - before[0]) / 1000, "KB")
    report.note(f"  flushes {figure}", flushes.count - before[1], "")


def report_rest(report, station, flushes):
    before = written(station), flushes.count
    time.sleep(IDLE_SECONDS)
    bytes_per_day = (written(station) - before[0]) * DAY_SECONDS / IDLE_SECONDS
    report.at_most(f"bytes written in a day at rest, from {IDLE_SECONDS} s", 0, bytes_per_day, "")
    report.at_most(f"flushes in {IDLE_SECONDS} s at rest", 0, flushes.count - before[1], "")


def written(station):
    """The bytes that the daemon caused to be written to a disk (proc(5), io)."""
    text = pathlib.Path(f"/proc/{station.daemon.pid}/io").read_text()
    return int(re.search(r"^write_bytes: (\d+)$", text, re.MULTILINE)[1])


def presses(start, report, storage, library):
    for delay in (0, LIMITED_MS):
        flushes = SlowFlushes(library)

        def start_with_button(button, configuration, folder):
            camera = ["--save-time", "0.05s"]
            return start(folder, configuration, flushes.environment, camera, button)

        flushes.take(delay)
        below = storage / f"press-{delay}"
        below.mkdir()
        times = button_bench.latencies(start_with_button, "required", below, PRESSES, DOWN_SECONDS, REST_SECONDS)
        beyond = [sum(each.values()) for each in times]
        figure = f"from the button to the shutter command, beyond setting the speed, {delay} ms for each flush"
        p99 = button_bench.quantile(beyond, 0.99)
        if delay == LIMITED_MS:
            report.at_most(f"{figure}, p99", PRESS_LIMIT_MS, p99, "ms", beyond)
        else:
            report.note(f"  {figure}, p99", p99, "ms")
        report.note(f"  {figure}, p50", statistics.median(beyond), "ms")
