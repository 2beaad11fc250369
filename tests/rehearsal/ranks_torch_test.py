# SPDX-License-Identifier: Apache-2.0
"""Ranks with a real torch: what messages bring, and that memory is that of torch's own group that does nothing.

Usage: ranks_torch_test.py [--torch FOLDER] LIBRARIES        (torch_python.py says which torch)
"""

import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

from rehearsal_run import GIB, Rehearsal  # noqa: E402
from torch_python import PATH, PYTHON, require_torch  # noqa: E402

LIBRARIES = Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 and Path(sys.argv[-1]).is_dir() else None
FIELD = Path(__file__).resolve().parents[1] / "field" / "ranks"

MESSAGES = """
import os, torch, torch.distributed as dist
dist.init_process_group("cpu:gloo,cuda:nccl")
rank, size = dist.get_rank(), dist.get_world_size()
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
def told(name, values): print(name, *(values if isinstance(values, list) else [values]))
for device in ("cpu", "cuda"):
    x = torch.tensor([3, 4], device=device)
    dist.all_reduce(x); told("sum", x.tolist())
    x = torch.tensor([3, 4], device=device)
    dist.all_reduce(x, op=dist.ReduceOp.MAX); told("max", x.tolist())
    outputs = [torch.zeros(1, dtype=torch.long, device=device) for _ in range(size)]
    dist.all_gather(outputs, torch.tensor([rank], device=device)); told("gathered", [int(o) for o in outputs])
    chunk = torch.zeros(1, dtype=torch.long, device=device)
    dist.reduce_scatter_tensor(chunk, torch.arange(size, device=device)); told("chunk", chunk.item())
    exchanged = torch.zeros(size, dtype=torch.long, device=device)
    dist.all_to_all_single(exchanged, torch.arange(size, device=device) + 10); told("exchanged", exchanged.tolist())
    places = [torch.zeros(2, dtype=torch.long, device=device) for _ in range(size)] if rank == 0 else None
    dist.gather(torch.tensor([7, 8], device=device), places, dst=0)
    told("root", [p.tolist() for p in places or []])
objects = [None] * size
dist.all_gather_object(objects, {"rank": rank}); told("objects", objects[-1]["rank"])
objects = [None] * size if rank == 0 else None
dist.gather_object(rank, objects, dst=0); told("gathered objects", objects)
objects = ["of the first"] if rank == 0 else [None]
dist.broadcast_object_list(objects, src=0); told("broadcast", objects)
pair = dist.new_group([0, 3], backend="gloo")
if rank in (0, 3):
    dist.barrier(pair); told("pair", dist.get_world_size(pair))
dist.monitored_barrier(dist.new_group(backend="gloo"))
dist.barrier()
dist.destroy_process_group()
print("over")
"""


def variables(rank, ranks, gpus, nodes, messages):
    own = {"RANK": rank, "LOCAL_RANK": rank % gpus, "WORLD_SIZE": gpus * nodes, "LOCAL_WORLD_SIZE": gpus,
           "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": 29500, "HEADROOM_REHEARSAL_RANK": rank,
           "HEADROOM_REHEARSAL_RANKS": ",".join(map(str, ranks)), "HEADROOM_REHEARSAL_NODE_GPUS": gpus,
           "HEADROOM_REHEARSAL_NODES": nodes, "HEADROOM_REHEARSAL_MESSAGES": messages}
    return {name: str(value) for name, value in own.items()}


class RanksTest(unittest.TestCase):
    def rehearsed(self, command, ranks, gpus=8, nodes=1, steps=3):
        """Runs by rank, side by side."""
        messages = tempfile.TemporaryDirectory(prefix="messages-")
        self.addCleanup(messages.cleanup)
        runs = {}

        def one(rank):
            runs[rank] = Rehearsal([PYTHON, "-W", "ignore", *command], steps=steps, preloads=LIBRARIES,
                                   card={"count": gpus}, python_path=PATH, **variables(rank, ranks, gpus, nodes, messages.name))
            Path(messages.name, f"{rank}.ended").touch()

        threads = [threading.Thread(target=one, args=(rank,)) for rank in ranks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for run in runs.values():
            self.addCleanup(run.__exit__)
            self.assertEqual(run.of("problem"), [], run.done.stderr[-2000:])
        return runs

    def reached(self, run, steps=3):
        self.assertEqual(len(run.of("step")), steps, run.done.stderr[-2000:])
        return run

    @staticmethod
    def peak(run):
        return {name: run.of("peak")[-1][name] for name in ("allocated_bytes", "active_bytes", "reserved_bytes")}

    def alone(self, script, rank, size, *arguments):
        """The same script with torch's own group that does nothing, on one card."""
        run = Rehearsal([PYTHON, "-W", "ignore", FIELD / script, *arguments, "--fake", str(rank), str(size)], steps=3,
                        preloads=LIBRARIES, python_path=PATH)
        self.addCleanup(run.__exit__)
        return self.reached(run)

    def assert_as_torchs_own(self, script, *arguments, ranks=(0,), gpus=8):
        runs = self.rehearsed([FIELD / script, *arguments], ranks, gpus)
        own = self.peak(self.alone(script, 0, gpus, *arguments))
        for run in runs.values():
            self.assertEqual(self.peak(self.reached(run)), own)


class MessagesTest(RanksTest):
    def test_others_send_what_this_rank_does(self):
        runs = self.rehearsed(["-c", MESSAGES], (0, 3), steps=0)
        for rank, run in runs.items():
            self.assertEqual(run.done.returncode, 0, run.done.stderr[-2000:])
            said = run.done.stdout.splitlines()
            own = ["sum 24 32", "max 3 4", "gathered" + f" {rank}" * 8, f"chunk {8 * rank}",
                   "exchanged" + f" {10 + rank}" * 8, "root" + " [7, 8]" * 8 * (rank == 0)]
            self.assertEqual(said[:12], own * 2, "in host memory and on the card")
            self.assertIn(f"objects {rank}", said)
            self.assertIn("broadcast of the first", said)
            self.assertEqual(said[-2:], ["pair 2", "over"])
            self.assertEqual(run.of("rank")[-1]["world_size"], 8)


class MemoryTest(RanksTest):
    def test_data_parallel(self):
        self.assert_as_torchs_own("ddp.py", ranks=(0, 5))

    def test_sharded_over_a_mesh_of_two_dimensions(self):
        self.assert_as_torchs_own("fsdp2.py", "--hybrid", ranks=(0, 7))

    def test_each_stage_of_a_pipeline_learns_its_shapes(self):
        runs = self.rehearsed([FIELD / "pipeline.py"], (0, 1, 2, 3), gpus=4)
        taken = [self.peak(self.reached(runs[rank]))["allocated_bytes"] for rank in range(4)]
        self.assertGreater(taken[3], max(taken[:3]), "it makes the logits")
        self.assertGreater(taken[0], taken[1], "it holds most batches at a time, and the embedding")
        self.assertGreater(taken[1], taken[2])
        self.assertLess(taken[1], GIB)

    def test_a_stage_whose_neighbour_is_not_rehearsed_says_so(self):
        with self.assertRaisesRegex(AssertionError, "objects of rank 0"):
            self.rehearsed([FIELD / "pipeline.py"], (1,), gpus=4)


class LaunchersTest(RanksTest):
    def test_torchrun_starts_the_rank_alone(self):
        runs = self.rehearsed(["-m", "torch.distributed.run", "--nproc-per-node", "4", FIELD / "ddp.py"], (2,), gpus=4)
        self.assertEqual(self.reached(runs[2]).of("rank")[-1]["world_size"], 4)

    def test_torchrun_waits_for_no_other_node(self):
        command = ["-m", "torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "4", "--rdzv-backend", "c10d",
                   "--rdzv-endpoint", "first-node:29400", FIELD / "fsdp2.py"]
        runs = self.rehearsed(command, (5,), gpus=4, nodes=2)
        found = self.reached(runs[5]).of("rank")[-1]
        self.assertEqual((found["rank"], found["world_size"]), (5, 8))

    def test_a_script_that_starts_its_ranks_itself(self):
        runs = self.rehearsed([FIELD / "spawned.py"], (1,), gpus=2)
        self.assertEqual(self.reached(runs[1]).of("rank")[-1]["rank"], 1)


if __name__ == "__main__":
    require_torch()
    unittest.main()
