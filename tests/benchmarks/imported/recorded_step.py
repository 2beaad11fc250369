#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds a simulated training step against one that PyTorch recorded on a GPU, allocation by allocation.

    recorded_step.py RECORDING FOLDER [--program P]     needs torch; writes the archive and the workspace into FOLDER

RECORDING is a memory snapshot of one training step of the small language model at 128 tokens (Okazaki-Yumemi/CS336 at 98d27a5,
assignments/a2-systems/profiles/memory_small_train_128.pickle, torch 2.11, WSL2): AdamW and cross entropy written in Python,
logits held until the step ends. Compared is, from the embedding to the end of the recording, for each allocation: its size, and
which earlier ones are freed before the next. In which order the frees between two allocations come makes no difference to an allocator.
"""
import argparse
import json
import pathlib
import pickle
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TOKENS = 128
# An exported block has its whole size; a recorded request may be smaller by what the allocator rounds up and does not split.
ROUNDING, SLACK = 512, 1 << 20
ARGUMENTS = ["--device", "sim:rtx4090", "--set", "device.segment_addresses=ascending", "--dtype", "float32", "--step", "train",
    "--set", "workload.loss=model", "--set", "workload.output=held", "--optimizer", "adamw:expressions",
    "--set", "protocol.warmup_steps=5", "--trace", "--format", "json"]


def capture(path):
    sys.path[:0] = [str(HERE), str(ROOT / "resources/capture")]
    import torch
    from headroom_capture import capture as captured
    from language_model import BATCH, LanguageModelWithLoss

    with torch.device("meta"):
        model, tokens = LanguageModelWithLoss("small", TOKENS), torch.zeros(BATCH, TOKENS, dtype=torch.long)
    captured(model.train(), (tokens, torch.zeros_like(tokens)), path=path, dynamic_shapes="fixed")


def simulated(program, archive, folder):
    workspace, result = folder / "recorded-step.db", folder / "recorded-step.pickle"
    workspace.unlink(missing_ok=True)
    done = subprocess.run([program, "run", "--model", archive, *ARGUMENTS, "--workspace", workspace], check=True,
        capture_output=True, text=True)
    trial = json.loads(done.stdout)["trials"][0]["trial_id"]
    subprocess.run([program, "trace", "export", trial, "--workspace", workspace, "--as", "pytorch-snapshot", "-o", result],
        check=True, capture_output=True)
    return result


def allocations(path):
    """Each as its bytes and the numbers of those that are freed before the next; -1 for one of before the recording."""
    with open(path, "rb") as file:
        events = max(pickle.load(file)["device_traces"], key=len)
    found, live = [], {}
    for event in events:
        if event["action"] == "alloc":
            live[event["addr"]] = len(found)
            found.append((event["size"], []))
        elif event["action"] == "free_requested" and found:
            found[-1][1].append(live.pop(event["addr"], -1))
    return found


def relative(allocation, first):
    size, freed = allocation
    return size, sorted(max(number - first, -1) for number in freed)


def is_equal(recorded, predicted):
    rounded = -(-recorded[0] // ROUNDING) * ROUNDING
    return 0 <= predicted[0] - rounded <= SLACK and recorded[1] == predicted[1]


def equal_from(first, recorded, predicted):
    """How many allocations are equal if the recorded first one is the predicted one of this number."""
    for number, allocation in enumerate(recorded):
        if first + number == len(predicted) or not is_equal(allocation, relative(predicted[first + number], first)):
            return number
    return len(recorded)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recording", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/headroom"))
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    archive = arguments.folder / "recorded-step.pt2"
    if not archive.exists():
        capture(archive)
    recorded = [relative(allocation, 0) for allocation in allocations(arguments.recording)]
    predicted = allocations(simulated(arguments.program, archive, arguments.folder))
    # The simulated steps are alike; the one that is like the recorded one for longest is compared.
    equal, first = max((equal_from(first, recorded, predicted), first) for first in range(len(predicted)))
    print(f"{equal} of {len(recorded)} allocations equal, in size and in what is freed before the next")
    if equal < len(recorded):
        print(f"the next: {recorded[equal]} recorded, {relative(predicted[first + equal], first)} predicted")
    sys.exit(equal < len(recorded))


if __name__ == "__main__":
    main()
