# SPDX-License-Identifier: Apache-2.0
"""Rewrites a compilation database made for GCC so that clang-tidy can use it.

Usage: tidy_database.py IN OUT

Drops the precompiled header, which is in GCC's format, and the options that clang does not know.
"""

import json
import os
import re
import sys

GCC_ONLY = re.compile(r"\s-Winvalid-pch|\s-include\s+\S+cmake_pch\.hxx|\s-fno-fat-lto-objects")
# The compiler cache in front of the compiler goes too.
LAUNCHER = re.compile(r"^\S*env\s.*?\sccache\s+|^\S*env\s.*?/ccache\s+")


def rewritten(command):
    return GCC_ONLY.sub("", LAUNCHER.sub("", command))


def main(source, target):
    with open(source, encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        entry["command"] = rewritten(entry["command"])
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        json.dump(entries, file, indent=1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
