#!/usr/bin/env python3
"""Records the kernel's rtnetlink messages for the tests of the parser: each line is a name, then the bytes of one
datagram. Run it in a separate network namespace:

    unshare -n python3 record-netlink.py > netlink.txt

Needs root and iproute2. Addresses are from the private and the documentation ranges. Random values of the kernel
(hardware addresses, times) differ in each run, and no test checks them."""
import os
import platform
import socket
import struct
import subprocess

REQUEST, ACK, DUMP = 0x1, 0x4, 0x300
GETLINK, NEWADDR, GETADDR, GETROUTE = 18, 20, 22, 26


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def opened(groups=0):
    link = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    link.bind((0, groups))
    link.setsockopt(270, 11, 1)  # SOL_NETLINK, NETLINK_EXT_ACK
    link.settimeout(1)
    return link


def asked(name, kind, flags, body, *, cut=False):
    link = opened()
    link.setsockopt(270, 10, int(cut))  # SOL_NETLINK, NETLINK_CAP_ACK
    link.send(struct.pack("=IHHII", 16 + len(body), kind, REQUEST | flags, 7, 0) + body)
    while True:
        data = link.recv(65536)
        print(name, data.hex())
        # The type of the last message: 3 done, 2 error.
        last, offset = 0, 0
        while offset < len(data):
            size, last = struct.unpack_from("=IH", data, offset)
            offset += (size + 3) & ~3
        if last in (2, 3):
            return


def route(name, family, address):
    packed = socket.inet_pton(family, address)
    body = struct.pack("=BBBBBBBBI", family, len(packed) * 8, 0, 0, 0, 0, 0, 0, 0)
    asked(name, GETROUTE, ACK, body + struct.pack("=HH", 4 + len(packed), 1) + packed)


def events(name, *commands):
    link = opened(0x1 | 0x10 | 0x40 | 0x100 | 0x400)
    for command in commands:
        ip(*command.split())
    link.settimeout(0.3)
    while True:
        try:
            print(name, link.recv(65536).hex())
        except TimeoutError:
            return


print(f"# Recorded by record-netlink.py on Linux {platform.release()} {platform.machine()}; little endian.")
ip("link", "set", "lo", "up")
ip("link", "add", "cam0", "type", "veth", "peer", "name", "peer0")
for words in ("link set peer0 up", "link set cam0 up", "address add 192.168.122.71/24 dev cam0",
              "address add 10.9.0.1 peer 10.9.0.2/32 dev cam0",
              "address add 2001:db8::71/64 dev cam0 nodad", "route add default via 192.168.122.254"):
    ip(*words.split())
asked("links", GETLINK, DUMP, bytes(16))
asked("addresses", GETADDR, DUMP, bytes(8))
asked("routes", GETROUTE, DUMP, bytes(12))
route("route-direct", socket.AF_INET, "192.168.122.1")
route("route-router", socket.AF_INET, "203.0.113.9")
route("route-local", socket.AF_INET, "192.168.122.71")
route("route-v6", socket.AF_INET6, "2001:db8::1")
route("route-v6-none", socket.AF_INET6, "2001:db9::1")
ip("route", "add", "prohibit", "198.51.100.0/24")
route("route-prohibited", socket.AF_INET, "198.51.100.1")
ip("route", "del", "default")
route("route-none", socket.AF_INET, "203.0.113.9")
bad = struct.pack("=BBBBIHH", socket.AF_INET, 40, 0, 0, 3, 8, 2) + socket.inet_aton("192.0.2.1")
asked("refused", NEWADDR, ACK, bad)
asked("refused-cut", NEWADDR, ACK, bad, cut=True)
events("link-down", "link set cam0 down")
events("link-up", "link set cam0 up")
events("carrier-lost", "link set peer0 down")
events("carrier-back", "link set peer0 up")
events("address-added", "address add 192.168.122.72/24 dev cam0")
events("address-removed", "address del 192.168.122.72/24 dev cam0")
events("address-tentative", "address add 2001:db8::72/64 dev cam0")
events("route-added", "route add 203.0.113.0/24 via 192.168.122.254")
events("route-removed", "route del 203.0.113.0/24")
ip("link", "set", "cam0", "down")
events("renamed", "link set cam0 name cam1")
ip("link", "add", "bridge0", "type", "bridge")
events("bridged", "link set cam1 master bridge0", "link set cam1 nomaster")
events("vanished", "link del cam1")
