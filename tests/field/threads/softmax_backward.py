# SPDX-License-Identifier: Apache-2.0
"""Softmax, mean and the way back over one large leaf in bfloat16: pytorch 72450."""

import json

import torch

scores = torch.rand(5120, 2, 384, 384, dtype=torch.bfloat16, device="cuda", requires_grad=True)
start = torch.cuda.memory_allocated()
scores = torch.softmax(scores, -1)  # the leaf is held by the graph alone from here on
loss = scores.mean()
forward = torch.cuda.memory_allocated()
loss.backward()
print("measured", json.dumps({"start": start, "forward": forward, "backward": torch.cuda.memory_allocated(),
                              "peak": torch.cuda.max_memory_allocated()}))
