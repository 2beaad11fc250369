# SPDX-License-Identifier: Apache-2.0
"""headroom rehearse from the command line to the workspace, with a stub of torch on the card's real libraries.

Usage: command_test.py HEADROOM        (the program, with the card's libraries beside it)
"""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

sys.dont_write_bytecode = True

HEADROOM = Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 and Path(sys.argv[-1]).is_file() else None
CHECKOUT = Path(__file__).resolve().parents[2]
GIB = 1 << 30
USABLE = 25384976384  # of an rtx4090, as its profile says

# Takes memory of the card as torch's allocator does, and says it in torch's statistics.
SCRIPT = """
import ctypes, sys, torch
card = ctypes.CDLL(None)
def take(size):
    torch.cuda._lazy_init()
    at = ctypes.c_void_p()
    if card.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(size)) != 0:
        for observer in torch._C._observers:
            observer(0, size, torch._C.LIMIT, 0)
        raise torch._C.OutOfMemoryError("CUDA out of memory")
    torch._C.LIMIT = 1 << 60
    torch._C.move(size)
GIB = 1 << 30
model = torch.nn.Module(torch.nn.Parameter("w"))
optimizer = torch.optim.Optimizer(model.parameters(), lambda: None)
def step():
    torch.autograd.backward(None)
    optimizer.step()
"""


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="rehearse-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.workspace = self.folder / "w.db"
        resources = self.folder / "resources"
        resources.mkdir()
        for entry in (CHECKOUT / "resources").iterdir():
            if entry.name != "rehearsal":
                (resources / entry.name).symlink_to(entry)
        shutil.copytree(CHECKOUT / "resources" / "rehearsal", resources / "rehearsal",
                        ignore=shutil.ignore_patterns("values", "__pycache__"))  # which needs the real torch
        self.packages = self.folder / "packages"
        shutil.copytree(CHECKOUT / "tests" / "rehearsal" / "stub", self.packages,
                        ignore=shutil.ignore_patterns("__pycache__"))
        self.torch_is("2.11.0+cu130", "13.0")
        self.environment = {**os.environ, "HEADROOM_RESOURCES": str(resources), "PYTHONPATH": str(self.packages),
                            "XDG_STATE_HOME": str(self.folder / "state"), "PYTHONDONTWRITEBYTECODE": "1"}
        self.environment.pop("HEADROOM_WORKSPACE", None)

    def torch_is(self, version, cuda):
        text = f"from typing import Optional\n__version__ = '{version}'\ncuda: Optional[str] = {cuda!r}\nhip = None\n"
        (self.packages / "torch" / "version.py").write_text(text)

    def script(self, text, name="train.py"):
        path = self.folder / name
        path.write_text(SCRIPT + text)
        return str(path)

    def headroom(self, *arguments, **options):
        return subprocess.run([str(HEADROOM), *map(str, arguments)], env=self.environment, capture_output=True,
                              text=True, timeout=300, check=False, cwd=self.folder, **options)

    def rehearse(self, *arguments, command, code):
        """The answer, as JSON, of a rehearsal that ends with this exit code."""
        done = self.headroom("rehearse", "--workspace", self.workspace, "--format", "json", *arguments, "--", *command)
        self.assertEqual(done.returncode, code, done.stderr)
        self.said = done.stderr
        return json.loads(done.stdout)

    def one(self, text, *arguments, code, device=("--device", "rtx4090")):
        document = self.rehearse(*device, *arguments, command=(sys.executable, self.script(text)), code=code)
        self.assertEqual(len(document["rows"]), 1)
        return document["rows"][0], document["rows"][0]["ranks"][0]


class VerdictTest(CommandTest):
    def test_a_script_that_fits_is_ended_after_its_steps(self):
        row, rank = self.one("take(4 * GIB)\nfor _ in range(9): step(); print('stepped')", code=0)
        self.assertEqual((row["verdict"], rank["outcome"]), ("fits", "completed"))
        self.assertEqual(rank["peak"]["reserved_bytes"], 4 * GIB)
        self.assertGreaterEqual(rank["needed_bytes"], 4 * GIB)
        self.assertLess(rank["needed_bytes"], 5 * GIB)
        self.assertEqual(rank["usable_bytes"], USABLE)
        self.assertEqual(rank["covered"], {"steps": 3, "evaluation": False, "saving": False, "end": False})
        self.assertIsNone(rank["exit_code"])
        self.assertEqual(self.said.count("stepped"), 2, "its output goes to standard error; the third step ended it")

    def test_with_no_number_of_steps_it_ends_by_itself(self):
        row, rank = self.one("take(GIB)\nfor _ in range(5): step()", "--steps", "0", code=0)
        self.assertEqual((rank["covered"]["steps"], rank["covered"]["end"]), (5, True))
        self.assertEqual(rank["exit_code"], 0)

    def test_out_of_memory_names_the_line_and_what_it_needs(self):
        row, rank = self.one("take(20 * GIB)\nstep()\ntake(8 * GIB)\nstep(); step()", code=1)
        self.assertEqual((row["verdict"], rank["outcome"], rank["second_run"]), ("no", "out_of_memory", True))
        self.assertEqual(rank["out_of_memory"]["requested_bytes"], 8 * GIB)
        lines = Path(self.folder / "train.py").read_text().splitlines()
        where = [place["line"] for place in rank["out_of_memory"]["where"]]
        self.assertIn(lines.index("take(8 * GIB)") + 1, where)
        self.assertGreaterEqual(rank["needed_bytes"], 28 * GIB)
        self.assertEqual(rank["exit_code"], 1)

    def test_out_of_memory_that_is_caught_is_tight(self):
        row, rank = self.one("try:\n    take(99 * GIB)\nexcept RuntimeError:\n    take(GIB)\nfor _ in range(3): step()",
                             code=0)
        self.assertEqual((row["verdict"], rank["second_run"]), ("tight", False))

    def test_a_script_that_fails_is_a_failure_with_its_exit_code(self):
        row, rank = self.one("take(GIB)\nstep()\nsys.exit(7)", code=3)
        self.assertEqual((row["verdict"], rank["outcome"], rank["exit_code"]), ("failed", "failed", 7))

    def test_what_uses_no_card_or_makes_no_step_is_not_known(self):
        row, rank = self.one("", code=4)
        self.assertEqual((row["verdict"], rank["outcome"]), ("unknown", "no_device_used"))
        row, rank = self.one("take(GIB)", code=4)
        self.assertEqual((row["verdict"], rank["outcome"]), ("unknown", "completed"))
        document = self.rehearse("--device", "rtx4090", command=("true",), code=4)
        self.assertEqual(document["rows"][0]["verdict"], "unknown")

    def test_a_torch_without_cuda_is_refused_before_the_script_goes_on(self):
        self.torch_is("2.11.0+cpu", None)
        row, rank = self.one("take(GIB)\nprint('went on')\nstep()", code=3)
        self.assertEqual((row["verdict"], rank["outcome"]), ("unknown", "refused"))
        self.assertIn("2.11.0+cpu", rank["reason"])
        self.assertNotIn("went on", self.said)

    def test_the_other_cuda_is_found_by_running_the_command(self):
        self.torch_is("2.6.0+cu124", "12.4")
        row, _ = self.one("take(GIB)\nfor _ in range(3): step()", code=0)
        self.assertEqual(row["verdict"], "fits")

    def test_a_cleared_environment_never_fits(self):
        command = ("env", "-i", "PYTHONPATH=" + str(self.packages), sys.executable, self.script("take(GIB)\nstep()"))
        document = self.rehearse("--device", "rtx4090", command=command, code=3)
        self.assertIn(document["rows"][0]["verdict"], ("failed", "unknown"))

    def test_a_time_limit_ends_it_with_all_that_it_started(self):
        text = "import subprocess, time\nsubprocess.Popen(['sleep', '543'], start_new_session=True)\ntake(GIB)\ntime.sleep(543)"
        row, rank = self.one(text, "--timeout", "3", code=3)
        self.assertEqual((row["verdict"], rank["outcome"]), ("failed", "timed_out"))
        self.assertEqual(subprocess.run(["pgrep", "-f", "sleep 543"], check=False, stdout=subprocess.DEVNULL).returncode, 1)


class RowsTest(CommandTest):
    STEPS = "take(int(sys.argv[1]) * GIB)\nfor _ in range(3): step()"

    def test_cards_and_values_make_rows_and_the_smallest_card_is_the_answer(self):
        command = (sys.executable, self.script(self.STEPS), "30")
        document = self.rehearse("--device", "h100-80gb,rtx4090,a100-40gb", command=command, code=0)
        self.assertEqual([row["verdict"] for row in document["rows"]], ["fits", "no", "fits"])
        self.assertEqual(document["answer"], {"values": {}, "device": "rehearsal:a100-40gb"})
        document = self.rehearse("--axis", "size=1,2", "--jobs", "2", "--device", "rtx4090",
                                 command=(sys.executable, self.script(self.STEPS), "{size}"), code=0)
        self.assertEqual(sorted(row["values"]["size"] for row in document["rows"]), ["1", "2"])
        self.assertIsNone(document["answer"])

    def test_fill_finds_the_largest_value(self):
        command = (sys.executable, self.script(self.STEPS), "{size}")
        document = self.rehearse("--device", "rtx4090", "--fill", "size=1..64", command=command, code=0)
        self.assertEqual(document["answer"]["values"], {"size": "23"})
        verdicts = {row["values"]["size"]: row["verdict"] for row in document["rows"]}
        self.assertEqual(verdicts["24"], "no")
        document = self.rehearse("--device", "rtx4090", "--fill", "size=40..64", command=command, code=1)
        self.assertIsNone(document["answer"])

    def test_the_card_of_last_time_is_taken(self):
        done = self.headroom("rehearse", "--", "true")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--device", done.stderr)
        self.one(self.STEPS.replace("int(sys.argv[1])", "1"), code=0)
        row, _ = self.one(self.STEPS.replace("int(sys.argv[1])", "1"), code=0, device=())
        self.assertEqual(row["device"], "rehearsal:rtx4090")

    def test_trials_are_kept_and_budgets_judge_them(self):
        budgets = self.folder / "budgets.toml"
        budgets.write_text('[[budget]]\nname = "small"\nmax_peak_gib = 2\n')
        junit = self.folder / "junit.xml"
        text = self.STEPS.replace("int(sys.argv[1])", "4")
        row, _ = self.one(text, "--budgets", budgets, "--junit", junit, code=1)
        suite = xml.etree.ElementTree.parse(junit).getroot()
        self.assertEqual(suite.get("failures"), "1")
        with sqlite3.connect(self.workspace) as workspace:
            stored = [trial for (trial,) in workspace.execute("SELECT trial_id FROM trials")]
        self.assertEqual(stored, [row["trial_id"]])
        budgets.write_text('[[budget]]\nname = "large"\nmax_peak_gib = 20\nfits = true\n')
        self.one(text, "--budgets", budgets, code=0)

    def test_what_happens_can_be_watched(self):
        events = self.folder / "events.jsonl"
        text = self.STEPS.replace("int(sys.argv[1])", "4") + "\nimport time\ntime.sleep(0.5)"
        row, _ = self.one(text, "--steps", "0", "--events", events, code=0)
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        self.assertEqual([line["event"] for line in lines if line["event"] != "moment"], ["row_started", "row_finished"])
        last = [line for line in lines if line["event"] == "moment"][-1]
        self.assertGreater(last["taken_bytes"], 4 * GIB)
        self.assertEqual((last["allocated_bytes"], last["steps"], last["unlimited"]), (4 * GIB, 3, False))
        self.assertEqual(lines[-1]["row"]["trial_id"], row["trial_id"])

    def test_bad_usage_names_the_option(self):
        for arguments, said in ((("--device", "rtx4091"), "rtx4090"), (("--axis", "size"), "NAME=V"),
                                (("--axis", "size=1"), "{size}"), (("--fill", "size=9..1"), "--fill"),
                                (("--assume", "some"), "balanced"), (("--writes", "no"), "discard"),
                                (("--budgets", "nowhere.toml"), "nowhere.toml"), (("--steps", "-1"), "--steps")):
            with self.subTest(arguments=arguments):
                device = () if arguments[0] == "--device" else ("--device", "rtx4090")
                done = self.headroom("rehearse", "--workspace", self.workspace, *device, *arguments, "--", "true")
                self.assertIn(done.returncode, (2, 5), done.stderr)
                self.assertIn(said, done.stderr)
                self.assertFalse(self.workspace.exists())
        done = self.headroom("rehearse", "--device", "rtx4090", "--workspace", self.workspace, "--", "no-such-program")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no-such-program", done.stderr)


class CiPageTest(CommandTest):
    """The script of docs/rehearse-ci.md, in a repository whose change needs more."""

    def block(self, language):
        page = (CHECKOUT / "docs" / "rehearse-ci.md").read_text()
        return page.split(f"```{language}\n")[1].split("```")[0]

    def git(self, *arguments):
        done = subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=self.change,
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(self, gib):
        self.script(f"take({gib} * GIB)\nfor _ in range(3): step()", "change/train.py")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"{gib} GiB")

    def setUp(self):
        super().setUp()
        self.change = self.folder / "change"
        self.change.mkdir()
        self.git("init", "-q")
        (self.change / "budgets.toml").write_text(self.block("toml"))
        (self.change / "memory.sh").write_text(self.block("sh"))
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "python").symlink_to(sys.executable)
        self.environment["PATH"] = os.pathsep.join((str(programs), str(HEADROOM.parent), os.environ["PATH"]))

    def job(self, before, now):
        """The exit code of the job and its summary, for a change from one size to another."""
        self.commit(before)
        self.environment["BASE"] = self.git("rev-parse", "HEAD")
        self.commit(now)
        done = subprocess.run(["bash", "-e", "memory.sh"], cwd=self.change, env=self.environment, capture_output=True,
                              text=True, timeout=300, check=False)
        self.said = done.stderr
        return done.returncode, (self.folder / "summary.md").read_text()

    def test_what_stays_as_it_was_passes(self):
        code, summary = self.job(4, 4)
        self.assertEqual(code, 0, self.said)
        self.assertIn("## headroom rehearse `train.py`: passed", summary)

    def test_a_peak_that_grew_fails_and_is_named(self):
        code, summary = self.job(4, 5)
        self.assertEqual(code, 1, self.said)
        self.assertIn("worse", summary)
        self.assertIn("1.00 GiB more", summary)

    def test_what_exceeds_its_budget_fails(self):
        code, summary = self.job(4, 21)
        self.assertEqual(code, 1, self.said)
        self.assertIn("LoRA on 24 GB", summary)
        self.assertTrue((self.folder / "junit.xml").exists())


class OutsideTest(CommandTest):
    """A script that overwrites its checkpoint, deletes an older one, pushes and logs."""

    HARM = """
import os, pathlib, socket
folder = pathlib.Path(sys.argv[1])
(folder / "last.pt").write_text("overwritten")
assert (folder / "last.pt").read_text() == "overwritten"
os.remove(folder / "older.pt")
(folder / "new.pt").write_text("x")
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=2).close()
except OSError:
    print("no connection")
take(GIB)
for _ in range(3): step()
"""

    def setUp(self):
        super().setUp()
        self.kept = self.folder / "checkpoints"
        self.kept.mkdir()
        (self.kept / "last.pt").write_text("mine")
        (self.kept / "older.pt").write_text("mine too")
        self.server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.server.close)
        self.server.settimeout(0.2)

    def require_untouched(self):
        self.assertEqual(sorted(path.name for path in self.kept.iterdir()), ["last.pt", "older.pt"])
        self.assertEqual((self.kept / "last.pt").read_text(), "mine")
        self.assertRaises(TimeoutError, self.server.accept)

    def command(self, text=""):
        return (sys.executable, self.script(self.HARM + text), str(self.kept), str(self.server.getsockname()[1]))

    def test_nothing_of_it_reaches_disk_or_network(self):
        document = self.rehearse("--device", "rtx4090", command=self.command(), code=0)
        self.assertEqual(document["rows"][0]["verdict"], "fits")
        self.assertIn("no connection", self.said)
        self.require_untouched()

    def test_four_at_once_do_not_meet(self):
        self.rehearse("--device", "rtx4090", "--jobs", "4", "--axis", "n=1,2,3,4", command=(*self.command(), "{n}"), code=0)
        self.require_untouched()

    def test_nothing_is_left_where_it_is_killed(self):
        command = self.command("import time\ntime.sleep(432)")
        process = subprocess.Popen([str(HEADROOM), "rehearse", "--steps", "0", "--device", "rtx4090", "--workspace",
                                    str(self.workspace), "--", *command], env=self.environment,
                                   stderr=subprocess.PIPE, cwd=self.folder)
        while b"no connection" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stderr.close()
        for _ in range(100):
            if subprocess.run(["pgrep", "-f", str(self.folder / "train.py")], check=False, stdout=subprocess.DEVNULL).returncode != 0:
                break
            time.sleep(0.1)
        else:
            self.fail("the command outlives the program")
        self.require_untouched()


if __name__ == "__main__":
    unittest.main()
