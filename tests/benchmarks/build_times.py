#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a checkout takes to build from nothing, in seconds of wall clock and of processor.

    build_times.py measure CHECKOUT -o OUT.json [--preset release] [--programs-only] [--edit FILE --test TARGET --filter TESTS]
    build_times.py page BEFORE.json AFTER.json -o docs/measurements/build.md

`measure` builds in a folder of its own (CHECKOUT/build/PRESET must not exist) with an empty compiler cache: first the three
programs, then everything else. With --edit it then changes that source, builds TARGET and runs its TESTS, as somebody who
works on the file does, and puts the source back. LibTorch and packages must be present. `page` writes two such files side by
side. Nothing else should run on the machine meanwhile.
"""

import argparse
import json
import os
import platform
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
        if not arguments.programs_only:
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


def edit(arguments, checkout, make, build, environment):
    source = checkout / arguments.edit
    text = source.read_text()
    try:
        source.write_text(text + "\nstatic_assert(sizeof(int) == 4);\n")
        built = run("edit", [*make, "--target", arguments.test], environment, checkout)
        tested = run("its test", [build / "bin" / arguments.test, f"--gtest_filter={arguments.filter}"], environment, checkout)
    finally:
        source.write_text(text)
    return {"file": arguments.edit, "wall_s": round(built["wall_s"] + tested["wall_s"], 1),
            "processor_s": round(built["processor_s"] + tested["processor_s"], 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("checkout")
    measuring.add_argument("-o", "--output", required=True)
    measuring.add_argument("--preset", default="release")
    measuring.add_argument("--programs-only", action="store_true")
    measuring.add_argument("--scratch", help="where the empty compiler cache is made")
    measuring.add_argument("--edit")
    measuring.add_argument("--test")
    measuring.add_argument("--filter", default="*")
    arguments = parser.parse_args()
    measure(arguments)


if __name__ == "__main__":
    main()
