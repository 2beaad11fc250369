# SPDX-License-Identifier: Apache-2.0
"""Unpacks what a C++ program needs from LibTorch's Python packages, or checks what was unpacked.

Usage: unpack_wheels.py [--libraries-only | --python-only] LIST DOWNLOADS FOLDER
       unpack_wheels.py --check FOLDER

Of the files in DOWNLOADS exactly those are unpacked that LIST names with their hash; others are removed. Shared libraries,
headers, the version and the licences are kept; with --python-only what a Python needs beside them to import torch. Each file is written under a temporary name and renamed, so that a library in
use by a running program is replaced, never overwritten. FOLDER/NAME.sha256, named after the list, keeps the hashes that the
packages' own RECORDs have of what was unpacked, in the form of sha256sum; --check compares the folder with all such lists.
"""

import base64
import csv
import hashlib
import io
import os
import re
import sys
import zipfile
from pathlib import Path

LIBRARIES = [
    # libtorch_python needs exactly the interpreter version that its package was built for.
    r"torch/lib/(?!libtorch_python|libshm)[^/]+\.so(\.\d+)*",
    r"nvidia/\w+/lib/[^/]+\.so(\.\d+)*",
    r"[^/]+\.dist-info/(METADATA|licenses/.+|LICENSE[^/]*|NOTICE[^/]*|License[^/]*)",
]
HEADERS = [
    r"torch/include/(ATen|c10|caffe2|torch)/.+",
    r"torch/version\.py",
    r"nvidia/\w+/include/.+",
]
# Beside what is there of libtorch.txt. Bytecode and types are left out, and tests but for torch's own help for them.
PYTHON = [
    r"torch/_C\.cpython-\d+-x86_64-linux-gnu\.so",
    r"torch/lib/lib(torch_python|shm)\.so",
    r"torch/bin/torch_shm_manager",  # torch does not load without it
    r"(?!nvidia/|torch/version\.py|.*/tests/).+\.(py|jinja|json)",
    r"(?!torch-)[^/]+\.dist-info/(METADATA|licenses/.+|LICENSE[^/]*|NOTICE[^/]*)",
]
MOST_NAMED = 20  # of what differs


def wanted(name, patterns):
    return not name.endswith("/") and any(re.fullmatch(pattern, name) for pattern in patterns)


def copy_and_hash(source, sink):
    digest = hashlib.sha256()
    for piece in iter(lambda: source.read(1 << 20), b""):
        digest.update(piece)
        if sink:
            sink.write(piece)
    return digest.hexdigest()


def hash_of(path):
    with open(path, "rb") as source:
        return copy_and_hash(source, None)


def expected_wheels(listing):
    """The hashes of each package of a list, by the beginning of its files' names."""
    wheels = {}
    for line in listing.read_text().splitlines():
        found = re.match(r"([\w.-]+)==(\S+) ", line)
        if found:
            name = re.sub(r"[-_.]+", "_", found[1]).lower()
            wheels[f"{name}-{found[2]}-"] = set(re.findall(r"--hash=sha256:(\w+)", line))
    return wheels


def verified_wheels(listing, downloads):
    """The file of each package in the list, by its name and its hash; removes all others."""
    expected = expected_wheels(listing)
    found = {}
    for path in sorted(downloads.iterdir()):
        beginning = next((name for name in expected if path.name.lower().startswith(name)), None)
        if beginning and path.is_file() and not path.is_symlink() and hash_of(path) in expected[beginning]:
            found[beginning] = path
        elif path.is_file() or path.is_symlink():
            print(f"unpack_wheels: removes {path}, which is none of {listing.name}", file=sys.stderr)
            path.unlink()
    for beginning in expected:
        if beginning not in found:
            sys.exit(f"unpack_wheels: {downloads} has no {beginning}*.whl with the hash in {listing}")
    return [found[beginning] for beginning in expected]


def require_within(wheel, names):
    for name in names:
        if name.startswith("/") or "\\" in name or ".." in name.split("/"):
            sys.exit(f"unpack_wheels: {wheel} has an entry '{name}', which leads out of the folder")


def recorded_hashes(archive):
    """What the package's RECORD says of its files: name,sha256=..., in base64 without padding."""
    hashes = {}
    for name in archive.namelist():
        if re.fullmatch(r"[^/]+\.dist-info/RECORD", name):
            for row in csv.reader(io.StringIO(archive.read(name).decode())):
                if len(row) > 1 and row[1].startswith("sha256="):
                    text = row[1].removeprefix("sha256=")
                    hashes[row[0]] = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).hex()
    return hashes


def extract(archive, entry, folder):
    target = folder / entry.filename
    part = Path(f"{target}.part")
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as source, open(part, "wb") as sink:
        digest = copy_and_hash(source, sink)
    if ".so" in target.name or target.parent.name == "bin":
        os.chmod(part, 0o755)
    os.replace(part, target)
    return digest


def unpack(wheel, folder, patterns):
    """Returns the hashes of what was unpacked, by name."""
    hashes = {}
    with zipfile.ZipFile(wheel) as archive:
        require_within(wheel, archive.namelist())
        recorded = recorded_hashes(archive)
        for entry in archive.infolist():
            if wanted(entry.filename, patterns):
                hashes[entry.filename] = extract(archive, entry, folder)
                if hashes[entry.filename] != recorded.get(entry.filename):
                    sys.exit(f"unpack_wheels: {wheel} has another hash of {entry.filename} in its RECORD")
    return hashes


def unpack_all(listing, downloads, folder, patterns):
    wheels = verified_wheels(listing, downloads)
    hashes = {}
    for wheel in wheels:
        hashes.update(unpack(wheel, folder, patterns))
    lines = [f"{digest}  {name}\n" for name, digest in sorted(hashes.items())]
    part = folder / f"{listing.stem}.sha256.part"
    part.write_text("".join(lines))
    os.replace(part, folder / f"{listing.stem}.sha256")


def differences(folder, hashes):
    for name, digest in sorted(hashes.items()):
        path = folder / name
        if not path.is_file():
            yield f"{name} is missing"
        elif hash_of(path) != digest:
            yield f"{name} is another file than its package has"
    own = {".complete", ".sha256"}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_dir() and name not in hashes and not ("/" not in name and path.suffix in own):
            yield f"{name} is of no package"


def check(folder):
    hashes = {}
    for stamp in folder.glob("*.complete"):
        if not stamp.with_suffix(".sha256").is_file():
            sys.exit(f"unpack_wheels: {folder} was unpacked before hashes were kept: remove it to unpack it again")
    for kept in folder.glob("*.sha256"):
        hashes.update((name, digest) for digest, name in (line.split("  ", 1) for line in kept.read_text().splitlines()))
    if not hashes:
        sys.exit(f"unpack_wheels: nothing is unpacked in {folder}")
    found = list(differences(folder, hashes))
    for line in found[:MOST_NAMED]:
        print(line, file=sys.stderr)
    if found:
        sys.exit(f"unpack_wheels: {len(found)} differences in {folder}: remove it to unpack it again")
    print(f"{len(hashes)} files are those of their packages")


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--check":
        return check(Path(arguments[1]))
    patterns = LIBRARIES + HEADERS
    only = {"--libraries-only": LIBRARIES, "--python-only": PYTHON}
    if arguments and arguments[0] in only:
        patterns = only[arguments[0]]
        arguments = arguments[1:]
    if len(arguments) != 3:
        sys.exit(__doc__)
    listing, downloads, folder = map(Path, arguments)
    folder.mkdir(parents=True, exist_ok=True)
    return unpack_all(listing, downloads, folder, patterns)


if __name__ == "__main__":
    main(sys.argv[1:])
