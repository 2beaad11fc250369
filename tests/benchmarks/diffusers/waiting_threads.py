#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How threads should wait for each other: prints a table of docs/measurements/waiting-threads.md.

    waiting_threads.py WORKER CASE [--rounds 5] [--seconds 2.0] [--loads quiet,one,two,workers] >>TABLE

WORKER is a built `headroom-worker`. One process for each setting makes steps of the same trial, turn and turn about, while the
machine is quiet, beside one or two processes that never rest, or beside a second worker with the same setting. Turns in which
anything else took more than a twentieth of a processor are left out: run it where nothing else runs.
"""

import argparse
import random
import statistics
import subprocess
import sys

from arms import Watch, WorkerArm, case_of

LOADS = {"quiet": "quiet", "one": "beside 1", "two": "beside 2", "workers": "2 workers"}
MOST_FOREIGN = 0.05  # processors


def stack_of(step, dim, batch, length, layers=4):
    return {"model": "ffn-stack", "fields": {"num_layers": layers, "dim": dim},
            "shapes": {"batch": batch, "sequence_length": length}, "step": step, "technique": "", "notation": "",
            "warmup_steps": 5}


CASES = {"ltx-train": case_of("train"), "ltx-inference": case_of("inference"),
         "ltx-checkpointed": case_of("train", "checkpointing", "all"),
         "stack-inference": stack_of("inference", 256, 2, 512), "stack-train": stack_of("train", 128, 2, 256),
         "tiny-inference": {"model": "ffn-stack-tiny", "fields": {}, "shapes": {}, "step": "inference", "technique": "",
                            "notation": "", "warmup_steps": 50}}


def settings_of(counts):
    return {"passive": {"OMP_WAIT_POLICY": "passive"}, **{f"spin {count}": {"GOMP_SPINCOUNT": count} for count in counts},
            "library's own": {}, "active": {"OMP_WAIT_POLICY": "active"}}


class Load:
    """What runs beside a worker during its turn."""

    def __init__(self, kind, workers):
        self.workers = workers
        count = {"one": 1, "two": 2}.get(kind, 0)
        self.busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
        self.beside_worker = kind == "workers"

    def processes(self, setting):
        return self.busy + ([self.workers[setting].process] if self.beside_worker else [])

    def begin(self, setting):
        if self.beside_worker:
            self.workers[setting].go()

    def stop(self, setting):
        if self.beside_worker:
            self.workers[setting].halt()

    def end(self):
        for process in self.busy:
            process.kill()
            process.wait()


def turn(arm, load, setting, count, most_seconds):
    load.begin(setting)
    with Watch([arm.process, *load.processes(setting)]) as watch:
        seconds = arm.steps(count, most_seconds)
    load.stop(setting)
    return seconds if watch.others <= MOST_FOREIGN else []


def measured(workers, companions, kind, arguments):
    """Seconds of each setting's steps under one load."""
    count = max(2, round(arguments.seconds / statistics.median(workers["passive"].steps(3))))
    load = Load(kind, companions)
    seconds = {setting: [] for setting in workers}
    try:
        for _ in range(arguments.rounds):
            for setting in random.sample(sorted(workers), len(workers)):
                seconds[setting] += turn(workers[setting], load, setting, count, 3 * arguments.seconds)
    finally:
        load.end()
    return seconds


def cell(values):
    if len(values) < 3:
        return "-"
    quartiles = statistics.quantiles(values, n=4)
    return f"{1e3 * quartiles[1]:.4g} ({1e3 * quartiles[0]:.4g} to {1e3 * quartiles[2]:.4g})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker")
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of one turn on a quiet machine")
    parser.add_argument("--loads", default=",".join(LOADS))
    parser.add_argument("--spins", default="100,1000,10000,100000,1000000", help="values of GOMP_SPINCOUNT")
    arguments = parser.parse_args()
    settings = settings_of(arguments.spins.split(","))
    case = CASES[arguments.case]
    loads = arguments.loads.split(",")
    workers = {setting: WorkerArm(arguments.worker, given, case) for setting, given in settings.items()}
    companions = {}
    if "workers" in loads:
        companions = {setting: WorkerArm(arguments.worker, given, case) for setting, given in settings.items()}
    try:
        results = {kind: measured(workers, companions, kind, arguments) for kind in loads}
    finally:
        for arm in [*workers.values(), *companions.values()]:
            arm.end()
    print(f"`{arguments.case}`, milliseconds of a step: median (lower to upper quartile)\n")
    print(f"| threads | {' | '.join(LOADS[kind] for kind in loads)} |\n|---|{'---:|' * len(loads)}")
    for setting in settings:
        print(f"| {setting} | {' | '.join(cell(results[kind][setting]) for kind in loads)} |")
    print()


if __name__ == "__main__":
    main()
