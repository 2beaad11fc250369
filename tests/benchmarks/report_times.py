#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a report costs with the number of its trials, and how large one of traced trials is: prints
docs/measurements/reports.md.

    report_times.py PROGRAM [--trials 100,300,1000,3000,10000] >docs/measurements/reports.md

PROGRAM is a built `headroom`, with its worker beside it. Each size is a sweep of simulated trials in a workspace of its own;
each report is written once, and its processor seconds are counted, which do not depend on what else the machine does.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

FORMATS = ["html", "md", "csv", "json"]
SPEC = """name = "many-trials"
[model]
name = "ffn-stack-tiny"
[workload]
sequence_length = {lengths}
batch = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
[techniques]
split_ffn = ["off", "2"]
[device]
name = ["sim:t4"]
"""

TRACED = ["run", "--model", "ltx-video-2b", "--checkpointing", "none,all,every:2,every:4", "--casting", "off,e4m3",
          "--split-ffn", "off,2", "--ema", "off,host", "--trainable", "lora:16", "--device", "sim:h100-80gb", "--trace"]


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"report_times.py: {' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(program, folder, trials):
    """Seconds and bytes of each format's report of so many trials."""
    spec, workspace = folder / f"{trials}.toml", folder / f"{trials}.db"
    spec.write_text(SPEC.format(lengths=list(range(1, trials // 20 + 1))))
    processor_seconds([program, "run", spec, "--workspace", workspace])
    results = []
    for ending in FORMATS:
        report = folder / f"{trials}.{ending}"
        seconds = processor_seconds([program, "report", workspace, "-o", report])
        results.append((seconds, report.stat().st_size))
        report.unlink()
    for file in folder.glob(f"{trials}.db*"):
        file.unlink()
    return results


def traced(program, folder):
    """Bytes, drawings and timelines in full of the page of a traced sweep of 32 trials."""
    workspace, report = folder / "traced.db", folder / "traced.html"
    processor_seconds([program, *TRACED, "--workspace", workspace])
    seconds = processor_seconds([program, "report", workspace, "-o", report])
    page = report.read_text()
    timelines = page[page.index('<section id="timelines"'):]
    in_full = timelines[:timelines.index('<div class="folded">')].count("<figure ")
    return seconds, report.stat().st_size, page.count("<svg"), in_full


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--trials", default="100,300,1000,3000,10000")
    arguments = parser.parse_args()
    print("# Reports of many trials\n")
    print("Processor seconds of `headroom report`, and milliseconds for each trial: the same in every row where the time is "
          "linear.\nSimulated trials of a small model; reading the workspace is part of it.\n")
    print("| trials | " + " | ".join(f"{ending} (s) | ms a trial" for ending in FORMATS) + " | html (MB) |")
    print("|---:|" + "---:|---:|" * len(FORMATS) + "---:|")
    with tempfile.TemporaryDirectory() as folder:
        for trials in map(int, arguments.trials.split(",")):
            results = measured(arguments.program, Path(folder), trials)
            cells = [f"{seconds:.2f} | {1000 * seconds / trials:.2f}" for seconds, _ in results]
            print(f"| {trials} | " + " | ".join(cells) + f" | {results[0][1] / 1e6:.1f} |", flush=True)
        seconds, size, drawings, in_full = traced(program=arguments.program, folder=Path(folder))
    print("\n## With traces\n\nThe page of 32 traced trials of LTX-Video 2B on a simulated H100 (four policies of checkpointing, with and "
          "without\ncasting, slices and EMA on the host; LoRA of rank 16):\n")
    print(f"| html (MB) | a trial (kB) | drawings | timelines in full | written in (s) |\n|---:|---:|---:|---:|---:|\n"
          f"| {size / 1e6:.2f} | {size / 32e3:.0f} | {drawings} | {in_full} | {seconds:.2f} |")
    print(f"\nMade by `tests/benchmarks/report_times.py` on {os.cpu_count()} cores.")


if __name__ == "__main__":
    main()
