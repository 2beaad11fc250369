# SPDX-License-Identifier: Apache-2.0
"""torchao: training in float8, or with weights quantised to int4 as they will be (QAT)."""

import argparse

import torch
from torchao.float8 import convert_to_float8_training
from torchao.quantization import Int4WeightOnlyConfig, quantize_
from torchao.quantization.qat import QATConfig
from transformers import AutoConfig, AutoModelForCausalLM

parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)
parser.add_argument("--as", dest="how", choices=["float8", "int4-qat"], required=True)
parser.add_argument("--layers", type=int, default=8)
options = parser.parse_args()

config = AutoConfig.from_pretrained(options.config)
config.num_hidden_layers = options.layers
with torch.device("cuda"):
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
if options.how == "float8":
    convert_to_float8_training(model, module_filter_fn=lambda module, name: "lm_head" not in name)
else:
    quantize_(model, QATConfig(Int4WeightOnlyConfig(group_size=128), step="prepare"))
model.gradient_checkpointing_enable()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
model.train()
for step in range(5):
    tokens = torch.randint(config.vocab_size, (2, 1024)).cuda()
    loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())
