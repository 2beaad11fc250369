#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a checkout takes to build from nothing, in seconds of wall clock and of processor.

    build_times.py measure CHECKOUT -o OUT.json [--preset release] [--programs-only] [--edit FILE --test TARGET --filter TESTS]
    build_times.py page BEFORE.json AFTER.json [CI.log] -o docs/measurements/build.md

`measure` builds in a folder of its own (CHECKOUT/build/PRESET must not exist) with an empty compiler cache: first the three
programs, then everything else, or with --sample N every Nth of the sources that are left, for an estimate of the rest in an
Nth of the time. With --edit it then changes that source, builds TARGET and runs its TESTS, as somebody who works on the file
does, and puts the source back. LibTorch and packages must be present. `page` writes two such files side by side, and the
stages of a log of .ci/run. Nothing else should run on the machine meanwhile.
"""

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = ["headroom", "headroom-worker", "headroom-desktop"]


def run(stage, command, environment, folder):
    """Runs a command; its wall seconds and those of all processors, its own children's included."""
    print(f"--- {stage}: {' '.join(map(str, command))}", file=sys.stderr, flush=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    done = subprocess.run(command, cwd=folder, env=environment, stdout=sys.stderr, check=False)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"build_times.py: {stage} failed with status {done.returncode}")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall_s": round(wall, 1), "processor_s": round(processor, 1)}


def steps_in(build):
    """How many outputs ninja has made so far in this folder."""
    log = build / ".ninja_log"
    if not log.exists():
        return 0
    return len({line.rsplit("\t", 1)[-1] for line in log.read_text().splitlines() if not line.startswith("#")})


def processor_name():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def folder_size(folder, pattern):
    return sum(path.stat().st_size for path in folder.rglob(pattern) if path.is_file() and not path.is_symlink())


def commit_of(checkout):
    return subprocess.run(["git", "-C", checkout, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                          check=True).stdout.strip()


def measure(arguments):
    checkout = Path(arguments.checkout).resolve()
    build = checkout / "build" / arguments.preset
    if build.exists():
        sys.exit(f"build_times.py: {build} exists: this measures builds from nothing")
    cache = Path(os.environ.get("HEADROOM_CACHE") or
                 Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headroom")
    torch = os.environ.get("HEADROOM_TORCH_DIR") or str(next(cache.glob("libtorch-*[0-9]")))
    stages = {}
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as compiled:
        environment = dict(os.environ, CCACHE_DIR=compiled, HEADROOM_TORCH_DIR=torch)
        make = ["cmake", "--build", build, "--parallel", str(os.cpu_count())]
        stages["configure"] = run("configure", ["cmake", "--preset", arguments.preset, "--log-level=NOTICE"],
                                  environment, checkout)
        stages["programs"] = run("programs", [*make, "--target", *PROGRAMS], environment, checkout)
        stages["programs"]["steps"] = steps_in(build)
        if arguments.sample:
            stages["rest"] = sample(arguments.sample, make, build, environment)
        elif not arguments.programs_only:
            stages["rest"] = run("rest", make, environment, checkout)
            stages["rest"]["steps"] = steps_in(build) - stages["programs"]["steps"]
        if arguments.edit:
            stages["edit"] = edit(arguments, checkout, make, build, environment)
    result = {
        "commit": commit_of(checkout), "preset": arguments.preset, "machine": f"{os.cpu_count()} x {processor_name()}",
        "stages": stages,
        "programs_bytes": {name: (build / "bin" / name).stat().st_size for name in PROGRAMS},
        "test_programs": len(list((build / "bin").glob("test-*"))),
        "test_programs_bytes": folder_size(build / "bin", "test-*"),
        "archives_bytes": folder_size(build, "*.a"),
        "precompiled_headers_bytes": folder_size(build, "*.gch"),
    }
    Path(arguments.output).write_text(json.dumps(result, indent=1) + "\n")


def sample(every, make, build, environment):
    """Every Nth of the objects that are not there yet, scaled to all of them; what they are linked into is left out."""
    plan = subprocess.run(["ninja", "-C", build, "-n"], env=environment, capture_output=True, text=True, check=True).stdout
    objects = re.findall(r"Building CXX object (\S+)", plan)
    chosen = objects[every // 2::every]
    result = run("sample", ["ninja", "-C", build, *chosen], environment, build)
    scale = len(objects) / len(chosen)
    return {"wall_s": round(result["wall_s"] * scale, 1), "processor_s": round(result["processor_s"] * scale, 1),
            "steps": len(re.findall(r"^\[", plan, re.M)), "sampled": f"{len(chosen)} of {len(objects)} sources"}


def edit(arguments, checkout, make, build, environment):
    source = checkout / arguments.edit
    text = source.read_text()
    run("its test, before the change", [*make, "--target", arguments.test], environment, checkout)
    try:
        source.write_text(text + "\nstatic_assert(sizeof(int) == 4);\n")
        built = run("edit", [*make, "--target", arguments.test], environment, checkout)
        tested = run("its test", [build / "bin" / arguments.test, f"--gtest_filter={arguments.filter}"], environment, checkout)
    finally:
        source.write_text(text)
    return {"file": arguments.edit, "wall_s": round(built["wall_s"] + tested["wall_s"], 1),
            "processor_s": round(built["processor_s"] + tested["processor_s"], 1)}


def minutes(stage):
    return f"{stage['wall_s'] / 60:.1f}", f"{stage['processor_s'] / 60:.1f}"


def megabytes(size):
    return f"{size / 1e6:.1f}"


def stage_rows(before, after):
    """Programs, the rest, both together, and the ratio of what the processors did."""
    def together(stages):
        return {key: stages["programs"][key] + stages["rest"][key] for key in ("wall_s", "processor_s", "steps")}
    rows = [("the three programs", before["stages"]["programs"], after["stages"]["programs"]),
            ("tests and benchmarks", before["stages"]["rest"], after["stages"]["rest"]),
            ("everything", together(before["stages"]), together(after["stages"]))]
    for name, old, new in rows:
        ratio = new["processor_s"] / old["processor_s"]
        yield (f"| {name} | {old['steps']} | {' | '.join(minutes(old))} | {new['steps']} | {' | '.join(minutes(new))} "
               f"| {ratio:.2f} |")


def size_rows(before, after):
    for name in PROGRAMS:
        yield name, before["programs_bytes"][name], after["programs_bytes"][name]
    for key, name in (("archives_bytes", "static archives"), ("precompiled_headers_bytes", "precompiled headers")):
        yield name, before[key], after[key]


def ci_rows(log):
    pattern = re.compile(r"^=== (.+): (\d+) s, of the processors (\d+) s(.*)$", re.M)
    for name, wall, processor, _ in pattern.findall(log):
        yield f"| {name} | {int(wall) / 60:.1f} | {int(processor) / 60:.1f} |"
    tests = re.search(r"^Total Test time \(real\) = +([\d.]+) sec", log, re.M)
    if tests:
        yield f"| tests | {float(tests.group(1)) / 60:.1f} | |"


def page(arguments):
    before, after = (json.loads(Path(name).read_text()) for name in (arguments.before, arguments.after))
    sampled = [f"{name} from {run_['stages']['rest']['sampled']}" for name, run_ in (("before", before), ("after", after))
               if "sampled" in run_["stages"]["rest"]]
    lines = ["# Building from nothing", "",
             f"Preset `{after['preset']}` on {after['machine']}, an empty compiler cache, packages and LibTorch present; before: "
             f"commit `{before['commit']}`, each source by itself; after: `{after['commit']}`, up to twenty sources of a room as one "
             "unit. Minutes by the clock, and of the processors.", "",
             "| | steps before | clock | processors | steps after | clock | processors | ratio |",
             "|---|---:|---:|---:|---:|---:|---:|---:|", *stage_rows(before, after), ""]
    if sampled:
        lines += [f"Tests and benchmarks are estimated: {'; '.join(sampled)}, scaled, without their linking.", ""]
    if "edit" in after["stages"]:
        edited = after["stages"]["edit"]
        lines += [f"Changing `{edited['file']}`, building its tests and running them: {edited['wall_s']:.0f} s.", ""]
    lines += ["| megabytes | before | after |", "|---|---:|---:|",
              *(f"| {name} | {megabytes(old)} | {megabytes(new)} |" for name, old, new in size_rows(before, after)), ""]
    if arguments.log:
        lines += ["`.ci/run` on a fresh clone with an empty compiler cache, after:", "",
                  "| stage | clock (min) | processors (min) |", "|---|---:|---:|", *ci_rows(Path(arguments.log).read_text()), ""]
    lines += ["Made by `tests/benchmarks/build_times.py`, which says how.", ""]
    Path(arguments.output).write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("checkout")
    measuring.add_argument("-o", "--output", required=True)
    measuring.add_argument("--preset", default="release")
    measuring.add_argument("--programs-only", action="store_true")
    measuring.add_argument("--sample", type=int, metavar="N", help="estimate the rest from every Nth of its sources")
    measuring.add_argument("--scratch", help="where the empty compiler cache is made")
    measuring.add_argument("--edit")
    measuring.add_argument("--test")
    measuring.add_argument("--filter", default="*")
    writing = commands.add_parser("page")
    writing.add_argument("before")
    writing.add_argument("after")
    writing.add_argument("log", nargs="?", help="what .ci/run printed")
    writing.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    if arguments.command == "measure":
        measure(arguments)
    else:
        page(arguments)


if __name__ == "__main__":
    main()
