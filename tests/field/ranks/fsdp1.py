# SPDX-License-Identifier: Apache-2.0
"""FullyShardedDataParallel, a unit for each block."""

from functools import partial

import torch
from model import Block, Decoder, start, train
from torch.distributed.fsdp import FullyShardedDataParallel, MixedPrecision
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy

start()
model = FullyShardedDataParallel(
    Decoder(), device_id=torch.cuda.current_device(), sync_module_states=True, use_orig_params=True,
    auto_wrap_policy=partial(transformer_auto_wrap_policy, transformer_layer_cls={Block}),
    mixed_precision=MixedPrecision(torch.bfloat16, torch.bfloat16))
train(model, clip=model.clip_grad_norm_)
