# SPDX-License-Identifier: Apache-2.0
"""Tests of the parts of scripts/gpu-run that need no program of Headroom."""

import json
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile
import threading
import time
import types
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

from gpu_run import libtorch
from gpu_run.cards import simulated_like
from gpu_run.gtest_output import TestOutput, cases_of
from gpu_run.packs import Pack
from gpu_run.processes import Processes, Stopped
from gpu_run.results import Log, SuiteResults
from gpu_run.suite import Suite, outcome_of
from gpu_run.suites import SUITES, numbers_problem, test_program


def device(name, title, gigabytes, usable=True):
    return {"name": name, "title": title, "usable": usable, "total_bytes": gigabytes * 2**30}


PROFILES = [device("sim:a100-40gb", "NVIDIA A100 40GB (SXM4)", 40), device("sim:a100-80gb", "NVIDIA A100 80GB (SXM4)", 80),
            device("sim:h200", "NVIDIA H200 141GB (SXM5)", 140), device("sim:l4", "NVIDIA L4", 23),
            device("sim:l40s", "NVIDIA L40S", 45), device("sim:rtx4090", "NVIDIA GeForce RTX 4090", 24),
            device("sim:rtx4090-48gb", "NVIDIA GeForce RTX 4090 48GB (modified)", 48),
            device("sim:rtx3090", "NVIDIA GeForce RTX 3090", 24), device("sim:rtx3090ti", "NVIDIA GeForce RTX 3090 Ti", 24),
            device("sim:rtx4060ti-16gb", "NVIDIA GeForce RTX 4060 Ti 16GB", 16),
            device("sim:rtx4070tisuper", "NVIDIA GeForce RTX 4070 Ti SUPER", 16),
            device("sim:rtxpro6000", "NVIDIA RTX PRO 6000 Blackwell 96GB (Workstation Edition)", 96),
            {"name": "sim:cpu", "title": "CPU (exact allocator)", "usable": True, "total_bytes": None}]


class CardsTest(unittest.TestCase):
    def like(self, title, gigabytes):
        return simulated_like("cuda:0", PROFILES + [device("cuda:0", title, gigabytes)])

    def test_a_card_is_found_by_its_title(self):
        self.assertEqual(self.like("NVIDIA H200", 140), "sim:h200")
        self.assertEqual(self.like("NVIDIA GeForce RTX 4090", 24), "sim:rtx4090")
        self.assertEqual(self.like("NVIDIA L40S", 45), "sim:l40s")
        self.assertEqual(self.like("NVIDIA GeForce RTX 4060 Ti", 16), "sim:rtx4060ti-16gb")
        self.assertEqual(self.like("NVIDIA GeForce RTX 4070 Ti SUPER", 16), "sim:rtx4070tisuper")
        self.assertEqual(self.like("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 96), "sim:rtxpro6000")

    def test_a_card_of_a_longer_name_is_not_the_one_of_the_shorter(self):
        self.assertEqual(self.like("NVIDIA GeForce RTX 3090 Ti", 24), "sim:rtx3090ti")
        self.assertEqual(self.like("NVIDIA GeForce RTX 3090", 24), "sim:rtx3090")

    def test_of_several_the_one_with_its_memory(self):
        self.assertEqual(self.like("NVIDIA A100-SXM4-80GB", 80), "sim:a100-80gb")
        self.assertEqual(self.like("NVIDIA A100-PCIE-40GB", 40), "sim:a100-40gb")
        self.assertEqual(self.like("NVIDIA GeForce RTX 4090", 48), "sim:rtx4090-48gb")

    def test_an_unknown_card_is_like_none(self):
        self.assertIsNone(self.like("NVIDIA H20", 96))
        self.assertIsNone(simulated_like("cuda:0", PROFILES))

    def test_the_processor_has_its_own(self):
        self.assertEqual(simulated_like("cpu", PROFILES), "sim:cpu")

    def test_a_rehearsed_card_is_like_its_profile(self):
        self.assertEqual(simulated_like("rehearsal:l4", PROFILES), "sim:l4")


class GtestOutputTest(unittest.TestCase):
    def read(self, text):
        ended = []
        output = TestOutput(lambda *case: ended.append(case))
        for line in text.splitlines():
            output.add(line)
        return output, ended

    def test_each_case_is_told_as_it_ends(self):
        _, ended = self.read("[ RUN      ] A.b\n[       OK ] A.b (12 ms)\n[ RUN      ] A.c/0\nno device\n"
                             "[  SKIPPED ] A.c/0 (3 ms)\n[ RUN      ] A.d\nfile.cpp:1: Failure\n"
                             "[  FAILED  ] A.d, where GetParam() = 4 (5 ms)\n[  FAILED  ] A.d\n")
        self.assertEqual(ended, [("A.b", "passed", 0.012, ""), ("A.c/0", "skipped", 0.003, "no device"),
                                 ("A.d", "failed", 0.005, "file.cpp:1: Failure")])

    def test_a_program_that_dies_takes_its_case_with_it(self):
        output, ended = self.read("[ RUN      ] A.b\nlast words\n")
        output.finish("signal 11 (SIGSEGV)", "failed")
        self.assertEqual(ended, [("A.b", "failed", None, "last words\nsignal 11 (SIGSEGV)")])
        output.finish("", "failed")
        self.assertEqual(len(ended), 1)

    def test_cases_are_listed_with_their_parameters(self):
        listing = "Running main() from gtest_main.cc\nA.\n  b\n  DISABLED_c\nAll/B.\n  d/0  # GetParam() = 1.\n"
        self.assertEqual(cases_of(listing), ["A.b", "All/B.d/0"])


class LibTorchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = pathlib.Path(folder.name).resolve()
        for path in ("torch/lib", "nvidia/cu13/lib", "nvidia/cudnn/lib", "nvidia/cudnn/include"):
            (self.site / path).mkdir(parents=True)
        (self.site / "torch/lib/libtorch_cpu.so").touch()
        (self.site / "torch/version.py").write_text("__version__ = '2.11.0+cu130'\n")
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))

    def test_it_is_found_where_the_variable_says(self):
        for given in (self.site, self.site / "torch"):
            os.environ["HEADROOM_TORCH_DIR"] = str(given)
            self.assertEqual(libtorch.find_torch(), self.site / "torch")
        os.environ["HEADROOM_TORCH_DIR"] = str(self.site / "nvidia")
        with self.assertRaisesRegex(libtorch.Missing, "holds no LibTorch"):
            libtorch.find_torch()

    def test_without_the_variable_it_is_that_of_bootstrap_if_python_has_none(self):
        os.environ.pop("HEADROOM_TORCH_DIR", None)
        os.environ["HEADROOM_CACHE"] = str(self.site.parent)
        (self.site / "torch").rename(self.site / "kept")
        home = self.site.parent / f"libtorch-{self.site.name}"
        home.mkdir()
        self.addCleanup(shutil.rmtree, home)
        (self.site / "kept").rename(home / "torch")
        if not libtorch.packages():
            self.assertEqual(libtorch.find_torch(), home / "torch")

    def test_every_library_folder_beside_it_is_named(self):
        self.assertEqual(libtorch.library_folders(self.site / "torch"),
                         [str(self.site / path) for path in ("torch/lib", "nvidia/cu13/lib", "nvidia/cudnn/lib")])

    def test_another_minor_version_is_refused(self):
        version = libtorch.version_of(self.site / "torch")
        self.assertEqual(version, "2.11.0+cu130")
        libtorch.check_version(version, "2.11.1", self.site)
        libtorch.check_version(None, "2.11.0", self.site)
        with self.assertRaisesRegex(libtorch.Missing, "built for 2.10.0"):
            libtorch.check_version(version, "2.10.0", self.site)


class SuiteTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        log = Log(self.folder / "log.txt")
        self.addCleanup(log.close)
        self.processes = Processes(log)
        self.setting = types.SimpleNamespace(only="*", jobs=2, scratch=self.folder, processes=self.processes, device="cpu",
                                             against="sim:cpu", environment=dict(os.environ))
        self.results = SuiteResults(self.folder, "smoke", {"device": "cpu"})
        self.addCleanup(self.results.end)

    def suite(self, limit=60):
        return Suite(self.setting, self.results, limit)

    def lines(self):
        return [json.loads(line) for line in (self.folder / "smoke.jsonl").read_text().splitlines()]

    def test_what_ends_is_written_at_once(self):
        suite = self.suite()
        suite.ended("good", suite.run("good", ["true"]))
        suite.ended("bad", suite.run("bad", ["sh", "-c", "echo why >&2; exit 3"]))
        self.assertEqual([line["outcome"] for line in self.lines()[1:]], ["passed", "failed"])
        self.assertEqual(self.lines()[2]["reason"], "exit code 3: why")
        self.results.end()
        self.assertEqual(self.lines()[-1]["counts"], {"passed": 1, "failed": 1, "skipped": 0, "cut_short": 0})

    def test_a_limit_ends_a_command_and_all_that_it_started(self):
        suite = self.suite(limit=0.5)
        suite.ended("slow", suite.run("slow", ["sh", "-c", "sleep 100 & echo $!; sleep 100"]))
        self.assertEqual(self.lines()[1]["outcome"], "cut_short")
        pid = int((self.folder / "log.txt").read_text().splitlines()[1].split()[-1])
        with self.assertRaises(ProcessLookupError):
            for _ in range(100):
                os.kill(pid, 0)
                if pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
                    raise ProcessLookupError
                time.sleep(0.05)
        self.assertFalse(suite.begin("after it"))
        self.assertEqual(self.lines()[2]["outcome"], "cut_short")

    def test_an_interruption_ends_what_runs(self):
        threading.Timer(0.3, self.processes.stop).start()
        with self.assertRaises(Stopped):
            self.suite().run("slow", ["sleep", "100"])
        with self.assertRaises(Stopped):
            self.suite().run("never", ["true"])

    def test_only_the_cases_that_are_wanted(self):
        self.setting.only = "doc*"
        self.assertTrue(self.suite().begin("doctor"))
        self.assertFalse(self.suite().begin("devices"))
        self.assertEqual(len(self.lines()), 1)

    def test_a_program_that_crashes_after_its_cases_is_a_failure(self):
        program = self.folder / "test-program"
        program.write_text("#!/bin/sh\necho '[ RUN      ] A.b'\necho '[       OK ] A.b (1 ms)'\nkill -SEGV $$\n")
        program.chmod(0o755)
        test_program(self.suite(), "together: test-program", program, "together", [])
        self.assertEqual([(line["case"], line["outcome"]) for line in self.lines()[1:]],
                         [("together: A.b", "passed"), ("together: test-program", "failed")])

    def test_trials_count_by_their_outcome(self):
        self.assertEqual(outcome_of({"outcome": "out_of_memory", "reason": "x"}, None), ("passed", None))
        self.assertEqual(outcome_of({"outcome": "skipped", "reason": "x"}, None), ("skipped", "x"))
        self.assertEqual(outcome_of({"outcome": "failed", "reason": "x"}, None), ("failed", "failed: x"))
        self.assertEqual(outcome_of({"outcome": "cancelled", "reason": "x"}, None), ("cut_short", "x"))
        wrong = {"outcome": "completed", "reason": None, "numerics": {"output_rel_l2": float("nan")}}
        self.assertEqual(outcome_of(wrong, numbers_problem)[0], "failed")
        self.assertEqual(outcome_of({**wrong, "numerics": None}, numbers_problem), ("passed", None))


class PackTest(unittest.TestCase):
    def test_a_folder_without_a_manifest_is_no_pack(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(libtorch.Missing, "holds no pack"):
            Pack(pathlib.Path(folder), pathlib.Path(folder))

    def test_a_suite_that_was_left_out_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            self.write_pack(path)
            with self.assertRaisesRegex(libtorch.Missing, "packed without the suite tests"):
                Pack(path, path).programs_of("tests")

    @staticmethod
    def write_pack(path):
        (path / "pack.json").write_text(json.dumps({"programs": {}, "suites": ["smoke"]}))
        with tarfile.open(path / "programs.tar.gz", "w:gz") as archive:
            for name in ("bin/headroom", "lib/libother.so"):
                archive.addfile(tarfile.TarInfo(name))

    def test_programs_are_unpacked_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            self.write_pack(path)
            self.assertEqual(Pack(path, path).program("headroom"), path / "bin/headroom")
            (path / "programs.tar.gz").write_bytes(b"")
            self.assertEqual(Pack(path, path).program("headroom"), path / "bin/headroom")
            self.assertTrue((path / "lib/libother.so").exists())

    def test_a_pack_that_cannot_be_written_is_unpacked_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(folder)
            self.write_pack(path)
            with unittest.mock.patch("os.access", return_value=False):
                self.assertEqual(Pack(path, pathlib.Path(scratch)).program("headroom"), pathlib.Path(scratch) / "bin/headroom")
            self.assertFalse((path / "bin").exists())

    def test_an_archive_that_was_cut_short_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            self.write_pack(path)
            archive = (path / "programs.tar.gz").read_bytes()
            (path / "programs.tar.gz").write_bytes(archive[:len(archive) // 2])
            with self.assertRaisesRegex(libtorch.Missing, "programs.tar.gz cannot be unpacked"):
                Pack(path, path)
            self.assertFalse((path / "bin").exists())


class SuitesTest(unittest.TestCase):
    def test_each_says_what_it_is_and_has_a_limit(self):
        self.assertEqual(list(SUITES), ["smoke", "tests", "numerics", "validate", "tables", "capture", "time"])
        for plan in SUITES.values():
            self.assertTrue(plan.carry_out.__doc__)
            self.assertLess(plan.limit, 600)


if __name__ == "__main__":
    unittest.main()
