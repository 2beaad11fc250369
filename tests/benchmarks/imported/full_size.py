#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Other people's models at full size, captured without weights and simulated.

    full_size.py capture FOLDER [NAME…]               writes FOLDER/NAME.pt2; needs torch, transformers, diffusers
    full_size.py table FOLDER [NAME…] [--program P]   prints the tables of docs/measurements/imported-models.md

Configurations (models.json) are written from what their authors publish; no hub is asked. An archive that is there already is not
written again.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CAPTURE = ROOT / "resources/capture/headroom_capture.py"
DEVICE = "sim:h100-80gb"
STEPS = {"inference": ["--step", "inference"],
    "train": ["--step", "train"],
    "LoRA": ["--step", "train", "--trainable", "lora:16", "--optimizer", "adamw"]}
TRIALS = [("inference", "none"), ("train", "none"), ("train", "all"), ("LoRA", "none"), ("LoRA", "all")]


def models(names):
    known = json.loads((HERE / "models.json").read_text())
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"full_size.py: error: found {', '.join(unknown)}; valid is {', '.join(known)}")
    return {name: known[name] for name in names or known}


def capture(folder, names):
    for name, model in models(names).items():
        archive = folder / f"{name}.pt2"
        if archive.exists():
            continue
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "config.json").write_text(json.dumps(model["config"]))
            begin = time.monotonic()
            done = subprocess.run([sys.executable, CAPTURE, f"--{model['package']}", place, *model["arguments"], "-o", archive],
                capture_output=True, text=True)
        print(f"{name}: {time.monotonic() - begin:.0f} s: {(done.stdout or done.stderr).strip()}", flush=True)


def run(program, archive, step, checkpointing, resources):
    """The record of one trial, or what was wrong; and its events."""
    with tempfile.TemporaryDirectory() as folder:
        events = pathlib.Path(folder) / "events.jsonl"
        done = subprocess.run([program, "run", "--model", archive, "--device", DEVICE, "--batch", "1", *STEPS[step],
            "--checkpointing", checkpointing, "--workspace", folder + "/models.db", "--format", "json", "--events", events],
            capture_output=True, text=True, env={**os.environ, "HEADROOM_RESOURCES": str(resources)})
        if done.returncode not in (0, 4):
            return None, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}", []
        trial = json.loads(done.stdout)["trials"][0]
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        return trial, None, [line for line in lines if line.get("trial_id") == trial["trial_id"]]


def boundless(folder):
    """The resources, with 16 TiB of memory in every device."""
    shutil.copytree(ROOT / "resources", folder, dirs_exist_ok=True)
    for profile in (folder / "devices").glob("*.toml"):
        profile.write_text(re.sub(r"((?:total|usable)_bytes = \{ value = )\d+", rf"\g<1>{1 << 44}", profile.read_text()))
    return folder


def gib(count):
    return f"{count / 2**30:.2f}"


def owner_of(trial):
    categories = trial["breakdown"]["categories"]
    owner = max(categories, key=categories.get)
    return f"{owner.replace('_', ' ')} {100 * categories[owner] / trial['breakdown']['total_bytes']:.0f} %"


def load_seconds(program, archive):
    begin = time.monotonic()
    done = subprocess.run([program, "models", archive, "--format", "json"], capture_output=True, text=True)
    seconds = time.monotonic() - begin
    return seconds, json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


def step_seconds(events):
    """Of the simulated steps the longest, and of loading."""
    begins = [(event["time"], event.get("phase"), event.get("step")) for event in events if event.get("event") == "phase"]
    return begins


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["capture", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/headroom"))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.what == "capture":
        capture(arguments.folder, arguments.names)


if __name__ == "__main__":
    main()
