# SPDX-License-Identifier: Apache-2.0
"""Values on the card that is not there, with a PyTorch of 2.4 or newer: torch_python.py says which.

    values_test.py [--torch FOLDER] RUN_REHEARSED [UNITTEST_OPTION]..."""

import functools
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from torch_python import PATH, PYTHON, require_torch  # noqa: E402

PACKAGE = HERE.parents[2] / "resources" / "rehearsal"
RUN_REHEARSED = ""


@functools.lru_cache(None)
def result_of(program, **variables):
    """The last line of what a program of this folder prints on the card, read as JSON."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE), *PATH]), **variables}
    done = subprocess.run([RUN_REHEARSED, "h100-80gb", PYTHON, str(HERE / program)], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{program} ended with {done.returncode}: {done.stderr[-4000:]}")
    return json.loads(done.stdout.splitlines()[-1])


class ValuesTest(unittest.TestCase):
    maxDiff = 4000

    def test_operators_on_integers_give_what_the_host_gives(self):
        result = result_of("compared_with_host.py")
        self.assertEqual(result["differs"], [])
        self.assertEqual(result["sizes"], [])
        self.assertEqual(result["tally"]["unknown"], 0)
        self.assertGreater(result["tally"]["computed"], 1000)

    def test_operators_ask_the_allocator_for_the_same_as_without(self):
        result = result_of("compared_with_host.py")
        self.assertEqual(result["requests"], [])
        self.assertGreater(result["compared_requests"], 700)

    def test_operators_that_read_their_size_ask_for_the_same_as_the_real_one_of_that_size(self):
        result = result_of("compared_sizes.py")
        self.assertEqual(result["differs"], [])
        self.assertGreater(result["compared"], 20)

    def test_a_training_step_asks_for_the_same_as_without(self):
        with_values, without = (result_of("training_step.py", VALUES=values) for values in ("1", ""))
        for what in ("requests", "frees", "peak"):
            self.assertEqual(with_values[what], without[what], what)
        self.assertEqual(with_values["loss"], 1.0)

    def test_operators_that_take_others_are_called(self):
        self.assertEqual(result_of("higher_order.py"), [[4, 9], [4, 9], [8, 18]])

    def test_messages_between_ranks_keep_what_is_known(self):
        result = result_of("messages.py")
        self.assertEqual(result, {"objects": [{"a": list(range(100))}, {"b": 2}], "gathered": [0, 1, 2, 3], "unknown": 0})

    def test_what_kernels_of_other_libraries_write_is_not_taken_for_known(self):
        for assume, kept in (("balanced", 50), ("all", 100), ("none", 0)):
            with self.subTest(assume):
                result = result_of("other_kernels.py", HEADROOM_REHEARSAL_ASSUME=assume)
                if result is None:
                    self.skipTest("no torchvision")
                self.assertEqual(result, {"kept": [kept], "indices": True, "guesses": [["comparison", "nms", "other_kernels.py"]], "filled": "unknown"})

    def test_each_rule_and_what_is_not_known(self):
        for assume in ("balanced", "all", "none"):
            with self.subTest(assume):
                self.assertEqual(result_of("rules.py", HEADROOM_REHEARSAL_ASSUME=assume), {"wrong": []})


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    RUN_REHEARSED = sys.argv.pop(1)
    require_torch()
    unittest.main()
