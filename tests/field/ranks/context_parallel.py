# SPDX-License-Identifier: Apache-2.0
"""Context parallel: each rank has a part of a long sequence, keys and values go round."""

import torch
import torch.distributed as dist
from model import Decoder, loss_of, report, start, tokens
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.experimental import context_parallel
from torch.nn.attention import SDPBackend, sdpa_kernel

LENGTH = 16384

rank, size = start()
mesh = init_device_mesh("cuda", (size,), mesh_dim_names=("cp",))
model = Decoder().to("cuda", torch.bfloat16)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(4):
    x, y = tokens(1, LENGTH), tokens(1, LENGTH)
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION), context_parallel(mesh, buffers=[x, y], buffer_seq_dims=[1, 1]):
        loss = loss_of(model(x), y)
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    report(step, loss)
dist.destroy_process_group()
