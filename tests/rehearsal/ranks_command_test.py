# SPDX-License-Identifier: Apache-2.0
"""headroom rehearse with several ranks, from the command line to the answer, with a stub of torch.

Usage: ranks_command_test.py HEADROOM        (the program, with the card's libraries beside it)
"""

import json
import sys
import unittest

sys.dont_write_bytecode = True

import command_test  # noqa: E402  (takes the program from the command line)

GIB = command_test.GIB
# Each rank takes a GiB more than the one before.
RANK = """
import os
rank = int(os.environ["RANK"])
ctypes.CDLL(None).cudaSetDevice(int(os.environ["LOCAL_RANK"]))
take((1 + rank) * GIB)
for _ in range(3): step()
"""
# Starts a process for each GPU of a node, as launchers do.
LAUNCHER = """
import os, subprocess, sys
count = 8
print("launched", os.environ["RANK"])
ranks = [subprocess.Popen([sys.executable, sys.argv[1]], env={**os.environ, "RANK": str(i), "LOCAL_RANK": str(i),
                                                              "WORLD_SIZE": str(count)}) for i in range(count)]
sys.exit(max(rank.wait() for rank in ranks))
"""


class RanksTest(command_test.CommandTest):
    def ranks(self, *arguments, code=0, command=None):
        command = command or (sys.executable, self.script(RANK))
        document = self.rehearse("--device", "rtx4090", *arguments, command=command, code=code)
        self.row = document["rows"][0]
        return {rank["rank"]: rank for rank in self.row["ranks"]}

    def launched(self, *arguments, **options):
        launcher = self.folder / "launch.py"
        launcher.write_text(LAUNCHER)
        return self.ranks(*arguments, command=(sys.executable, str(launcher), self.script(RANK)), **options)

    @staticmethod
    def used(rank):
        return [device["index"] for device in rank["devices"] if device["needed_bytes"]]

    def test_the_first_rank_is_rehearsed(self):
        ranks = self.ranks("--gpus", "8")
        self.assertEqual(list(ranks), [0])
        self.assertEqual((ranks[0]["world_size"], ranks[0]["peak"]["reserved_bytes"]), (8, GIB))

    def test_each_rank_has_an_answer_and_the_fullest_one_counts(self):
        ranks = self.ranks("--gpus", "8", "--ranks", "7,0")
        self.assertEqual(list(ranks), [0, 7])
        self.assertEqual([rank["peak"]["reserved_bytes"] for rank in ranks.values()], [GIB, 8 * GIB])
        self.assertEqual([self.used(rank) for rank in ranks.values()], [[0], [7]])
        self.assertIn("on rank 7 of 8", self.said)

    def test_the_worst_verdict_is_the_rows(self):
        ranks = self.ranks("--gpus", "4", "--nodes", "8", "--ranks", "0,30", code=1)
        self.assertEqual(self.row["verdict"], "no")
        self.assertEqual([rank["outcome"] for rank in ranks.values()], ["completed", "out_of_memory"])
        self.assertTrue(ranks[30]["second_run"])
        self.assertGreaterEqual(ranks[30]["needed_bytes"], 31 * GIB)
        self.assertEqual(self.used(ranks[30]), [2], "its place in its node")

    def test_a_launcher_starts_the_rehearsed_rank_alone(self):
        ranks = self.launched("--gpus", "8", "--ranks", "0,5")
        self.assertEqual([rank["peak"]["reserved_bytes"] for rank in ranks.values()], [GIB, 6 * GIB])
        self.assertEqual([rank["processes"] for rank in ranks.values()], [1, 1])

    def test_a_launcher_of_one_node_is_put_among_the_others(self):
        ranks = self.launched("--gpus", "8", "--nodes", "2", "--ranks", "9")
        self.assertEqual(ranks[9]["peak"]["reserved_bytes"], 10 * GIB)

    def test_a_rank_that_nobody_starts_is_not_known(self):
        ranks = self.launched("--gpus", "12", "--ranks", "10", code=4)
        self.assertEqual((self.row["verdict"], ranks[10]["outcome"]), ("unknown", "no_device_used"))
        self.assertIn("rank 10", ranks[10]["reason"])

    def test_without_a_group_of_ranks_it_says_so(self):
        self.ranks("--gpus", "2")
        done = self.headroom("rehearse", "--device", "rtx4090", "--workspace", self.workspace, "--gpus", "2", "--format",
                             "md", "--", sys.executable, self.script(RANK))
        self.assertIn("no group of ranks was formed", done.stdout)
        self.assertIn("| 0 |", done.stdout.replace("  ", " "), "a line for each rank")

    def test_one_process_sees_all_cards_without_ranks(self):
        text = """
import os
assert "WORLD_SIZE" not in os.environ, os.environ["WORLD_SIZE"]
count = ctypes.c_int()
ctypes.CDLL(None).cudaGetDeviceCount(ctypes.byref(count))
take(count.value * GIB)
step(); step(); step()
"""
        ranks = self.ranks("--gpus", "4", "--no-ranks", command=(sys.executable, self.script(text)))
        self.assertEqual((ranks[0]["world_size"], ranks[0]["peak"]["reserved_bytes"]), (1, 4 * GIB))

    def test_many_gpus_are_nodes_of_eight(self):
        text = RANK.replace("(1 + rank)", "1") + "\n"
        command = (sys.executable, self.script("import os\nassert os.environ['LOCAL_WORLD_SIZE'] == '8'\n" + text))
        ranks = self.ranks("--gpus", "128", "--ranks", "127", command=command)
        self.assertEqual((ranks[127]["world_size"], self.used(ranks[127])), (128, [7]))

    def test_bad_usage_names_the_option(self):
        for arguments, said in ((("--gpus", "4", "--ranks", "4"), "from 0 to 3"), (("--gpus", "20"), "--nodes"),
                                (("--ranks", "1"), "--ranks"), (("--no-ranks", "--nodes", "2"), "--nodes"),
                                (("--no-ranks", "--gpus", "2", "--ranks", "0"), "--ranks"), (("--gpus", "0"), "--gpus")):
            with self.subTest(arguments=arguments):
                done = self.headroom("rehearse", "--device", "rtx4090", "--workspace", self.workspace, *arguments, "--", "true")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)

    def test_trials_of_other_ranks_are_others(self):
        first = self.ranks("--gpus", "8") and self.row["trial_id"]
        self.ranks("--gpus", "8", "--ranks", "1")
        self.assertNotEqual(self.row["trial_id"], first)
        self.assertIn("8 GPUs", self.row["label"])
        self.assertEqual(json.loads(json.dumps(self.row))["ranks"][0]["rank"], 1)


if __name__ == "__main__":
    unittest.main()
