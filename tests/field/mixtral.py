# SPDX-License-Identifier: Apache-2.0
"""A mixture of experts of Mixtral's kind, eight experts of which each token takes two, trained in full."""

import argparse

import torch
from transformers import MixtralConfig, MixtralForCausalLM

parser = argparse.ArgumentParser()
parser.add_argument("--experts", help="the implementation: eager, batched_mm or grouped_mm")
parser.add_argument("--layers", type=int, default=4)
options = parser.parse_args()

config = MixtralConfig(vocab_size=32000, hidden_size=2048, intermediate_size=4096, num_hidden_layers=options.layers,
                       num_attention_heads=32, num_key_value_heads=8, output_router_logits=True)
if options.experts:
    config._experts_implementation = options.experts
with torch.device("cuda"):
    model = MixtralForCausalLM(config).to(torch.bfloat16)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
model.train()
for step in range(5):
    tokens = torch.randint(32000, (2, 1024)).cuda()
    loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    print(step, loss.item())
