# SPDX-License-Identifier: Apache-2.0
"""The rows of docs/measurements/rehearsed-rows.md: what other people measured, and the script that does the same."""

import csv
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass
class Row:
    name: str
    command: str
    expected: dict = field(default_factory=dict)  # bytes, or what else the script prints under that key
    device: str = "h100-80gb"
    steps: int = 5
    python: str = "HEADROOM_ROWS_PYTHON"  # the variable that names it


def of_step(line):
    short = line["model"].split("_")[0].split("-")[0]
    words = f"--model {line['model']} --batch {line['batch']} --size {line['size']} --precision {line['precision']}"
    checkpoint = line["checkpoint"] == "1"
    return Row(f"{short}-{line['batch']}x{line['size']}-{line['precision']}{'-checkpoint' if checkpoint else ''}",
               f"measured_step.py {words}{' --checkpoint' if checkpoint else ''}",
               {"active_bytes": int(line["active_bytes"]), "reserved_bytes": int(line["reserved_bytes"])})


with open(HERE / "h100_steps.csv", encoding="utf-8") as lines:
    STEPS = [of_step(line) for line in csv.DictReader(lines)]


def megabytes(peaks):
    return {shape: round(peak * 1e6) for shape, peak in peaks.items()}


PYTHIA = "threads/attention_rows.py --model pythia-410m --batches 1,2 --lengths 128,256,512,1024 --attention "
BERT = "threads/attention_rows.py --model bert-base --batches 4,8,16 --lengths 256,512 --no-mask --attention "
OLD, NEW = "HEADROOM_ROWS_PYTHON_24", "HEADROOM_ROWS_PYTHON_211"


def of_thread(name, command, expected, device, python="HEADROOM_ROWS_PYTHON"):
    return Row(name, f"threads/{command}" if "/" not in command else command, expected, device, steps=0, python=python)


THREADS = [
    of_thread("pytorch-95668", "one_product.py --tiny", {"left": 8519680}, "a10g"),
    of_thread("pytorch-95668-new", "one_product.py --tiny", {"left": 8519680}, "a10g", NEW),
    of_thread("pytorch-104604", "one_product.py", {"made": 4194304, "forward": 16908288, "peak": 16908288}, "a10g"),
    of_thread("pytorch-104604-new", "one_product.py", {"made": 4194304, "forward": 16908288, "peak": 16908288}, "a10g", NEW),
    of_thread("pytorch-72450", "softmax_backward.py",
              {"start": 3019898880, "forward": 6039798272, "backward": 9059697152, "peak": 15099495424}, "a100-40gb"),
    of_thread("pytorch-72450-new", "softmax_backward.py",
              {"start": 3019898880, "forward": 6039798272, "backward": 9059697152, "peak": 15099495424}, "a100-40gb", NEW),
    of_thread("pytorch-125511", "radam_step.py", {"peak": 225280}, "a100-40gb", OLD),
    of_thread("pytorch-125511-compiled", "radam_step.py --compile", {"peak": 240640}, "a100-40gb", OLD),
    of_thread("unsloth-zoo-946-1024", "loss_bytes.py --tokens 1024", {"bytes_per_logit": 18.01}, "t4"),
    of_thread("unsloth-zoo-946-2048", "loss_bytes.py --tokens 2048", {"bytes_per_logit": 18.02}, "t4"),
    of_thread("unsloth-zoo-946-4096", "loss_bytes.py --tokens 4096", {"bytes_per_logit": 18.00}, "t4"),
    of_thread("pytorch-50990", "convolution.py", {"peak": 904212480}, "v100-32gb"),
    of_thread("pytorch-50990-half", "convolution.py --half", {"peak": 1123495936}, "v100-32gb"),
    of_thread("pytorch-134326-36", "tall_qr.py --columns 36", {"peak": 25e9}, "h100-80gb", NEW),
    of_thread("pytorch-134326-37", "tall_qr.py --columns 37", {"peak": "out of memory, more than 1EB"}, "h100-80gb", NEW),
    of_thread("mjlab-754", "small_eigen.py", {"peak": 4452e6}, "rtx5080", NEW),
    of_thread("transformers-31031-eager", PYTHIA + "eager", megabytes(
        {"1x128": 1789.95, "1x256": 1845.83, "1x512": 2278.38, "1x1024": 4772.36, "2x128": 1843.86, "2x256": 1999.72,
         "2x512": 3613.16, "2x1024": 8707.55}), "rtx3090", OLD),
    of_thread("transformers-31031-sdpa", PYTHIA + "sdpa", megabytes(
        {"1x128": 1789.95, "1x256": 1844.84, "1x512": 1953.76, "1x1024": 2408.35, "2x128": 1844.78, "2x256": 1951.67,
         "2x512": 2406.77, "2x1024": 3878.86}), "rtx3090", OLD),
    of_thread("transformers-28802-eager", BERT + "eager", megabytes(
        {"4x256": 939.213, "4x512": 1970.447, "8x256": 1594.295, "8x512": 3629.401, "16x256": 2874.426}), "a100-80gb", OLD),
    of_thread("transformers-28802-sdpa", BERT + "sdpa", megabytes(
        {"4x256": 764.834, "4x512": 1227.162, "8x256": 1226.114, "8x512": 2134.262, "16x256": 2134.262}), "a100-80gb", OLD),
]
ROWS = STEPS + THREADS


def per_cent(rehearsed, expected):
    return f"{100 * (rehearsed / expected - 1):+.3f}"


def step_cells(row, run):
    peak = run["answer"] and run["answer"]["ranks"][0]["peak"]
    if not peak or not peak["active_bytes"]:
        return [row.name, f"ended with {run['exit_code']}", *["-"] * 9]
    cells = [row.name]
    for key in ("active_bytes", "reserved_bytes"):
        cells += [row.expected[key], peak[key], peak[key] - row.expected[key], per_cent(peak[key], row.expected[key])]
    return cells + [run["answer"]["verdict"], f"{run['seconds']:.0f}"]


def said(run):
    """What the answer says beside the peak: the first line of why, and the range that is not counted."""
    rank = run["answer"]["ranks"][0] if run["answer"] else {}
    reason = (rank.get("reason") or "").splitlines()[:1]
    ranges = [f"{entry['library']} {entry['low_bytes']} to {entry['high_bytes']} ({entry['function']})"
              for entry in rank.get("not_counted") or []]
    return "; ".join([*reason, *ranges, f"needs {rank.get('needed_bytes')} to {rank.get('needed_high_bytes')}"]).replace("|", "")


def thread_lines(row, run):
    saw = run["printed"] or {}
    torch = ((run["answer"] or {"ranks": [{}]})["ranks"][0].get("libraries") or {}).get("torch", "?")
    for key, expected in row.expected.items():
        rehearsed = saw.get(key, "-")
        numbers = isinstance(expected, (int, float)) and isinstance(rehearsed, (int, float))
        yield [row.name, row.device, torch, key, expected, rehearsed, rehearsed - expected if numbers else "-",
               per_cent(rehearsed, expected) if numbers else "-", said(run)]


def table(columns, lines):
    rows = [columns, ["---"] * len(columns), *lines]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def as_tables(runs):
    steps = ["Row", "active measured", "rehearsed", "off", "%", "reserved measured", "rehearsed", "off", "%", "Verdict", "s"]
    threads = ["Thread", "Card", "PyTorch", "Figure", "reported", "rehearsed", "off", "%", "the answer says"]
    return "\n\n".join([
        table(steps, [step_cells(row, runs[row.name]) for row in STEPS if row.name in runs]),
        table(threads, [line for row in THREADS if row.name in runs for line in thread_lines(row, runs[row.name])])])
