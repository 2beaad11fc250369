#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Other people's models at full size, captured without weights and simulated.

    full_size.py capture FOLDER [NAME…]               writes FOLDER/NAME.pt2; needs torch, transformers, diffusers
    full_size.py table FOLDER [NAME…] [--program P]   prints their peaks on an H100

Configurations (models.json) are written from what their authors publish; no hub is asked. An archive that is there already is not
written again.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CAPTURE = ROOT / "resources/capture/headroom_capture.py"
DEVICE = "sim:h100-80gb"
STEPS = {"inference": ["--step", "inference"], "train": ["--step", "train"],
    "LoRA": ["--step", "train", "--trainable", "lora:16", "--optimizer", "adamw"]}
TRIALS = [("inference", "none"), ("train", "none"), ("train", "all"), ("LoRA", "none"), ("LoRA", "all")]
HEADER = """| model | parameters | load (s) | inference | train, none | train, all | LoRA, none | LoRA, all | trial (s) | blocks | nodes |
|---|---:|---:|---|---|---|---|---|---:|---:|---:|"""


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
    """The record of one trial and the seconds it took, or what was wrong."""
    with tempfile.TemporaryDirectory() as folder:
        events = pathlib.Path(folder) / "events.jsonl"
        done = subprocess.run([program, "run", "--model", archive, "--device", DEVICE, *STEPS[step], "--checkpointing", checkpointing,
            *batch_of_one(program, archive), "--workspace", folder + "/models.db", "--format", "json", "--events", events],
            capture_output=True, text=True, env={**os.environ, "HEADROOM_RESOURCES": str(resources)})
        if done.returncode not in (0, 4):
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            return lines[-1].removeprefix("headroom: error: ").split(": ", 1)[-1], 0.0
        times = {event["event"]: event["time"] for event in map(json.loads, events.read_text().splitlines())}
        return json.loads(done.stdout)["trials"][0], times["repeat_finished"] - times["repeat_started"]


# Sizes of the first dimension of an input that the export holds apart from the batch are samples, too.
def batch_of_one(program, archive):
    _, facts = loaded(program, archive)
    free = [dimension["name"] for dimension in facts["imported"]["free_dimensions"]] if isinstance(facts, dict) else []
    if "batch" not in free:
        return []
    # A first dimension that the model does not tie to the others' is a size of its own.
    samples = [name for name in free if name.endswith(".0")]
    return ["--batch", "1", *(word for name in samples for word in ("--set", f"workload.{name}=1"))]


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


def loaded(program, archive):
    """Processor seconds until the program has told what is in the archive, and what it told, or what was wrong."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "models", archive, "--format", "json"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def cell(program, archive, step, checkpointing, large):
    trial, seconds = run(program, archive, step, checkpointing, ROOT / "resources")
    if isinstance(trial, str):
        return f"refused: {trial}", seconds
    if trial["outcome"] == "out_of_memory":
        inside, more = run(program, archive, step, checkpointing, large)
        return f"({gib(inside['memory']['peak']['reserved_bytes'])}), {owner_of(inside)}", max(seconds, more)
    if trial["outcome"] != "completed":
        return f"{trial['outcome']}: {trial.get('error') or trial.get('message')}", seconds
    return f"{gib(trial['memory']['peak']['reserved_bytes'])}, {owner_of(trial)}", seconds


def row(program, archive, large):
    seconds, facts = loaded(program, archive)
    if isinstance(facts, str):
        return f"| {archive.stem} | | {seconds:.2f} | refused: {facts} |"
    model = facts["models"][0] if "models" in facts else facts
    cells, longest = [], 0.0
    for step, checkpointing in TRIALS:
        text, took = cell(program, archive, step, checkpointing, large)
        cells.append(text)
        longest = max(longest, took)
    imported = facts.get("imported") or model["imported"]
    return (f"| {archive.stem} | {model['parameters']:,} | {seconds:.2f} | " + " | ".join(cells)
            + f" | {longest:.2f} | {len(imported['blocks'])} | {nodes_of(archive):,} |")


def nodes_of(archive):
    with zipfile.ZipFile(archive) as files:
        return len(json.loads(files.read(f"{archive.stem}/models/model.json"))["graph_module"]["graph"]["nodes"])


def table(folder, names, program):
    print(HEADER)
    with tempfile.TemporaryDirectory() as place:
        large = boundless(pathlib.Path(place))
        for name in models(names):
            if (folder / f"{name}.pt2").exists():
                print(row(program, folder / f"{name}.pt2", large), flush=True)


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
    else:
        table(arguments.folder, arguments.names, arguments.program)


if __name__ == "__main__":
    main()
