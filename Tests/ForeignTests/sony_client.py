"""Uses the simulated body NAME with libsonyapi: finds it by SSDP, sets SPEED, takes a picture and fetches it.

sony_client.py NAME SPEED
"""
import json
import socket
import sys
import time

import requests

LOOPBACK = socket.inet_aton("127.0.0.1")
plain_socket = socket.socket


class LoopbackSocket(plain_socket):
    """The client lets the system choose the interface of its searches. Here it must be the loopback."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        if self.type & socket.SOCK_DGRAM:
            self.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, LOOPBACK)


socket.socket = LoopbackSocket
from libsonyapi.actions import Actions  # noqa: E402
from libsonyapi.camera import Camera  # noqa: E402


def find(name):
    """The client takes the first body that answers. Other tests can run bodies at the same time."""
    found = set()
    for _ in range(20):
        try:
            camera = Camera()
        # The description of a body in another mode has no services. The client then raises an error of any kind.
        except Exception as error:
            found.add(repr(error))
            continue
        if camera.name == name:
            return camera
        found.add(camera.name)
    sys.exit(f"the client found {sorted(found)} and never {name}")


def speed_of(camera):
    return camera.do(Actions.getShutterSpeed)["result"][0]


def main(name, speed):
    camera = find(name)
    camera.do("setFocusMode", "MF")
    before = speed_of(camera)
    camera.do(Actions.setShutterSpeed, speed)
    deadline = time.monotonic() + 5
    while speed_of(camera) != speed and time.monotonic() < deadline:
        time.sleep(0.02)
    picture = camera.do(Actions.actTakePicture)["result"][0][0]
    content = requests.get(picture, timeout=10).content
    report = {
        "name": camera.name, "services": list(camera.services), "before": before, "speed": speed_of(camera),
        "picture": picture, "bytes": len(content), "start": content[:2].hex(),
    }
    print(json.dumps(report))


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
