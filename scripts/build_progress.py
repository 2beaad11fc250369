#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ninja and shows how much of the build is done and the time that is left.

Usage: build_progress.py FOLDER JOBS [TARGET...]

The cost of steps differs by a factor of a hundred, so their number alone says little: each step is weighted by its typical
time, and the time left is estimated from how long the steps so far took. On a terminal one line is rewritten; elsewhere a
line is printed for every tenth of the build. Compiler output is passed on. Exits with ninja's status.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

# Approximate seconds of a step on one core of 2026. Only their proportions matter.
HEADER, LINK, OTHER = 35.0, 1.0, 0.5
PLAIN, PLAIN_SOURCE = 1.5, 0.8
TORCH, TORCH_SOURCE = 7.0, 0.8
OUTPUT = re.compile(r" -o (\S+)")
STEP = re.compile(r"^\[(\d+)/(\d+)\] (.*)$")


class Costs:
    """The cost of each step, by ninja's description of it."""

    def __init__(self, folder):
        self.folder = folder
        database = folder / "compile_commands.json"
        entries = json.loads(database.read_text()) if database.exists() else []
        self.compiled = {OUTPUT.search(entry["command"]).group(1): entry for entry in entries}

    def of(self, description):
        target = description.rsplit(" ", 1)[-1]
        if target.endswith(".gch"):
            return HEADER
        if description.startswith("Linking CXX exec"):
            return LINK
        entry = self.compiled.get(target)
        if not entry:
            return OTHER
        source = Path(entry["file"])
        sources = 1
        if source.parent.name == "units":
            sources = source.read_text().count("#include")
        torch = "torch-header" in entry["command"]
        return TORCH + sources * TORCH_SOURCE if torch else PLAIN + sources * PLAIN_SOURCE


class Line:
    """The progress line: rewritten in place on a terminal, printed now and then elsewhere."""

    def __init__(self, stream):
        self.stream = stream
        self.in_place = stream.isatty()
        self.shown = 0
        self.tenth = -1

    def say(self, percent, left):
        text = f"building: {percent} %" + (f", about {left} left" if left else "")
        if self.in_place:
            self.stream.write("\r" + text.ljust(self.shown))
            self.shown = len(text)
        elif percent // 10 != self.tenth and (left or percent == 100):
            self.tenth = percent // 10
            self.stream.write(text + "\n")
        self.stream.flush()

    def clear(self):
        if self.in_place and self.shown:
            self.stream.write("\r" + " " * self.shown + "\r")
            self.shown = 0
            self.stream.flush()


def duration(seconds):
    if seconds < 90:
        return f"{max(5, 5 * round(seconds / 5))} s"
    return f"{round(seconds / 60)} min"


def planned(ninja, folder, targets, environment):
    """The descriptions of the steps that ninja would take."""
    # CMake first, where it has to run once more; what goes wrong in it, the build says again.
    subprocess.run([*ninja, "build.ninja"], env=environment, capture_output=True, check=False)
    # A rehearsal would stop where it cannot know whether CMake's globs find other files. Under another name the plan is
    # not taken for what CMake writes.
    rehearsal = folder / "rehearsal.ninja"
    try:
        shutil.copyfile(folder / "build.ninja", rehearsal)
        command = [*ninja, "-f", rehearsal.name, "-n", *targets]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    except OSError:
        return []
    finally:
        rehearsal.unlink(missing_ok=True)
    return [match.group(3) for match in map(STEP.match, done.stdout.splitlines()) if match]


def follow(process, costs, steps, line):
    """Passes on lines that are not steps; returns when ninja closes its output."""
    total = sum(map(costs.of, steps)) or 1.0
    done, started = 0.0, time.monotonic()
    for text in process.stdout:
        match = STEP.match(text)
        if not match:
            if not text.startswith("ninja: Entering directory"):
                line.clear()
                sys.stderr.write(text)
            continue
        done = min(total, done + costs.of(match.group(3)))
        elapsed = time.monotonic() - started
        # The first steps do not predict the rest, so no time is shown at the beginning.
        told = done / total > 0.03 and elapsed > 5
        line.say(int(100 * done / total), duration(elapsed * (total - done) / done) if told else "")


def main(folder, jobs, targets):
    folder = Path(folder)
    environment = dict(os.environ, NINJA_STATUS="[%f/%t] ")
    ninja = ["ninja", "-C", str(folder), "-j", jobs]
    steps = planned(ninja, folder, targets, environment)
    line = Line(sys.stderr)
    with subprocess.Popen([*ninja, *targets], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            follow(process, Costs(folder), steps, line)
        except KeyboardInterrupt:
            process.wait()
    line.clear()
    if process.returncode == 0 and steps:
        sys.stderr.write(f"built: {folder}/bin\n")
    return process.returncode


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
