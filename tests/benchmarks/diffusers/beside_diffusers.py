#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps of Headroom's worker beside the same steps of diffusers in Python: a table of docs/measurements/beside-diffusers.md.

    beside_diffusers.py --headroom build/release/bin/headroom --python VENV/bin/python

The Python needs diffusers 0.42 and torch of the version that Headroom is linked with; nothing else of Headroom runs this. Both
sides have a process of their own with the same model, shapes and dtype, and the threads and thread settings that they have by
themselves: the worker gets the variables that `headroom run` gives its workers. They make a few steps each in turn, in random
order, in several pairs of fresh processes. A pair of turns in which other processes took more than --others of a processor is
repeated, up to --patience times, and then left out: a busy machine costs turns and gives no wrong figure. Where it never
rests, `chrt -f 1` in front keeps others away, but for the twentieth of each processor that Linux reserves for them (--others
0.16). The ratio is that of the medians of two neighbouring turns; its interval comes from drawing pairs of processes first and
turns in them second.
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from arms import FIELDS, SHAPES, DiffusersArm, Watch, WorkerArm, case_of

CASES = {"inference": case_of("inference"), "plain": case_of("train"),
         "checkpointed": case_of("train", "checkpointing", "all"), "split": case_of("train", "split_ffn", "4"),
         "casting": case_of("inference", "casting", "e4m3"), "ema": case_of("train", "ema", "device")}
TELLS = {"inference": "forward alone", "plain": "training step, plain SGD", "checkpointed": "the same, every block checkpointed",
         "split": "the same, feed-forwards in 4 slices", "casting": "forward alone, weights stored as float8_e4m3fn",
         "ema": "training step with an EMA on the same device"}
DRAWS = 2000


def worker_variables(headroom):
    """What `headroom run` gives its workers, from the record of a run."""
    with tempfile.TemporaryDirectory() as folder:
        record = subprocess.run([headroom, "run", "--model", "ffn-stack-tiny", "--device", "cpu", "--quick", "--format", "json",
                                 "--workspace", Path(folder) / "run.db"], capture_output=True, text=True, check=True).stdout
    return json.loads(record)["environment"]["variables"]


def quiet_turns(sides, arguments):
    """Median seconds of each side in neighbouring turns without others on the machine; None where there were none."""
    for _ in range(arguments.patience):
        found = {}
        with Watch([arm.process for arm in sides.values()]) as watch:
            for side in random.sample(sorted(sides), len(sides)):
                found[side] = statistics.median(sides[side].steps(arguments.steps))
        if watch.others <= arguments.others:
            return found
    return None


def pair_of_processes(arguments, case, variables):
    sides = {"headroom": WorkerArm(Path(arguments.headroom).with_name("headroom-worker"), variables, case),
             "diffusers": DiffusersArm(arguments.python, case)}
    try:
        found = [quiet_turns(sides, arguments) for _ in range(arguments.turns)]
    finally:
        for arm in sides.values():
            arm.end()
    return [turn for turn in found if turn], sides["diffusers"].versions


def ratios(pairs):
    return [[turn["headroom"] / turn["diffusers"] for turn in turns] for turns in pairs]


def drawn_interval(groups):
    """95 % of the median ratio, processes drawn first and turns within them second."""
    medians = []
    for _ in range(DRAWS):
        drawn = [value for group in random.choices(groups, k=len(groups)) for value in random.choices(group, k=len(group))]
        medians.append(statistics.median(drawn))
    medians.sort()
    return medians[int(0.025 * DRAWS)], medians[int(0.975 * DRAWS)]


def row(name, pairs):
    groups = [group for group in ratios(pairs) if group]
    if not groups:
        return f"| {name} | {TELLS[name]} | - | - | - | no quiet turn |"
    turns = [turn for turns in pairs for turn in turns]
    medians = {side: 1e3 * statistics.median(turn[side] for turn in turns) for side in ("headroom", "diffusers")}
    low, high = drawn_interval(groups)
    ratio = statistics.median(value for group in groups for value in group)
    return (f"| {name} | {TELLS[name]} | {medians['headroom']:.0f} | {medians['diffusers']:.0f} | {len(turns)} | "
            f"{ratio:.3f} ({low:.3f} to {high:.3f}) |")


def heading(variables, versions):
    cpu = next(line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
               if line.startswith("model name"))
    given = ", ".join(f"`{name}={value}`" for name, value in sorted(variables.items())) or "none"
    return (f"- {cpu}, {len(os.sched_getaffinity(0))} processors, {platform.system()} {platform.release()}\n"
            f"- torch {versions['torch']} with {versions['threads']} threads in Python, diffusers {versions['diffusers']}; "
            f"variables of the worker: {given}\n"
            f"- LTX-Video with {FIELDS}, {SHAPES}, float32\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headroom", required=True, help="the built program, with its worker beside it")
    parser.add_argument("--python", required=True, help="a Python with torch and diffusers")
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--processes", type=int, default=3, help="pairs of fresh processes")
    parser.add_argument("--turns", type=int, default=6, help="of each side in a pair")
    parser.add_argument("--steps", type=int, default=3, help="of a turn")
    parser.add_argument("--patience", type=int, default=20, help="how often a turn that was not quiet is repeated")
    parser.add_argument("--others", type=float, default=0.05, help="processors that others may take in a turn that is kept")
    arguments = parser.parse_args()
    variables = worker_variables(arguments.headroom)
    rows = []
    for name in arguments.cases.split(","):
        made = [pair_of_processes(arguments, CASES[name], variables) for _ in range(arguments.processes)]
        rows.append(row(name, [turns for turns, _ in made]))
        print(rows[-1], file=sys.stderr, flush=True)
    print(heading(variables, made[-1][1]))
    print("| step | what it is | Headroom (ms) | diffusers (ms) | quiet turns | Headroom / diffusers (95 %) |")
    print("|---|---|---:|---:|---:|---:|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
