"""Noise from a seed: a camera that talks nonsense on both channels, or a client that does so on the Varlink socket.

noise.py camera ROUNDS          prints the port, serves so many connections, ends
noise.py client SOCKET ROUNDS   connects so many times
"""

import random
import socket
import struct
import sys

LIMIT_SECONDS = 30


def init_ack():
    name = "noise\0".encode("utf-16le")
    body = struct.pack("<I", 1) + bytes(16) + name + struct.pack("<I", 0x00010000)
    return struct.pack("<II", 8 + len(body), 2) + body


def init_event_ack():
    return struct.pack("<II", 8, 4)


def noise(chance, greeting):
    """Sometimes pure noise, sometimes a packet of a known type with a body of noise, sometimes a proper beginning first."""
    out = greeting if chance.random() < 0.7 else b""
    for _ in range(chance.randrange(1, 20)):
        body = chance.randbytes(chance.randrange(0, 200))
        if chance.random() < 0.6:
            length = 8 + len(body) if chance.random() < 0.8 else chance.randrange(0, 2**32)
            out += struct.pack("<II", length, chance.randrange(0, 16)) + body
        else:
            out += body
    return out


def serve_camera(rounds):
    chance = random.Random(1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LIMIT_SECONDS)
        print(server.getsockname()[1], flush=True)
        kept = []
        for number in range(rounds):
            connection, _ = server.accept()
            connection.settimeout(2)
            try:
                hello = connection.recv(4096)
                is_event = hello[4:5] == b"\x03"
                connection.sendall(noise(chance, init_event_ack() if is_event else init_ack()))
            except OSError:
                pass
            kept.append(connection)
            for old in kept[:-2]:
                old.close()
        print("served", rounds, flush=True)


def call(path, rounds):
    chance = random.Random(2)
    for _ in range(rounds):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(2)
            client.connect(path)
            try:
                for _ in range(chance.randrange(1, 10)):
                    body = chance.randbytes(chance.randrange(0, 5000))
                    client.sendall(chance.choice([b"", b"{", b'{"method":', b'{"method":"io.bracketd.Shoot","parameters":']) + body + b"\0")
                client.recv(1)
            except OSError:
                pass


if sys.argv[1] == "camera":
    serve_camera(int(sys.argv[2]))
else:
    call(sys.argv[2], int(sys.argv[3]))
