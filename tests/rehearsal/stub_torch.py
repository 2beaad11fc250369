# SPDX-License-Identifier: Apache-2.0
"""The agent with the stub of torch, on the card's real libraries. Without the values package, which needs the real torch."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from rehearsal_run import CHECKOUT, Rehearsal

LIBRARIES = Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 and Path(sys.argv[-1]).is_dir() else None
VERSION = "__version__ = '{}'\ncuda: Optional[str] = {!r}\nhip = {!r}\n"


class StubTorchTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="stub-torch-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.agent = self.folder / "agent"
        shutil.copytree(CHECKOUT / "resources" / "rehearsal", self.agent,
                        ignore=shutil.ignore_patterns("values", "__pycache__"))
        self.packages = self.folder / "packages"
        shutil.copytree(CHECKOUT / "tests" / "rehearsal" / "stub", self.packages,
                        ignore=shutil.ignore_patterns("__pycache__"))
        self.torch_is("2.11.0+cu130", "13.0")

    def torch_is(self, version, cuda, hip=None):
        text = "from typing import Optional\n" + VERSION.format(version, cuda, hip)
        (self.packages / "torch" / "version.py").write_text(text)

    def rehearsed(self, *command, **options):
        """Python with the given arguments; one that is no option is a script's text."""
        python = [sys.executable, *(command if command and command[0].startswith("-") else ("-c", *command))]
        options.setdefault("preloads", LIBRARIES)
        run = Rehearsal(options.pop("command", python), site=self.agent / "site",
                        python_path=[*options.pop("before", ()), self.packages], **options)
        self.addCleanup(run.__exit__)
        return run

    def ended(self, run):
        """Of a run that is expected to end by itself, with its output in words."""
        self.assertEqual(run.done.returncode, 0, run.done.stderr)
        self.assertEqual(run.done.stderr, "")
        return run.done.stdout.split()
