"""A lost network: the time until a shoot resumes, the time to find a camera, and the cost of waiting for one.

Every daemon and every simulated body has its own network namespace; a veth pair connects two of them. The machine's
own network stays unchanged, and the namespaces end with the processes. Needs root, `ip`, `nsenter` and `unshare`.
"""

import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measuring import CannotMeasure, await_value, cpu_ms, replies, resident_mb, wakeups_each_minute

NETWORK = "192.168.122"
OWN = f"{NETWORK}.50"
FIRST, MIDDLE, LAST = (f"{NETWORK}.{host}" for host in (1, 128, 254))
# The two ends of the veth pair.
DAEMONS, CAMERAS = "veth-d", "veth-c"

RETURNS = 20
# A plan with about three frames per second. It has enough frames for a loss during the shoot.
PLAN = {"shadow": "1/15", "highlight": "1/8000", "frames": 3, "spacing": 1}
# The range of seconds for which the computer is away. The pause is always reported in this time.
AWAY = (0.2, 1.5)

SCANS = 5
STARTS = 10
ONE_FRAME = {"shadow": "1/60", "highlight": "1/60", "frames": 3, "spacing": 1}

IDLE_MINUTES = 3
# The time for the readings of a new connection, and for the last check of the connection's time limit.
SETTLING_SECONDS = 8


def network(programs, report):
    need_namespaces()
    # Parts that mostly wait can run at the same time.
    with concurrent.futures.ThreadPoolExecutor(max_workers=16) as pool:
        resting = {name: pool.submit(rest, programs, model) for name, model in RESTING.items()}
        returning = {name: pool.submit(returns, programs, camera) for name, camera in RETURNING.items()}
        scanning = scans(programs, pool)
        starting = {way: pool.submit(starts, programs, way) for way in ("known", "ssdp")}
        resting, returning, starting = (
            {name: future.result() for name, future in futures.items()} for futures in (resting, returning, starting)
        )
    report_returns(report, returning)
    report_scans(report, scanning)
    report_starts(report, starting)
    report_rest(report, resting)


def need_namespaces():
    if os.geteuid() != 0:
        raise CannotMeasure("only root can create namespaces: run `network` and `idle` as root, or leave them out")
    for tool in ("ip", "nsenter", "unshare"):
        if not shutil.which(tool):
            raise CannotMeasure(f"{tool} is missing: Debian has it in iproute2 and util-linux")


# The route back, and shooting again


RETURNING = {
    "a body that lets go at once": ["--slot-hold", "1ms"],
    "a body that holds its place for 2 s": ["--slot-hold", "2s"],
}


def returns(programs, camera):
    """For each loss of the address during a shoot: the times from its return until the daemon is connected and until the
    shutter opens."""
    random_moments = random.Random(6)
    rounds = []
    with Scene(programs, camera=camera) as scene:
        scene.start_daemon(f'address = "{FIRST}"')
        scene.daemon_log.awaits("connection: .* → connected")
        for _ in range(RETURNS):
            rounds.append(one_return(scene, random_moments))
    return rounds


def one_return(scene, random_moments):
    shots, told = scene.camera_log.mark(), scene.daemon_log.mark()
    shoot = scene.shoots(PLAN)
    scene.camera_log.awaits("shutter opens", after=shots, count=2)
    # The outage begins at any moment of a frame.
    time.sleep(random_moments.uniform(0, 0.8))
    scene.ip("addr", "del", f"{OWN}/24", "dev", DAEMONS)
    scene.daemon_log.awaits("connection: .* → offNetwork", after=told)
    time.sleep(random_moments.uniform(*AWAY))
    shots, told = scene.camera_log.mark(), scene.daemon_log.mark()
    scene.ip("addr", "add", f"{OWN}/24", "dev", DAEMONS)
    back = time.monotonic()
    connected = scene.daemon_log.awaits("connection: .* → connected", after=told, seconds=60)
    opened = scene.camera_log.awaits("shutter opens", after=shots, seconds=60)
    refusals = scene.daemon_log.count("connecting → backingOff .*camera.refused", after=told)
    scene.call("Cancel")
    shoot.join(30)
    if shoot.is_alive():
        raise CannotMeasure(f"a shoot did not end when it was cancelled: {scene.last_words()}")
    return {"connected": connected - back, "opened": opened - back, "refusals": refusals}


def report_returns(report, returning):
    medians = {}
    for name, rounds in returning.items():
        opened = [each["opened"] for each in rounds]
        medians[name] = statistics.median(opened)
        report.at_most(f"route back to the next shutter release, {name}", 10.0, medians[name], "s", opened)
        report.note("  of that until connected", statistics.median(each["connected"] for each in rounds), "s")
        report.note("  times that the body said it was in use", sum(each["refusals"] for each in rounds) / len(rounds), "")
    at_once, held = medians.values()
    report.note("  the second ÷ the first", held / at_once, "")


# Every address of a network called


def nobody(scene):
    """Only the camera's address answers, even to ARP."""


def refusing(scene):
    """Every other address exists and refuses connections."""
    hosts = [f"{NETWORK}.{host}" for host in range(1, 255)]
    scene.ip_batch("camera", [f"addr add {host}/24 dev {CAMERAS}" for host in hosts if host not in (OWN, scene.address)])


def silent(scene):
    """Every other address answers ARP, but drops all packets."""
    link = scene.in_namespace("camera", "ip", "-oneline", "link", "show", "dev", CAMERAS)
    hardware = re.search(r"link/ether (\S+)", link)[1]
    hosts = [f"{NETWORK}.{host}" for host in range(1, 255)]
    others = [host for host in hosts if host not in (OWN, scene.address)]
    scene.ip_batch("daemon", [f"neigh replace {host} lladdr {hardware} dev {DAEMONS} nud permanent" for host in others])


NEIGHBOURS = {"no neighbours": nobody, "neighbours that refuse": refusing, "neighbours that are silent": silent}


def scans(programs, pool):
    """For each kind of neighbours and each address of the camera: the seconds from the search's start until connected."""
    results = {}
    for name, neighbours in NEIGHBOURS.items():
        futures = {place: pool.submit(scans_of, programs, neighbours, place) for place in (FIRST, MIDDLE, LAST)}
        results[name] = {place: future.result() for place, future in futures.items()}
    return results


def scans_of(programs, neighbours, place):
    seconds = []
    with Scene(programs, address=place) as scene:
        neighbours(scene)
        for _ in range(SCANS):
            scene.start_daemon('search = ["scan"]')
            began = scene.daemon_log.awaits("search: .* → .*wave")
            seconds.append(scene.daemon_log.awaits("connection: .* → connected", seconds=90) - began)
            scene.stop_daemon()
            # The kernel's entries about missing neighbours would shorten the next run, so they are removed.
            scene.ip("neigh", "flush", "dev", DAEMONS)
    return seconds


def report_scans(report, scanning):
    for name, places in scanning.items():
        slowest = max(places, key=lambda place: statistics.median(places[place]))
        seconds = places[slowest]
        report.at_most(f"/24 gone through, {name}: to the camera at {slowest}", 15.0, statistics.median(seconds), "s", seconds)
        for place, others in places.items():
            if place != slowest:
                report.note(f"  to the camera at {place}", statistics.median(others), "s")


# From the daemon's start to the first frame


def starts(programs, way):
    """The seconds from the start of the process until connected, and until the shutter opens."""
    rounds = []
    with Scene(programs, camera=["--ssdp"]) as scene:
        # A first daemon records the camera in the ledger.
        scene.start_daemon(f'address = "{FIRST}"')
        scene.daemon_log.awaits("connection: .* → connected")
        time.sleep(0.5)
        scene.stop_daemon()
        for _ in range(STARTS):
            shots = scene.camera_log.mark()
            began = time.monotonic()
            scene.start_daemon(f'search = ["{way}"]', keeps_state=way == "known")
            connected = scene.daemon_log.awaits("connection: .* → connected")
            scene.daemon_log.awaits("shooting: absent → present")
            shoot = scene.shoots(ONE_FRAME)
            opened = scene.camera_log.awaits("shutter opens", after=shots)
            rounds.append({"connected": connected - began, "opened": opened - began})
            scene.call("Cancel", may_fail=True)
            shoot.join(30)
            scene.stop_daemon()
    return rounds


def report_starts(report, starting):
    medians = {}
    for way, name in (("known", "a known address"), ("ssdp", "SSDP only")):
        opened = [each["opened"] for each in starting[way]]
        medians[way] = statistics.median(opened)
        report.at_most(f"daemon's start to the first shutter release, {name}", 5.0, medians[way], "s", opened)
        report.note("  of that until connected", statistics.median(each["connected"] for each in starting[way]), "s")
    report.note("  the second ÷ the first", medians["ssdp"] / medians["known"], "")


# At rest


RESTING = {
    "a body that allows 24 s of silence": "ilce-7m4",
    "a body that leaves after 10 s": "ilce-7cm2",
}


def rest(programs, model):
    with Scene(programs, camera=["--model", model]) as scene:
        scene.start_daemon(f'address = "{FIRST}"')
        scene.daemon_log.awaits("connection: .* → connected")
        time.sleep(SETTLING_SECONDS)
        process = scene.daemon.pid
        mark, before = scene.camera_log.mark(), cpu_ms(process)
        counts = wakeups_each_minute(process, IDLE_MINUTES)
        after = cpu_ms(process)
        readings = scene.camera_log.count("SDIO_GetAllExtDevicePropInfo", after=mark)
        if readings == 0 or scene.daemon_log.count("connection: connected →"):
            raise CannotMeasure(f"the daemon did not stay connected at rest: {scene.last_words()}")
        return {
            "wakeups": sum(counts) / IDLE_MINUTES,
            "cpu": (after - before) / IDLE_MINUTES,
            "readings": readings / IDLE_MINUTES,
            "memory": resident_mb(process),
        }


def report_rest(report, resting):
    for name, figures in resting.items():
        report.at_most(f"wake-ups a minute, {name}", 60, figures["wakeups"], "")
        report.note("  keep-alives a minute", figures["readings"], "")
        report.note("  wake-ups ÷ keep-alives", figures["wakeups"] / figures["readings"], "")
        report.note("  CPU time a minute", figures["cpu"], "ms")
        report.note("  resident memory", figures["memory"], "MB")


# Two namespaces


class Scene:
    """A namespace for the daemon and one for the simulated body, connected by a veth pair."""

    def __init__(self, programs, address=FIRST, camera=()):
        """`camera`: more arguments for the simulated body; None: no body."""
        self.programs = programs
        self.address = address
        self.directory = tempfile.TemporaryDirectory(prefix="bracketd-network-")
        self.path = pathlib.Path(self.directory.name)
        self.socket = self.path / "socket"
        self.processes = []
        self.daemon = None
        self.starts = 0
        try:
            self.namespaces = {name: self._namespace() for name in ("daemon", "camera")}
            self._join()
            if camera is not None:
                self._start_camera(camera)
        except BaseException:
            self.stop()
            raise

    def _namespace(self):
        holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.processes.append(holder)
        own = os.readlink("/proc/self/ns/net")

        def has_left():
            try:
                return os.readlink(f"/proc/{holder.pid}/ns/net") != own
            except OSError as error:
                raise CannotMeasure(f"no network namespace can be made: {error}") from error

        await_value("a network namespace", has_left)
        return holder.pid

    def _join(self):
        daemon, camera = (str(self.namespaces[name]) for name in ("daemon", "camera"))
        run("ip", "link", "add", DAEMONS, "netns", daemon, "type", "veth", "peer", "name", CAMERAS, "netns", camera)
        for name, interface, address in (("daemon", DAEMONS, OWN), ("camera", CAMERAS, self.address)):
            commands = [f"addr add {address}/24 dev {interface}", f"link set {interface} up", "link set lo up"]
            self.ip_batch(name, commands)

    def _start_camera(self, more):
        command = [self.programs / "camerasim", "sony", "--listen", f"{self.address}:15740", "--picture-size", "small", "--log", *more]
        process = self._spawn("camera", command, stdout=subprocess.PIPE)
        self.camera_log = Log("the camera's log", process.stderr)
        if "listening" not in process.stdout.readline():
            raise CannotMeasure(f"camerasim does not listen: {self.camera_log.last_words()}")
        Log("the camera's output", process.stdout)

    def start_daemon(self, camera, keeps_state=True):
        """`camera`: lines of that section of its configuration."""
        self.starts += 0 if keeps_state else 1
        configuration = self.path / "bracketd.toml"
        configuration.write_text(
            f'[socket]\npath = "{self.socket}"\n[storage]\ndirectory = "{self.path}/state-{self.starts}"\n[camera]\n{camera}\n'
        )
        self.daemon = self._spawn("daemon", [self.programs / "bracketd", "--debug", "--config", configuration])
        self.daemon_log = Log("the daemon's log", self.daemon.stderr)

    def stop_daemon(self):
        end(self.daemon)
        self.processes.remove(self.daemon)

    def _spawn(self, name, command, stdout=subprocess.DEVNULL):
        # nsenter becomes the program, so the started process is the program itself.
        command = ["nsenter", "--net", f"--target={self.namespaces[name]}", *map(str, command)]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        self.processes.append(process)
        return process

    def in_namespace(self, name, *command, **options):
        return run("nsenter", "--net", f"--target={self.namespaces[name]}", *command, **options)

    def ip(self, *words):
        """In the daemon's namespace."""
        self.in_namespace("daemon", "ip", *words)

    def ip_batch(self, name, commands):
        self.in_namespace(name, "ip", "-batch", "-", input="\n".join(commands) + "\n")

    def call(self, method, parameters=None, may_fail=False):
        try:
            return list(replies(self.socket, method, parameters))
        except CannotMeasure as error:
            if may_fail:
                return []
            raise CannotMeasure(f"{error}: {self.last_words()}") from error

    def shoots(self, plan):
        """A thread that receives all replies to a shoot. Its result is checked elsewhere."""

        def hear():
            deadline = time.monotonic() + 10
            while True:
                try:
                    for _ in replies(self.socket, "Shoot", {"plan": plan}, more=True):
                        pass
                    return
                except (CannotMeasure, OSError) as error:
                    # Right after its start the daemon refuses requests, because it opens its ledger.
                    if "NotNow" not in str(error) or time.monotonic() > deadline:
                        return print(f"Shoot: {error}", file=sys.stderr)
                    time.sleep(0.02)

        thread = threading.Thread(target=hear)
        thread.start()
        return thread

    def last_words(self):
        return self.daemon_log.last_words() if self.daemon else ""

    def stop(self):
        for process in reversed(self.processes):
            end(process)
        self.directory.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Log:
    """The output lines of a process with their times."""

    def __init__(self, name, stream):
        self.name = name
        self.lines = []
        self.changed = threading.Condition()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            now = time.monotonic()
            with self.changed:
                self.lines.append((now, line.rstrip("\n")))
                self.changed.notify_all()

    def mark(self):
        with self.changed:
            return len(self.lines)

    def awaits(self, pattern, after=0, count=1, seconds=30):
        """The time of the matching line: the first after a mark, or the `count`th."""
        expression = re.compile(pattern)
        deadline = time.monotonic() + seconds
        with self.changed:
            while True:
                while after < len(self.lines):
                    moment, line = self.lines[after]
                    after += 1
                    if expression.search(line):
                        count -= 1
                        if count == 0:
                            return moment
                if not self.changed.wait(deadline - time.monotonic()):
                    raise CannotMeasure(f"waited {seconds} s for '{pattern}' in {self.name}: {self._last_words()}")

    def count(self, pattern, after=0):
        with self.changed:
            return sum(1 for _, line in self.lines[after:] if re.search(pattern, line))

    def last_words(self):
        with self.changed:
            return self._last_words()

    def _last_words(self):
        return "\n".join(line for _, line in self.lines[-20:])


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise CannotMeasure(f"{' '.join(map(str, command))} ended with {result.returncode}: {result.stderr}")
    return result.stdout


def end(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
