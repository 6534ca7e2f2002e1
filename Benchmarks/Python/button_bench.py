"""From the button to the shutter: edges of a line in the kernel's format, and the packets on the loopback device.

Needs root to read the packets.
"""

import pathlib
import socket
import statistics
import struct
import tempfile
import time

from measuring import CannotMeasure, await_value

PRESSES = 200
# The first presses include one-time costs, so they do not count.
FIRST_PRESSES = 10
LIMIT_MS = 5
DOWN_SECONDS = 0.05
# The time, in seconds, after which the daemon is idle when the button is released.
REST_SECONDS = 0.3

# The event gpio_v2_line_event of <linux/gpio.h>, with GPIO_V2_LINE_EVENT_RISING_EDGE and _FALLING_EDGE.
EDGE = struct.Struct("=QIIII24x")
RISING, FALLING = 1, 2

# The constants are from <asm/socket.h>, <linux/if_packet.h> and <linux/if_ether.h>.
SO_TIMESTAMPNS, PACKET_OUTGOING, ETH_P_ALL = 35, 4, 3

# A request of PTP/IP: length, type, data phase, operation, transaction, and then parameters. The operations are
# SDIO_GetAllExtDevicePropInfo, SDIO_SetExtDevicePropValue of the shutter speed, and SDIO_ControlDevice of the
# half-pressed shutter button.
REQUEST = struct.Struct("<IIIHI")
OPERATION_REQUEST = 6
READING, SPEED, SHUTTER = (0x9209,), (0x9205, 0xD20D), (0x9207, 0xD2C1)

PLAN = 'shadow = "1/125"\nhighlight = "1/125"\n'
CONFIGURATION = f'[button]\nchip = "/dev/gpiochip0"\nline = 0\nlockout = "50 ms"\n[plan]\n{PLAN}'


def button(start, report, folder):
    """`start(button, configuration, storage)`: starts a daemon with this socket as its button, and its camera."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="button-") as name:
        storage = pathlib.Path(name)
        kept = latencies(start, "required", storage)
        unkept = latencies(start, "off", storage)
    beyond = [sum(each.values()) for each in kept]
    p99 = quantile(beyond, 0.99)
    report.at_most("from the button to the shutter command, beyond setting the speed, p99", LIMIT_MS, p99, "ms", beyond)
    report.note("  p50", statistics.median(beyond), "ms")
    report.note("  presses", len(beyond), "")
    for part in kept[0]:
        note(report, f"from {part}", [each[part] for each in kept])
    note(report, "without a ledger", [sum(each.values()) for each in unkept])


def note(report, figure, times):
    report.note(f"  {figure}, p50", statistics.median(times), "ms")
    report.note(f"  {figure}, p99", quantile(times, 0.99), "ms")


def quantile(values, share):
    """The smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def latencies(start, mode, storage, presses=PRESSES, down=DOWN_SECONDS, rest=REST_SECONDS):
    """Presses the button for `down` seconds, each time after `rest` seconds without a shoot."""
    ours, theirs = socket.socketpair()
    with ours, theirs, Wire() as wire:
        with start(theirs, f'[ledger]\nmode = "{mode}"\n{CONFIGURATION}', storage / mode) as station:
            wire.port = int(station.address.rsplit(":", 1)[1])
            # Many bodies refuse pictures in their first three seconds.
            time.sleep(3.5)
            edges = Edges(ours)
            found = []
            for number in range(FIRST_PRESSES + presses):
                await_value("the shoot to end", lambda: shoot_count(station) == number)
                time.sleep(rest)
                wire.read()
                let_go = edges.press(down)
                await_value("the shutter command", lambda: wire.read() or wire.shutter_after(let_go), 10)
                found.append(wire.latency(let_go))
            return found[FIRST_PRESSES:]


def shoot_count(station):
    """The number of ended shoots; the last one may still run."""
    shoot = station.call("GetStatus")[-1]["status"].get("shoot")
    if not shoot:
        return 0
    return shoot["shoot"] if shoot.get("outcome") == "completed" else shoot["shoot"] - 1


class Edges:
    """The line of a button."""

    def __init__(self, end):
        self.end = end
        self.count = 0

    def press(self, down):
        """Presses and releases it after `down` seconds; returns the time in nanoseconds of the clock that stamps packets."""
        self._tell(RISING)
        time.sleep(down)
        return self._tell(FALLING)

    def _tell(self, edge):
        self.count += 1
        stamp = time.time_ns()
        self.end.sendall(EDGE.pack(time.monotonic_ns(), edge, 0, self.count, self.count))
        return stamp


class Wire:
    """The packets to and from a camera on the loopback device, with the kernel's times."""

    def __init__(self):
        try:
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        except PermissionError as error:
            raise CannotMeasure("the packets on the loopback device: run it as root") from error
        self.socket.bind(("lo", 0))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.socket.setblocking(False)
        self.port = 0
        self.packets = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def read(self):
        """Reads the new packets."""
        while True:
            try:
                frame, extra, _, address = self.socket.recvmsg(2048, 256)
            except BlockingIOError:
                return
            if address[2] == PACKET_OUTGOING:
                self._note(frame, extra)

    def _note(self, frame, extra):
        ip = frame[14:]
        if len(ip) < 40 or ip[0] >> 4 != 4 or ip[9] != socket.IPPROTO_TCP:
            return
        tcp = ip[(ip[0] & 15) * 4 : int.from_bytes(ip[2:4], "big")]
        source, destination = struct.unpack_from("!HH", tcp)
        payload = tcp[(tcp[12] >> 4) * 4 :]
        if self.port not in (source, destination) or not payload:
            return
        stamps = [data for level, kind, data in extra if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS)]
        seconds, nanoseconds = struct.unpack("=qq", stamps[0])
        self.packets.append((seconds * 1_000_000_000 + nanoseconds, destination == self.port, payload))

    def shutter_after(self, stamp):
        return next((at for at, is_ours, payload in self.packets if at > stamp and is_ours and asks(payload, SHUTTER)), None)

    def latency(self, let_go):
        """The daemon's part of one press in milliseconds: all times except those from a command to the camera's answer. The
        two commands are the setting of the speed and one more reading right before the shutter. Discards the packets
        so far."""
        shutter = self.shutter_after(let_go)
        before = [each for each in self.packets if let_go < each[0] < shutter]
        heard = [at for at, is_ours, _ in before if not is_ours]
        speed = next((at for at, is_ours, payload in before if is_ours and asks(payload, SPEED)), shutter)
        readings = [at for at, is_ours, payload in before if is_ours and at > speed and asks(payload, READING)]
        if len(readings) < 2:
            raise CannotMeasure("a press that did not set the speed, or did not read it again")
        self.packets = []
        return {
            "the edge to the speed's command": (speed - let_go) / 1e6,
            "the speed that is there to the last look at it": (readings[-1] - max(at for at in heard if at < readings[-1])) / 1e6,
            "what that shows to the shutter command": (shutter - heard[-1]) / 1e6,
        }


def asks(payload, request):
    """Whether this is a request of this operation with these first parameters."""
    if len(payload) < REQUEST.size:
        return False
    _, kind, _, operation, _ = REQUEST.unpack_from(payload)
    parameters = payload[REQUEST.size :][: 4 * (len(request) - 1)]
    return (kind, operation) == (OPERATION_REQUEST, request[0]) and parameters == struct.pack(f"<{len(request) - 1}I", *request[1:])
