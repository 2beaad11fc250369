#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times sweeps of different simulated trials through the program, the workers and the workspace.

Usage: tests/benchmarks/simulated_sweep.py [--ltx] [--trials N,...] [--runs R] [--jobs J] [PROGRAM]

Feed-forward trials, which take about a millisecond each; with --ltx full-size steps of LTX-Video 2B. PROGRAM is
build/release/bin/headroom where it is not given. Prints, as Markdown, wall and processor time of each number of trials
and the largest resident memory of any process of the run: a worker that grows with the number of trials shows there.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile
import time

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/headroom"


def feed_forward(trials):
    lengths = ",".join(str(64 * (i + 1)) for i in range(trials // 4))
    return ["--model", "ffn-stack", "--device", "sim:a100-80gb", "--split-ffn", "off,4",
            "--set", "model.activation_fn=gelu,geglu", "--set", "workload.sequence_length=" + lengths]


def ltx(trials):
    """Forty combinations of techniques in 25 sizes; a tenth of these, or ten seeds of each."""
    part = ["--shard", f"1/{1000 // trials}"] if trials < 1000 else []
    seeds = ",".join(str(seed) for seed in range(max(1, trials // 1000)))
    return ["--model", "ltx-video-2b", "--device", "sim:a100-80gb", "--step", "train", "--dtype", "bfloat16",
            "--height", "256,320,384,448,512", "--width", "512", "--frames", "25,41,57,73,89",
            "--trainable", "lora:16", "--optimizer", "adamw", "--checkpointing", "none,all,every:2,ops,every:4",
            "--casting", "off,e4m3", "--split-ffn", "off,2,4,2:recompute", "--set", "workload.seed=" + seeds] + part


def sweep(arguments, trials, workspace):
    what = ltx(trials) if arguments.ltx else feed_forward(trials)
    jobs = ["--jobs", str(arguments.jobs)] if arguments.jobs else []
    return [str(arguments.program), "run", *what, *jobs, "--workspace", str(workspace), "--format", "jsonl"]


def measure(arguments, trials):
    """Seconds, processor seconds and peak resident kilobytes of one sweep, in a child so that usage is its own."""
    with tempfile.TemporaryDirectory() as folder:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            import resource
            begin = time.monotonic()
            done = subprocess.run(sweep(arguments, trials, pathlib.Path(folder) / "sweep.db"), capture_output=True,
                                  text=True, check=True)
            seconds = time.monotonic() - begin
            completed = done.stdout.count('"outcome":"completed"')
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            processor = usage.ru_utime + usage.ru_stime
            os.write(writer, f"{seconds} {processor} {usage.ru_maxrss} {completed}".encode())
            os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        seconds, processor, peak, completed = os.read(reader, 200).decode().split()
        if int(completed) != trials:
            raise SystemExit(f"{completed} of {trials} trials completed")
        return float(seconds), float(processor), int(peak)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ltx", action="store_true")
    parser.add_argument("--trials", default="100,1000")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("program", type=pathlib.Path, nargs="?", default=PROGRAM)
    arguments = parser.parse_args()
    print(f"| trials | wall seconds, median of {arguments.runs} (least to most) | milliseconds a trial "
          "| processor seconds | largest process, MiB |")
    print("|---:|---:|---:|---:|---:|")
    for trials in (int(count) for count in arguments.trials.split(",")):
        runs = sorted(measure(arguments, trials) for _ in range(arguments.runs))
        seconds, processor, _ = runs[len(runs) // 2]
        print(f"| {trials} | {seconds:.2f} ({runs[0][0]:.2f} to {runs[-1][0]:.2f}) | {1000 * seconds / trials:.2f} "
              f"| {processor:.2f} | {max(peak for _, _, peak in runs) / 1024:.0f} |", flush=True)


if __name__ == "__main__":
    main()
