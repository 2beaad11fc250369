# SPDX-License-Identifier: Apache-2.0
"""One rank of several without the others: the store, messages, launchers' numbers. Needs no torch."""

import os
import sys
import tempfile
import threading
import types
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources" / "rehearsal"))

from headroom_rehearsal import ranks  # noqa: E402
from headroom_rehearsal.ranks import launchers  # noqa: E402
from headroom_rehearsal.ranks.imports import Afterwards  # noqa: E402
from headroom_rehearsal.ranks.messages import Messages  # noqa: E402
from headroom_rehearsal.ranks.store import AbsentRank, Keys, store_class  # noqa: E402


def variables(rank, gpus=8, nodes=1, **others):
    return {"HEADROOM_REHEARSAL_RANK": str(rank), "HEADROOM_REHEARSAL_RANKS": str(rank),
            "HEADROOM_REHEARSAL_NODE_GPUS": str(gpus), "HEADROOM_REHEARSAL_NODES": str(nodes),
            "HEADROOM_REHEARSAL_MESSAGES": "/nowhere", **others}


class StartTest(unittest.TestCase):
    def left(self, given):
        codes = []
        ranks.enter(given, codes.append)
        return codes

    def test_without_ranks_nothing_is_done(self):
        given = {"RANK": "3", "WORLD_SIZE": "8"}
        self.assertIsNone(ranks.enter(given, self.fail))
        self.assertEqual(given, {"RANK": "3", "WORLD_SIZE": "8"})

    def test_only_the_rehearsed_rank_goes_on(self):
        self.assertEqual(self.left(variables(3, RANK="3", LOCAL_RANK="3", WORLD_SIZE="8")), [])
        self.assertEqual(self.left(variables(3, RANK="4", LOCAL_RANK="4", WORLD_SIZE="8")), [0])
        self.assertEqual(self.left(variables(3)), [], "a process that is told nothing, as a launcher, goes on")

    def test_a_launcher_of_one_node_is_put_in_its_place(self):
        given = variables(13, nodes=4, RANK="5", LOCAL_RANK="5", WORLD_SIZE="8")
        self.assertEqual(self.left(given), [])
        self.assertEqual([given[name] for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE", "NODE_RANK", "GROUP_WORLD_SIZE")],
                         ["13", "5", "32", "1", "4"])
        self.assertEqual(self.left(variables(13, nodes=4, RANK="6", LOCAL_RANK="6", WORLD_SIZE="8")), [0])

    def test_a_launcher_that_knows_of_all_nodes_is_believed(self):
        given = variables(13, nodes=4, RANK="13", LOCAL_RANK="5", WORLD_SIZE="32")
        self.assertEqual(self.left(given), [])
        self.assertEqual((given["RANK"], given["WORLD_SIZE"]), ("13", "32"))

    def test_what_would_ask_the_store_from_its_threads_is_off_unless_the_user_says_so(self):
        given = variables(0, TORCH_NCCL_DUMP_ON_TIMEOUT="1")
        ranks.enter(given)
        self.assertEqual((given["TORCH_NCCL_ENABLE_MONITORING"], given["TORCH_NCCL_DUMP_ON_TIMEOUT"]), ("0", "1"))


class KeysTest(unittest.TestCase):
    def setUp(self):
        self.keys = Keys(8)

    def test_its_own_keys_are_as_in_any_store(self):
        self.keys.set("a", "1")
        self.keys.append("a", b"2")
        self.assertEqual(self.keys.get("a"), b"12")
        self.assertEqual(self.keys.compare_set("a", "x", "y"), b"12")
        self.assertEqual(self.keys.compare_set("a", "12", "y"), b"y")
        self.assertEqual(self.keys.compare_set("new", "", "z"), b"z")
        self.assertTrue(self.keys.delete("a"))
        self.assertFalse(self.keys.delete("a"))
        self.assertFalse(self.keys.has("a"))

    def test_counters_count_all_ranks(self):
        self.assertEqual(self.keys.add("barrier", 1), 8)
        self.assertEqual(self.keys.add("barrier", 0), 8)
        self.assertEqual(self.keys.add("barrier", 1), 16)

    def test_another_rank_has_put_in_what_this_one_did(self):
        self.keys.set("group/worker/3", "address of 3")
        self.assertTrue(self.keys.has("group/worker/5"))
        self.assertEqual(self.keys.get("group/worker/5"), b"address of 3")
        self.keys.set("group/worker/3", "later")
        self.assertEqual(self.keys.get("group/worker/0"), b"later")

    def test_a_communicator_needs_an_id_of_a_lower_rank(self):
        for key in ("default_pg/0//cuda//0", "1:2", "pg//UniqueNCCLID:1"):
            self.assertEqual(len(self.keys.get(key)), 128)

    def test_what_nobody_can_know_is_said(self):
        with self.assertRaisesRegex(AbsentRank, "settings"):
            self.keys.get("settings")
        self.assertFalse(self.keys.has("exception_dump"))

    def test_the_store_takes_what_torchs_own_take(self):
        store = store_class(types.SimpleNamespace(Store=object), 4)("host", 0, 4, True, wait_for_workers=True)
        store.set("a", b"1")
        store.multi_set(["b"], ["2"])
        self.assertEqual(store.multi_get(["a", "b"]), [b"1", b"2"])
        self.assertEqual((store.host, store.port, store.num_keys()), ("host", 29500, 2))
        store.wait(["never"], None)


class MessagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="messages-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.first, self.second = (Messages(self.folder, rank, [0, 1]) for rank in (0, 1))

    def test_objects_come_in_the_order_in_which_they_were_sent(self):
        for sent in (["a"], ["b"]):
            self.first.send(sent, 1, [0, 1])
        self.assertEqual([self.second.receive(0, 1, [0, 1]) for _ in range(2)], [["a"], ["b"]])

    def test_who_receives_waits_for_who_sends(self):
        received = []
        waiting = threading.Thread(target=lambda: received.append(self.second.receive(0, None, [0, 1])))
        waiting.start()
        waiting.join(0.1)
        self.assertTrue(waiting.is_alive())
        self.first.send(["late"], None, [0, 1])
        waiting.join(10)
        self.assertEqual(received, [["late"]])

    def test_a_rank_that_ended_or_is_not_there_sends_nothing(self):
        self.assertIsNone(self.second.receive(5, 1, [0, 1, 5]))
        Path(self.folder, "0.ended").touch()
        self.assertIsNone(self.second.receive(0, 1, [0, 1]))

    def test_groups_of_many_ranks_have_names_that_fit(self):
        group = list(range(4096))
        self.first.send([1], None, group)
        self.assertEqual(self.second.receive(0, None, group), [1])
        self.assertTrue(all(len(name) < 100 for name in os.listdir(self.folder)))


class LaunchersTest(unittest.TestCase):
    def test_ranks_of_a_node_follow_those_of_the_nodes_before(self):
        class Worker:
            def __init__(self, **values):
                self.__dict__.update(values)

        api = types.SimpleNamespace(SimpleElasticAgent=type("Agent", (), {}), Worker=Worker)
        launchers._assign_by_number(None, api)
        workers = api.SimpleElasticAgent()._assign_worker_ranks(None, 2, 4, types.SimpleNamespace(local_world_size=8))
        self.assertEqual([worker.global_rank for worker in workers], list(range(16, 24)))
        self.assertEqual({worker.world_size for worker in workers}, {32})

    def test_what_rank_0_would_have_sent_is_what_the_others_have(self):
        utils = types.SimpleNamespace(get_lst_from_rank0=None, assert_lst_len_same_as_other_ranks=None)
        launchers._agree(ranks.World(variables(3)), utils)
        self.assertEqual(utils.get_lst_from_rank0([4, 5]), [4, 5])
        untouched = types.SimpleNamespace(get_lst_from_rank0="own")
        launchers._agree(ranks.World(variables(0)), untouched)
        self.assertEqual(untouched.get_lst_from_rank0, "own")


class ImportsTest(unittest.TestCase):
    def test_a_module_is_changed_once_it_is_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "loaded_later.py").write_text("value = 1\n")
            sys.path.insert(0, folder)
            self.addCleanup(sys.path.remove, folder)

            def change(module):
                module.value += 1

            finder = Afterwards({"loaded_later": change})
            finder.install()
            self.addCleanup(sys.meta_path.remove, finder)
            import loaded_later

            self.assertEqual(loaded_later.value, 2)


if __name__ == "__main__":
    unittest.main()
