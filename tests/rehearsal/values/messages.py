# SPDX-License-Identifier: Apache-2.0
"""Small messages between ranks of which there is one. Writes one line of JSON: what came; null without NumPy, by which torch
sends objects."""

import importlib.util
import json

import torch
import torch.distributed as dist

from compared_with_host import Records


def main():
    if importlib.util.find_spec("numpy") is None:
        print("null")
        return
    from headroom_rehearsal import values

    values.install(Records())
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
    objects, sent = [None], [{"b": 2}]
    dist.all_gather_object(objects, {"a": list(range(100))})
    dist.broadcast_object_list(sent)
    numbers = torch.arange(4, device="cuda")
    dist.all_reduce(numbers)
    gathered = torch.empty(4, dtype=torch.long, device="cuda")
    dist.all_gather_into_tensor(gathered, numbers)
    print(json.dumps({"objects": objects + sent, "gathered": gathered.tolist(), "unknown": values.tally()["unknown"]}), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
