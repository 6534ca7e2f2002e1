"""Reading the light of a JPEG with `bracketd-exif --light`: the time of one core, and the memory.

Needs `cjpeg` of libjpeg-turbo-progs, which makes the pictures.
"""

import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from measuring import CannotMeasure

# The sizes of a body's own pictures and of its previews, with their limits in milliseconds.
PICTURES = {"24 megapixels": (6000, 4000, 500), "2 megapixels": (1616, 1080, 60)}
# A picture of the same number of blocks, which needs little else.
LEAST = (384, 256)
LIMIT_MEMORY_MIB = 8
READINGS = 7


def light(programs, report):
    if not shutil.which("cjpeg"):
        raise CannotMeasure("there is no cjpeg: apt-get install libjpeg-turbo-progs")
    program = programs / "bracketd-exif"
    with tempfile.TemporaryDirectory(prefix="light-") as name:
        folder = pathlib.Path(name)
        least = memory_kib(program, picture(folder, *LEAST))
        for size, (width, height, limit) in PICTURES.items():
            file = picture(folder, width, height)
            times = [core_ms(program, file) for _ in range(READINGS)]
            figure = f"light of {size} ({file.stat().st_size / 1e6:.1f} MB)"
            report.at_most(f"{figure}, time of one core", limit, statistics.median(times), "ms", times)
            memory = (memory_kib(program, file) - least) / 1024
            report.at_most(f"{figure}, memory beyond the program", LIMIT_MEMORY_MIB, memory, "MiB")


def picture(folder, width, height):
    """A picture of a ramp with noise: the noise makes the file as large as a camera's."""
    noise = random.Random(1).randbytes(1 << 20)
    rows = bytearray(f"P6 {width} {height} 255\n".encode())
    for row in range(height):
        start = row * 7919 % (1 << 19)
        level = row * 200 // height
        rows += bytes(level + (each >> 3) for each in noise[start : start + width * 3])
    file = folder / f"{width}x{height}.jpg"
    file.write_bytes(subprocess.run(["cjpeg", "-quality", "92"], input=rows, capture_output=True, check=True).stdout)
    return file


def core_ms(program, file):
    before = os.times()
    with file.open("rb") as content:
        subprocess.run([program, "--light"], stdin=content, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used * 1000


def memory_kib(program, file):
    """The peak of resident memory. The report is longer than the pipe, so the process waits at its end."""
    with file.open("rb") as content, subprocess.Popen(
        [program, "--light"], stdin=content, stdout=subprocess.PIPE
    ) as process:
        process.stdout.read(1)
        time.sleep(0.2)
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        process.stdout.read()
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    if not peak:
        raise CannotMeasure(f"{program} ended before its memory was read")
    return int(peak[1])
