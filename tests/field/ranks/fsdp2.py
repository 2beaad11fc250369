# SPDX-License-Identifier: Apache-2.0
"""fully_shard over all ranks; with --hybrid a mesh of two dimensions, copies and shards."""

import sys

import torch
from model import Decoder, start, train
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard

rank, size = start()
if "--hybrid" in sys.argv:
    mesh = init_device_mesh("cuda", (2, size // 2), mesh_dim_names=("replicate", "shard"))
else:
    mesh = init_device_mesh("cuda", (size,))
with torch.device("meta"):
    model = Decoder()
policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
for layer in model.layers:
    fully_shard(layer, mesh=mesh, mp_policy=policy)
fully_shard(model, mesh=mesh, mp_policy=policy)
model.to_empty(device="cuda")
train(model)
