#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans four full-size tasks, and compares each answer with the best of a sweep of what one tries by hand.

Usage: tests/benchmarks/plan_tasks.py [--seconds S] [PROGRAM]   (default build/release/bin/headroom)

Prints tables in Markdown: the answer beside the fastest trial of the sweep that fits, what was decided, wall and processor
seconds of the plan; then the front of each. Ends with 1 where an answer is slower than the sweep's best by more than the
0.5 % within which a plan prefers what is simpler.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/headroom"
GIB = 2 ** 30
TIE = 1.005
POLICIES = "none,all,every:2,every:3,every:4,except:2,except:4,except:8,ops,ops:mm/2,all+offload"
# Name, the task, and the sweep by hand.
TASKS = [
    ("LTX-Video 13B, LoRA, 121 frames", ["--model", "ltx-video-13b", "--frames", "121", "--trainable", "lora:16",
                                         "--device", "sim:rtx4090"],
     ["--checkpointing", POLICIES, "--casting", "off,e4m3", "--offload", "off,block:1,block:1+stream"]),
    ("Flux, LoRA", ["--model", "flux-dev", "--trainable", "lora:16", "--device", "sim:rtx4080"],
     ["--checkpointing", POLICIES, "--casting", "off,e4m3", "--offload", "off,block:1,block:1+stream"]),
    ("Llama 3 8B, full training, AdamW, 4,096 tokens",
     ["--model", "llama-3-8b", "--trainable", "all", "--sequence-length", "4096", "--optimizer", "adamw",
      "--device", "sim:h100-80gb"],
     ["--optimizer", "adamw:loop,adamw:foreach,adamw:fused", "--checkpointing", POLICIES, "--offload", "off,block:1+stream"]),
    ("Wan 2.1 14B, inference", ["--model", "wan-2.1-14b", "--step", "inference", "--dtype", "bfloat16",
                                "--device", "sim:rtx4090"],
     ["--casting", "off,e4m3,e4m3:block", "--offload", "off,block:1,block:1+stream,block:2,leaf+stream",
      "--split-ffn", "off,2,4,tokens:4"]),
]


def answer_of(program, arguments):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *arguments, "--format", "json"], capture_output=True, text=True, cwd=folder)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{' '.join(arguments)}: {done.stderr.strip()[-400:]}")


def planned(program, task, seconds):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    document = answer_of(program, ["plan", *task, "--seconds", str(seconds)])
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return document, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_hand(program, task, sweep):
    if "--optimizer" in task:
        at = task.index("--optimizer")
        task = task[:at] + task[at + 2:]
    fitting = [trial for trial in answer_of(program, ["run", *task, *sweep])["trials"]
               if trial["outcome"] == "completed" and trial["memory"]["fits"]]
    return min(fitting, key=step_of, default=None)


def step_of(trial):
    return trial["speed"]["step_seconds_median"]


def words(trial):
    off = {"off", "none", "kept"}
    return ", ".join(f"{key} {value}" for key, value in trial["techniques"].items()
                     if value not in off and key in ("optimizer", "casting", "offload", "split_ffn", "checkpointing", "attention")
                     and not (key == "attention" and value == "auto")) or "as it is"


def figures(trial):
    return f"{step_of(trial):.4g} s | {trial['memory']['needed_bytes'] / GIB:.3g} GiB"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("program", nargs="?", default=str(PROGRAM))
    arguments = parser.parse_args()
    rows, fronts, is_beaten = [], [], False
    for name, task, sweep in TASKS:
        document, wall, processor = planned(arguments.program, task, arguments.seconds)
        hand = by_hand(arguments.program, task, sweep + ([] if "--optimizer" in sweep or "inference" in task
                                                         else ["--optimizer", "sgd:foreach"]))
        answer = document["answer"]
        if answer is None or hand is None:
            sys.exit(f"{name}: nothing fits")
        is_beaten |= step_of(answer) > TIE * step_of(hand)
        rows.append(f"| {name}, `{task[-1]}` | {words(answer)} | {figures(answer)} | {words(hand)} | {figures(hand)} "
                    f"| {step_of(hand) / step_of(answer) - 1:+.1%} | {document['considered']:,} of {document['combinations']:,} "
                    f"| {document['proven_gap']:.1%} | {wall:.0f} | {processor:.0f} |")
        fronts.append(f"**{name}**\n\n| change | step | needs |\n| --- | ---: | ---: |\n"
                      + "\n".join(f"| {words(trial)} | {figures(trial)} |" for trial in document["front"]))
        print(rows[-1], file=sys.stderr, flush=True)
    print("| task | plan | step | needs | by hand | step | needs | plan's speed | decided | proven gap | wall s | processor s |")
    print("| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print("\n".join(rows), "\n".join(fronts), sep="\n\n")
    return 1 if is_beaten else 0


if __name__ == "__main__":
    sys.exit(main())
