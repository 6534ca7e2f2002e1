#!/usr/bin/env python3
"""The shooting chart in sismic, converted from the .scxml file, as a contestant of Benchmarks/run --only statecharts.

  sismic_shooting.py CHART SCRIPT follow            a line after each event: time, leaves, deadline, actions, effects
  sismic_shooting.py CHART SCRIPT EVENTS            repeats the script's loop for this number of events; prints
                                                    {"events": ..., "nanoseconds": ...} of this thread's CPU time
  sismic_shooting.py CHART SCRIPT write-frames      writes a script: 55 frames without incident, to be repeated
  sismic_shooting.py CHART SCRIPT write-walk        writes a script: a seeded walk through all events
  sismic_shooting.py CHART - describe               {"states": ..., "transitions": ..., ...}

Differences between sismic and SCXML are bridged without a cost for sismic. A transition for several events becomes one
for each. Document order becomes priority. sismic cannot cancel delayed events, so the owner keeps them in a dict and
delivers them when due.
"""

import json
import pathlib
import random
import sys
import time
import xml.etree.ElementTree

from sismic.interpreter import Interpreter
from sismic.io import import_from_yaml

SCXML = "{http://www.w3.org/2005/07/scxml}"
OURS = "{urn:bracketd:chart:1}"

DELAYS_MS = {
    "speedDeadline": 30_000, "confirmDeadline": 3_000, "captureDeadline": 15_000, "idleLimit": 10_000,
    "doubtDeadline": 20_000, "verdictDeadline": 60_000, "busyDelay": 250, "recordDeadline": 1_000,
}
# The guards that the load of the benchmark never makes true.
NEVER_TRUE = {
    "isPlanDone", "hasEveryFrame", "isNextInDoubt", "areMissingFramesLost", "hasEveryPicture", "isPictureExpected",
    "isPictureStored", "isPictureLost", "isVerdictAwaited", "isAway", "isExposureLonger", "speedChangedAndMaySetAgain",
}
# The actions that use the payload of their event.
HEARING = {"noteRecord"}
COMMANDS = {"requestSpeed", "requestReading", "releaseShutter", "requestIdle", "askWhetherFired", "withdraw"}


# The chart


class Conversion:
    """Converts SCXML to the YAML of sismic, written as JSON, which is valid YAML."""

    def __init__(self, path):
        self.root = xml.etree.ElementTree.parse(path).getroot()
        inputs = [each.get("name") for each in self.root.iter(OURS + "input")]
        sent = [each.get("event") for each in self.root.iter(SCXML + "send")]
        self.events = list(dict.fromkeys(inputs + sent))
        self.actions = sorted({each.get("action") for each in self.root.iter(OURS + "do")})
        self.order = [each.get("id") for each in self.root.iter() if self.is_state(each)]
        self.written = sum(1 for each in self.root.iter(SCXML + "transition")) - len(list(self.root.iter(SCXML + "history")))
        tops = [each for each in self.root if self.is_state(each)]
        if len(tops) != 1:
            raise SystemExit("the chart has more than one outermost state: sismic needs one root")
        text = json.dumps({"statechart": {"name": self.root.get("name"), "root state": self.state(tops[0])}})
        self.chart = import_from_yaml(text)
        self.leaves = [name for name in self.order if not self.chart.children_for(name)]

    @staticmethod
    def is_state(element):
        return element.tag in (SCXML + "state", SCXML + "parallel", SCXML + "final")

    def state(self, element):
        result = {"name": element.get("id")}
        children = [self.state(each) for each in element if self.is_state(each)]
        for history in element.findall(SCXML + "history"):
            kind = history.get("type", "shallow")
            default = history.find(SCXML + "transition").get("target")
            children.append({"name": history.get("id"), "type": f"{kind} history", "memory": default})
        if children:
            result["parallel states" if element.tag == SCXML + "parallel" else "states"] = children
        if element.get("initial"):
            result["initial"] = element.get("initial")
        elif children and element.tag == SCXML + "state":
            result["initial"] = children[0]["name"]
        for tag, key in (("onentry", "on entry"), ("onexit", "on exit")):
            lines = [line for block in element.findall(SCXML + tag) for line in self.content(block)]
            if lines:
                result[key] = "\n".join(lines)
        transitions = [each for each in element.findall(SCXML + "transition")]
        converted = []
        for place, transition in enumerate(transitions):
            converted += self.transitions(transition, priority=len(transitions) - place)
        if converted:
            result["transitions"] = converted
        return result

    def transitions(self, element, priority):
        result = {"priority": priority}
        if element.get("target"):
            result["target"] = element.get("target")
        if element.get("cond"):
            result["guard"] = self.condition(element.get("cond"))
        lines = self.content(element)
        if lines:
            result["action"] = "\n".join(lines)
        if not element.get("event"):
            return [result]
        return [result | {"event": event} for event in self.matching(element.get("event"))]

    def matching(self, descriptors):
        prefixes = [each.split(".") for each in descriptors.split()]
        return [event for event in self.events if any(event.split(".")[: len(each)] == each for each in prefixes)]

    @staticmethod
    def condition(text):
        negated = text.startswith("!")
        name = text.lstrip("!")
        call = "active" + name[2:] if name.startswith("In(") else f"{name}(event)"
        return f"not {call}" if negated else call

    @staticmethod
    def content(block):
        lines = []
        for element in block:
            if element.tag == OURS + "do":
                action = element.get("action")
                lines.append(f"{action}({'event' if action in HEARING else ''})")
            elif element.tag == SCXML + "send":
                lines.append(f"arm('{element.get('id')}', '{element.get('event')}', {element.get('delayexpr')}())")
            elif element.tag == SCXML + "cancel":
                lines.append(f"cancel('{element.get('sendid')}')")
            else:
                raise SystemExit(f"{element.tag} is not converted")
        return lines


# The machine


class Shoot:
    """The minimal behavior of ShootingTally.swift, the timers, and the interpreter."""

    def __init__(self, conversion):
        self.conversion = conversion
        self.frame = self.actions = self.effects = 0
        # The last request to record, the request of the shoot, and the results of such requests.
        self.order = self.order_of_shoot = self.kept = self.refused = 0
        self.wants_again = False
        self.timers = {}
        self.now = 0
        context = {name: self.command if name in COMMANDS else self.count for name in conversion.actions}
        context |= {"selectNextFrame": self.take_next_frame, "arm": self.arm, "cancel": self.cancel}
        context |= {"adoptPlan": self.begin_shoot, "adoptMissingFrames": self.begin_shoot, "requestSpeed": self.request_speed}
        context |= {"noteRecord": self.note_record, "requestRedo": self.want_again, "selectRedo": self.take_again}
        context |= {name: (lambda delay=delay: delay) for name, delay in DELAYS_MS.items()}
        for name in NEVER_TRUE:
            context[name] = lambda event: False
        for name in ("mayAskAgain", "maySetAgain", "mayRetry", "mayRedo"):
            context[name] = lambda event: True
        context["speedMatches"] = lambda event: event.payload == self.frame
        context["mayRelease"] = lambda event: event.payload == self.frame and self.is_recorded
        context["isRecorded"] = lambda event: self.is_recorded
        context["isRecordRefused"] = lambda event: not self.is_recorded and self.order <= self.refused
        context["isShootUnrecorded"] = lambda event: self.order_of_shoot > self.kept
        context["hasUnfinishedShoot"] = lambda event: event.payload == 1
        context["isRedoWanted"] = lambda event: self.wants_again
        context["didFire"] = lambda event: event.payload == 1
        context["didNotFire"] = lambda event: event.payload == 0
        self.interpreter = Interpreter(conversion.chart, initial_context=context, ignore_contract=True)
        self.interpreter.execute()

    def count(self):
        self.actions += 1

    def command(self):
        self.actions += 1
        self.effects += 1

    def take_next_frame(self):
        self.actions += 1
        self.frame = (self.frame + 1) % 55

    def begin_shoot(self):
        self.actions += 1
        self.order += 1
        self.order_of_shoot = self.order

    def request_speed(self):
        self.order += 1
        self.command()

    @property
    def is_recorded(self):
        return self.order <= self.kept

    def note_record(self, event):
        self.actions += 1
        if event.payload < 0:
            self.refused = max(self.refused, -event.payload)
        else:
            self.kept = max(self.kept, event.payload)

    def want_again(self):
        self.actions += 1
        self.wants_again = True

    def take_again(self):
        self.actions += 1
        self.wants_again = False

    def arm(self, name, event, delay):
        self.timers[name] = (self.now + delay, event)

    def cancel(self, name):
        self.timers.pop(name, None)

    def tell(self, at, event, payload=None):
        while self.timers:
            name, (due, timeout) = min(self.timers.items(), key=lambda item: item[1][0])
            if due > at:
                break
            del self.timers[name]
            self.now = due
            self.interpreter.queue(timeout).execute()
        self.now = at
        if payload is None:
            self.interpreter.queue(event).execute()
        else:
            self.interpreter.queue(event, payload=payload).execute()

    @property
    def active(self):
        active = set(self.interpreter.configuration)
        return [name for name in self.conversion.leaves if name in active]

    @property
    def summary(self):
        due = min((due for due, _ in self.timers.values()), default="-")
        return f"{' '.join(self.active)} {due} {self.actions}"


# Scripts


def entries(path):
    """The events before the loop, and those in it."""
    beginning, loop = [], []
    current = beginning
    for line in pathlib.Path(path).read_text().splitlines():
        if line == "loop":
            current = loop
            continue
        words = line.split()
        current.append((int(words[0]), words[1], int(words[2]) if len(words) > 2 else None))
    return beginning, loop


class Writer:
    """Runs a machine with the events of a new script, and records them."""

    def __init__(self, conversion):
        self.shoot = Shoot(conversion)
        self.lines = []
        self.time = 0

    def tell(self, event, after=100):
        self.time += after
        payload = None
        if event == "camera.speedRead":
            payload = self.shoot.frame
        elif event == "camera.speedRead wrong":
            event, payload = "camera.speedRead", (self.shoot.frame + 1) % 55
        elif event == "camera.resolved":
            payload = 1
        elif event == "camera.resolved not":
            event, payload = "camera.resolved", 0
        elif event == "camera.resolved untold":
            event, payload = "camera.resolved", 2
        elif event == "record":
            payload = self.shoot.order
        elif event == "record refused":
            event, payload = "record", -self.shoot.order
        elif event == "recovered":
            payload = 0
        elif event == "recovered left":
            event, payload = "recovered", 1
        self.lines.append(" ".join(str(each) for each in (self.time, event, payload) if each is not None))
        self.shoot.tell(self.time, event, payload)


# The record of the attempt is on disk before the body shows the speed of the frame.
FRAME = [
    "camera.speedAccepted", "record", "camera.speedRead", "camera.shutterReleased", "camera.captured", "camera.saving", "camera.idle",
]


def frames(conversion):
    writer = Writer(conversion)
    writer.tell("camera.ready")
    writer.tell("start")
    writer.tell("record")
    writer.lines.append("loop")
    for _ in range(55):
        for event in FRAME:
            writer.tell(event)
    return writer.lines


# The events that lead on from each state of the shoot. The walk sends them more often than others, so that it covers
# the chart.
ONWARD = {
    "idle": ["start", "camera.ready", "recovered left"],
    "interrupted": ["start", "retry", "dismiss", "camera.ready"],
    "partial": ["start", "retry", "dismiss", "camera.ready"],
    "cancelled": ["start", "retry", "dismiss", "camera.ready"],
    "settingSpeed": ["camera.speedAccepted"],
    "confirmingSpeed": ["record", "camera.speedRead", "camera.speedRead", "camera.speedRead wrong"],
    "recordingFrame": ["record", "record", "record refused"],
    "frameDelayed": ["record", "record", "record refused"],
    "recordingShoot": ["record", "record", "record refused"],
    "shootDelayed": ["record", "record", "record refused"],
    "unrecorded": ["record", "resume"],
    "capturing": ["camera.shutterReleased", "camera.captured", "camera.captured"],
    "waitingForIdle": ["camera.saving", "camera.idle", "camera.idle"],
    "awaitingCamera": ["camera.ready", "resume"],
    "resolvingDoubt": ["camera.resolved", "camera.resolved not", "camera.resolved untold"],
    "byCommand": ["resume", "camera.ready"],
    "linkLost": ["camera.ready"],
    "wifiSwitched": ["camera.ready"],
    "cameraNotFit": ["camera.ready"],
}


def walk(conversion, length=20_000):
    chance = random.Random(1)
    writer = Writer(conversion)
    others = [event for event in conversion.events if not event.startswith("timeout")]
    visited = set()
    for _ in range(length):
        onward = ONWARD.get(writer.shoot.active[0], [])
        event = chance.choice(onward if onward and chance.random() < 0.7 else others)
        after = chance.choice([1, 50, 100, 100, 100, 100, 100, 100, 100, 100, 300, 4_000, 40_000])
        writer.tell(event, after)
        visited.update(writer.shoot.active)
    # In this behavior a plan never ends, and the shoot waits for no picture.
    missed = set(conversion.leaves) - visited - {"completed", "betweenFrames", "ending", "verifying", writer.shoot.conversion.root.get("id")}
    missed = {name for name in missed if name and "history" not in type(conversion.chart.state_for(name)).__name__.lower()}
    if missed:
        raise SystemExit(f"the walk does not come by {sorted(missed)}")
    return writer.lines


# Following and measuring


def follow(conversion, path):
    shoot = Shoot(conversion)
    shoot.effects = 0
    for at, event, payload in sum(entries(path), []):
        shoot.tell(at, event, payload)
        print(at, shoot.summary, shoot.effects)
        shoot.effects = 0


def measure(conversion, path, wanted):
    beginning, loop = entries(path)
    shoot = Shoot(conversion)
    for entry in beginning:
        shoot.tell(*entry)
    period = loop[-1][0] - beginning[-1][0]
    offset = 0
    for is_measured in (False, True):
        events = 0
        start = time.thread_time_ns()
        while events < (wanted if is_measured else len(loop)):
            for at, event, payload in loop:
                shoot.tell(offset + at, event, payload)
            events += len(loop)
            offset += period
        nanoseconds = time.thread_time_ns() - start
    print(json.dumps({"events": events, "nanoseconds": nanoseconds, "effects": shoot.effects}))


def main():
    chart, script, what = sys.argv[1:]
    conversion = Conversion(chart)
    if what == "describe":
        counts = {"states": len(conversion.order), "written": conversion.written, "converted": len(conversion.chart.transitions)}
        print(json.dumps(counts | {"python": sys.version.split()[0]}))
    elif what == "follow":
        follow(conversion, script)
    elif what == "write-frames":
        pathlib.Path(script).write_text("\n".join(frames(conversion)) + "\n")
    elif what == "write-walk":
        pathlib.Path(script).write_text("\n".join(walk(conversion)) + "\n")
    else:
        measure(conversion, script, int(what))


if __name__ == "__main__":
    main()
