#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each source by itself, and builds nothing that the sources do not include.

Usage: compile_alone.py FOLDER JOBS SOURCE...

FOLDER is configured for ninja and has compile_commands.json. If ninja were asked for the object of a test that starts a
program or has moc files, it would build that program and all rooms first. So the compiler is called directly, after ninja
has built the precompiled headers and moc files that the sources need. Sources that are not part of the build are skipped
and named. Tries every source, and exits with 1 if one does not compile.
"""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OUTPUT = re.compile(r" -o (\S+)")
PRECOMPILED = re.compile(r"-include (\S+cmake_pch\.hxx)")
MOC_FOLDER = re.compile(r"-I(\S+)_autogen/include")


def objects_of(folder, sources):
    """The first object of each source, in the order of the sources, with its compile command entry."""
    found = {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        found.setdefault(entry["file"], (OUTPUT.search(entry["command"]).group(1), entry["command"]))
    wanted = [(source, found.get(str(Path(source).resolve()))) for source in sources]
    for source, entry in wanted:
        if not entry:
            print(f"not part of the build: {source}", file=sys.stderr)
    return [entry for _, entry in wanted if entry]


def prepare(folder, jobs, commands):
    headers = {match.group(1) for match in map(PRECOMPILED.search, commands) if match}
    headers = [str(Path(header).relative_to(folder.resolve())) + ".gch" for header in sorted(headers)]
    if headers:
        subprocess.run(["ninja", "-C", str(folder), "-j", jobs, *headers], stdout=subprocess.DEVNULL, check=True)
    for target in sorted({match.group(1) for match in map(MOC_FOLDER.search, commands) if match}):
        moc = Path(target)
        information = moc.parent / "CMakeFiles" / f"{moc.name}_autogen.dir" / "AutogenInfo.json"
        subprocess.run(["cmake", "-E", "cmake_autogen", str(information), ""], stdout=subprocess.DEVNULL, check=True)


def compiled(folder, target):
    """Whether the source compiles; prints the compiler's output in one piece."""
    asked = ["ninja", "-C", str(folder), "-t", "commands", "-s", target]
    command = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    (folder / target).parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    sys.stderr.write(done.stdout + done.stderr)
    print(f"{'compiled' if done.returncode == 0 else 'does not compile'}: {target}", file=sys.stderr, flush=True)
    return done.returncode == 0


def main(folder, jobs, sources):
    folder = Path(folder)
    wanted = objects_of(folder, sources)
    if not wanted:
        print("none of these sources is a part of the build", file=sys.stderr)
        return 1
    prepare(folder, jobs, [command for _, command in wanted])
    with ThreadPoolExecutor(int(jobs)) as pool:
        results = list(pool.map(lambda entry: compiled(folder, entry[0]), wanted))
    print(f"compiled alone: {sum(results)} of {len(results)} sources", file=sys.stderr)
    return 0 if all(results) else 1


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
