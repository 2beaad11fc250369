# SPDX-License-Identifier: Apache-2.0
"""A script that starts its ranks itself and gives them their numbers as arguments."""

import os

import torch
import torch.distributed as dist
from model import Decoder, train


def main(rank, size):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:23456", rank=rank, world_size=size)
    torch.cuda.set_device(rank)
    os.environ["LOCAL_RANK"] = str(rank)
    train(torch.nn.parallel.DistributedDataParallel(Decoder().cuda()))


if __name__ == "__main__":
    count = torch.cuda.device_count()
    torch.multiprocessing.spawn(main, args=(count,), nprocs=count)
