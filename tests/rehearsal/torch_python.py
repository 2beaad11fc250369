# SPDX-License-Identifier: Apache-2.0
"""Which Python with torch the tests use: that of HEADROOM_TEST_PYTHON, else the one that runs them, with torch from the folder
that the option --torch names."""

import os
import subprocess
import sys

SKIPPED = 77  # what ctest is told where no test ran


def _option(name):
    if name not in sys.argv:
        return ""
    at = sys.argv.index(name)
    value = sys.argv[at + 1]
    del sys.argv[at:at + 2]
    return value


_FOLDER = _option("--torch")
_OWN = os.environ.get("HEADROOM_TEST_PYTHON", "")
PYTHON = _OWN or sys.executable
PATH = [_FOLDER] if _FOLDER and not _OWN else []  # for PYTHONPATH


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(PATH)}


def has(module):
    asked = f"import importlib.util, sys; sys.exit(not importlib.util.find_spec('{module}'))"
    return subprocess.run([PYTHON, "-c", asked], env=environment(), check=False).returncode == 0


def require_torch():
    """Ends the program where no torch is meant to be; one that was named and does not load fails."""
    if not PATH and not _OWN and not has("torch"):
        print(f"skipped: {PYTHON} has no torch. scripts/bootstrap --python unpacks it for Python 3.11 and the next configuring"
              " finds it; HEADROOM_TEST_PYTHON names another Python that has one")
        sys.exit(SKIPPED)
    asked = subprocess.run([PYTHON, "-W", "ignore", "-c", "import torch; print(torch.version.cuda or '')"], env=environment(),
                           capture_output=True, text=True, check=False)
    if asked.returncode != 0 or not asked.stdout.strip():
        sys.exit(f"{PYTHON} has no PyTorch with CUDA: {asked.stdout}{asked.stderr[-2000:]}")
