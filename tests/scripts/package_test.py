# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of a build folder's programs, installs it into a fresh environment and uses it as its user would.

Usage: package_test.py BUILD_FOLDER     with PYTHONPATH: a folder with the torch that the worker was built with, or none
"""

import os
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
build = None  # of the command line
RUN = ("run", "--model", "ffn-stack-tiny", "--device", "sim:t4", "--format", "csv")


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        made = subprocess.run([CHECKOUT / "scripts/package", "wheel", "--from", build, "-o", cls.folder / "dist"],
                              capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise AssertionError(made.stderr)
        [cls.wheel] = (cls.folder / "dist").iterdir()
        venv.create(cls.folder / "environment", with_pip=True)
        cls.python = cls.folder / "environment/bin/python"
        installed = subprocess.run([cls.python, "-m", "pip", "install", "--no-index", "--quiet", cls.wheel],
                                   capture_output=True, text=True, check=False)
        if installed.returncode != 0:
            raise AssertionError(installed.stderr)

    def setUp(self):
        self.torch = os.environ.get("PYTHONPATH")

    def carried_out(self, *command, torch=None, **variables):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1", **variables}
        if torch:
            environment["PYTHONPATH"] = torch
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder, env=environment)

    def headroom(self, *arguments, **others):
        return self.carried_out(self.folder / "environment/bin/headroom", *arguments, **others)

    def test_it_says_nothing_of_the_machine_that_made_it(self):
        with zipfile.ZipFile(self.wheel) as archive:
            for entry in archive.infolist():
                data = archive.read(entry)
                self.assertNotIn(str(Path.home()).encode() + b"/.cache", data, entry.filename)
                self.assertNotIn(str(CHECKOUT).encode() + b"/build", data, entry.filename)
            names = archive.namelist()
        self.assertTrue(any(name.endswith("files/licenses/headroom") for name in names))
        self.assertTrue(any(name.endswith("headroom-card/cuda12/libcuda.so.1") for name in names), names)

    def test_what_needs_no_torch_answers_without_one(self):
        self.assertEqual(self.headroom("--version").returncode, 0)
        self.assertIn("sim:rtx4090", self.headroom("devices").stdout)
        self.assertIn("ffn-stack", self.headroom("run", "--help").stdout + self.headroom("models").stdout)
        dry = self.headroom(*RUN, "--dry-run")
        self.assertEqual(dry.returncode, 0, dry.stderr)

    def test_without_a_torch_it_says_in_one_line_what_to_install(self):
        for others in ({}, {"HEADROOM_PYTHON": str(self.python)}):
            ended = self.headroom(*RUN, **others)
            self.assertEqual(ended.returncode, 3)
            self.assertEqual(ended.stdout, "")
            self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
            self.assertRegex(ended.stderr, r"headroom: error: there is no torch .* pip install 'torch==\d+\.\d+\.\*'")

    def test_a_python_that_is_none_is_named(self):
        ended = self.headroom(*RUN, HEADROOM_PYTHON="/no/such/python")
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("HEADROOM_PYTHON: found '/no/such/python'", ended.stderr)

    def test_a_torch_of_another_version_is_named(self):
        other = self.folder / "other"
        (other / "torch").mkdir(parents=True, exist_ok=True)
        (other / "torch/__init__.py").touch()
        (other / "torch/version.py").write_text("__version__ = '1.13.1+cu117'\ncuda: Optional[str] = '11.7'\n")
        ended = self.headroom(*RUN, torch=str(other))
        self.assertEqual(ended.returncode, 3)
        self.assertIn("this Python has torch 1.13.1 for CUDA 11.7", ended.stderr)

    def test_it_predicts_with_the_torch_of_its_environment(self):
        if not self.torch:
            self.skipTest("no torch for Python")
        ended = self.headroom(*RUN, torch=self.torch)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("completed", ended.stdout)
        module = self.carried_out(self.python, "-m", "headroom", *RUN, torch=self.torch)
        self.assertEqual(module.returncode, 0, module.stderr)

    def test_it_captures_a_model_and_predicts_it(self):
        if not self.torch:
            self.skipTest("no torch for Python")
        script = ("import torch, headroom\n"
                  "with torch.device('meta'):\n"
                  "    model, x = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU()), torch.zeros(4, 64)\n"
                  "headroom.capture(model.train(), (x,), path='mine.pt2')\n")
        captured = self.carried_out(self.python, "-c", script, torch=self.torch)
        self.assertEqual(captured.returncode, 0, captured.stderr)
        ended = self.headroom("run", "--model", "mine.pt2", "--step", "train", "--device", "sim:t4", torch=self.torch)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_somebody_elses_distribution_of_that_name_is_noticed(self):
        site = next((self.folder / "environment/lib").glob("python*/site-packages"))
        other = site / "headroom-9.9.dist-info"
        other.mkdir()
        try:
            (other / "METADATA").write_text("Metadata-Version: 2.1\nName: headroom\nVersion: 9.9\n")
            ended = self.headroom("--version")
        finally:
            (other / "METADATA").unlink()
            other.rmdir()
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("the distribution 'headroom' of somebody else", ended.stderr)


if __name__ == "__main__":
    build = sys.argv.pop()
    unittest.main(verbosity=2)
