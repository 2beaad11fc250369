# SPDX-License-Identifier: Apache-2.0
"""Processes that make steps of one case on request, for the programs of this folder."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
FIELDS = {"num_layers": 8, "num_attention_heads": 8, "attention_head_dim": 64, "caption_channels": 512}
SHAPES = {"batch": 1, "frames": 17, "height": 256, "width": 512, "text_tokens": 32}
WARM_UP = 3


def case_of(step, technique="", notation=""):
    """What is run: the model and shapes of the page, the kind of step, and at most one technique."""
    return {"model": "ltx-video-2b", "fields": FIELDS, "shapes": SHAPES, "step": step, "technique": technique,
            "notation": notation, "warmup_steps": WARM_UP}


class Lines:
    """Lines of a process's output, without a buffer in which one could be missed."""

    def __init__(self, stream):
        self.descriptor = stream.fileno()
        self.pending = b""

    def next(self, timeout=600.0):
        while b"\n" not in self.pending:
            if not select.select([self.descriptor], [], [], timeout)[0]:
                raise TimeoutError(f"no line within {timeout} s")
            piece = os.read(self.descriptor, 1 << 16)
            if not piece:
                raise EOFError("the process has ended")
            self.pending += piece
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    def drop(self):
        while select.select([self.descriptor], [], [], 0)[0]:
            if not os.read(self.descriptor, 1 << 16):
                break
        self.pending = b""


class DiffusersArm:
    """diffusers' model in a Python of its own; between its turns it waits for input."""

    def __init__(self, python, case):
        self.process = subprocess.Popen([python, Path(__file__).with_name("diffusers_steps.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.lines = Lines(self.process.stdout)
        self.ask(json.dumps({**case, "fields": {**case["fields"], "cross_attention_dim": width_of(case)}}))
        self.versions = json.loads(self.lines.next())

    def ask(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def steps(self, count):
        """Seconds of so many steps; one more before them is not among them, as it follows a pause."""
        self.ask(str(count + 1))
        return json.loads(self.lines.next())[1:]

    def end(self):
        self.process.kill()
        self.process.wait()


class WorkerArm:
    """Headroom's worker measuring one trial; between its turns the whole process is stopped."""

    def __init__(self, program, variables, case):
        environment = {**os.environ, **variables}
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.lines = Lines(self.process.stdout)
        self.process.stdin.write(json.dumps(request_of(case)).encode() + b"\n")
        self.process.stdin.flush()
        self.sample()
        self.halt()

    def go(self):
        self.process.send_signal(signal.SIGCONT)

    def halt(self):
        self.process.send_signal(signal.SIGSTOP)

    def sample(self):
        while True:
            event = json.loads(self.lines.next())
            if event["event"] == "sample":
                return event["seconds"]
            if event["event"] == "outcome":
                sys.exit(f"the worker ended its trial: {event['result']['reason']}")

    def steps(self, count, most_seconds=float("inf")):
        """As a DiffusersArm's: the step during which the process was stopped is not among them. Fewer where time runs out."""
        self.lines.drop()
        self.go()
        self.sample()
        deadline = time.monotonic() + most_seconds
        seconds = []
        while len(seconds) < count and (not seconds or time.monotonic() < deadline):
            seconds.append(self.sample())
        self.halt()
        return seconds

    def end(self):
        self.process.kill()
        self.process.wait()


def width_of(case):
    return case["fields"]["num_attention_heads"] * case["fields"]["attention_head_dim"]


def request_of(case):
    """A trial of the worker's protocol that makes steps until it is killed."""
    workload = {"step": case["step"], "dtype": "float32", **case["shapes"]}
    if case["step"] != "inference":
        workload["loss"] = "mse"
    techniques = {case["technique"]: {"notation": case["notation"]}} if case["technique"] else {}
    return {"protocol_version": 1, "request": "run", "id": 1,
            "trial": {"model": {"name": case["model"], "fields": case["fields"]}, "workload": workload,
                      "techniques": techniques, "device": {"name": "cpu"},
                      "protocol": {"warmup_steps": case["warmup_steps"], "max_warmup_steps": case["warmup_steps"],
                                   "steps": 1000000}}}


def processor_ticks():
    """Ticks that all processors were busy with anything, those included that the host took away."""
    user, nice, system, _, _, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
    return user + nice + system + irq + softirq + steal


def ticks_of(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


class Watch:
    """How busy others keep the processors while it is entered: `others`, in processors."""

    def __init__(self, processes):
        self.processes = [os.getpid(), *(process.pid for process in processes)]

    def __enter__(self):
        self.begin = time.monotonic(), self.foreign()
        return self

    def __exit__(self, *_):
        seconds = time.monotonic() - self.begin[0]
        self.others = (self.foreign() - self.begin[1]) / TICKS / seconds

    def foreign(self):
        return processor_ticks() - sum(map(ticks_of, self.processes))
