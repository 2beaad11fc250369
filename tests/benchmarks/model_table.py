#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates every full-size model of the catalogue: inference, and LoRA training without and with checkpointing.

Usage: tests/benchmarks/model_table.py [PROGRAM]      (default build/release/bin/headroom)

Prints the tables of docs/models.md. What does not fit is simulated once more on the same device with boundless memory,
so that the need is a figure too; these are in brackets.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICES = {"sim:h100-80gb": "H100, 80 GB", "sim:rtx4090": "RTX 4090, 24 GB"}
INFERENCE = ["--set", "workload.step=inference"]
TRAINING = ["--set", "workload.step=train", "--trainable", "lora:16", "--optimizer", "adamw"]
COLUMNS = [INFERENCE, TRAINING + ["--checkpointing", "none"], TRAINING + ["--checkpointing", "all"]]


def models(program):
    listed = subprocess.run([program, "models", "--format", "json"], capture_output=True, text=True, check=True)
    return [model["name"] for model in json.loads(listed.stdout)["models"] if not model["name"].endswith("-tiny")]


def seconds_between(events):
    return events[-1]["time"] - events[0]["time"]


def simulate(program, model, device, arguments, resources):
    """The record of one trial, and the seconds from its first event to its last."""
    with tempfile.TemporaryDirectory() as folder:
        events = pathlib.Path(folder) / "events.jsonl"
        done = subprocess.run(
            [program, "run", "--model", model, "--device", device, "--set", "workload.dtype=bfloat16", "--set",
             "workload.batch=1", *arguments, "--workspace", folder + "/models.db", "--format", "json", "--events",
             str(events)],
            capture_output=True, text=True, env={**os.environ, "HEADROOM_RESOURCES": str(resources)})
        if done.returncode != 0:
            sys.exit(f"{model} on {device}: {done.stderr}")
        trial = json.loads(done.stdout)["trials"][0]
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        return trial, seconds_between([line for line in lines if line.get("trial_id") == trial["trial_id"]])


def boundless(folder):
    """The resources, with 16 TiB of memory in every device."""
    shutil.copytree(ROOT / "resources", folder, dirs_exist_ok=True)
    for profile in (folder / "devices").glob("*.toml"):
        profile.write_text(re.sub(r"((?:total|usable)_bytes = \{ value = )\d+", rf"\g<1>{1 << 44}",
                                  profile.read_text()))
    return folder


def gib(count):
    return f"{count / 2**30:.2f}"


def cells(trial):
    """Peak and its owner."""
    categories = trial["breakdown"]["categories"]
    owner = max(categories, key=categories.get)
    share = 100 * categories[owner] / trial["breakdown"]["total_bytes"]
    peak = gib(trial["memory"]["peak"]["reserved_bytes"])
    return [peak if trial["memory"]["fits"] else peak + " tight", f"{owner.replace('_', ' ')} {share:.0f} %"]


def row(program, model, device, large):
    figures, longest, sizes = [], 0, None
    for arguments in COLUMNS:
        trial, seconds = simulate(program, model, device, arguments, ROOT / "resources")
        longest = max(longest, seconds)
        sizes = sizes or trial["model"]
        if trial["outcome"] == "out_of_memory":
            peak, owner = cells(simulate(program, model, device, arguments, large)[0])
            figures += [f"({peak})", owner]
        else:
            figures += cells(trial)
    return sizes, f"| {model} | " + " | ".join(figures) + f" | {longest:.2f} |"


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/headroom")
    sizes, tables = {}, []
    with tempfile.TemporaryDirectory() as folder:
        large = boundless(pathlib.Path(folder))
        for device, title in DEVICES.items():
            tables.append(f"### {title} (`{device}`)\n\n| model | inference | owner | LoRA, checkpointing none | owner "
                          "| LoRA, checkpointing all | owner | longest simulation (s) |\n"
                          "|---|---:|---|---:|---|---:|---|---:|")
            for model in models(program):
                size, line = row(program, model, device, large)
                sizes.setdefault(model, size)
                tables.append(line)
            tables.append("")
    print("### Sizes\n\n| model | parameters | weights in bfloat16 (GiB) |\n|---|---:|---:|")
    for model, size in sizes.items():
        print(f"| {model} | {size['parameters']:,} | {gib(size['weight_bytes'])} |")
    print()
    print("\n".join(tables).rstrip())


if __name__ == "__main__":
    main()
