# SPDX-License-Identifier: Apache-2.0
"""DeepSpeed ZeRO: zero.py --stage 1|2|3 [--offload]."""

import argparse
from contextlib import nullcontext

import deepspeed
import torch
from model import Decoder, loss_of, tokens

parser = argparse.ArgumentParser()
parser.add_argument("--stage", type=int, default=2)
parser.add_argument("--offload", action="store_true")
parser.add_argument("--local_rank", type=int, default=-1)
arguments = parser.parse_args()

zero = {"stage": arguments.stage, "overlap_comm": True, "contiguous_gradients": True}
if arguments.offload:
    zero["offload_optimizer"] = {"device": "cpu", "pin_memory": True}
settings = {"train_micro_batch_size_per_gpu": 2, "bf16": {"enabled": True}, "gradient_clipping": 1.0,
            "zero_optimization": zero, "zero_allow_untested_optimizer": True,
            "optimizer": {"type": "AdamW", "params": {"lr": 1e-5, "torch_adam": True}}}

deepspeed.init_distributed()
with deepspeed.zero.Init(config_dict_or_path=settings) if arguments.stage == 3 else nullcontext():
    model = Decoder().to(torch.bfloat16)
engine, _, _, _ = deepspeed.initialize(model=model, config=settings, model_parameters=model.parameters())
for step in range(4):
    x = tokens(2).to(engine.device)
    loss = loss_of(engine(x), x)
    engine.backward(loss)
    engine.step()
    if engine.global_rank == 0:
        print(f"step {step} loss {loss.item():.3f}", flush=True)
