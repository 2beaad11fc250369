# SPDX-License-Identifier: Apache-2.0
"""The suites: what is run, in order."""

import dataclasses
import json
import os
import pathlib
import platform
from typing import Callable

from .gtest_output import TestOutput, cases_of
from .libtorch import library_folders

TECHNIQUES = pathlib.Path(__file__).with_name("techniques.toml")
# More than rounding: on the processor the outputs of techniques.toml differ by 0.025 at most, with weights in e5m2.
MOST_DIFFERENCE = 0.1
SECONDS_OF_A_CASE = 120


# --- smoke --------------------------------------------------------------------------------------------------------

def smoke(suite):
    """Whether anything works: machine, libraries, one small trial for each setting of each technique."""
    setting = suite.setting
    if suite.begin("system"):
        suite.results.add("system", "passed", **system(setting))
    said(suite, "nvidia-smi", ["nvidia-smi"], must=setting.is_cuda)
    libraries(suite, "worker", setting.pack.program("headroom-worker"))
    if setting.is_cuda:
        libraries(suite, "libtorch_cuda", setting.torch / "lib/libtorch_cuda.so")
    for command in ("doctor", "devices"):
        if suite.begin(command):
            ended = suite.run(command, suite.headroom(command, "--format", "json"), limit=SECONDS_OF_A_CASE)
            suite.ended(command, ended, printed=parsed_or_text(ended.output))
    shards = setting.jobs
    suite.side_by_side([lambda part=part: suite.trials(
        f"techniques {part}/{shards}", TECHNIQUES, "--device", setting.device, "--quick", "--shard", f"{part}/{shards}",
        check=numbers_problem, title="techniques") for part in range(1, shards + 1)])


def system(setting):
    memory = pathlib.Path("/proc/meminfo").read_text(encoding="ascii").splitlines()[0].split()[1]
    return {"system": platform.platform(), "cores": os.cpu_count(), "memory_bytes": int(memory) * 1024,
            "python": platform.python_version(), "torch": str(setting.torch), "torch_version": setting.torch_version,
            "library_folders": library_folders(setting.torch)}


def said(suite, case, command, must):
    """A tool of the machine, with what it says; where it is not there that is a failure if it `must` be."""
    if suite.begin(case):
        ended = suite.run(case, command, limit=SECONDS_OF_A_CASE)
        if ended.code == 127 and not must:
            suite.results.add(case, "skipped", reason=ended.tail)
        else:
            suite.ended(case, ended, printed=ended.output)


def libraries(suite, name, path):
    """Whether the loader finds what a program or a library needs."""
    case = f"libraries of {name}"
    if not suite.begin(case):
        return
    ended = suite.run(case, ["ldd", path], limit=SECONDS_OF_A_CASE)
    lost = [line.strip() for line in ended.output.splitlines() if "not found" in line]
    if ended.code == 0 and lost:
        suite.results.add(case, "failed", reason="; ".join(lost), printed=ended.output)
    else:
        suite.ended(case, ended, printed=ended.output)


def numbers_problem(record):
    """What is wrong with the numbers of a small trial beside the plain model's; None where nothing is."""
    difference = (record.get("numerics") or {}).get("output_rel_l2")
    if difference is not None and not difference < MOST_DIFFERENCE:
        return f"the output differs from the plain model's by {difference} (relative L2)"
    return None


def parsed_or_text(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


# --- test programs ------------------------------------------------------------------------------------------------

def tests(suite):
    """The tests that need a GPU: each case in a process of its own, several at a time, then each program as a whole."""
    programs = [program for program, _ in suite.setting.pack.programs_of("tests")]
    tasks = []
    for program in programs:
        listing = suite.run(program.name, [program, "--gtest_list_tests"], limit=SECONDS_OF_A_CASE)
        if listing.code != 0:
            suite.ended(f"{program.name} --gtest_list_tests", listing)
        tasks += [lambda program=program, case=case: test_program(
            suite, f"alone: {case}", program, "alone", [f"--gtest_filter={case}"], SECONDS_OF_A_CASE)
            for case in cases_of(listing.output)]
    suite.side_by_side(tasks)
    for program in programs:
        test_program(suite, f"together: {program.name}", program, "together", [])


def numerics(suite):
    """Techniques, models and measurements against the plain model, on the device."""
    shards = suite.setting.jobs
    for program, cases in suite.setting.pack.programs_of("numerics"):
        wanted = [f"--gtest_filter={cases}"] if cases else []
        suite.side_by_side([lambda shard=shard, program=program, wanted=wanted: test_program(
            suite, f"{program.name} {shard + 1}/{shards}", program, program.name, wanted, variables={
                "GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)}) for shard in range(shards)])


def test_program(suite, case, program, kind, arguments, limit=None, variables=None):
    if not suite.begin(case):
        return

    def ended_one(name, outcome, seconds, reason):
        suite.results.add(f"{kind}: {name}", outcome, seconds=seconds, reason=reason or None)

    output = TestOutput(ended_one)
    # As ctest does; the other two are the device on which tests run, and the one that predicts it.
    variables = {"OMP_WAIT_POLICY": "passive", "HEADROOM_TEST_DEVICE": suite.setting.device,
                 "HEADROOM_TEST_AGAINST": suite.setting.against, **(variables or {})}
    ended = suite.run(case, [program, *arguments], output.add, limit, variables)
    output.finish(ended.problem(), "cut_short" if ended.timed_out else "failed")
    # A program may fail after its last case, or before its first.
    if ended.code not in (0, 1) or (ended.code == 1 and output.cases == 0):
        suite.ended(case, ended)


# --- figures ------------------------------------------------------------------------------------------------------

def validate(suite):
    """Drawn configurations, measured and predicted."""
    setting = suite.setting
    if not setting.against:
        suite.results.add("validate", "failed", reason=f"no simulated device is known to be like {setting.device}: name "
                                                       "one with --against")
        return
    suite.records("validate", suite.headroom(
        "validate", "--device", setting.device, "--against", setting.against, "--trials", setting.trials, "--seed",
        setting.seed, "--jobs", setting.jobs, "--format", "jsonl", "-o", setting.output / "validation.json"))


def beside(setting):
    """The device, and the simulated one beside it."""
    return ",".join(filter(None, [setting.device, setting.against]))


def tables(suite):
    """Published or discussed tables and the kernels of attention, beside predictions; on the processor of small models."""
    setting = suite.setting
    by_layer = "casting=off,e4m3:model,e4m3:group,e4m3:layer protocol.resident_model=none"
    small = ["--model", "ltx-video-tiny"]
    adapters = ["--model", "llama-2-7b" if setting.is_cuda else "llama-tiny", "--trainable", "lora:16", "--dtype", "bfloat16"]
    suite.trials("ltx-checkpointing", "ltx-checkpointing" if setting.is_cuda else "ltx-checkpointing-small",
                 "--device", beside(setting), *([] if setting.is_cuda else ["--quick"]))
    suite.trials("casting-granularity", "casting-granularity", "--device", beside(setting), "--quick", "--filter", by_layer,
                 *([] if setting.is_cuda else small))
    # The parts in bfloat16 are those of a card, the others those of the processor.
    suite.trials("ema-offload", "ema-offload", "--device", beside(setting), "--quick", "--filter",
                 f"workload.dtype={'bfloat16' if setting.is_cuda else 'float32'}")
    suite.trials("attention", *adapters, "--attention", "auto,flash,efficient,cudnn,math", "--device", beside(setting),
                 "--quick", *(["--sequence-length", "1024"] if setting.is_cuda else []))


def capture(suite):
    """What a trace costs."""
    (program, _), = suite.setting.pack.programs_of("capture")
    suite.records("capture", [program, "--device", suite.setting.device, "--format", "jsonl"])


STEADY = [
    ("training", ["--model", "ltx-video-2b", "--step", "train", "--dtype", "bfloat16", "--checkpointing", "all", "--frames",
                  "49", "--height", "512", "--width", "768"], ["--model", "ltx-video-tiny", "--step", "train"]),
    ("inference", ["--model", "llama-2-7b", "--step", "inference", "--dtype", "bfloat16", "--sequence-length", "2048"],
     ["--model", "llama-tiny", "--step", "inference"]),
    ("launches", ["--model", "ffn-stack-tiny", "--step", "inference"], ["--model", "ffn-stack-tiny", "--step", "inference"]),
]


def timing(suite):
    """A profile of this device, and three trials whose predicted time matters, in five processes each."""
    setting = suite.setting
    profile = setting.output / "calibrated.toml"
    profile.unlink(missing_ok=True)
    if suite.begin("calibrate"):
        ended = suite.run("calibrate", suite.headroom("calibrate", "--device", setting.device, "-o", profile),
                          limit=suite.limit / 2)
        suite.ended("calibrate", ended, profile=profile.read_text(encoding="utf-8") if profile.exists() else None)
    devices = beside(setting) + (f",sim:{profile}" if profile.exists() else "")
    for case, large, small in STEADY:
        suite.trials(case, *(large if setting.is_cuda else small), "--device", devices, "--set", "protocol.repeats=5")


@dataclasses.dataclass
class Plan:
    """A suite by name: what carries it out, and the seconds that it may take."""
    carry_out: Callable
    limit: int


SUITES = {"smoke": Plan(smoke, 150), "tests": Plan(tests, 300), "numerics": Plan(numerics, 480),
          "validate": Plan(validate, 540), "tables": Plan(tables, 540), "capture": Plan(capture, 480),
          "time": Plan(timing, 540)}
