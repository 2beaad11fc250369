#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a sweep of very many trials costs at each step of its life: a table of docs/measurements/reports.md.

    large_sweeps.py PROGRAM [--trials 100,1000,10000] [--workspaces FOLDER] [--without compare,window]

PROGRAM is a built `headroom`, with its worker and the desktop program beside it. Prints processor seconds, which do not depend
on what else the machine does, and the most memory of the process, as Markdown. Workspaces are kept in FOLDER, for another
program to be measured with the same ones.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report_times import SPEC

PLAIN = SPEC.replace('split_ffn = ["off", "2"]', 'split_ffn = ["off"]')
IDLE_TICKS = 3  # of a hundredth of a second, in a second
IDLE_SECONDS = 5
LONGEST = 180


def measured(command, refused=False):
    """(seconds of the processor, MB) of a command that succeeds, or that is to be refused."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code != (2 if refused else 0):
            said.seek(0)
            sys.exit(f"large_sweeps.py: {command}: status {code}: {said.read().decode()[-500:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def ticks(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def most_memory(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1e3


def window(program, workspace, folder):
    """The same of a window that shows the workspace, until it has been idle."""
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
    process = subprocess.Popen([program, workspace], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    idle, before = 0, 0
    try:
        for _ in range(LONGEST):
            time.sleep(1)
            now = ticks(process.pid)
            idle = idle + 1 if now - before <= IDLE_TICKS else 0
            before = now
            if idle == IDLE_SECONDS:
                break
        return before / os.sysconf("SC_CLK_TCK"), most_memory(process.pid)
    finally:
        process.kill()
        process.wait()


def workspace_of(program, folder, name, spec):
    file, workspace = folder / f"{name}.toml", folder / f"{name}.db"
    file.write_text(spec)
    run = None if workspace.exists() else measured([program, "run", file, "--workspace", workspace])
    return file, workspace, run


def steps(program, folder, trials, without):
    lengths = list(range(1, trials // 20 + 1))
    spec, workspace, run = workspace_of(program, folder, f"sweep-{trials}", SPEC.format(lengths=lengths))
    if run:
        yield "run", run
    report = folder / "report"
    for ending in ["html", "md", "csv", "json"]:
        yield f"report, {ending}", measured([program, "report", workspace, "-o", f"{report}.{ending}"])
    print(f"<!-- {trials} trials: the page has {os.path.getsize(f'{report}.html') / 1e6:.1f} MB -->", flush=True)
    if "compare" not in without:
        yield "compare with itself", measured([program, "compare", workspace, workspace])
    _, plain, _ = workspace_of(program, folder, f"plain-{trials}", PLAIN.format(lengths=list(range(1, trials // 10 + 1))))
    yield "effects, where none varies", measured([program, "effects", plain], refused=True)
    copy = folder / "resumed.db"
    shutil.copy(workspace, copy)
    yield "run --resume of all", measured([program, "run", spec, "--workspace", copy, "--resume"])
    if "window" not in without:
        yield "window", window(Path(program).parent / "headroom-desktop", workspace, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--trials", default="100,1000,10000")
    parser.add_argument("--workspaces", type=Path)
    parser.add_argument("--without", default="")
    arguments = parser.parse_args()
    print("| trials | what | processor (s) | memory (MB) |\n|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for trials in map(int, arguments.trials.split(",")):
            for what, (seconds, megabytes) in steps(
                    arguments.program.resolve(), arguments.workspaces or Path(folder), trials, arguments.without.split(",")):
                print(f"| {trials:,} | {what} | {seconds:.2f} | {megabytes:.0f} |", flush=True)


if __name__ == "__main__":
    main()
