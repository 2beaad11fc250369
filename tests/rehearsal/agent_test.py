# SPDX-License-Identifier: Apache-2.0
"""What the agent records of a script: steps, phases, peaks, failures and ends.

Usage: agent_test.py LIBRARIES        (a folder with cuda12 and cuda13)
"""

import json
import pickle
import signal
import sys
import unittest

sys.dont_write_bytecode = True

from stub_torch import StubTorchTest  # noqa: E402

# A step takes 50 in forward, 30 more in backward, 20 more in the optimizer, and leaves 10.
LOOP = """
import torch, atexit
atexit.register(lambda: print("atexit"))
model = torch.nn.Module(torch.nn.Parameter("w"))
optimizer = torch.optim.Optimizer(model.parameters(), lambda: (torch.allocate(20), torch.free(20)))
torch.autograd.during.append(lambda: (torch.allocate(30), torch.free(30)))
def step():
    model()
    torch.allocate(50)
    torch.autograd.backward(None)
    optimizer.step()
    torch.free(40)
torch.allocate(100)
"""


class RecordsTest(StubTorchTest):
    def last_peak(self, run):
        peak = run.of("peak")[-1]
        return peak["allocated_bytes"], peak["step"], peak["phase"]

    def phases(self, run):
        return [record["phase"] for record in run.of("phase")]


class StepTest(RecordsTest):
    def test_each_has_its_own_peak_and_the_run_the_largest(self):
        run = self.rehearsed(LOOP + "step(); step()", steps=0)
        self.ended(run)
        self.assertEqual([(step["step"], step["allocated_bytes"]) for step in run.of("step")], [(1, 180), (2, 190)])
        self.assertEqual(self.last_peak(run), (190, 2, "backward"))

    def test_what_was_loaded_before_is_no_part_of_the_first(self):
        run = self.rehearsed(LOOP + "torch.allocate(300); torch.free(300); step()", steps=0)
        self.ended(run)
        self.assertEqual(run.of("step")[0]["allocated_bytes"], 180)
        self.assertEqual(self.last_peak(run), (400, 0, "load"))

    def test_scripts_see_their_own_peaks(self):
        run = self.rehearsed(LOOP + "step(); step(); print(torch.cuda.max_memory_allocated())\n"
                             "torch.cuda.reset_peak_memory_stats(); print(torch.cuda.max_memory_allocated())\n"
                             "step(); print(torch.cuda.max_memory_allocated())", steps=0)
        self.assertEqual(self.ended(run)[:3], ["190", "120", "200"])

    def test_no_peak_is_lost_where_a_script_resets_it(self):
        run = self.rehearsed(LOOP + "torch.allocate(500); torch.free(500); torch.cuda.reset_peak_memory_stats()\n"
                             "step(); model(); torch.allocate(300); torch.free(300)\n"
                             "torch.cuda.reset_peak_memory_stats(); step()", steps=0)
        self.ended(run)
        self.assertEqual(self.last_peak(run), (600, 0, "load"))
        self.assertEqual([step["allocated_bytes"] for step in run.of("step")], [180, 410])

    def test_a_refused_function_names_the_lines_that_called_it(self):
        run = self.rehearsed(LOOP + "import ctypes\ncard = ctypes.CDLL(None)\ndef share():\n    card.cudaIpcGetMemHandle(None, None)\n"
                             "step()\nfor _ in range(3): share()\nshare()", steps=0)
        self.assertEqual(run.done.returncode, 0)
        self.assertEqual([record["function"] for record in run.of("refused")], ["cudaIpcGetMemHandle"] * 2)
        first, second = (record["where"] for record in run.of("refused"))
        self.assertEqual([place["function"] for place in first], ["share", "<module>"])
        self.assertEqual((first[0], first[1]["line"]), (second[0], second[1]["line"] - 1))
        ledger = [json.loads(line) for line in (run.folder / "ledger").read_text().splitlines()]
        self.assertEqual(sum("refused" in line for line in ledger), 4)

    def test_phases_follow_each_other(self):
        run = self.rehearsed(LOOP + "step(); step()", steps=0)
        self.ended(run)
        step = ["forward", "backward", "forward", "optimizer"]
        self.assertEqual(self.phases(run), ["load", *step, *step, "forward"])

    def test_times_are_the_hosts_and_the_cards(self):
        step = self.rehearsed(LOOP + "step()").of("step")[0]
        self.assertEqual(step["device_seconds"], 2)
        self.assertTrue(0 < step["host_seconds"] < 60)

    def test_the_optimizer_that_steps_first_counts(self):
        run = self.rehearsed(LOOP + "other = torch.optim.Optimizer([])\nfor _ in range(2): step(); other.step()", steps=0)
        self.ended(run)
        self.assertEqual(run.of("covered")[0]["steps"], 2)

    def test_another_optimizer_counts_once_the_first_is_gone(self):
        run = self.rehearsed(LOOP + "step()\noptimizer = torch.optim.Optimizer([])\nstep()", steps=0)
        self.ended(run)
        self.assertEqual(run.of("covered")[0]["steps"], 2)

    def test_one_that_steps_group_by_group_counts_once_a_backward(self):
        run = self.rehearsed(LOOP + "for _ in range(2): step(); optimizer.step(); optimizer.step()", steps=0)
        self.ended(run)
        self.assertEqual(run.of("covered")[0]["steps"], 2)

    def test_one_without_a_backward_counts_by_its_calls(self):
        run = self.rehearsed(LOOP + "optimizer.step(); optimizer.step()", steps=0)
        self.ended(run)
        self.assertEqual(run.of("covered")[0]["steps"], 2)

    def test_within_a_backward_ends_with_it(self):
        run = self.rehearsed(LOOP + "torch.autograd.during.insert(0, optimizer.step)\n"
                             "model(); torch.autograd.backward(None); model(); torch.autograd.backward(None)", steps=0)
        self.ended(run)
        self.assertEqual([step["allocated_bytes"] for step in run.of("step")], [130, 130])
        self.assertEqual(self.phases(run)[1:5], ["forward", "backward", "optimizer", "backward"])

    def test_a_closure_is_forward_and_backward(self):
        run = self.rehearsed(LOOP + "model(); optimizer.step(lambda: torch.autograd.backward(None))", steps=0)
        self.ended(run)
        self.assertEqual(self.phases(run)[1:6], ["forward", "optimizer", "forward", "backward", "forward"])
        self.assertEqual(run.of("covered")[0]["steps"], 1)

    def test_a_scaler_skips_none(self):
        run = self.rehearsed(LOOP + "model(); torch.autograd.backward(None)\n"
                             "torch.amp.grad_scaler.GradScaler().step(optimizer)", steps=0)
        self.ended(run)
        self.assertEqual(run.of("covered")[0]["steps"], 1)

    def test_evaluation_is_of_what_is_trained_and_saving_is_seen(self):
        run = self.rehearsed(LOOP + "step(); torch.nn.Module(torch.nn.Parameter('vae')).eval(); step()\n"
                             "model.eval(); torch.save({}, ''); model.train(); step()", steps=0)
        self.ended(run)
        self.assertEqual(self.phases(run)[10:14], ["evaluation", "saving", "evaluation", "forward"])
        covered = run.of("covered")[0]
        self.assertEqual((covered["evaluation"], covered["saving"], covered["end"]), (True, True, True))

    def test_neither_is_covered_without(self):
        covered = self.rehearsed(LOOP + "model.eval(); torch.save({}, ''); model.train(); step()",
                                 steps=0).of("covered")[0]
        self.assertEqual((covered["evaluation"], covered["saving"]), (False, False))


class EndTest(RecordsTest):
    def assert_end(self, run, reason, code, text=None):
        self.assertEqual([(end["reason"], end["exit_code"], end["exception"]) for end in run.of("end")],
                         [(reason, code, text)])
        self.assertEqual(run.records[-1]["record"], "end")

    def test_after_the_last_step_is_as_on_loss_of_power(self):
        run = self.rehearsed(LOOP + "try:\n    for _ in range(9): step(); print('step')\nfinally: print('finally')",
                             steps=2)
        self.assertEqual(run.done.returncode, -signal.SIGKILL)
        self.assertEqual(run.done.stdout, "step\n")
        self.assert_end(run, "steps", None)
        self.assertEqual((run.of("covered")[0]["steps"], run.of("covered")[0]["end"]), (2, False))
        self.assertTrue((run.folder / "snapshots" / run.of("snapshot")[0]["file"]).stat().st_size > 0)

    def test_the_snapshot_has_the_phases_with_their_steps(self):
        run = self.rehearsed(LOOP + "step(); step()", steps=2)
        with (run.folder / "snapshots" / run.of("snapshot")[-1]["file"]).open("rb") as file:
            edges = pickle.load(file)["external_annotations"]
        starts = [(edge["name"], edge["step"]) for edge in edges if edge["stage"] == "START"]
        self.assertEqual(starts[:4], [("load", -1), ("forward", 1), ("backward", 1), ("forward", 1)])
        self.assertIn(("optimizer", 2), starts)
        times = [edge["time_us"] for edge in edges]
        self.assertEqual(times, sorted(times))
        self.assertEqual([edge["stage"] for edge in edges], ["START", "END"] * len(starts))

    def test_by_itself(self):
        run = self.rehearsed(LOOP + "step()")
        self.assertEqual(self.ended(run), ["atexit"])
        self.assert_end(run, "exit", 0)
        self.assertTrue(run.of("covered")[0]["end"])

    def test_with_a_status(self):
        self.assert_end(self.rehearsed(LOOP + "import sys; sys.exit(3)"), "exit", 3)
        self.assert_end(self.rehearsed(LOOP + "import sys; sys.exit('words')"), "exit", 1)

    def test_by_os_exit(self):
        run = self.rehearsed(LOOP + "import os; os._exit(4)")
        self.assertEqual((run.done.returncode, run.done.stdout), (4, ""))
        self.assert_end(run, "exit", 4)

    def test_by_an_exception_even_where_a_script_shows_it_its_own_way(self):
        run = self.rehearsed(LOOP + "import sys; sys.excepthook = lambda *_: print('hook')\nraise KeyError('k')")
        self.assertIn("hook", run.done.stdout)
        self.assert_end(run, "exception", 1, "KeyError: 'k'")
        self.assertFalse(run.of("covered")[0]["end"])

    def test_killed_after_a_step_leaves_what_it_had(self):
        run = self.rehearsed(LOOP + "step(); import os; os.kill(os.getpid(), 9)")
        self.assertEqual(run.of("end"), [])
        self.assertEqual(self.last_peak(run), (180, 1, "backward"))

    def test_without_the_card_tells_only_of_torch(self):
        run = self.rehearsed("import torch")
        self.ended(run)
        self.assertEqual([record["record"] for record in run.records], ["torch", "handshake", "libraries", "end"])


class OutOfMemoryTest(RecordsTest):
    SCRIPT = "import torch\ndef ask():\n    torch.allocate(2000)\n"

    def test_says_how_much_and_where(self):
        run = self.rehearsed(self.SCRIPT + "ask()")
        failure = run.of("out_of_memory")[0]
        self.assertEqual((failure["requested_bytes"], failure["free_bytes"]), (2000, 1000))
        users = [(place["line"], place["function"]) for place in failure["where"] if place["file"] == "<string>"]
        self.assertEqual(users, [(3, "ask"), (4, "<module>")])
        self.assertIn("OutOfMemoryError", run.of("end")[0]["exception"])
        self.assertEqual(len(run.of("snapshot")), 1)

    def test_that_is_caught_is_followed_by_what_comes(self):
        run = self.rehearsed(self.SCRIPT + "for _ in range(2):\n    try: ask()\n"
                             "    except torch._C.OutOfMemoryError: torch.allocate(10)")
        self.ended(run)
        self.assertEqual(len(run.of("out_of_memory")), 2)
        self.assertEqual((self.last_peak(run)[0], run.of("peak")[-1]["ooms"]), (20, 2))
        self.assertEqual((run.of("end")[0]["reason"], len(run.of("snapshot"))), ("exit", 2))

    def test_that_torch_did_not_count_is_told_all_the_same(self):
        run = self.rehearsed("import torch\ntorch.allocate(1)\nraise RuntimeError('CUDA error: out of memory')")
        failure = run.of("out_of_memory")[0]
        self.assertEqual((failure["requested_bytes"], failure["where"][0]["line"]), (None, 3))

    def test_counts_that_a_script_resets_are_kept(self):
        run = self.rehearsed(self.SCRIPT + "try: ask()\nexcept torch._C.OutOfMemoryError: pass\n"
                             "torch._C._cuda_resetAccumulatedMemoryStats(0); torch.allocate(1)")
        self.ended(run)
        self.assertEqual(run.of("peak")[-1]["ooms"], 1)


class ProcessesTest(RecordsTest):
    FORK = "import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\n"

    def test_a_forked_child_that_lets_the_card_alone_writes_nothing(self):
        run = self.rehearsed(LOOP + "step()\n" + self.FORK + "else: optimizer.step(); model.eval()", steps=0)
        self.assertEqual(run.done.returncode, 0, run.done.stderr)
        self.assertEqual(len(run.files), 1)
        self.assertEqual((run.of("covered")[0]["steps"], len(run.of("end"))), (1, 1))

    def test_a_child_that_uses_it_first_has_records_of_its_own(self):
        run = self.rehearsed("import torch\n" + self.FORK + "torch.allocate(5)")
        self.ended(run)
        self.assertEqual([len(run.files), len(run.of("handshake")), len(run.of("end"))], [2, 2, 2])
        self.assertEqual(len({record["pid"] for record in run.of("device")}), 2)

    def test_workers_of_multiprocessing_write_nothing(self):
        (self.packages / "worker.py").write_text(
            "import multiprocessing, sys, torch\n"
            "def work(): assert 'torch' in sys.modules\n"
            "if __name__ == '__main__':\n"
            "    torch.allocate(1)\n"
            "    one = multiprocessing.get_context(sys.argv[1]).Process(target=work)\n"
            "    one.start(); one.join(); sys.exit(one.exitcode)\n")
        for how in ("fork", "spawn", "forkserver"):
            run = self.rehearsed("-m", "worker", how)
            self.assertEqual((run.done.returncode, len(run.files)), (0, 1), run.done.stderr)

    def test_a_fault_of_the_agent_is_told_and_does_not_end_the_script(self):
        run = self.rehearsed(LOOP + "step(); torch.cuda.Event.record = None\nstep(); step(); print('on')", steps=0)
        self.assertEqual((run.done.returncode, run.done.stdout), (0, "on\natexit\n"), run.done.stderr)
        self.assertEqual([problem["reason"] for problem in run.of("problem")], ["agent_failed"])
        self.assertEqual((len(run.of("end")), run.of("peak")[-1]["allocated_bytes"]), (1, 200))

    def test_ranks_are_told(self):
        run = self.rehearsed(LOOP + "step()", RANK="3")
        self.assertEqual({record["rank"] for record in run.records}, {3})

    def test_a_script_that_records_memory_by_itself_does_not_end_ours(self):
        run = self.rehearsed(LOOP + "torch.cuda.memory._record_memory_history(enabled=None)\n"
                             "print(len(torch.cuda.memory.recorded))")
        self.assertEqual(self.ended(run), ["1", "atexit"])


if __name__ == "__main__":
    unittest.main()
