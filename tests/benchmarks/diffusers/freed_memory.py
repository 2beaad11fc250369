#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs a step that the C library returns freed memory: prints a table of docs/measurements/waiting-threads.md.

    freed_memory.py WORKER PYTHON CASE [--turns 4]

WORKER is a built `headroom-worker`, PYTHON one with torch and diffusers, CASE one of waiting_threads.py that diffusers has, too
(`ltx-...`). One process for each setting, turn and turn about; page faults are the kernel's count of pages that it cleared and
mapped for the process. Faults do not depend on what else the machine does; milliseconds do.
"""

import argparse
import random
import statistics
from pathlib import Path

from arms import DiffusersArm, WorkerArm
from waiting_threads import CASES

THREADS = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "1000"}
KEPT = {"MALLOC_TRIM_THRESHOLD_": str(1 << 36)}
SETTINGS = {"library's own": {}, "never returned, own maps from 32 MiB": {**KEPT, "MALLOC_MMAP_THRESHOLD_": str(32 << 20)},
            "never returned, own maps from 1 GiB": {**KEPT, "MALLOC_MMAP_THRESHOLD_": str(1 << 30)},
            "large pages": {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}}
STEPS = 3


def faults(arm):
    return int(Path(f"/proc/{arm.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[7])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker")
    parser.add_argument("python")
    parser.add_argument("case", choices=[name for name in CASES if name.startswith("ltx-")])
    parser.add_argument("--turns", type=int, default=4)
    arguments = parser.parse_args()
    case = CASES[arguments.case]
    arms = {name: WorkerArm(arguments.worker, {**THREADS, **given}, case) for name, given in SETTINGS.items()}
    arms["diffusers in Python"] = DiffusersArm(arguments.python, case)
    seconds, faulted = ({name: [] for name in arms} for _ in range(2))
    for _ in range(arguments.turns):
        for name in random.sample(sorted(arms), len(arms)):
            before = faults(arms[name])
            seconds[name] += arms[name].steps(STEPS)
            faulted[name].append((faults(arms[name]) - before) / (STEPS + 1))
    print("| freed memory | step (ms) | shortest (ms) | page faults of a step |\n|---|---:|---:|---:|")
    for name, arm in arms.items():
        print(f"| {name} | {1e3 * statistics.median(seconds[name]):.0f} | {1e3 * min(seconds[name]):.0f} | "
              f"{statistics.median(faulted[name]):.0f} |")
        arm.end()


if __name__ == "__main__":
    main()
