# SPDX-License-Identifier: Apache-2.0
"""A decoder of plain PyTorch whose parts have names by which plans of parallelism find them, and how a script of ranks begins."""

import os
import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn

VOCABULARY, DIM, LAYERS, HEADS, LENGTH = 32000, 1024, 8, 16, 1024


def start():
    """The group of all ranks. `--fake RANK SIZE` makes torch's own group that does nothing, for comparison."""
    if "--fake" in sys.argv:
        from torch.testing._internal.distributed.fake_pg import FakeStore

        at = sys.argv.index("--fake")
        rank, size = int(sys.argv[at + 1]), int(sys.argv[at + 2])
        os.environ["LOCAL_RANK"] = "0"
        dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=size)
    else:
        dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    return dist.get_rank(), dist.get_world_size()


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(DIM, DIM, bias=False) for _ in range(4))

    def forward(self, x):
        q, k, v = (w(x).unflatten(-1, (-1, DIM // HEADS)).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.wo(attended.transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1, self.w3 = nn.Linear(DIM, 4 * DIM, bias=False), nn.Linear(DIM, 4 * DIM, bias=False)
        self.w2 = nn.Linear(4 * DIM, DIM, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention_norm, self.ffn_norm = nn.RMSNorm(DIM), nn.RMSNorm(DIM)
        self.attention, self.feed_forward = Attention(), FeedForward()

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.feed_forward(self.ffn_norm(x))


class Decoder(nn.Module):
    """The first, some or the last layers, as a stage of a pipeline has them."""

    def __init__(self, layers=range(LAYERS)):
        super().__init__()
        self.tok_embeddings = nn.Embedding(VOCABULARY, DIM) if 0 in layers else None
        self.layers = nn.ModuleList(Block() for _ in layers)
        self.norm = nn.RMSNorm(DIM) if LAYERS - 1 in layers else None
        self.output = nn.Linear(DIM, VOCABULARY, bias=False) if LAYERS - 1 in layers else None

    def forward(self, x):
        x = self.tok_embeddings(x) if self.tok_embeddings is not None else x
        for layer in self.layers:
            x = layer(x)
        return self.output(self.norm(x)) if self.output is not None else x


def loss_of(logits, targets):
    return F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())


def tokens(batch, length=LENGTH):
    return torch.randint(0, VOCABULARY, (batch, length), device="cuda")


def train(model, batch=2, steps=4, clip=None):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(steps):
        x = tokens(batch)
        loss = loss_of(model(x), x)
        loss.backward()
        (clip or torch.nn.utils.clip_grad_norm_)(*(() if clip else (model.parameters(),)), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        report(step, loss)
    dist.barrier()
    dist.destroy_process_group()


def report(step, loss):
    """As scripts log: the mean over ranks, and what each of them has to say."""
    mean = loss.detach().clone()
    dist.all_reduce(mean)
    if dist.get_backend() != "fake":
        said = [None] * dist.get_world_size()
        dist.all_gather_object(said, {"rank": dist.get_rank(), "step": step})
        assert all(one["step"] == step for one in said)
    if dist.get_rank() == 0:
        print(f"step {step} loss {mean.item() / dist.get_world_size():.3f}", flush=True)
