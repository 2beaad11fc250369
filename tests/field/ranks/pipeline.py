# SPDX-License-Identifier: Apache-2.0
"""A pipeline with a stage for each rank, 1F1B. Stages learn their shapes from the stage before."""

import torch
import torch.distributed as dist
from model import LAYERS, Decoder, loss_of, start, tokens
from torch.distributed.pipelining import PipelineStage, Schedule1F1B

rank, size = start()
each = LAYERS // size
device = torch.device("cuda", torch.cuda.current_device())
model = Decoder(range(rank * each, (rank + 1) * each)).to(device, torch.bfloat16)
schedule = Schedule1F1B(PipelineStage(model, rank, size, device), n_microbatches=8, loss_fn=loss_of)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(4):
    x = tokens(8)
    if rank == 0:
        schedule.step(x)
    elif rank == size - 1:
        schedule.step(target=x, losses=[])
    else:
        schedule.step()
    optimizer.step()
    optimizer.zero_grad()
dist.destroy_process_group()
