# SPDX-License-Identifier: Apache-2.0
"""Bytes that a logit takes from a head in bfloat16 to the gradients, both copies of the logits kept: unsloth-zoo 946."""

import argparse
import json

import torch
import torch.nn.functional as F

VOCABULARY = 151936
parser = argparse.ArgumentParser()
parser.add_argument("--tokens", type=int, required=True)
options = parser.parse_args()

words = torch.randn(1, options.tokens, 16, dtype=torch.bfloat16, device="cuda", requires_grad=True)
head = torch.randn(VOCABULARY, 16, dtype=torch.bfloat16, device="cuda")
labels = torch.randint(0, VOCABULARY, (options.tokens,), device="cuda")
F.linear(words.detach(), head[:8])  # the workspace of products is there before
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
logits = F.linear(words, head)
upcast = logits.view(-1, VOCABULARY).float()
loss = F.cross_entropy(upcast, labels)
loss.backward()
taken = torch.cuda.max_memory_allocated() - before
print("measured", json.dumps({"bytes_per_logit": taken / (options.tokens * VOCABULARY)}))
