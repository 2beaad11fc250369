#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the step times that a calibrated profile predicts against those measured on the processor.

    predicted_times.py [PROGRAM] [--profile FILE.toml] [--trials N] [--seed S] [--only MODEL,…] [--page FILE] [--json FILE]

Draws N configurations over models (tiny and middle-sized), steps, dtypes and techniques, measures each on `cpu` and
predicts it with the profile, which is measured first unless it is given. Prints each trial, the quantiles of the
relative error and Spearman's rank correlation. To be run on a quiet machine: the load before and after is printed.
--page writes a page of docs/measurements.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

VIDEO = {"batch": 1, "frames": 9, "height": 128, "width": 128, "text_tokens": 32}
TEXT = {"batch": 1, "sequence_length": 256}

# The catalogue's smallest model, and one whose products are worth the name, with its shapes.
MIDDLE = {
    "ffn-stack-tiny": ({"num_layers": 4, "dim": 512}, {"batch": 2, "sequence_length": 512}),
    "ltx-video-tiny": ({"num_layers": 4, "num_attention_heads": 8, "attention_head_dim": 64, "caption_channels": 256},
                       {"batch": 1, "frames": 17, "height": 256, "width": 256, "text_tokens": 32}),
    "wan-tiny": ({"num_layers": 4, "num_attention_heads": 4, "attention_head_dim": 128, "ffn_dim": 2048,
                  "text_dim": 256, "freq_dim": 256}, VIDEO),
    "flux-tiny": ({"num_layers": 2, "num_single_layers": 4, "num_attention_heads": 4, "attention_head_dim": 128,
                   "axes_dims_rope": [16, 56, 56], "in_channels": 64, "joint_attention_dim": 256,
                   "pooled_projection_dim": 128}, {"batch": 1, "height": 256, "width": 256, "text_tokens": 32}),
    "cogvideox-tiny": ({"num_layers": 4, "num_attention_heads": 8, "attention_head_dim": 64, "in_channels": 16,
                        "out_channels": 16, "time_embed_dim": 256, "text_embed_dim": 256, "sample_width": 16,
                        "sample_height": 16, "sample_frames": 9, "max_text_seq_length": 32}, VIDEO),
    "llama-tiny": ({"num_hidden_layers": 4, "hidden_size": 512, "intermediate_size": 1376, "num_attention_heads": 8,
                    "num_key_value_heads": 4, "vocab_size": 4096}, TEXT),
    "t5-tiny": ({"num_layers": 4, "d_model": 512, "d_kv": 64, "num_heads": 8, "d_ff": 2048, "vocab_size": 4096,
                 "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}, TEXT),
}

TECHNIQUES = {
    "checkpointing": ["none", "none", "all", "every:2"],
    "split-ffn": ["off", "off", "2"],
    "casting": ["off", "off", "off", "e4m3"],
    "offload": ["off", "off", "off", "block:1"],
    "attention": ["auto", "auto", "math"],
}


def drawn(generator, models):
    """The arguments of one configuration, and its label."""
    model = generator.choice(models)
    step = generator.choice(["inference", "forward_backward", "train"])
    dtype = generator.choice(["float32", "float32", "bfloat16"])
    size = generator.choice(["tiny", "middle", "middle"])
    words = ["--model", model, "--step", step, "--dtype", dtype]
    label = [model.removesuffix("-tiny"), size, step, dtype]
    if size == "middle":
        fields, shapes = MIDDLE[model]
        for path, values in (("model", fields), ("workload", shapes)):
            words += [f"--set={path}.{key}={json.dumps(value)}" for key, value in values.items()]
    for technique, notations in TECHNIQUES.items():
        notation = generator.choice(notations)
        if notation not in ("none", "off", "auto"):
            words += [f"--{technique}", notation]
            label.append(f"{technique} {notation}")
    if step == "train":
        optimizer = generator.choice(["sgd", "adamw:loop", "adamw:foreach", "adamw:fused"])
        words += ["--optimizer", optimizer]
        label.append(optimizer)
    return words, ", ".join(label)


def trials_of(program, words, folder):
    """The records of a run; none where the configuration cannot work."""
    command = [program, "run", *words, "--workspace", os.path.join(folder, "times.db"), "--format", "json",
               "--set", "protocol.steps=7", "--set", "protocol.max_warmup_seconds=3", "--keep-going"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 2:  # techniques that do not go together
        return []
    if not done.stdout:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)["trials"]


def step_of(trials, device):
    """The median step time on a device, in seconds."""
    for trial in trials:
        if trial["device"] == device and trial["outcome"] == "completed":
            return trial["speed"]["step_seconds_median"]
    return None


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    places = [0] * len(values)
    for place, index in enumerate(order):
        places[index] = place
    return places


def rank_correlation(first, second):
    """Spearman's coefficient."""
    return statistics.correlation(ranks(first), ranks(second)) if len(first) > 2 else float("nan")


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def summary(rows):
    errors = [abs(row["predicted"] / row["measured"] - 1) for row in rows]
    correlation = rank_correlation([row["measured"] for row in rows], [row["predicted"] for row in rows])
    ratios = [row["predicted"] / row["measured"] for row in rows]
    return {"trials": len(rows), "median_error": statistics.median(errors), "p90_error": quantile(errors, 0.9),
            "worst_error": max(errors), "median_ratio": statistics.median(ratios), "rank_correlation": correlation}


def summary_text(figures):
    return (f"{figures['trials']} trials: relative error {100 * figures['median_error']:.1f} % in the median, "
            f"{100 * figures['p90_error']:.1f} % at 90 %, {100 * figures['worst_error']:.1f} % at worst; predicted / measured "
            f"{figures['median_ratio']:.3f} in the median; rank correlation {figures['rank_correlation']:.3f}")


def page_text(rows, figures, head, load):
    lines = ["# Step times: predicted with a calibrated profile against measured on `cpu`", "",
             f"{figures['trials']} configurations drawn at random over models, steps, dtypes and techniques, each measured in a",
             "process of its own and predicted with a profile of `headroom calibrate --device cpu`, which was measured on the",
             "same machine just before. `tests/benchmarks/predicted_times.py` repeats it.", "",
             f"- {head}", f"- load of the machine before and after: {load}", f"- {summary_text(figures)}", "",
             "| configuration | measured (ms) | predicted (ms) | predicted / measured |", "|---|---:|---:|---:|"]
    for row in rows:
        lines.append(f"| {row['label']} | {1e3 * row['measured']:.3f} | {1e3 * row['predicted']:.3f} | "
                     f"{row['predicted'] / row['measured']:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(ROOT / "build/release/bin/headroom"))
    parser.add_argument("--profile")
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(MIDDLE))
    parser.add_argument("--page")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    before = os.getloadavg()[0]
    generator = random.Random(arguments.seed)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.abspath(arguments.profile or os.path.join(folder, "this-machine.toml"))
        if not arguments.profile:
            subprocess.run([arguments.program, "calibrate", "--device", "cpu", "-o", profile, "--format", "csv"],
                           check=True, stdout=subprocess.DEVNULL)
        head = next(line for line in pathlib.Path(profile).read_text().splitlines() if line.startswith("title"))
        while len(rows) < arguments.trials:
            words, label = drawn(generator, arguments.only.split(","))
            trials = trials_of(arguments.program, [*words, "--device", f"cpu,sim:{profile}"], folder)
            measured, predicted = step_of(trials, "cpu"), step_of(trials, f"sim:{profile}")
            if measured is None or predicted is None:
                continue
            rows.append({"label": label, "measured": measured, "predicted": predicted, "arguments": words})
            print(f"{1e3 * measured:10.3f} ms  {1e3 * predicted:10.3f} ms  {predicted / measured:6.2f}  {label}", flush=True)
    load = f"{before:.2f}, {os.getloadavg()[0]:.2f}"
    figures = summary(rows)
    print(summary_text(figures) + f"; load {load}")
    if arguments.page:
        pathlib.Path(arguments.page).write_text(page_text(rows, figures, head.split('"')[1], load))
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"summary": figures, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
