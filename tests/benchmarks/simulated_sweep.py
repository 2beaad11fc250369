#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times sweeps of different simulated feed-forward trials through the program, the worker and the workspace.

Usage: tests/benchmarks/simulated_sweep.py [PROGRAM]      (default build/release/bin/headroom)

Prints, as Markdown, the wall time of 100 and of 1,000 trials and the largest resident memory of any process of the
run: a worker that grows with the number of trials shows in the second row.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/headroom"


def sweep(program, trials, workspace):
    lengths = ",".join(str(64 * (i + 1)) for i in range(trials // 4))
    return [str(program), "run", "--model", "ffn-stack", "--device", "sim:a100-80gb", "--split-ffn", "off,4",
            "--set", "model.activation_fn=gelu,geglu", "--set", "workload.sequence_length=" + lengths,
            "--workspace", str(workspace), "--format", "jsonl"]


def measure(program, trials):
    """Seconds and peak resident kilobytes of one sweep, in a child so that its children's usage is its own."""
    with tempfile.TemporaryDirectory() as folder:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            import resource
            begin = time.monotonic()
            done = subprocess.run(sweep(program, trials, pathlib.Path(folder) / "sweep.db"), capture_output=True,
                                  text=True, check=True)
            seconds = time.monotonic() - begin
            completed = done.stdout.count('"outcome":"completed"')
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            os.write(writer, f"{seconds} {peak} {completed}".encode())
            os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        seconds, peak, completed = os.read(reader, 200).decode().split()
        if int(completed) != trials:
            raise SystemExit(f"{completed} of {trials} trials completed")
        return float(seconds), int(peak)


def main():
    program = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else PROGRAM
    print("| trials | wall seconds, median of 5 (least to most) | milliseconds a trial | largest process, MiB |")
    print("|---:|---:|---:|---:|")
    for trials in (100, 1000):
        runs = sorted(measure(program, trials) for _ in range(5))
        seconds = runs[2][0]
        print(f"| {trials} | {seconds:.2f} ({runs[0][0]:.2f} to {runs[-1][0]:.2f}) | {1000 * seconds / trials:.2f} "
              f"| {max(peak for _, peak in runs) / 1024:.0f} |")


if __name__ == "__main__":
    main()
