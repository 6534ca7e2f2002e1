"""Controls `gphoto2 --shell`: one session, one command at a time, each answer ended by the prompt."""

import os
import pty
import re
import select
import shutil
import subprocess
import time


class GPhotoError(Exception):
    pass


class GPhotoShell:
    PROMPT = re.compile(rb"gphoto2: \{[^}]*\} [^>]*> $")

    def __init__(self, port, folder, seconds=60):
        if not shutil.which("gphoto2"):
            raise GPhotoError("there is no gphoto2: apt-get install gphoto2")
        self.seconds = seconds
        master, slave = pty.openpty()
        self.terminal = master
        command = ["gphoto2", "--port", f"ptpip:127.0.0.1:{port}:{port}", "--camera", "PTP/IP Camera", "--shell"]
        environment = os.environ | {"HOME": str(folder), "LC_ALL": "C", "TERM": "dumb", "COLUMNS": "200"}
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment, start_new_session=True
        )
        os.close(slave)
        self._answer("its start")

    def do(self, command):
        """Sends a command and returns the output up to the next prompt."""
        os.write(self.terminal, command.encode() + b"\n")
        return self._answer(command)

    def set_speed(self, setting, speed):
        """Waits until the body shows the speed: an answer alone proves nothing, and a frame would have the old speed."""
        sent, shown = speed
        self.do(f"set-config {setting}={sent}")
        deadline = time.monotonic() + self.seconds
        while time.monotonic() < deadline:
            answer = self.do(f"get-config {setting}")
            if re.search(rf"^Current: {re.escape(shown)}\s*$", answer, re.MULTILINE):
                return
        raise GPhotoError(f"the body never came to {shown}:\n{answer}")

    def capture(self):
        answer = self.do("capture-image-and-download")
        if "Saving file as" not in answer:
            raise GPhotoError(f"no picture came:\n{answer}")

    def close(self):
        if self.process.poll() is None:
            os.write(self.terminal, b"exit\n")
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        os.close(self.terminal)

    def _answer(self, what):
        said = b""
        deadline = time.monotonic() + self.seconds
        while not self.PROMPT.search(said):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.terminal], [], [], left)[0]:
                raise GPhotoError(f"gphoto2 did not come back from {what}:\n{said.decode(errors='replace')}")
            try:
                said += os.read(self.terminal, 65536)
            except OSError:
                raise GPhotoError(f"gphoto2 ended at {what}:\n{said.decode(errors='replace')}") from None
        return said.decode(errors="replace").replace("\r", "")


def notation(label):
    """A speed in libgphoto2's notation: to send, and as shown. It would send whole seconds as n/1, which no Sony body
    lists, so they are sent as tenths."""
    text = label.strip('"″')
    if "/" in text and int(text.split("/")[1]) > 2:
        return text, text
    top, _, bottom = text.partition("/")
    tenths = round(10 * float(top) / float(bottom or 1))
    return f"{tenths}/10", str(tenths // 10) if tenths % 10 == 0 else f"{tenths}/10"


def canon_notation(label):
    """A speed in the notation of libgphoto2 for Canon bodies: to send, and as shown."""
    text = "0.5" if label == "1/2" else label.strip('"″')
    return text, text


# Nikon's fractions of the speeds below a second that the daemon writes as decimals.
NIKON_FRACTIONS = {"0.3": "1/3", "0.4": "10/25", "0.6": "10/16", "0.8": "10/13"}


def nikon_notation(label):
    """A speed in the notation of libgphoto2 for property 0xD100 of Nikon bodies: to send, and as shown."""
    text = label.strip('"″')
    if text in NIKON_FRACTIONS:
        text = NIKON_FRACTIONS[text]
    elif "." in text:
        text = f"{round(10 * float(text))}/10"
    return text, text
