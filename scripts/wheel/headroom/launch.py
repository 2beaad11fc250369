# SPDX-License-Identifier: Apache-2.0
"""Starts the program with the torch of this Python, or of that in HEADROOM_PYTHON, for its worker."""

import importlib.metadata
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from headroom.made import DISTRIBUTION, TORCH

# What starts a worker; all but these answer without a torch.
WITH_WORKER = {"run", "plan", "fit", "fill", "cost", "validate", "calibrate", "parity"}
WITHOUT_WORKER = {"--help", "-h", "--dry-run"}
FAILED = 3  # as a worker that cannot run

FILES = Path(__file__).resolve().parent / "files"
OTHERS = "headroom"  # a program of somebody else has this name on the index

_LOOK = ("import importlib.util, json; spec = importlib.util.find_spec('torch'); "
         "print(json.dumps(spec and spec.origin))")


def _torch_folder():
    """Of the package; None without one."""
    other = os.environ.get("HEADROOM_PYTHON")
    if other:
        try:
            looked = subprocess.run([other, "-c", _LOOK], capture_output=True, text=True, check=True)
            origin = json.loads(looked.stdout)
        except (OSError, subprocess.CalledProcessError, ValueError) as error:
            sys.exit(f"headroom: error: HEADROOM_PYTHON: found {other!r}, which does not run ({error}) (valid: a Python)")
    else:
        spec = importlib.util.find_spec("torch")
        origin = spec and spec.origin
    return Path(origin).parent if origin else None


def _version_of(folder):
    """(2.11.0, 13.0), as torch/version.py has them; the second is None of a build without CUDA. Nothing is imported."""
    text = (folder / "version.py").read_text(encoding="utf-8")
    version = re.search(r"^__version__ = ['\"]([^'\"+]+)", text, re.MULTILINE)
    cuda = re.search(r"^cuda: .*= ['\"]([^'\"]+)", text, re.MULTILINE)
    return version and version[1], cuda and cuda[1]


def _problem(folder):
    """Why the worker cannot use this torch; None where it can."""
    wanted = f"torch {TORCH['minor']} for CUDA {TORCH['cuda']}: pip install 'torch=={TORCH['minor']}.*'"
    if folder is None:
        return f"there is no torch in this Python; predictions and runs need {wanted}"
    version, cuda = _version_of(folder)
    if not version or not version.startswith(TORCH["minor"] + ".") or not (cuda or "").startswith(TORCH["cuda"] + "."):
        kind = f"for CUDA {cuda}" if cuda else "without CUDA"
        return f"this Python has torch {version} {kind}; predictions and runs need {wanted}"
    return None


def _is_taken():
    try:
        importlib.metadata.distribution(OTHERS)
    except importlib.metadata.PackageNotFoundError:
        return False
    return DISTRIBUTION != OTHERS


def _needs_worker(arguments):
    return bool(arguments) and arguments[0] in WITH_WORKER and not WITHOUT_WORKER.intersection(arguments)


def environment(arguments):
    """What the program is started with. Ends this one where the command needs a worker, and there is no torch for it."""
    variables = dict(os.environ)
    folder = _torch_folder()
    problem = _problem(folder)
    if problem and _needs_worker(arguments):
        print("headroom: error: " + problem, file=sys.stderr)
        sys.exit(FAILED)
    if problem:
        variables["HEADROOM_TORCH_PROBLEM"] = problem
    else:
        libraries = [folder / "lib", *sorted((folder.parent / "nvidia").glob("*/lib"))]
        variables["HEADROOM_TORCH_LIBRARIES"] = os.pathsep.join(map(str, libraries))
    return variables


def main():
    if _is_taken():
        sys.exit(f"headroom: error: the distribution {OTHERS!r} of somebody else is installed here and has the same module"
                 f" (valid: pip uninstall {OTHERS}, then {DISTRIBUTION} again; or another environment)")
    program = FILES / "bin/headroom"
    os.execve(program, ["headroom", *sys.argv[1:]], environment(sys.argv[1:]))
