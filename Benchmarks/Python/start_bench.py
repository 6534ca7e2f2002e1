"""From the start of `bracketd` until it reports that it is ready (sd_notify(3), READY=1)."""

import os
import pathlib
import signal
import socket
import statistics
import subprocess
import tempfile
import time

from measuring import CannotMeasure, replies

STARTS = 15
# The first starts read the program from the disk, so they do not count.
FIRST_STARTS = 2
LIMIT_SECONDS = 0.3
WAIT_SECONDS = 20

SHOOTS = 1000
# The number of commits that `ledgerload` makes for each shoot.
COMMITS_PER_SHOOT = 9

# Nothing listens at this address, so the daemon needs no camera and sends nothing to a network.
CONFIGURATION = """
[socket]
path = "{path}/socket"
[storage]
directory = "{storage}"
[camera]
address = "127.0.0.1:9"
"""


def start(programs, report, folder):
    """`folder`: a directory on a disk, for the ledger."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="start-") as name:
        path = pathlib.Path(name)
        empty = starts(programs, path, lambda number: path / f"empty-{number}", [])
        report_starts(report, "empty state directory", empty)
        folder = full_ledger(programs, path)
        full = starts(programs, path, lambda _: folder, [SHOOTS])
        report_starts(report, f"ledger of {SHOOTS:,} shoots", full)


def report_starts(report, state, times):
    ready, readable = ([each[name] for each in times] for name in ("ready", "readable"))
    median = statistics.median(ready)
    report.at_most(f"start to READY, {state}", LIMIT_SECONDS, median, "s", ready, before="not measured")
    report.note("  start until the history can be read", statistics.median(readable), "s")


def full_ledger(programs, path):
    folder = path / "full"
    folder.mkdir()
    command = [programs / "ledgerload", folder, str(SHOOTS * COMMITS_PER_SHOOT)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise CannotMeasure(f"ledgerload ended with {result.returncode}: {result.stdout[-500:]}")
    return folder


def starts(programs, path, storage, newest):
    """`storage`: the state directory for each start; `newest`: the last shoot in its history."""
    times = [one_start(programs, path, storage(number), newest) for number in range(FIRST_STARTS + STARTS)]
    return times[FIRST_STARTS:]


def one_start(programs, path, storage, newest):
    """The seconds from the start of the process until it is ready, and until its history can be read."""
    configuration, notices, log = path / "bracketd.toml", path / "notify", path / "log"
    configuration.write_text(CONFIGURATION.format(path=path, storage=storage))
    notices.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, log.open("wb") as errors:
        manager.bind(str(notices))
        manager.settimeout(WAIT_SECONDS)
        command = [programs / "bracketd", "--config", configuration]
        environment = os.environ | {"NOTIFY_SOCKET": str(notices)}
        began = time.monotonic()
        daemon = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=errors, env=environment)
        try:
            await_ready(manager, log)
            ready = time.monotonic()
            await_history(path / "socket", newest)
            return {"ready": ready - began, "readable": time.monotonic() - began}
        finally:
            end(daemon)


def await_ready(manager, log):
    try:
        while "READY=1" not in manager.recv(4096).decode().splitlines():
            pass
    except TimeoutError as error:
        raise CannotMeasure(f"waited {WAIT_SECONDS} s for READY=1: {log.read_text()[-2000:]}") from error


def await_history(path, newest):
    """The daemon opens its ledger after it is ready, and refuses to read it before."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            shoots = next(replies(path, "GetHistory", {"limit": 1}))["shoots"]
            break
        except CannotMeasure:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.002)
    if [each["id"] for each in shoots] != newest:
        raise CannotMeasure(f"the history has {shoots} instead of {newest}: another ledger was measured")


def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(WAIT_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
