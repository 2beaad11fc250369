# SPDX-License-Identifier: Apache-2.0
"""Packs the programs of a build folder and runs them on the processor, from an empty folder.

Usage: gpu_pack_test.py BUILD_FOLDER LIBTORCH_FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
TECHNIQUES = CHECKOUT / "scripts/gpu_run/techniques.toml"
build = torch = None  # of the command line


def with_cuda():
    return (pathlib.Path(torch) / "lib/libtorch_cuda.so").exists() or (pathlib.Path(torch) / "torch/lib/libtorch_cuda.so").exists()


class GpuPackTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.pack = cls.folder / "elsewhere/pack"
        cls.pack.parent.mkdir()
        packed = cls.packing("smoke", "capture", "--output", cls.pack)
        if packed.returncode != 0:
            raise AssertionError(packed.stderr)

    @staticmethod
    def packing(*arguments):
        return subprocess.run([CHECKOUT / "scripts/gpu-pack", "--from", build, *arguments], capture_output=True, text=True,
                              check=False)

    # Nothing of this machine's settings but LibTorch reaches the pack, and nothing of the checkout.
    def run_pack(self, *arguments, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "HEADROOM_TORCH_DIR": torch,
                       "OUT": str(self.folder / "results"), **variables}
        return subprocess.run([self.pack / "gpu-run", *arguments], capture_output=True, text=True, check=False,
                              cwd=self.folder, env=environment)

    def lines(self, suite):
        text = (self.folder / "results" / f"{suite}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def test_it_holds_real_files_and_what_it_was_made_from(self):
        self.run_pack("smoke", "--device", "cpu", "--only", "system", OUT=str(self.folder / "unpacked"))
        self.assertEqual([path for path in self.pack.rglob("*") if path.is_symlink()], [])
        manifest = json.loads((self.pack / "pack.json").read_text(encoding="utf-8"))
        self.assertEqual(manifest["suites"], ["smoke", "capture"])
        self.assertEqual(manifest["programs"], {"capture": {"measure-capture-cost": ""}})
        self.assertEqual(sorted(path.name for path in (self.pack / "bin").iterdir()),
                         ["headroom", "headroom-worker", "measure-capture-cost"])

    def test_every_technique_runs_from_it(self):
        ended = self.run_pack("smoke", "--device", "cpu", "--jobs", "2")
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        lines = self.lines("smoke")
        self.assertEqual(lines[0]["case"], "begin")
        self.assertEqual(lines[-1]["counts"]["failed"], 0)
        trials = [line["trial"] for line in lines if "trial" in line]
        self.assertGreater(len(trials), 25)
        self.assertTrue(all(trial["outcome"] == "completed" for trial in trials))
        self.assertTrue(any((trial["numerics"] or {}).get("output_rel_l2") for trial in trials), "nothing was compared")

    # With the pack's own libraries of the card.
    def test_a_rehearsed_card_runs_from_it(self):
        if not with_cuda():
            self.skipTest("LibTorch here has no CUDA (scripts/bootstrap --cuda)")
        results = self.folder / "rehearsed"
        ended = self.run_pack("smoke", "--device", "rehearsal:h100-80gb", "--jobs", "2", OUT=str(results))
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        lines = [json.loads(line) for line in (results / "smoke.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(lines[-1]["counts"]["failed"], 0)
        trials = [line["trial"] for line in lines if "trial" in line]
        self.assertGreater(len(trials), 25)
        self.assertEqual({trial["outcome"] for trial in trials}, {"completed"})
        self.assertEqual({trial["memory"]["source"] for trial in trials}, {"rehearsed"})

    def test_a_limit_leaves_what_was_done(self):
        ended = self.run_pack("smoke", "--device", "cpu", "--limit", "1", OUT=str(self.folder / "short"))
        self.assertEqual(ended.returncode, 4, ended.stdout + ended.stderr)
        lines = (self.folder / "short/smoke.jsonl").read_text(encoding="utf-8").splitlines()
        outcomes = [json.loads(line)["outcome"] for line in lines[1:]]
        self.assertEqual(outcomes[0], "passed")
        self.assertIn("cut_short", outcomes)
        self.assertEqual(json.loads(lines[-1])["case"], "end")

    def test_the_cost_of_a_capture_is_measured(self):
        self.run_pack("smoke", "--device", "cpu", "--only", "system", OUT=str(self.folder / "unpacked"))
        environment = {**os.environ, "HEADROOM_WORKER": str(self.pack / "bin/headroom-worker"),
                       "HEADROOM_RESOURCES": str(self.pack / "resources")}
        printed = subprocess.run([self.pack / "bin/measure-capture-cost", "--device", "cpu", "--model", "ffn-stack-tiny",
                                  "--processes", "1", "--steps", "5", "--format", "jsonl"], stdout=subprocess.PIPE, text=True,
                                 check=True, env=environment).stdout
        records = [json.loads(line) for line in printed.splitlines()]
        self.assertEqual([record["schema"] for record in records],
                         ["headroom.capture-process/1", "headroom.capture-process/1", "headroom.capture-cost/1"])
        without, memory = records[-1]["rows"]
        self.assertEqual((without["capture"], without["step_ratio"]["median"]), ("none", 1.0))
        self.assertEqual((without["events"], without["traced_step_seconds"]), (0, None))
        self.assertEqual(memory["capture"], "memory")
        self.assertGreater(memory["events"], 0)
        self.assertGreater(memory["spool_bytes"], 0)
        self.assertGreater(memory["traced_step_seconds"], 0)
        self.assertGreater(memory["step_seconds"], 0)

    def test_the_smoke_names_every_technique(self):
        listing = json.loads(subprocess.run([build + "/bin/headroom", "techniques", "--format", "json"], capture_output=True,
                                            text=True, check=True).stdout)
        text = TECHNIQUES.read_text(encoding="utf-8")
        for technique in listing["techniques"]:
            self.assertIn(f"techniques.{technique['key']} =", text)

    def test_without_libtorch_or_a_device_nothing_is_run(self):
        for arguments, variables, reason in (
                (["--device", "cpu"], {"HEADROOM_TORCH_DIR": str(self.folder)}, "holds no LibTorch"),
                (["--device", "cuda:99"], {}, "cuda:99: "),
                (["--device", "cpu", "--pack", str(self.folder)], {}, "holds no pack")):
            ended = self.run_pack("smoke", *arguments, **variables)
            self.assertEqual(ended.returncode, 3, ended.stderr)
            self.assertIn(reason, ended.stderr)

    def test_bad_usage_is_told_from_failures(self):
        self.assertEqual(self.run_pack("smoek").returncode, 2)
        self.assertEqual(self.run_pack("smoke", "--jobs", "0").returncode, 2)
        self.assertEqual(self.run_pack("smoke", "--device", "sim:cpu").returncode, 2)

    def test_a_suite_that_was_not_packed_fails(self):
        ended = self.run_pack("numerics", "--device", "cpu")
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertIn("packed without the suite numerics", ended.stdout)

    def test_a_folder_of_somebody_else_is_left_as_it_is(self):
        other = self.folder / "other"
        other.mkdir(exist_ok=True)
        (other / "mine").write_text("mine")
        ended = self.packing("smoke", "--output", other)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("left as it is", ended.stderr)
        self.assertEqual((other / "mine").read_text(), "mine")

    def test_what_is_too_large_is_told(self):
        large = self.folder / "large"
        ended = self.packing("smoke", "--output", large, "--limit", "1")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("more than 1;", ended.stderr)
        self.assertIn("bin/headroom-worker", ended.stderr)
        self.assertFalse(large.exists())


if __name__ == "__main__":
    build, torch = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
