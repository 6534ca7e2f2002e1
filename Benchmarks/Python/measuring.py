"""Shared by the parts of Benchmarks/run: calls to a daemon, and the cost of a process."""

import json
import pathlib
import re
import socket
import time


class CannotMeasure(Exception):
    pass


def await_value(what, ask, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := ask():
            return value
        time.sleep(0.05)
    raise CannotMeasure(f"waited {seconds} s for {what}")


def replies(path, method, parameters=None, more=False):
    """The parameters of every reply of the daemon at this socket, on arrival. Varlink: JSON objects that end with a zero
    byte."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        message = {"method": f"io.bracketd.{method}", "parameters": parameters or {}} | ({"more": True} if more else {})
        client.sendall(json.dumps(message).encode() + b"\0")
        buffer = b""
        while True:
            received = client.recv(65536)
            if not received:
                raise CannotMeasure(f"the daemon closed the connection during {method}")
            *whole, buffer = (buffer + received).split(b"\0")
            for text in whole:
                reply = json.loads(text)
                if "error" in reply:
                    raise CannotMeasure(f"{method}: {reply}")
                yield reply["parameters"]
                if not reply.get("continues"):
                    return


def cpu_ms(process):
    """CPU time of all threads so far (proc(5), schedstat: nanoseconds first)."""
    tasks = pathlib.Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def wakeups(process):
    """The voluntary context switches of the process (proc(5)), one for each wake-up."""
    count = 0
    for status in pathlib.Path(f"/proc/{process}/task").glob("*/status"):
        count += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read_text(), re.MULTILINE)[1])
    return count


def wakeups_each_minute(process, minutes):
    counts = [wakeups(process)]
    for _ in range(minutes):
        time.sleep(60)
        counts.append(wakeups(process))
    return [later - earlier for earlier, later in zip(counts, counts[1:])]


def resident_mb(process):
    text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    return int(re.search(r"^Rss:\s+(\d+) kB", text, re.MULTILINE)[1]) * 1024 / 1e6
