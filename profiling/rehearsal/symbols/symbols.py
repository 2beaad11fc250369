#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The functions of the CUDA libraries, and how the card answers each.

A file of this folder is a library: `refuses STATUS` says what its refusals return, `launches FUNCTION` what makes kernels of its
calls, every other line is

    FUNCTION [12|13] answered | launched | refused | unsupported | as OTHER

for both versions of CUDA or for the one that has it. `answered` is written in a source of this room; `refused` becomes a function
that names itself and returns the library's "not supported"; `unsupported` returns it without a word, in libraries that only look
at the card; `launched` computes on the device alone and becomes a kernel of its name on the stream of its first argument, a handle;
`as OTHER` is another name of a function.

    symbols.py build VERSION CUDA_H_FOLDER OUT   writes OUT/Refusals.c, OUT/EntryPoints.cpp and OUT/exports.map
    symbols.py names VERSION                     all functions, one a line
    symbols.py read LIBRARY VERSION FILE         merges a real library (or cuda.h) into a table; what is new is refused
    symbols.py mark OBJECT...                    writes answered and refused anew, by what the objects define
"""

import glob
import os
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
VERSIONS = ("12", "13")


class Table:
    """One library."""

    def __init__(self, path):
        self.path = path
        self.comments, self.status, self.launches, self.rows = [], None, None, {}  # (function, version or None) -> how
        if os.path.exists(path):
            with open(path) as lines:
                for line in lines:
                    self.read(line.strip())

    def read(self, line):
        words = line.split()
        if not words or line.startswith("#"):
            self.comments += [line] if line else []
        elif words[0] == "refuses":
            self.status = int(words[1])
        elif words[0] == "launches":
            self.launches = words[1]
        else:
            version = words.pop(1) if words[1] in VERSIONS else None
            self.rows[words[0], version] = " ".join(words[1:])

    def of(self, version):
        return {name: how for (name, only), how in self.rows.items() if only in (None, version)}

    def merge(self, version, names):
        for name in names - set(self.of(version)):
            alias = re.fullmatch(r"(\w+)_pt[ds][sz]", name)
            self.rows[name, version] = f"as {alias[1]}" if alias and alias[1] in names else "refused"
        for name, only in [row for row in self.rows if row[1] is None and row[0] not in names]:
            raise SystemExit(f"{self.path}: {name} is said to be in both versions and is not in {version}")
        self.join()

    def join(self):
        for name in {name for name, version in self.rows if version}:
            both = [self.rows.get((name, version)) for version in VERSIONS]
            if both[0] and both[0] == both[1]:
                for version in VERSIONS:
                    del self.rows[name, version]
                self.rows[name, None] = both[0]

    def write(self):
        with open(self.path, "w") as out:
            out.writelines(line + "\n" for line in self.comments)
            out.write(f"refuses {self.status}\n")
            if self.launches:
                out.write(f"launches {self.launches}\n")
            for name, version in sorted(self.rows, key=lambda row: (row[0], row[1] or "")):
                out.write(" ".join(word for word in (name, version, self.rows[name, version]) if word) + "\n")


def tables():
    return [Table(path) for path in sorted(glob.glob(os.path.join(FOLDER, "*.txt")))]


def functions(version):
    """Of all libraries: name -> (how, status of a refusal)."""
    found = {}
    for table in tables():
        for name, how in table.of(version).items():
            found.setdefault(name, (how, table.status, table.launches))
    return found


def refusals(found):
    lines = ["int headroom_refuse(const char* function, int status);"]
    for name, (how, status, launches) in sorted(found.items()):
        if how == "launched":
            lines.append(f'int {launches}(void*, const char*);')
            lines.append(f'int {name}(void* handle) {{ return {launches}(handle, "{name}"); }}')
        elif how == "unsupported":
            lines.append(f"int {name}(void) {{ return {status}; }}")
        elif how == "refused":
            lines.append(f'int {name}(void) {{ return headroom_refuse("{name}", {status}); }}')
        elif how.startswith("as "):
            lines.append(f'__asm__(".globl {name}\\n.type {name}, @function\\n.set {name}, headroom_jump_{name}\\n"\n'
                         f'        ".text\\nheadroom_jump_{name}: jmp {how[3:]}@PLT\\n");')
    return lines


def driver_versions(header):
    """Function -> the versions of CUDA that changed it, from the typedefs of the driver's functions."""
    with open(header) as text:
        found = re.findall(r"PFN_(cu\w+?)_v(\d+)\)", text.read())
    versions = {}
    for name, version in found:
        versions.setdefault(name, set()).add(int(version))
    return {name: sorted(numbers) for name, numbers in versions.items()}


def entry_points(found, versions):
    rows = []
    for name, numbers in sorted(versions.items()):
        variants = [variant for variant in [name] + [f"{name}_v{i}" for i in range(2, 9)] if variant in found]
        # The newest variant is that of the newest version, and so on backward.
        rows += [(name, since, variant) for since, variant in zip(reversed(numbers), reversed(variants))]
    return sorted(rows)


def entry_point_source(rows):
    lines = ['#include "profiling/rehearsal/kernels/EntryPoints.h"', "", 'extern "C" {']
    lines += [f"void {variant}();" for variant in sorted({row[2] for row in rows})]
    lines += ["}", "", "namespace headroom::rehearsal {", "", "const EntryPoint kEntryPoints[] = {"]
    lines += [f'    {{"{name}", {since}, reinterpret_cast<void*>(&{variant})}},' for name, since, variant in rows]
    return lines + ["};", f"const int kEntryPointCount = {len(rows)};", "", "} // namespace headroom::rehearsal"]


def write(path, lines):
    with open(path, "w") as out:
        out.writelines(line + "\n" for line in lines)


def build(version, include, out):
    found = functions(version)
    os.makedirs(out, exist_ok=True)
    write(os.path.join(out, "Refusals.c"), refusals(found))
    write(os.path.join(out, "EntryPoints.cpp"), entry_point_source(entry_points(found, driver_versions(os.path.join(include, "cudaTypedefs.h")))))
    write(os.path.join(out, "exports.map"), ["{", "global:"] + [f"    {name};" for name in sorted(found)] + ["local:", "    *;", "};"])


def exported(library):
    output = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1].split("@")[0] for line in output.splitlines() if line.split()[-2] in "TWVi"}
    return {name for name in names if re.match(r"_*[a-z]", name) and not re.match(r"_(init|fini|Z)", name)}


def declared(header):
    """The functions of cuda.h, with those that its macros hide."""
    command = ["gcc", "-E", "-P", "-x", "c", "-D__CUDA_API_VERSION_INTERNAL", header]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\bCUresult\s+(cu\w+)\s*\(", text))


def read(library, version, path):
    table = Table(os.path.join(FOLDER, library + ".txt"))
    table.merge(version, declared(path) if path.endswith(".h") else exported(path))
    table.write()


def mark(objects):
    output = subprocess.run(["nm", "--defined-only", *objects], check=True, capture_output=True, text=True).stdout
    defined = {line.split()[-1] for line in output.splitlines() if len(line.split()) == 3}
    for table in tables():
        for row, how in table.rows.items():
            if not how.startswith("as "):
                table.rows[row] = "answered" if row[0] in defined else "refused" if how == "answered" else how
        table.write()


def main(arguments):
    if arguments[:1] == ["build"] and len(arguments) == 4:
        build(*arguments[1:])
    elif arguments[:1] == ["names"] and len(arguments) == 2:
        print("\n".join(sorted(functions(arguments[1]))))
    elif arguments[:1] == ["read"] and len(arguments) == 4:
        read(*arguments[1:])
    elif arguments[:1] == ["mark"] and len(arguments) > 1:
        mark(arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
