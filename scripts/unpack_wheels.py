# SPDX-License-Identifier: Apache-2.0
"""Unpacks what a C++ program needs from LibTorch's Python packages.

Usage: unpack_wheels.py [--libraries-only] FOLDER WHEEL...

Shared libraries, headers, the version and the licences are kept. Each file is written under a temporary name and renamed,
so that a library in use by a running program is replaced, never overwritten.
"""

import os
import re
import shutil
import sys
import zipfile

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


def wanted(name, patterns):
    return not name.endswith("/") and any(re.fullmatch(pattern, name) for pattern in patterns)


def extract(archive, entry, folder):
    target = os.path.join(folder, entry.filename)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with archive.open(entry) as source, open(target + ".part", "wb") as sink:
        shutil.copyfileobj(source, sink, 1 << 20)
    if ".so" in os.path.basename(target):
        os.chmod(target + ".part", 0o755)
    os.replace(target + ".part", target)


def unpack(wheel, folder, patterns):
    with zipfile.ZipFile(wheel) as archive:
        entries = [entry for entry in archive.infolist() if wanted(entry.filename, patterns)]
        for entry in entries:
            extract(archive, entry, folder)


def main(arguments):
    patterns = LIBRARIES + HEADERS
    if arguments and arguments[0] == "--libraries-only":
        patterns = LIBRARIES
        arguments = arguments[1:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    folder, *wheels = arguments
    for wheel in wheels:
        unpack(wheel, folder, patterns)


if __name__ == "__main__":
    main(sys.argv[1:])
