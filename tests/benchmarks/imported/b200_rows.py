#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds predictions for a language model of other people against what PyTorch printed on a B200.

    b200_rows.py capture FOLDER                     writes the archives; needs torch
    b200_rows.py table FOLDER [--program P]         prints measured and predicted peaks

The model is language_model.py. Figures are those of csdiywithme/cs336-assignment2-systems at bb85bbf, files under runs/cloud:
torch 2.11.0+cu128, batch 4, float32, one step after warm-up, gradients None before it; AdamW written in Python.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BASE = ["--device", "sim:b200", "--set", "device.segment_addresses=ascending", "--dtype", "float32",
    "--set", "workload.loss=cross_entropy", "--set", "workload.output=held"]
FORWARD_BACKWARD = ["--step", "forward_backward"]
# Blocks of an optimizer that replaces its state move from step to step: as many steps as were run before the measured one.
TRAIN = ["--step", "train", "--optimizer", "adamw:expressions", "--set", "protocol.warmup_steps=15"]
REGIONS = FORWARD_BACKWARD + ["--checkpointing", "all"]
# Case, size, tokens, regions, arguments, peak allocated, peak reserved.
ROWS = [
    ("small 512 forward and backward", "small", 512, None, FORWARD_BACKWARD, 4_359_507_968, 4_546_625_536),
    ("small 512 train", "small", 512, None, TRAIN, 5_408_614_400, 5_746_196_480),
    ("medium 512 train", "medium", 512, None, TRAIN, 14_730_187_776, 15_294_529_536),
    ("large 512 train", "large", 512, None, TRAIN, 29_514_678_272, 31_738_298_368),
    ("xl 128 train", "xl", 128, None, TRAIN, 55_206_601_216, 61_519_953_920),
    ("xl 2048 forward and backward, 4 regions", "xl", 2048, 4, REGIONS, 85_841_411_072, 89_628_082_176),
    ("xl 2048 forward and backward, 16 regions", "xl", 2048, 16, REGIONS, 47_434_947_584, 50_967_085_056),
]


def archive_of(folder, size, tokens, regions):
    return folder / ("-".join(filter(None, [size, str(tokens), str(regions or "")])) + ".pt2")


def capture(folder):
    sys.path[:0] = [str(HERE), str(ROOT / "resources/capture")]
    import torch
    from headroom_capture import capture as captured
    from language_model import BATCH, LanguageModel

    for _, size, tokens, regions, *_ in ROWS:
        path = archive_of(folder, size, tokens, regions)
        if path.exists():
            continue
        with torch.device("meta"):
            model, example = LanguageModel(size, tokens, regions), torch.zeros(BATCH, tokens, dtype=torch.long)
        captured(model.train(), (example,), path=path, dynamic_shapes="fixed")
        print(path.name, flush=True)


def predicted(program, archive, arguments):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, "run", "--model", archive, *BASE, *arguments, "--workspace", folder + "/b200.db",
            "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{archive}: {done.stderr}")
    return json.loads(done.stdout)["trials"][0]


def cell(measured, found):
    difference = found - measured
    return f"{measured:,} | {found:,} | " + ("equal" if difference == 0 else f"{difference:+,} ({100 * difference / measured:+.2f} %)")


def table(folder, program):
    print("| case | peak allocated, measured | predicted | difference | peak reserved, measured | predicted | difference |\n"
          "|---|---:|---:|---:|---:|---:|---:|")
    for case, size, tokens, regions, arguments, allocated, reserved in ROWS:
        peak = predicted(program, archive_of(folder, size, tokens, regions), arguments)["memory"]["peak"]
        print(f"| {case} | {cell(allocated, peak['allocated_bytes'])} | {cell(reserved, peak['reserved_bytes'])} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["capture", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/headroom"))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.what == "capture":
        capture(arguments.folder)
    else:
        table(arguments.folder, arguments.program)


if __name__ == "__main__":
    main()
