#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what the program predicts against peaks that other people measured and published.

    published_peaks.py PEAKS.json [PROGRAM] [--page FILE] [--only ID,…] [--say 'FEATURE=ARGUMENTS'] [--json FILE]

PEAKS.json is a list of objects, one for each published figure: `id`, `source`, `model`, `workload`, `techniques`,
`figure`, `published`, `unit`, `published_bytes`, `kind` (`comparable`, `bounded` with a `bound`, or `not expressible`),
`command` (the `headroom run` that says the source's set-up) and `key`, the figure of the record that is meant.
`resident_offset_bytes` lie beside the model there and are added to the prediction.

Prints the error of each row and how the errors are distributed. --page writes them as a page of docs/measurements,
where everything from the heading "What is left" on is kept as it stands. A command that says less than the source's
set-up names what it lacks in `missing_features`: SAID and --say have the arguments for what can be said by now. A row
that is a lower bound for nothing but what can be said by now is comparable.
"""
import argparse
import collections
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What the program can say by now of what rows lack: arguments, or none where a figure of the record was lacking.
# {dtype} is the number format of the row's weights: scripts on accelerate cast 16-bit weights to that of their mixed
# precision (weight_dtype).
SAID = {
    "resting figure after zero_grad (gradients cleared at the end of a step)": [],
    "adapters in fp32 over a 16-bit base": ["--set", "trainable.dtype=float32"],
    "autocast over 16-bit weights": ["--set", "workload.autocast={dtype}"],
}

# Trainers that compute the loss in a function of its own drop the output with it, which is the default. These call
# backward() where the output is still in a variable.
HELD = ["--set", "workload.output=held"]

# What finetrainers documents was measured with mixed_precision = bf16: --mixed_precision bf16 in docs/training up to
# January 2025, accelerate_configs/uncompiled_1.yaml since then. So its models run under autocast, over bfloat16.
BFLOAT16_AUTOCAST = ["--set", "workload.autocast=bfloat16"]

# cogvideox-factory's metrics.sh (512a8a6), days before its tables of LoRA, has --mixed_precision fp16. Its script then
# casts the transformer of either size to float16 and adapters to float32 (cast_training_params), under autocast.
FLOAT16_LORA = ["--set", "workload.dtype=float16", "--set", "workload.autocast=float16",
                "--set", "trainable.dtype=float32"]

# Since layerwise upcasting came to finetrainers (d220aac), its trainer raises adapters to float32 always.
FLOAT32_ADAPTERS = ["--set", "trainable.dtype=float32"]

# LitGPT's finetune/lora.py calls the model with lm_head_chunk_size=128; its rows have sequences of 512 tokens.
CHUNKS_OF_128 = ["--set", "workload.chunks=4"]

# Lightning Fabric's precision "bf16-true" (HalfPrecision.convert_output) and torchtune's models (self.output(h).float())
# hand logits on in float32.
FLOAT32_OUTPUT = ["--set", "workload.output_dtype=float32"]

# LitGPT's attention has one projection, with one adapter (litgpt/lora.py: LoRAQKVLinear).
FUSED_ADAPTER = ["--set", 'trainable.target_modules=["qkv_proj"]']
# Both copied key and value heads for each query head before attention.
REPEATED_HEADS = ["--set", "model.repeat_kv=true"]
LITGPT = HELD + FLOAT32_OUTPUT + REPEATED_HEADS + ["--set", "model.fused_qkv=true"]

# What single sources' scripts do, by the beginning of a row's id; all that fit, in this order.
SETUPS = {
    "ltx-ckpt-": HELD,  # output = model(...)
    "ft-": HELD + BFLOAT16_AUTOCAST,  # finetrainers: pred
    "ft-ltx-fp8-": FLOAT32_ADAPTERS,
    "ft-cog5b-fp8-": FLOAT32_ADAPTERS,
    "cf-": HELD,  # cogvideox-factory: model_output
    "cf-2b-r": FLOAT16_LORA,
    "cf-5b-r": FLOAT16_LORA,
    "cf-5b-none-": FLOAT16_LORA,
    "lithub-": LITGPT + CHUNKS_OF_128,  # logits
    "lithub-llama": FUSED_ADAPTER,
    "lithub-mistral": FUSED_ADAPTER,
    "lithub-tinyllama-full": ["--set", "workload.chunks=1"],  # full.py: the product as a whole
    # config_hub/finetune/tiny-llama/lora.yaml: global_batch_size and micro_batch_size are both 8, adapters everywhere.
    "lithub-tinyllama-lora": ["--set", "workload.accumulate=1", "--set", "trainable.target_modules="
                              '["qkv_proj","o_proj","gate_proj","up_proj","down_proj","lm_head"]'],
    "tt-": HELD + FLOAT32_OUTPUT + REPEATED_HEADS,  # torchtune of 2024: logits
    # lora_llama2_7b's default, which the recipe's configuration leaves as it is.
    "tt-7b-": ["--set", "trainable.dropout=0.05"],
}

FIGURES = {
    "peak_allocated": ("peak", "allocated_bytes"),
    "peak_reserved": ("peak", "reserved_bytes"),
    "whole_run_allocated": ("whole_run_peak", "allocated_bytes"),
    "whole_run_reserved": ("whole_run_peak", "reserved_bytes"),
    "after_load_allocated": ("after_load", "allocated_bytes"),
    "resting_without_gradients": ("resting_cleared", "allocated_bytes"),
    "saved_for_backward": ("saved_for_backward_bytes",),
}

DTYPE = "workload.dtype="
NEAR = 0.10  # of a published figure that is rounded, or of a set-up that is known in part
LEFT = "## What is left"


class Failure(Exception):
    """The command could not be carried out."""


def command_of(row, program, said):
    """The row's command, with what can be said by now."""
    arguments = list(row["command"])
    arguments[0] = str(program)
    for beginning, setup in SETUPS.items():
        if row["id"].startswith(beginning):
            arguments += setup
    dtype = [text for text in arguments if text.startswith(DTYPE)][-1:]
    for feature in row.get("missing_features", []):
        arguments += [text.replace("{dtype}", "".join(dtype).removeprefix(DTYPE)) for text in said.get(feature, [])]
    return arguments


def kind_of(row, said):
    """The row's kind, with what can be said by now.

    Of the bounds only `lower` ones turn: rounded figures stay rounded, and what loading or a VAE decides is not said.
    """
    features = row.get("missing_features", [])
    if row.get("bound") == "lower" and features and all(feature in said for feature in features):
        return "comparable"
    return row["kind"]


def run(arguments):
    """The record of the one trial."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*arguments, "--workspace", folder + "/peaks.db", "--format", "json"],
                              capture_output=True, text=True)
    if not done.stdout.startswith("{"):
        raise Failure(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}")
    trial = json.loads(done.stdout)["trials"][0]
    if trial["outcome"] not in ("completed", "out_of_memory"):
        raise Failure(f"{trial['outcome']}: {trial['reason']}")
    return trial


def figure_of(row, trial):
    """The predicted bytes, or None of a trial that ran out of memory."""
    value = trial["memory"]
    for key in FIGURES[row["key"]]:
        value = value[key]
    reached = trial["outcome"] == "completed" or row["key"] == "after_load_allocated"
    return value + row.get("resident_offset_bytes", 0) if reached and value is not None else None


def last_digit(row):
    """Half a unit of the last published digit, in bytes."""
    digits = str(row["published"])
    places = len(digits.partition(".")[2]) if "." in digits else 0
    return 0.5 * 10.0**-places * row["published_bytes"] / row["published"]


class Finding:
    """A row with what was predicted for it."""

    def __init__(self, row, said, trial=None, failure=None):
        self.row = row
        self.kind = kind_of(row, said)
        self.said = [feature for feature in row.get("missing_features", []) if feature in said]
        self.failure = failure
        self.outcome = trial["outcome"] if trial else None
        self.needed = trial["memory"]["needed_bytes"] if trial else None
        self.seconds = trial["speed"]["step_seconds_median"] if trial else None
        self.predicted = figure_of(row, trial) if trial and row["key"] in FIGURES else None

    @property
    def error(self):
        if self.predicted is None or not self.row.get("published_bytes"):
            return None
        return self.predicted / self.row["published_bytes"] - 1

    @property
    def time_ratio(self):
        """Predicted by published time of a step; None where one is not known, or the set-up takes more than is said."""
        published = self.row.get("step_seconds_published")
        return self.seconds / published if self.kind == "comparable" and self.seconds and published else None

    @property
    def is_false_out_of_memory(self):
        return self.outcome == "out_of_memory" and self.row["key"] != "oom"

    @property
    def holds(self):
        """Whether a bound holds; None where it says nothing."""
        bound = self.row.get("bound")
        if self.kind != "bounded":
            return None
        if self.failure or bound == "oom_any":
            return None
        if bound == "oom":
            return self.outcome == "out_of_memory"
        if self.error is None:
            return False
        if bound == "near":
            return abs(self.error) <= NEAR
        return self.predicted <= self.row["published_bytes"] + last_digit(self.row)

    def published_text(self):
        return "out of memory" if self.row["unit"] == "OOM" else f"{self.row['published']:g} {self.row['unit']}"

    def predicted_text(self):
        if self.failure:
            return "failed"
        if self.predicted is not None and self.row.get("published"):
            return f"{self.predicted / self.row['published_bytes'] * self.row['published']:.3f} {self.row['unit']}"
        if self.outcome == "out_of_memory":
            need = f", needs {self.needed / 2**30:.2f} GiB" if self.needed else ""
            return "out of memory" + need
        return "fits" if self.row["key"] == "oom" else "unknown"

    def error_text(self):
        return "" if self.error is None else f"{100 * self.error:+.2f} %"

    def lacking_text(self):
        """What the row's writer could not say; of that, what can be said by now."""
        said = "said by now: " + ", ".join(self.said) if self.said else None
        return "; ".join(text for text in (self.row.get("cannot_express"), said) if text)

    def verdict_text(self):
        return {True: "holds", False: "**does not hold**", None: "says nothing"}[self.holds]


def findings_of(rows, program, said, progress):
    """One process for each different command."""
    trials = {}
    for row in rows:
        if row["kind"] == "not expressible":
            continue
        arguments = tuple(command_of(row, program, said))
        if arguments not in trials:
            try:
                trials[arguments] = (run(arguments), None)
            except Failure as failure:
                trials[arguments] = (None, str(failure))
        finding = Finding(row, said, *trials[arguments])
        progress(finding)
        yield finding


def within(errors, limit):
    count = sum(error <= limit for error in errors)
    return f"{count} ({100 * count / len(errors):.0f} %)" if errors else "0"


def distribution(findings):
    """Lines of a Markdown table."""
    comparable = [finding for finding in findings if finding.kind == "comparable"]
    errors = sorted(abs(finding.error) for finding in comparable if finding.error is not None)
    bounds = [finding for finding in findings if finding.kind == "bounded" and finding.holds is not None]
    false = [finding.row["id"] for finding in findings if finding.is_false_out_of_memory]
    failed = [finding.row["id"] for finding in findings if finding.failure]
    worst = max((finding for finding in comparable if finding.error is not None),
                key=lambda finding: abs(finding.error), default=None)
    yield "| of what | figure |"
    yield "|---|---|"
    yield f"| comparable rows, with a figure | {len(comparable)}, {len(errors)} |"
    if errors:
        yield f"| median error | {100 * statistics.median(errors):.2f} % |"
        yield f"| within 1 % | {within(errors, 0.01)} |"
        yield f"| within 3 % | {within(errors, 0.03)} |"
        yield f"| worst | {worst.error_text()} ({worst.row['id']}) |"
    named = ": " + ", ".join(false) if false else ""
    yield f"| published as running, predicted as out of memory | {len(false)}{named} |"
    yield f"| bounds that hold | {sum(finding.holds for finding in bounds)} of {len(bounds)} |"
    if failed:
        yield f"| failed | {', '.join(failed)} |"


def setting(row):
    parts = (row["model"], row.get("workload"), row.get("techniques"))
    return "; ".join(part for part in parts if part not in (None, "-"))


def cell(text):
    return str(text).replace("|", "\\|")


def sources_of(rows):
    """The number of each source, in the order of the rows."""
    numbers = {}
    for row in rows:
        numbers.setdefault(row["source"], len(numbers) + 1)
    return numbers


def table(heading, findings, kind, cells):
    """The findings of a kind as lines of a Markdown table; `cells` gives those of a line."""
    yield from heading
    for finding in findings:
        if finding.kind == kind:
            yield "| " + " | ".join(str(text) for text in cells(finding)) + " |"


def comparable_table(findings, sources):
    heading = ("| row | set-up | figure | published | predicted | error | source |",
               "|---|---|---|---:|---:|---:|---:|")
    return table(heading, findings, "comparable", lambda finding: (
        finding.row["id"], cell(setting(finding.row)), cell(finding.row["figure"]), finding.published_text(),
        finding.predicted_text(), finding.error_text(), sources[finding.row["source"]]))


def bounded_table(findings, sources):
    heading = ("| row | set-up | published | predicted | bound | | what cannot be said | source |",
               "|---|---|---:|---:|---|---|---|---:|")
    return table(heading, findings, "bounded", lambda finding: (
        finding.row["id"], cell(setting(finding.row)), finding.published_text(), finding.predicted_text(),
        finding.row["bound"], finding.verdict_text(), cell(finding.lacking_text()), sources[finding.row["source"]]))


def times(findings):
    """Step times of the comparable rows that have one, a card named and a command of their own."""
    rows, known = [], set()
    for finding in findings:
        step = (tuple(finding.row["command"]), finding.row.get("step_seconds_published"))
        if finding.time_ratio is not None and step not in known:
            known.add(step)
            rows.append(finding)
    if not rows:
        return
    ratios = sorted(finding.time_ratio for finding in rows)
    yield (f"Predicted by published time of a step, {len(rows)} steps: median {statistics.median(ratios):.2f}, "
           f"from {ratios[0]:.2f} to {ratios[-1]:.2f}. Below 1 the prediction is too fast.")
    yield ""
    yield "| row | card | published | predicted | predicted by published |"
    yield "|---|---|---:|---:|---:|"
    for finding in rows:
        yield (f"| {finding.row['id']} | {cell(finding.row.get('gpu') or 'not named')} | "
               f"{finding.row['step_seconds_published']:.3g} s | {finding.seconds:.3g} s | {finding.time_ratio:.2f} |")


def lacking(rows):
    """What rows that cannot be said at all lack."""
    counts = collections.Counter(feature for row in rows if row["kind"] == "not expressible"
                                 for feature in row.get("missing_features", []))
    yield "| lacking | rows |"
    yield "|---|---:|"
    for feature, count in counts.most_common():
        yield f"| {cell(feature)} | {count} |"


def page(rows, findings, left):
    """docs/measurements/published-peaks.md"""
    sources = sources_of(rows)
    kinds = collections.Counter(finding.kind for finding in findings)
    turned = sum(finding.kind != finding.row["kind"] for finding in findings)
    return "\n".join([
        "# Published peaks, and what is predicted for them", "",
        f"{len(rows)} peaks that other people measured and published, each with the command that says their set-up,",
        "simulated on the card and the nearest runtime that they had. Nothing here was measured on a GPU by this",
        f"project, and no constant was taken from a row: {kinds['comparable']} rows are comparable,",
        f"{kinds['bounded']} say less than the source's set-up and give a bound, and",
        f"{len(rows) - len(findings)} cannot be said. Of those that are comparable {turned} were lower bounds when the",
        "rows were written: all that they lacked can be said by now.", "",
        "Made by `tests/benchmarks/published_peaks.py PEAKS.json --page docs/measurements/published-peaks.md`, from a",
        "file of the rows that is no part of the repository.", "", "## The errors", "", *distribution(findings), "",
        "## Comparable rows", "", *comparable_table(findings, sources), "", "## Bounds", "",
        "`upper`: something that is not simulated decides the published figure, which the prediction must not exceed.",
        "`lower`: the set-up takes more than can be said, so the prediction must not exceed it either. `near`: a",
        f"rounded figure, or a set-up that is known in part: {100 * NEAR:.0f} %. `oom`: published as out of memory, as",
        "the prediction has to be; `oom_any`: the same where what can be said decides nothing.", "",
        *bounded_table(findings, sources), "", "## Step times", "",
        "No constant of the cost model was taken from a row. Sources time what their scripts do, data and logging too, and",
        "some do not name the card: these are the differences to expect, not the error of the model alone.", "",
        *times(findings), "", "## What cannot be said", "", *lacking(rows), "", "## Sources", "",
        *(f"{number}. {source}" for source, number in sources.items()), "", left])


def kept_end(path):
    """What was written by hand."""
    text = path.read_text() if path.exists() else ""
    return text[text.index(LEFT):] if LEFT in text else LEFT + "\n"


def say(finding):
    verdict = finding.error_text() if finding.kind == "comparable" else finding.verdict_text().strip("*")
    print(f"{finding.row['id']:32} {finding.kind:11} {finding.published_text():>16} "
          f"{finding.predicted_text():>34} {verdict:>14} {finding.failure or ''}", flush=True)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peaks", type=pathlib.Path)
    parser.add_argument("program", nargs="?", type=pathlib.Path, default=ROOT / "build/release/bin/headroom")
    parser.add_argument("--page", type=pathlib.Path, help="the page to write")
    parser.add_argument("--json", type=pathlib.Path, help="a file for the predicted bytes by row")
    parser.add_argument("--only", help="ids, or beginnings of them, with commas between them")
    parser.add_argument("--say", action="append", default=[], metavar="FEATURE=ARGUMENTS",
                        help="arguments for what rows lack, by the name in their missing_features")
    return parser.parse_args()


def main():
    options = parsed()
    rows = json.loads(options.peaks.read_text())
    if options.only:
        rows = [row for row in rows if row["id"].startswith(tuple(options.only.split(",")))]
    said = dict(SAID)
    for text in options.say:
        feature, _, arguments = text.partition("=")
        said[feature] = shlex.split(arguments)
    findings = list(findings_of(rows, options.program, said, say))
    print("\n" + "\n".join(distribution(findings)))
    if options.json:
        figures = {finding.row["id"]: {"outcome": finding.outcome, "predicted": finding.predicted,
                                       "needed": finding.needed, "error": finding.error} for finding in findings}
        options.json.write_text(json.dumps(figures, indent=1))
    if options.page:
        options.page.write_text(page(rows, findings, kept_end(options.page)))
    sys.exit(1 if any(finding.failure for finding in findings) else 0)


if __name__ == "__main__":
    main()
