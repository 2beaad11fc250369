# SPDX-License-Identifier: Apache-2.0
"""Tests of what scripts/bootstrap unpacks and checks, with small packages of the test's own."""

import base64
import contextlib
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import unpack_wheels

VERSION = next(line.split()[0].removeprefix("torch==") for line in (ROOT / "scripts/libtorch.txt").read_text().splitlines()
               if line.startswith("torch=="))
FILES = {"torch/lib/libtorch_cpu.so": b"library", "torch/include/ATen/ATen.h": b"header", "torch/script.py": b"left out",
         "torch/version.py": b"version", f"torch-{VERSION}.dist-info/METADATA": b"about"}


def recorded(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


class UnpackWheelsTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name) / "cache" / f"libtorch-{VERSION}"
        self.downloads = pathlib.Path(self.scratch.name) / "downloads"
        self.downloads.mkdir()
        self.listing = pathlib.Path(self.scratch.name) / "libtorch.txt"

    def wheel(self, files, name=f"torch-{VERSION}-cp311-cp311-manylinux_2_28_x86_64.whl", record=None):
        path = self.downloads / name
        record = record or "".join(f"{file},sha256={recorded(content)},{len(content)}\n" for file, content in files.items())
        with zipfile.ZipFile(path, "w") as archive:
            for file, content in files.items():
                archive.writestr(file, content)
            archive.writestr(f"torch-{VERSION}.dist-info/RECORD", record)
        return path

    def expect(self, wheel):
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        self.listing.write_text(f"# a list\ntorch=={VERSION} --hash=sha256:{digest} # 1 bytes\n")

    def run_main(self, *arguments):
        """Returns the code of the exit, or its message, and what was said."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            try:
                unpack_wheels.main([str(argument) for argument in arguments])
            except SystemExit as stopped:
                return stopped.code, said.getvalue()
        return 0, said.getvalue()

    def unpack(self, *options):
        return self.run_main(*options, self.listing, self.downloads, self.folder)

    def unpacked(self):
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())

    def test_what_a_program_needs_is_unpacked_with_its_hashes(self):
        self.expect(self.wheel(FILES))
        self.assertEqual(self.unpack(), (0, ""))
        kept = sorted(name for name in FILES if name != "torch/script.py")
        self.assertEqual(self.unpacked(), sorted(kept + ["libtorch.sha256"]))
        self.assertEqual((self.folder / "torch/lib/libtorch_cpu.so").stat().st_mode & 0o777, 0o755)
        lines = (self.folder / "libtorch.sha256").read_text().splitlines()
        self.assertEqual(lines, [f"{hashlib.sha256(FILES[name]).hexdigest()}  {name}" for name in kept])

    def test_only_libraries_are_unpacked_where_headers_are_there(self):
        self.expect(self.wheel(FILES))
        self.assertEqual(self.unpack("--libraries-only")[0], 0)
        self.assertNotIn("torch/include/ATen/ATen.h", self.unpacked())

    def test_what_a_python_needs_is_added_to_what_is_there(self):
        self.expect(self.wheel(FILES))
        self.unpack()
        wanted = {"torch/__init__.py": b"python", "torch/nn/modules.py": b"python", "torch/_C.cpython-311-x86_64-linux-gnu.so": b"compiled",
                  "torch/_inductor/kernel.py.jinja": b"template", "torch/_dynamo/breaks.json": b"texts",
                  "torch/lib/libtorch_python.so": b"library", "torch/lib/libshm.so": b"library", "torch/bin/torch_shm_manager": b"program"}
        others = {"torch/_C.pyi": b"types", "torch/nn/tests/test_nn.py": b"test", "torch/lib/libshm/core.h": b"header",
                  "nvidia/cu13/lib/libcublas.so.13": b"library", "nvidia/__init__.py": b"python"}
        self.listing = self.listing.with_name("libtorch-python.txt")
        self.expect(self.wheel({**FILES, **wanted, **others}))
        there = set(self.unpacked())
        self.assertEqual(self.unpack("--python-only"), (0, ""))
        self.assertEqual(set(self.unpacked()) - there, {*wanted, "torch/script.py", "libtorch-python.sha256"})
        self.assertTrue(os.access(self.folder / "torch/bin/torch_shm_manager", os.X_OK))
        self.assertEqual(self.run_main("--check", self.folder), (0, "13 files are those of their packages\n"))

    def test_a_package_that_the_list_does_not_name_is_removed(self):
        self.expect(self.wheel(FILES))
        evil = {"torch/lib/libtorch_cpu.so": b"EVIL"}
        others = [self.wheel(evil, "zzz-1.0-py3-none-any.whl"), self.wheel(evil, f"torch-{VERSION}-py3-none-any.whl"),
                  self.wheel(evil, "torch-2.6.0-cp311-cp311-manylinux_2_28_x86_64.whl")]
        code, said = self.unpack()
        self.assertEqual(code, 0)
        self.assertEqual((self.folder / "torch/lib/libtorch_cpu.so").read_bytes(), b"library")
        for other in others:
            self.assertIn(f"removes {other}", said)
            self.assertFalse(other.exists())

    def test_a_package_with_another_hash_is_not_unpacked(self):
        wheel = self.wheel(FILES)
        self.expect(wheel)
        wheel.write_bytes(wheel.read_bytes() + b" ")
        self.assertIn(f"has no torch-{VERSION}-*.whl with the hash", self.unpack()[0])
        self.assertEqual(self.unpacked(), [])

    def test_entries_that_lead_out_of_the_folder_are_refused(self):
        for name in ["torch/include/torch/../../../../ESCAPED", "/torch/lib/a.so", "torch/include/ATen/..\\a.h"]:
            self.expect(self.wheel({**FILES, name: b"escaped"}))
            self.assertIn("leads out of the folder", self.unpack()[0])
            self.assertEqual(self.unpacked(), [])
        self.assertFalse(list(pathlib.Path(self.scratch.name).rglob("ESCAPED")))

    def test_a_package_whose_record_says_otherwise_is_refused(self):
        self.expect(self.wheel(FILES, record=f"torch/lib/libtorch_cpu.so,sha256={recorded(b'other')},5\n"))
        self.assertIn("another hash of torch/lib/libtorch_cpu.so in its RECORD", self.unpack()[0])

    def bootstrap(self, *options, **variables):
        environment = {**os.environ, "HEADROOM_CACHE": str(self.folder.parent), "HEADROOM_TORCH_DIR": "", **variables}
        ended = subprocess.run([ROOT / "scripts/bootstrap", *options], env=environment, capture_output=True, text=True,
                               stdin=subprocess.DEVNULL, check=False)
        return ended.returncode, ended.stdout + ended.stderr

    def bootstrap_check(self):
        return self.bootstrap("--check")

    def python_of(self, version):
        """The folder of a python3 that only tells its version."""
        folder = pathlib.Path(self.scratch.name) / "programs"
        folder.mkdir(exist_ok=True)
        (folder / "python3").write_text(f"#!/bin/sh\necho {version}\n")
        (folder / "python3").chmod(0o755)
        return f"{folder}:{os.environ['PATH']}"

    def test_the_package_of_torch_is_fetched_once_for_both_parts(self):
        said = self.bootstrap("--print", "--python", PATH=self.python_of("3.11"))[1]
        sizes = dict(re.findall(r": ([\w-]+), (\d+) MB", said))
        self.assertGreater(int(sizes["libtorch"]), 500)
        self.assertLess(int(sizes["libtorch-python"]), 20)
        self.folder.mkdir(parents=True)
        (self.folder / "libtorch.complete").write_bytes((ROOT / "scripts/libtorch.txt").read_bytes())
        said = self.bootstrap("--print", "--python", PATH=self.python_of("3.11"))[1]
        self.assertNotIn(": libtorch,", said)
        self.assertGreater(int(re.search(r"libtorch-python, (\d+) MB", said)[1]), 500)

    def test_both_parts_are_of_one_package_of_torch(self):
        lines = [[line for line in (ROOT / f"scripts/{name}.txt").read_text().splitlines() if line.startswith("torch==")]
                 for name in ("libtorch", "libtorch-python")]
        self.assertEqual(len(lines[0]), 1)
        self.assertEqual(*lines)

    def test_another_python_gets_no_torch_and_is_told(self):
        said = self.bootstrap("--print", "--python", PATH=self.python_of("3.13"))[1]
        self.assertNotIn(": libtorch-python", said)
        self.assertIn("for Python 3.11, python3 is 3.13: it is not unpacked, and tests that need it are skipped", said)

    def test_bootstrap_checks_what_was_unpacked(self):
        self.assertEqual(self.bootstrap_check()[0], 1)
        self.expect(self.wheel(FILES))
        self.unpack()
        (self.folder / "libtorch.complete").write_text("stamp")
        self.assertEqual(self.bootstrap_check(), (0, "4 files are those of their packages\n"))
        (self.folder / "torch/include/ATen/ATen.h").write_text("altered")
        (self.folder / "torch/version.py").unlink()
        (self.folder / "torch/include/ATen/More.h").write_text("added")
        code, said = self.bootstrap_check()
        self.assertEqual(code, 1)
        self.assertIn("torch/include/ATen/ATen.h is another file than its package has", said)
        self.assertIn("torch/version.py is missing", said)
        self.assertIn("torch/include/ATen/More.h is of no package", said)
        self.assertIn("3 differences", said)

    def test_a_folder_from_before_hashes_were_kept_says_so(self):
        self.folder.mkdir(parents=True)
        (self.folder / "libtorch.complete").write_text("stamp")
        code, said = self.bootstrap_check()
        self.assertEqual(code, 1)
        self.assertIn("before hashes were kept", said)


if __name__ == "__main__":
    unittest.main()
