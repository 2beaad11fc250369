# SPDX-License-Identifier: Apache-2.0
"""A step of a small language model, with our package where VALUES is set: what it asks of the allocator, in order."""

import json
import os

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from compared_with_host import Records


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.Linear(width, 3 * width)
        self.feed_forward = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * width, width))

    def forward(self, x):
        query, key, value = self.attention(self.norm(x)).chunk(3, -1)
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        scores = (query @ key.transpose(1, 2) / 8).masked_fill(~mask, float("-inf"))
        x = x + scores.softmax(-1) @ value
        return x + self.feed_forward(self.norm(x))


def step(model, optimizer, scaler, ids):
    with torch.autocast("cuda", torch.float16):
        embedded, *blocks, head = model
        x = embedded(ids) * 1.5 + torch.arange(ids.shape[1], device="cuda")[None, :, None] / 100
        for i, block in enumerate(blocks):
            x = block(x) if i == 0 else checkpoint(block, x, use_reentrant=i == 1)
        loss = nn.functional.cross_entropy(head(x).flatten(0, 1).float(), ids.flatten())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return loss.item()


def main():
    if os.environ.get("VALUES"):
        from headroom_rehearsal import values

        values.install(Records())
    torch.manual_seed(0)
    model = nn.ModuleList([nn.Embedding(500, 64), Block(64), Block(64), Block(64), nn.Linear(64, 500)]).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    torch.cuda.memory._record_memory_history(max_entries=100000, context=None)
    losses = [step(model, optimizer, scaler, torch.randint(0, 500, (4, 32)).to("cuda")) for _ in range(3)]
    trace = torch.cuda.memory._snapshot()["device_traces"][0]
    requests = [entry["size"] for entry in trace if entry["action"] == "alloc"]
    frees = sorted(entry["size"] for entry in trace if entry["action"] == "free_requested")  # autocast frees by address
    print(json.dumps({"requests": requests, "frees": frees, "peak": torch.cuda.max_memory_allocated(), "loss": losses[-1]}))


if __name__ == "__main__":
    main()
