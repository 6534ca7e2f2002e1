"""A search without a camera: how often it wakes the daemon, and how many addresses it tries.

The daemon is in a network namespace with a /24 that has one other address and no camera. Needs root.
"""

import concurrent.futures
import ctypes
import os
import socket
import threading
import time

from measuring import CannotMeasure, cpu_ms, resident_mb, wakeups_each_minute
from network_bench import CAMERAS, OWN, Scene, need_namespaces

# The waves begin this many seconds after the start of the search (docs/network.md). The fifth one begins later.
WAVES = (0, 60, 180, 600)
# The time for which a search may be fast, and the time until the slow third wave is complete.
FAST_SECONDS = 120
MINUTES = 8

WAKEUPS_LIMIT = 60
# The addresses of a /24 without those of the network and of all.
ADDRESSES_LIMIT = 254

# The constants are from <linux/sched.h> and <linux/if_ether.h>.
CLONE_NEWNET, ETH_P_ARP = 0x40000000, 0x0806


def search(programs, report):
    need_namespaces()
    with Scene(programs, camera=None) as scene, AddressRequests(scene) as requests:
        scene.start_daemon('search = ["known", "ssdp", "scan"]')
        began = scene.daemon_log.awaits("search: .* → .*wave")
        process = scene.daemon.pid
        time.sleep(began + FAST_SECONDS - time.monotonic())
        cpu = cpu_ms(process)
        counts = wakeups_each_minute(process, MINUTES)
        cpu = cpu_ms(process) - cpu
        memory = resident_mb(process)
    tried = [requests.count(began + first, began + after) for first, after in zip(WAVES, WAVES[1:])]
    if 0 in tried:
        raise CannotMeasure(f"the waves tried {tried} addresses: was anything searched?")
    name = "searching: wake-ups in the busiest minute after two"
    report.at_most(name, WAKEUPS_LIMIT, max(counts), "", counts, before=1071)
    report.note("  CPU time a minute", cpu / MINUTES, "ms", before=1900)
    report.note("  resident memory", memory, "MB", before=28.5)
    name = "searching: addresses of a /24 tried in a wave"
    report.at_most(name, ADDRESSES_LIMIT, max(tried), "", tried, before="endless")


class AddressRequests:
    """The daemon's ARP requests, each with its time. An address that does not answer gets no other packet."""

    def __init__(self, scene):
        self.socket = packet_socket(scene.namespaces["camera"], CAMERAS)
        self.requests = []
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        own = socket.inet_aton(OWN)
        while frame := self._frame():
            # RFC 826: the operation, and the protocol addresses of the sender and the target.
            operation, sender, target = frame[20:22], frame[28:32], frame[38:42]
            if operation == b"\0\1" and sender == own:
                self.requests.append((time.monotonic(), target))

    def _frame(self):
        try:
            return self.socket.recv(2048)
        except OSError:
            return b""

    def count(self, first, after):
        """The number of different addresses in this time."""
        return len({target for moment, target in self.requests if first <= moment < after})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def packet_socket(process, interface):
    """A socket that receives the ARP packets of an interface in the network namespace of a process."""

    def open_there():
        with open(f"/proc/{process}/ns/net") as namespace:
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), CLONE_NEWNET) != 0:
                raise CannotMeasure(f"the network namespace of the camera: {os.strerror(ctypes.get_errno())}")
        opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ARP))
        opened.bind((interface, 0))
        return opened

    # Only the thread that opens the socket changes its namespace.
    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(open_there).result()
