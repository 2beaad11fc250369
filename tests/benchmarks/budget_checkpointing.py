#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares checkpointing = budget:SIZE with every other policy at that policy's own peak.

Usage: tests/benchmarks/budget_checkpointing.py [--cpu] [--rounds N] [PROGRAM]   (default build/release/bin/headroom)

Runs each policy made by hand, takes its peak of allocated memory, and runs budget:PEAK. Prints a table in Markdown: step
times, and how much faster the budget is than the fastest policy by hand that fits into that peak. On the CPU, small
models are measured with one thread: all policies in several rounds, one after the other, and the quickest step of each is
compared. Ends with 1 where a budget is slower than that by more than 1 %, or a peak is beyond its budget.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/headroom"
GIB = 2 ** 30
MIB = 2 ** 20
TIE = 1.01
BY_HAND = ["none", "all", "every:2", "every:3", "every:4", "except:2", "except:4", "ops", "ops:mm/2",
           "strategy:all_but_last"]
# Name, device, and the options of a run.
SIMULATED = [
    ("LTX-Video 2B, 49 frames", "sim:a100-80gb",
     ["--model", "ltx-video-2b", "--set", "workload.frames=49", "--dtype", "bfloat16", "--step", "forward_backward"]),
    ("LTX-Video 2B, full training, AdamW", "sim:a100-80gb",
     ["--model", "ltx-video-2b", "--set", "workload.frames=49", "--dtype", "bfloat16", "--step", "train",
      "--optimizer", "adamw"]),
    ("Llama 3 8B, LoRA, 4,096 tokens", "sim:h100-80gb",
     ["--model", "llama-3-8b", "--set", "workload.sequence_length=4096", "--dtype", "bfloat16", "--step", "train",
      "--trainable", "lora:16"]),
    ("Llama 2 7B, full training, 2,048 tokens", "sim:h200",
     ["--model", "llama-2-7b", "--set", "workload.sequence_length=2048", "--dtype", "bfloat16", "--step", "train"]),
    ("Flux, LoRA", "sim:h100-80gb",
     ["--model", "flux-dev", "--dtype", "bfloat16", "--step", "train", "--trainable", "lora:16"]),
]
MEASURED = [
    ("LTX-Video, 6 blocks of 8 x 32", "cpu",
     ["--model", "ltx-video-2b", "--set", "model.num_layers=6", "--set", "model.num_attention_heads=8",
      "--set", "model.attention_head_dim=32", "--set", "model.cross_attention_dim=256",
      "--set", "model.caption_channels=256", "--set", "workload.frames=9", "--set", "workload.height=256",
      "--set", "workload.width=384", "--set", "workload.text_tokens=32", "--step", "forward_backward"]),
    ("Llama, 6 blocks of 256", "cpu",
     ["--model", "llama-2-7b", "--set", "model.num_hidden_layers=6", "--set", "model.hidden_size=256",
      "--set", "model.num_attention_heads=4", "--set", "model.num_key_value_heads=4",
      "--set", "model.intermediate_size=688", "--set", "model.vocab_size=500",
      "--set", "workload.sequence_length=384", "--step", "forward_backward"]),
    ("Flux, 3 double and 3 single blocks of 4 x 64", "cpu",
     ["--model", "flux-dev", "--set", "model.num_layers=3", "--set", "model.num_single_layers=3",
      "--set", "model.num_attention_heads=4", "--set", "model.attention_head_dim=64", "--set", "model.joint_attention_dim=256",
      "--set", "model.axes_dims_rope=[8,28,28]", "--set", "workload.height=256", "--set", "workload.width=256",
      "--set", "workload.text_tokens=64", "--step", "forward_backward"]),
]


def run(program, device, options, notations, steps=None):
    """The records of a run, by notation."""
    command = [str(program), "run", "--device", device, *options, "--checkpointing", ",".join(notations), "--format", "jsonl"]
    if steps:
        command += ["--set", f"protocol.steps={steps}", "--set", "protocol.repeats=1",
                    "--set", "protocol.max_warmup_seconds=1"]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*command, "--workspace", str(pathlib.Path(folder) / "w.db")], capture_output=True, text=True,
                              env=os.environ | {"OMP_NUM_THREADS": "1"})
    records = {}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        if "techniques" in record:
            records[notation_of(record)] = record
    if not records:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return records


def notation_of(record):
    setting = record["techniques"]["checkpointing"]
    return setting if isinstance(setting, str) else setting["notation"]


def peak_of(record):
    memory = record["memory"]
    return max(memory["peak"]["allocated_bytes"], memory["first_step_peak"]["allocated_bytes"])


def completed(records):
    return {name: record for name, record in records.items() if record["outcome"] == "completed"}


def seconds_of(record):
    return record["speed"]["step_seconds_median"]


def planned_of(record):
    text = record["effective"]["checkpointing"]
    return text.split(" planned as ", 1)[1].split(", with a simulated peak", 1)[0]


def shown(size):
    return f"{size / GIB:.3f} GiB" if size >= GIB else f"{size / MIB:.1f} MiB"


def short(notation):
    return notation if len(notation) <= 60 else notation[:57] + "…"


class Table:
    def __init__(self):
        self.slowest = 0.0
        self.beyond = 0

    def row(self, name, notation, peak, own, best, budget, planned):
        self.slowest = max(self.slowest, budget / best[1])
        print(f"| {name} | `{notation}` | {shown(peak)} | {own * 1e3:.1f} | `{best[0]}` {best[1] * 1e3:.1f} | "
              f"{budget * 1e3:.1f} | {(1 - budget / best[1]) * 100:+.1f} % | `{short(planned)}` |", flush=True)


def header():
    print("| model | policy | its peak | its step, ms | fastest by hand there, ms | budget, ms | faster by | planned |")
    print("|---|---|---|---|---|---|---|---|")


def compare_simulated(program, table):
    for name, device, options in SIMULATED:
        hand = completed(run(program, device, options, BY_HAND))
        peaks = {notation: peak_of(record) for notation, record in hand.items()}
        budgets = completed(run(program, device, options, [f"budget:{peak}" for peak in sorted(set(peaks.values()))]))
        by_peak = {size_of(notation): record for notation, record in budgets.items()}
        for notation, peak in sorted(peaks.items(), key=lambda item: item[1]):
            if peak not in by_peak:
                sys.exit(f"{name}: budget:{peak} did not complete")
            table.beyond += peak_of(by_peak[peak]) > peak
            best = min(((other, seconds_of(record)) for other, record in hand.items() if peaks[other] <= peak),
                       key=lambda item: item[1])
            table.row(name, notation, peak, seconds_of(hand[notation]), best, seconds_of(by_peak[peak]),
                      planned_of(by_peak[peak]))


UNITS = {"TiB": 2 ** 40, "GiB": 2 ** 30, "MiB": 2 ** 20, "KiB": 2 ** 10}


def size_of(notation):
    text = notation.split(":", 1)[1]
    for unit, size in UNITS.items():
        if text.endswith(unit):
            return int(text[:-3]) * size
    return int(text)


def compare_measured(program, table, rounds):
    """Every round runs all policies, one after the other; what counts of each is its quickest step."""
    for name, device, options in MEASURED:
        hand = completed(run(program, device, options, BY_HAND, steps=1))
        peaks = {notation: peak_of(record) for notation, record in hand.items()}
        budgets = {f"budget:{peak}": peak for peak in sorted(set(peaks.values()))}
        times, planned = {}, {}
        for _ in range(rounds):
            for notation, record in completed(run(program, device, options, [*hand, *budgets], steps=8)).items():
                is_budget = notation.startswith("budget:")
                own = f"budget:{size_of(notation)}" if is_budget else notation
                times[own] = min([times.get(own, math.inf), *(min(repeat) for repeat in record["speed"]["samples_seconds"])])
                if is_budget:
                    planned[own] = planned_of(record)
                    table.beyond += peak_of(record) > budgets[own]
        for budget, policy in planned.items():  # what is planned as a policy by hand is that policy, measured twice
            if policy in hand:
                times[budget] = times[policy] = min(times[budget], times[policy])
        for budget, peak in budgets.items():
            best = min(((other, times[other]) for other in hand if peaks[other] <= peak), key=lambda item: item[1])
            owner = next(notation for notation in peaks if peaks[notation] == peak)
            table.row(name, owner, peak, times[owner], best, times[budget], planned[budget])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cpu", action="store_true", help="measure small models on the CPU")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("program", nargs="?", default=PROGRAM)
    options = arguments.parse_args()
    table = Table()
    header()
    if options.cpu:
        compare_measured(options.program, table, options.rounds)
    else:
        compare_simulated(options.program, table)
    print(f"\nslowest against the fastest by hand: {(table.slowest - 1) * 100:+.2f} %; beyond their budget: {table.beyond}")
    sys.exit(1 if table.beyond or table.slowest > TIE else 0)


if __name__ == "__main__":
    main()
