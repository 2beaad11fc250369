# SPDX-License-Identifier: Apache-2.0
"""How the agent gets into a Python, which torch it lets run, and with which libraries of the card.

Usage: start_test.py LIBRARIES        (a folder with cuda12 and cuda13)
"""

import sys
import unittest

sys.dont_write_bytecode = True

from stub_torch import LIBRARIES, StubTorchTest  # noqa: E402

REFUSED = 86


class SitecustomizeTest(StubTorchTest):
    def users(self, text):
        folder = self.folder / "users"
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(text)
        return [folder]

    def test_calls_the_users_own(self):
        before = self.users("import sys\nsys.users = __name__, __file__\n")
        run = self.rehearsed("import sys, sitecustomize\nprint(*sys.users, sitecustomize.__file__)", before=before)
        path = str(before[0] / "sitecustomize.py")
        self.assertEqual(self.ended(run), ["sitecustomize", path, path])

    def test_an_error_in_the_users_own_is_shown_and_python_goes_on(self):
        run = self.rehearsed("print('on')", before=self.users("1 / 0\n"))
        self.assertEqual(run.done.stdout, "on\n")
        self.assertIn("ZeroDivisionError", run.done.stderr)

    def test_the_users_own_may_load_torch(self):
        run = self.rehearsed("import torch; torch.allocate(1)", before=self.users("import torch\n"))
        self.assertEqual(self.ended(run), [])
        self.assertEqual(len(run.of("device")), 1)

    def test_does_nothing_else_without_a_rehearsal(self):
        run = self.rehearsed("import sys, torch; torch.allocate(1)\nprint('headroom_rehearsal' in sys.modules)",
                             HEADROOM_REHEARSAL="")
        self.assertEqual(self.ended(run), ["False"])
        self.assertEqual(run.files, [])

    def test_scripts_do_not_see_the_agent_on_their_path(self):
        run = self.rehearsed("import sys; print(any('agent' in p and not p.endswith('site') for p in sys.path))")
        self.assertEqual(self.ended(run), ["False"])

    def test_writes_nothing_beside_itself(self):
        self.ended(self.rehearsed("import torch; torch.allocate(1)"))
        self.assertEqual(list(self.agent.rglob("__pycache__")), [])

    def test_a_python_without_torch_writes_nothing(self):
        run = self.rehearsed("import importlib.util; assert importlib.util.find_spec('torch')")
        self.ended(run)
        self.assertEqual(run.files, [])


class RefusalTest(StubTorchTest):
    def assert_refused(self, reason, text, **options):
        run = self.rehearsed("print('before'); import torch; print('after')", **options)
        self.assertEqual(run.done.returncode, REFUSED, run.done.stderr)
        self.assertNotIn("after", run.done.stdout)
        self.assertEqual([(problem["reason"], text in problem["found"]) for problem in run.records], [(reason, True)])
        self.assertIn(reason, run.done.stderr)

    def test_torch_without_cuda(self):
        self.torch_is("2.11.0+cpu", None)
        self.assert_refused("no_cuda", "2.11.0+cpu")

    def test_torch_for_rocm(self):
        self.torch_is("2.11.0+rocm7.0", None, "7.0.0")
        self.assert_refused("rocm", "2.11.0+rocm7.0")

    def test_torch_that_is_too_old(self):
        self.torch_is("2.3.1+cu121", "12.1")
        self.assert_refused("too_old", "2.3.1")

    def test_torch_for_a_cuda_without_a_card(self):
        self.torch_is("2.4.0+cu118", "11.8")
        self.assert_refused("not_preloaded", "cuda11")

    def test_libraries_that_are_not_there(self):
        self.torch_is("2.6.0", "12.4")
        nothing = self.folder / "nothing" / "cuda12"
        nothing.mkdir(parents=True)
        (nothing / "libcuda.so.1").write_text("no library")
        self.assert_refused("not_preloaded", "no cuInit", HEADROOM_CARD_PRELOADS=str(nothing.parent), LD_PRELOAD="")

    def test_a_driver_that_is_none_of_the_cards(self):
        """As where a script preloads a library by itself: the card's must come first."""
        real = LIBRARIES / "cuda13" / "libcuda.so.1"
        other = self.folder / "other" / "cuda13"
        other.mkdir(parents=True)
        self.assert_refused("not_preloaded", str(real), HEADROOM_CARD_PRELOADS=str(other.parent), LD_PRELOAD=str(real))

    def test_who_only_asks_whether_there_is_a_torch_is_not_refused(self):
        self.torch_is("2.11.0+cpu", None)
        self.ended(self.rehearsed("import importlib.util; assert importlib.util.find_spec('torch').loader"))

    def test_a_card_that_is_not_described_does_not_answer(self):
        self.assert_refused("not_preloaded", "answers", card={}, HEADROOM_CARD="")


class PreloadsTest(StubTorchTest):
    SCRIPT = "import os, sys, torch\nprint(*sys.argv[1:], os.environ['LD_PRELOAD'].replace(':', ' '))"

    def assert_has(self, run, version, arguments=("a b", "")):
        self.assertEqual(run.done.returncode, 0, run.done.stderr)
        self.assertIn(" ".join(arguments), run.done.stdout)
        self.assertIn(f"/cuda{version}/libcuda.so.1", run.of("handshake")[0]["library"] if run.of("handshake") else "")
        folders = {word.split("/")[-2] for word in run.done.stdout.split() if "/preloads/" in word}
        self.assertEqual(folders, {f"cuda{version}"})

    def test_stay_where_they_are_right(self):
        self.assert_has(self.rehearsed("-c", self.SCRIPT, "a b", ""), 13)

    def test_are_changed_for_another_cuda(self):
        self.assert_has(self.rehearsed("-c", self.SCRIPT, "a b", "", preloaded="cuda12"), 13)
        self.torch_is("2.6.0", "12.4")
        self.assert_has(self.rehearsed("-c", self.SCRIPT, "a b", ""), 12)

    def test_are_changed_before_a_script_is_read_from_standard_input(self):
        self.assert_has(self.rehearsed("-", "a b", "", preloaded="cuda12", given=self.SCRIPT), 13)

    def test_are_changed_for_a_module(self):
        (self.packages / "ours.py").write_text(self.SCRIPT)
        self.assert_has(self.rehearsed("-m", "ours", "a b", "", preloaded="cuda12"), 13)

    def test_come_back_where_a_wrapper_has_dropped_them(self):
        run = self.rehearsed(command=["sh", "-c", f"LD_PRELOAD= exec {sys.executable} -c '{self.SCRIPT}' x".replace(
            "'LD_PRELOAD'", '"LD_PRELOAD"').replace("':', ' '", '":", " "')])
        self.assert_has(run, 13, ("x",))

    def test_keep_the_users_own_after_the_cards(self):
        import ctypes.util
        own = ctypes.util.find_library("m")
        run = self.rehearsed("-c", self.SCRIPT, "a b", "", preloaded="cuda12", own_preload=own)
        self.assert_has(run, 13)
        self.assertEqual(run.done.stdout.split()[-1], own)


class AllocatorTest(StubTorchTest):
    SCRIPT = ("import os, torch\n"
              "print(os.environ.get('PYTORCH_ALLOC_CONF'), os.environ.get('PYTORCH_CUDA_ALLOC_CONF'))")

    def seen(self, **variables):
        return self.ended(self.rehearsed(self.SCRIPT, **variables))

    def test_settings_go_under_the_name_that_this_torch_reads(self):
        wanted = {"HEADROOM_REHEARSAL_ALLOCATOR": "expandable_segments:True", "PYTORCH_CUDA_ALLOC_CONF": "a:1",
                  "PYTORCH_ALLOC_CONF": "b:2"}
        self.assertEqual(self.seen(**wanted), ["expandable_segments:True", "None"])
        self.torch_is("2.8.0", "12.8")
        self.assertEqual(self.seen(**wanted), ["None", "expandable_segments:True"])

    def test_the_users_own_settings_stay_without(self):
        self.assertEqual(self.seen(PYTORCH_CUDA_ALLOC_CONF="a:1", PYTORCH_ALLOC_CONF="b:2"), ["b:2", "a:1"])


if __name__ == "__main__":
    unittest.main()
