# SPDX-License-Identifier: Apache-2.0
"""The agent with a real torch, on a card that is not there.

Usage: torch_test.py [--torch FOLDER] LIBRARIES        (torch_python.py says which torch; trainers are tested where it has them)
"""

import pickle
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from rehearsal_run import GIB, Rehearsal  # noqa: E402
from torch_python import PATH, PYTHON, has, require_torch  # noqa: E402

LIBRARIES = Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 and Path(sys.argv[-1]).is_dir() else None
SCRIPTS = Path(__file__).resolve().parent / "scripts"
STEP = """
import torch
from torch.utils.checkpoint import checkpoint
model = torch.nn.Sequential(*(torch.nn.Linear(1024, 1024) for _ in range(4))).cuda()
optimizer = torch.optim.AdamW(model.parameters())
def step():
    loss = model(torch.randn(64, 1024, device="cuda")).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
def own():
    print(torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved())
"""


class TorchTest(unittest.TestCase):
    def rehearsed(self, *command, **options):
        options = {"preloads": LIBRARIES, "steps": 0, "python_path": PATH, **options}
        run = Rehearsal([PYTHON, *(command if len(command) > 1 else ("-W", "ignore", "-c", *command))], **options)
        self.addCleanup(run.__exit__)
        return run

    def ended(self, run):
        self.assertEqual(run.done.returncode, 0, run.done.stderr[-2000:])
        self.assertEqual(run.of("problem"), [])
        return run.done.stdout.split()

    def assert_own_peaks(self, run):
        """What the script prints last, its own peaks, is what is recorded."""
        own = [int(word) for word in self.ended(run)[-2:]]
        peak = run.of("peak")[-1]
        self.assertEqual([peak["allocated_bytes"], peak["reserved_bytes"]], own)
        return own

    def assert_same_peaks_without(self, *command):
        """Of a script that takes the same way whatever the card's values are."""
        run = self.rehearsed(*command)
        own = self.assert_own_peaks(run)
        alone = self.ended(self.rehearsed(*command, HEADROOM_REHEARSAL=""))
        self.assertEqual([int(word) for word in alone[-2:]], own)
        return run


class LoopTest(TorchTest):
    def test_the_default_dtype_is_the_scripts(self):
        for dtype in ("float16", "bfloat16"):
            with self.subTest(dtype):
                self.assert_own_peaks(self.rehearsed(f"import torch\ntorch.set_default_dtype(torch.{dtype})" + STEP + """
counts = torch.arange(64, device="cuda") * 2 + 1
assert (counts > 3).sum().item() == 62
for _ in range(3): step()
own()"""))

    def test_peaks_are_the_scripts_own(self):
        run = self.assert_same_peaks_without(STEP + "for _ in range(4): step()\nown()")
        kernels = run.of("covered")[0]["launches"]
        self.assertTrue(4 * (4 + 4 + 3) < kernels < 4000, kernels)  # a product of each layer forwards, one or two backwards

    def test_a_checkpoint_may_stop_computing_again_where_memory_is_freed(self):
        self.assert_same_peaks_without(STEP + """
drop = torch.nn.Dropout(0.1)
for i in range(2):
    hidden = torch.randn(64, 1024, device="cuda", requires_grad=True)
    checkpoint(lambda x: drop(model(x)), hidden, use_reentrant=False).sum().backward()
    optimizer.step()
own()""")

    def test_peaks_with_checkpoints_and_a_scaler_are_the_scripts_own(self):
        run = self.assert_same_peaks_without(STEP + """
scaler = torch.amp.GradScaler("cuda")
for i in range(6):
    with torch.autocast("cuda", torch.float16):
        hidden = torch.randn(64, 1024, device="cuda", requires_grad=True)
        loss = checkpoint(model, hidden, use_reentrant=i % 2 == 0).square().mean()
    scaler.scale(loss).backward(); scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer); scaler.update(); optimizer.zero_grad()
own()""")
        self.assertEqual(run.of("covered")[0]["steps"], 6)

    def test_ends_after_its_steps(self):
        run = self.rehearsed(STEP + "for _ in range(9): step()", steps=2)
        self.assertEqual([step["step"] for step in run.of("step")], [1, 2])
        self.assertEqual([end["reason"] for end in run.of("end")], ["steps"])
        first = run.of("step")[0]
        self.assertGreater(run.of("peak")[-1]["allocated_bytes"], 3 * first["allocated_bytes"] / 4)
        self.assertGreater(first["device_seconds"], 0)

    def test_tensors_are_told_apart_by_their_places(self):
        run = self.rehearsed(STEP + "step()")
        self.ended(run)
        tensors = run.of("tensors")[0]
        of = {kind: {name: size for _, size, name in tensors[kind]} for kind in ("parameters", "gradients")}
        self.assertEqual(of["parameters"]["0.weight"], 4 << 20)
        self.assertEqual((len(of["parameters"]), of["gradients"]), (8, of["parameters"]))
        self.assertEqual(sum(size for _, size, _ in tensors["optimizer_state"] if size > 4096), 2 * (16 << 20))

    def test_the_snapshot_names_the_scripts_lines(self):
        run = self.rehearsed(STEP + "step()")
        self.ended(run)
        snapshot = pickle.loads((run.folder / "snapshots" / run.of("snapshot")[0]["file"]).read_bytes())
        lines = {(frame["filename"], frame["name"]) for entry in snapshot["device_traces"][0]
                 for frame in entry.get("frames", [])}
        self.assertIn(("<string>", "step"), lines)

    def test_out_of_memory_says_what_torch_says(self):
        run = self.rehearsed("import torch\ndef ask():\n    return torch.empty(30 << 30, dtype=torch.uint8, device='cuda')\n"
                             "ask()")
        failure = run.of("out_of_memory")[0]
        self.assertEqual(failure["requested_bytes"], 30 * GIB)
        self.assertEqual([place["line"] for place in failure["where"][:2]], [3, 4])
        self.assertIn("Tried to allocate 30.00 GiB", run.of("end")[0]["exception"])

    def test_settings_reach_the_allocator(self):
        for setting in (True, False):
            run = self.rehearsed("import torch; torch.ones(1).cuda()\n"
                                 "print(torch.cuda.memory._snapshot()['allocator_settings']['expandable_segments'])",
                                 HEADROOM_REHEARSAL_ALLOCATOR=f"expandable_segments:{setting}")
            self.assertEqual(self.ended(run), [str(setting)])

    def test_another_allocator_has_no_peaks(self):
        run = self.rehearsed(STEP + "step()", HEADROOM_REHEARSAL_ALLOCATOR="backend:cudaMallocAsync")
        self.ended(run)
        self.assertEqual(run.of("device")[0]["backend"], "cudaMallocAsync")
        self.assertIsNone(run.of("peak")[-1]["allocated_bytes"])
        self.assertEqual(run.of("covered")[0]["steps"], 1)

    def test_a_compiled_step_counts(self):
        run = self.rehearsed(STEP + "torch._dynamo.config.suppress_errors = False\n"
                             "optimizer.step = torch.compile(optimizer.step, backend='eager')\nstep(); step()")
        self.ended(run)
        self.assertEqual(run.of("covered")[0]["steps"], 2)

    def test_workers_of_a_loader_write_nothing(self):
        for how in ("fork", "spawn", "forkserver"):
            run = self.rehearsed("-W", "ignore", str(SCRIPTS / "loader.py"), how)
            self.assertEqual(self.ended(run), ["2"])
            self.assertEqual((len(run.files), run.of("covered")[0]["steps"]), (1, 4))

    def test_an_agent_of_torchrun_and_its_rank(self):
        (script := self.rehearsed("pass").folder / "script.py").write_text(STEP + "step()")
        run = self.rehearsed("-m", "torch.distributed.run", "--nproc-per-node=1", str(script), preloaded="cuda12")
        self.ended(run)
        self.assertEqual([len(run.files), len(run.of("step")), len(run.of("device"))], [2, 1, 1])


class TrainerTest(TorchTest):
    def assert_trains(self, module, script, *arguments):
        if not has(module):
            self.skipTest(f"{PYTHON} has no {module}")
        run = self.rehearsed("-W", "ignore", str(SCRIPTS / script), *arguments)
        self.assert_own_peaks(run)
        return run

    def test_trainer(self):
        run = self.assert_trains("transformers", "trainer.py", "full")
        self.assertEqual(run.of("covered")[0]["steps"], 4)
        self.assertIn("transformers", run.of("libraries")[0])

    def test_trainer_that_evaluates_and_saves(self):
        covered = self.assert_trains("transformers", "trainer.py", "evaluated").of("covered")[0]
        self.assertEqual((covered["evaluation"], covered["saving"]), (True, True))

    def test_trainer_in_half_precision_with_accumulation(self):
        self.assertEqual(self.assert_trains("transformers", "trainer.py", "half").of("covered")[0]["steps"], 4)

    def test_trainer_with_adapters(self):
        names = {name for _, _, name in self.assert_trains("peft", "trainer.py", "lora").of("tensors")[0]["gradients"]}
        self.assertTrue(names and all("lora" in name for name in names), names)

    def test_trainer_with_an_optimizer_of_8_bits(self):
        self.assertEqual(self.assert_trains("bitsandbytes", "trainer.py", "8bit").of("covered")[0]["steps"], 4)

    def test_accelerate(self):
        self.assertEqual(self.assert_trains("accelerate", "accelerated.py").of("covered")[0]["steps"], 4)

    def test_lightning(self):
        self.assertEqual(self.assert_trains("lightning", "lightning_module.py").of("covered")[0]["steps"], 4)


if __name__ == "__main__":
    require_torch()
    unittest.main()
